/** Panel: the one element that is added to a page, with the toolbar, the reasons and the reader view in its shadow. */

import css from "./panel.css";
import { make } from "./elements.js";

export class Panel {
  private readonly host = document.createElement("dehusk-panel");
  readonly root: ShadowRoot;

  constructor() {
    this.root = this.host.attachShadow({ mode: "open" });
    addStyle(this.root, css);
    document.documentElement.append(this.host);
  }

  remove(): void {
    this.host.remove();
  }

  /** Whether an event happened in the panel and not in the page. */
  holds(event: Event): boolean {
    return event.composedPath().includes(this.host);
  }
}

/** Add a style sheet that no policy of the page can forbid. */
function addStyle(root: ShadowRoot, text: string): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    root.adoptedStyleSheets = [sheet];
  } catch {
    root.append(make("style", {}, text)); // Firefox does not let its extensions adopt a sheet
  }
}
