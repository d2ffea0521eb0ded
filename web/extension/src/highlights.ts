/** Highlights: the kept text is marked by the CSS Custom Highlight API, which leaves the page's DOM as it is. */

import type { Request } from "./messages.js";
import type { Session } from "./session.js";
import type { Settings } from "./settings.js";

const KEPT = "dehusk-kept";
const DROPPED = "dehusk-dropped";
let style = "";

export function showHighlights(session: Session): void {
  const kept: StaticRange[] = [];
  const dropped: StaticRange[] = [];
  for (const { number } of session.annotation.blocks) {
    (session.kept[number] ? kept : dropped).push(...session.annotation.ranges(number));
  }
  CSS.highlights.set(KEPT, highlightOf(kept));
  CSS.highlights.set(DROPPED, highlightOf(dropped));
}

export function hideHighlights(): void {
  CSS.highlights.delete(KEPT);
  CSS.highlights.delete(DROPPED);
  setStyle("");
}

/** Half transparent, so that dark text and light text stay readable on it. */
export function styleHighlights(settings: Settings): void {
  const fade = settings.fade ? `::highlight(${DROPPED}) { color: color-mix(in srgb, currentColor 55%, transparent); }` : "";
  setStyle(`::highlight(${KEPT}) { background-color: ${settings.highlight}66; } ${fade}`);
}

function setStyle(css: string): void {
  if (css === style) return;
  const request: Request = { type: "style", css, before: style };
  style = css;
  void chrome.runtime.sendMessage(request);
}

function highlightOf(ranges: readonly StaticRange[]): Highlight {
  const highlight = new Highlight();
  for (const range of ranges) highlight.add(range);
  return highlight;
}
