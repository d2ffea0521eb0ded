/** Reader view: the kept text alone, in a type, width and colours of the user's choice. */

import { copyButton, saveMenu, thresholdSlider } from "./controls.js";
import { button, make, nodesOf } from "./elements.js";
import type { Session } from "./session.js";
import { saveSettings, type Settings, SIZES, THEMES, WIDTHS } from "./settings.js";

const WORDS_PER_MINUTE = 230;

export class Reader {
  readonly element = make("dialog", { class: "reader", "aria-label": "Reader view" });
  private readonly article = make("article");
  private readonly message = make("span", { role: "status", class: "message" });
  private readonly editButton: HTMLButtonElement;
  private readonly themeButton: HTMLButtonElement;
  private editing = false;

  constructor(
    private readonly session: Session,
    private settings: Settings,
    close: () => void,
  ) {
    this.editButton = button("Edit", "Show what was left out, and click to put it back or take it out", () =>
      this.edit(),
    );
    this.themeButton = button("Theme", "Change colours", () => this.nextTheme());
    const page = make("div", { class: "page", tabindex: "0", role: "region", "aria-label": "Text" }, this.article);
    this.element.append(this.bar(close), page);
    this.article.addEventListener("click", (event) => this.toggle(event));
    this.article.addEventListener("keydown", (event) => event.key === "Enter" && this.toggle(event));
    this.element.addEventListener("cancel", (event) => (event.preventDefault(), close()));
    session.onChange(() => this.element.open && this.fill());
    this.apply(settings);
  }

  open(): void {
    this.fill();
    this.element.showModal();
    this.element.querySelector<HTMLElement>(".page")?.focus();
  }

  close(): void {
    this.element.close();
  }

  apply(settings: Settings): void {
    this.settings = settings;
    this.element.dataset.theme = settings.theme;
    this.element.dataset.font = settings.font;
    this.element.style.setProperty("--size", `${settings.size}px`);
    this.element.style.setProperty("--width", `${settings.width}ch`);
    this.themeButton.textContent = `Theme: ${settings.theme}`;
  }

  edit(): void {
    this.editing = !this.editing;
    this.editButton.setAttribute("aria-pressed", String(this.editing));
    this.element.classList.toggle("editing", this.editing);
    this.fill();
    // What was left out comes before the text, too, which would move it out of sight.
    this.article.querySelector("[data-block]:not(.left-out)")?.scrollIntoView({ block: "center" });
  }

  private bar(close: () => void): HTMLElement {
    const group = (name: string, ...parts: Node[]): HTMLElement =>
      make("span", { class: "group", role: "group", "aria-label": name }, ...parts);
    this.editButton.setAttribute("aria-pressed", "false");
    return make(
      "header",
      {},
      button("← Page", "Back to the page", close),
      group("Type size", this.step("A−", "Smaller type", "size", -1), this.step("A+", "Larger type", "size", 1)),
      group("Width", this.step("⇥⇤", "Narrower lines", "width", -1), this.step("⇤⇥", "Wider lines", "width", 1)),
      this.themeButton,
      thresholdSlider(this.session),
      this.editButton,
      copyButton(this.session, (text) => this.say(text)),
      saveMenu(this.session),
      this.message,
    );
  }

  private step(label: string, title: string, name: "size" | "width", direction: number): HTMLButtonElement {
    const { min, max, step } = name === "size" ? SIZES : WIDTHS;
    return button(label, title, () => {
      const value = Math.min(max, Math.max(min, this.settings[name] + direction * step));
      this.change({ ...this.settings, [name]: value });
    });
  }

  private nextTheme(): void {
    const theme = THEMES[(THEMES.indexOf(this.settings.theme) + 1) % THEMES.length];
    this.change({ ...this.settings, theme });
  }

  private change(settings: Settings): void {
    this.apply(settings);
    void saveSettings(settings);
  }

  private say(text: string): void {
    this.message.textContent = text;
    setTimeout(() => (this.message.textContent = ""), 2500);
  }

  private fill(): void {
    const { annotation, kept } = this.session;
    const page = document.documentElement;
    for (const name of ["lang", "dir"])
      this.article.setAttribute(name, page.getAttribute(name) ?? document.body?.getAttribute(name) ?? "");
    const text = nodesOf(this.session.outline(this.editing));
    const reason = annotation.reason(kept);
    this.article.replaceChildren(
      ...this.heading(text),
      text,
      ...(reason ? [make("p", { class: "reason" }, `(${reason})`)] : []),
    );
    if (this.editing) this.markLeftOut();
  }

  /** Where the text comes from, and its title unless it begins with a heading of its own. */
  private heading(text: DocumentFragment): Node[] {
    const words = this.session.annotation.text(this.session.kept).split(/\s+/).length;
    const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE));
    const source = make("p", { class: "source", dir: "ltr" }, `${location.host || "this page"} · ${minutes} min`);
    const title = text.querySelector("h1") ? "" : this.session.title;
    return title ? [source, make("h1", {}, title)] : [source];
  }

  private markLeftOut(): void {
    for (const element of this.article.querySelectorAll<HTMLElement>("[data-block]")) {
      const block = this.session.annotation.blocks[Number(element.dataset.block)];
      const kept = this.session.kept[block.number];
      element.classList.toggle("left-out", !kept);
      element.title = [kept ? "Click to take it out" : "Click to put it back", ...this.session.reasons(block)].join(
        "\n",
      );
      element.tabIndex = 0;
    }
  }

  private toggle(event: Event): void {
    if (!this.editing || !event.isTrusted) return;
    const element = (event.target as Element).closest<HTMLElement>("[data-block]");
    if (!element) return;
    event.preventDefault();
    this.session.toggle(this.session.annotation.blocks[Number(element.dataset.block)]);
  }
}
