/** Highlights: the kept text is marked by the CSS Custom Highlight API, which leaves the page's DOM as it is. */

import type { Request } from "./messages.js";
import type { Session } from "./session.js";
import type { Settings } from "./settings.js";

const KEPT = "dehusk-kept";
const DROPPED = "dehusk-dropped";
/** Texts whose colour is asked for, and colours that are told apart: a page with more is faded in part. */
const MOST_FADED = 5000;
const MOST_COLOURS = 24;
let style = "";
let names: string[] = [];

export function showHighlights(session: Session, settings: Settings): void {
  const kept: StaticRange[] = [];
  const dropped: StaticRange[] = [];
  for (const { number } of session.annotation.blocks) {
    (session.kept[number] ? kept : dropped).push(...session.annotation.ranges(number));
  }
  clear();
  show(KEPT, kept);
  show(DROPPED, dropped);
  // Half transparent, so that dark text and light text stay readable on it.
  const rules = [`::highlight(${KEPT}) { background-color: ${settings.highlight}66; }`];
  setStyle([...rules, ...(settings.fade ? fade(dropped) : [])].join("\n"));
}

export function hideHighlights(): void {
  clear();
  setStyle("");
}

/** Highlight texts by their colour, and return rules that make each colour paler: a highlight knows no current one. */
function fade(ranges: readonly StaticRange[]): string[] {
  const byColour = new Map<string, StaticRange[]>();
  for (const range of ranges.slice(0, MOST_FADED)) {
    const { parentElement } = range.startContainer;
    if (!parentElement) continue;
    const { color } = getComputedStyle(parentElement);
    if (!byColour.has(color) && byColour.size < MOST_COLOURS) byColour.set(color, []);
    byColour.get(color)?.push(range);
  }
  return Array.from(byColour, ([colour, texts], number) => {
    show(`${DROPPED}-${number}`, texts);
    return `::highlight(${DROPPED}-${number}) { color: color-mix(in srgb, ${colour} 50%, transparent); }`;
  });
}

function show(name: string, ranges: readonly StaticRange[]): void {
  const highlight = new Highlight();
  for (const range of ranges) highlight.add(range);
  CSS.highlights.set(name, highlight);
  names.push(name);
}

function clear(): void {
  for (const name of names) CSS.highlights.delete(name);
  names = [];
}

function setStyle(css: string): void {
  if (css === style) return;
  const request: Request = { type: "style", css, before: style };
  style = css;
  void chrome.runtime.sendMessage(request);
}
