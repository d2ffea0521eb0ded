/** Controls that the toolbar and the reader view share: threshold, copying, saving. */

import { button, make, onTrusted } from "./elements.js";
import { copyMarkdown, saveHtml, saveMarkdown } from "./files.js";
import type { Session } from "./session.js";

const THRESHOLD = { min: "0.02", max: "0.98", step: "0.02", value: "0.5" };

/** A slider that keeps less text to its left and more to its right. */
export function thresholdSlider(session: Session): HTMLElement {
  const input = make("input", { type: "range", ...THRESHOLD, "aria-label": "How much text to keep" });
  onTrusted(input, "input", () => session.setThreshold(Number(input.value)));
  session.onThreshold((threshold) => (input.value = String(threshold)));
  return make(
    "label",
    { class: "slider", title: "How much text to keep" },
    make("span", {}, "less"),
    input,
    make("span", {}, "more"),
  );
}

export function copyButton(session: Session, say: (text: string) => void): HTMLButtonElement {
  return button("Copy", "Copy as Markdown", () => {
    void copyMarkdown(session).then(() => say("Copied as Markdown"));
  });
}

export function saveMenu(session: Session): HTMLElement {
  const menu = make("details", { class: "menu" }, make("summary", { title: "Save as Markdown or HTML" }, "Save"));
  const close = (): void => menu.removeAttribute("open");
  menu.append(
    make(
      "div",
      {},
      button("Markdown", "Save as Markdown", () => (saveMarkdown(session), close())),
      button("HTML", "Save as HTML", () => (saveHtml(session), close())),
    ),
  );
  return menu;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
