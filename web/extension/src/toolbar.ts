/** Toolbar: at the lower edge of the page while its main text is highlighted. */

import { copyButton, percent, saveMenu, thresholdSlider } from "./controls.js";
import { button, make } from "./elements.js";
import type { Session } from "./session.js";

export interface ToolbarActs {
  readonly reader: () => void;
  readonly options: () => void;
  readonly close: () => void;
}

export class Toolbar {
  readonly element: HTMLElement;
  private readonly share = make("strong");
  private readonly message = make("span", { role: "status", class: "message" });

  constructor(
    private readonly session: Session,
    acts: ToolbarActs,
  ) {
    this.element = make(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": "dehusk" },
      make("span", { class: "share" }, this.share, " boilerplate"),
      thresholdSlider(session),
      button("Reader view", "Show the main text alone", acts.reader),
      copyButton(session, (text) => this.say(text)),
      saveMenu(session),
      button("⚙", "Options", acts.options),
      button("✕", "Back to the page as it was", acts.close),
      this.message,
    );
    session.onChange(() => this.update());
    this.update();
  }

  say(text: string): void {
    this.message.textContent = text;
    setTimeout(() => this.update(), 2500);
  }

  private update(): void {
    this.share.textContent = percent(this.session.boilerplate);
    const none = this.session.annotation.reason(this.session.kept);
    this.message.textContent = this.session.isEmpty
      ? `${none || "no main text"}: move the slider, or click a text`
      : none;
  }
}
