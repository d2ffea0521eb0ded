/** The content script: one click highlights the main text, a second one opens the reader view, a third one ends it. */

import { percent } from "./controls.js";
import { hideHighlights, showHighlights } from "./highlights.js";
import type { Clicked, Request } from "./messages.js";
import { Panel } from "./panel.js";
import { blockAt } from "./pointer.js";
import { Reader } from "./reader.js";
import { Session } from "./session.js";
import { type Action, ACTIONS, loadSettings, onSettingsChange, type Settings } from "./settings.js";
import { Toolbar } from "./toolbar.js";
import { Tooltip } from "./tooltip.js";
import { copyMarkdown, saveMarkdown } from "./files.js";

/** What is on the page between the first click and the last. */
class Visit {
  private readonly session = new Session(document);
  private readonly panel = new Panel();
  private readonly tooltip = new Tooltip(this.session);
  private readonly toolbar: Toolbar;
  private readonly reader: Reader;
  private readonly ended = new AbortController();

  constructor(
    private settings: Settings,
    private readonly onEnd: () => void,
  ) {
    const acts = { reader: () => this.openReader(), options: openOptions, close: () => this.end() };
    this.toolbar = new Toolbar(this.session, acts);
    this.reader = new Reader(this.session, settings, () => this.closeReader());
    this.panel.root.append(this.toolbar.element, this.tooltip.element, this.reader.element);
    this.session.onChange(() => this.update());
    this.listen();
    this.update();
  }

  get isReading(): boolean {
    return this.reader.element.open;
  }

  openReader(): void {
    this.tooltip.hide();
    this.toolbar.element.hidden = true;
    this.reader.open();
  }

  end(): void {
    this.ended.abort();
    hideHighlights();
    this.panel.remove();
    setBadge("", "Highlight the main text (dehusk)");
    this.onEnd();
  }

  apply(settings: Settings): void {
    this.settings = settings;
    this.reader.apply(settings);
    this.update();
  }

  private closeReader(): void {
    this.reader.close();
    this.toolbar.element.hidden = false;
  }

  private update(): void {
    showHighlights(this.session, this.settings);
    const share = percent(this.session.boilerplate);
    setBadge(share, `${share} of this page is boilerplate. Click for the reader view`);
  }

  private listen(): void {
    const { signal } = this.ended;
    document.addEventListener("click", (event) => this.clicked(event), { capture: true, signal });
    document.addEventListener("mousemove", (event) => this.pointed(event), { capture: true, passive: true, signal });
    document.addEventListener("keydown", (event) => this.pressed(event), { capture: true, signal });
    document.addEventListener("scroll", () => this.tooltip.hide(), { capture: true, passive: true, signal });
  }

  /** A plain click on a text puts it back or takes it out; links can still be opened with a key held down. */
  private clicked(event: MouseEvent): void {
    if (!event.isTrusted || event.ctrlKey || event.metaKey || event.shiftKey || this.panel.holds(event)) return;
    const block = blockAt(this.session, event);
    if (!block) return;
    event.preventDefault();
    event.stopPropagation();
    this.session.toggle(block);
  }

  private pointed(event: MouseEvent): void {
    const block = this.panel.holds(event) || this.isReading ? undefined : blockAt(this.session, event);
    if (block) this.tooltip.show(block, event.clientX, event.clientY);
    else this.tooltip.hide();
  }

  private pressed(event: KeyboardEvent): void {
    if (!event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const action = ACTIONS.find((each) => this.settings.keys[each].toLowerCase() === event.key.toLowerCase());
    const closes = event.key === "Escape" && !this.isReading;
    if (!action && !closes) return;
    event.preventDefault();
    event.stopPropagation();
    this.act(action ?? "close");
  }

  private act(action: Action): void {
    const acts: Record<Action, () => void> = {
      reader: () => (this.isReading ? this.closeReader() : this.openReader()),
      edit: () => this.isReading && this.reader.edit(),
      copy: () => void copyMarkdown(this.session).then(() => this.toolbar.say("Copied as Markdown")),
      save: () => saveMarkdown(this.session),
      close: () => (this.isReading ? this.closeReader() : this.end()),
    };
    acts[action]();
  }
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    (/^(input|textarea|select)$/i.test(target.tagName) && target.getAttribute("type") !== "range")
  );
}

function setBadge(text: string, title: string): void {
  send({ type: "badge", text, title });
}

function openOptions(): void {
  send({ type: "options" });
}

function send(request: Request): void {
  void chrome.runtime.sendMessage(request);
}

let visit: Visit | undefined;

async function clicked(): Promise<void> {
  if (!visit) visit = new Visit(await loadSettings(), () => (visit = undefined));
  else if (visit.isReading) visit.end();
  else visit.openReader();
}

chrome.runtime.onMessage.addListener((message: Clicked, _sender, answer) => {
  if (message.type !== "clicked") return;
  void clicked();
  answer(true);
});
onSettingsChange((settings) => visit?.apply(settings));
void clicked();
