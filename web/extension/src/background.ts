/** The script behind the button: it puts the content script into the page that is clicked on, and no other. */

import type { Clicked, Request } from "./messages.js";

const CLICKED: Clicked = { type: "clicked" };
const BADGE_COLOUR = "#3d5a3a";

chrome.action.onClicked.addListener((tab) => {
  if (tab.id !== undefined) void clicked(tab.id);
});

async function clicked(tabId: number): Promise<void> {
  try {
    await chrome.tabs.sendMessage(tabId, CLICKED);
  } catch {
    // Nobody is listening: this is the first click on the page.
    await inject(tabId);
  }
}

async function inject(tabId: number): Promise<void> {
  try {
    await chrome.scripting.executeScript({ target: { tabId }, files: ["content.js"] });
  } catch {
    // Browsers let no extension into their own pages and stores.
    await setBadge(tabId, "–", "dehusk cannot read this page: the browser does not allow it");
  }
}

async function setBadge(tabId: number, text: string, title: string): Promise<void> {
  await chrome.action.setBadgeBackgroundColor({ tabId, color: BADGE_COLOUR });
  await chrome.action.setBadgeText({ tabId, text });
  await chrome.action.setTitle({ tabId, title });
}

chrome.runtime.onMessage.addListener((request: Request, sender) => {
  const tabId = sender.tab?.id;
  if (tabId === undefined) return;
  if (request.type === "badge") void setBadge(tabId, request.text, request.title);
  else if (request.type === "options") void chrome.runtime.openOptionsPage();
  else void setStyle(tabId, request.css, request.before);
});

/** Replace one style sheet of ours in the page by another. */
async function setStyle(tabId: number, css: string, before: string): Promise<void> {
  if (before) await chrome.scripting.removeCSS({ target: { tabId, allFrames: true }, css: before });
  if (css) await chrome.scripting.insertCSS({ target: { tabId, allFrames: true }, css });
}
