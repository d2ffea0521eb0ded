/** Tooltip: why a block is kept or left out, next to the pointer. */

import type { Block } from "@dehusk/kernel";
import { make } from "./elements.js";
import type { Session } from "./session.js";

const AWAY = 16; // pixels from the pointer

export class Tooltip {
  readonly element = make("div", { class: "tooltip", role: "tooltip", hidden: "" });
  private shown: Block | undefined;

  constructor(private readonly session: Session) {
    session.onChange(() => this.hide());
  }

  show(block: Block, x: number, y: number): void {
    if (block !== this.shown) this.fill(block);
    this.element.hidden = false;
    const { offsetWidth, offsetHeight } = this.element;
    this.element.style.left = `${Math.max(4, Math.min(x + AWAY, innerWidth - offsetWidth - 4))}px`;
    this.element.style.top = `${y + AWAY + offsetHeight > innerHeight ? y - AWAY - offsetHeight : y + AWAY}px`;
  }

  hide(): void {
    this.shown = undefined;
    this.element.hidden = true;
  }

  private fill(block: Block): void {
    this.shown = block;
    const kept = this.session.kept[block.number];
    const facts = this.session
      .reasons(block)
      .map((fact) => make("li", { class: fact[0] === "+" ? "for" : "against" }, fact));
    this.element.replaceChildren(
      make("strong", {}, kept ? "Main text" : "Left out"),
      ` · score ${block.score.toFixed(2)} · ${block.kind}`,
      make("ul", {}, ...facts),
      make("small", {}, kept ? "Click to take it out" : "Click to put it back"),
    );
  }
}
