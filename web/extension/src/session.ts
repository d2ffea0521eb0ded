/** Session: the page's blocks, the threshold, and what the user has put back or taken out. */

import { annotate, type Annotation, BEST_THRESHOLD, type Block, type OutlineElement } from "@dehusk/kernel";

/** Explaining runs each network ten times, which on a larger page would make the pointer wait. */
const MOST_EXPLAINED = 3000;
/** With fewer, what comes before a dash is as likely the name of a section. */
const FEWEST_WORDS = 3;

export class Session {
  readonly annotation: Annotation;
  kept: readonly boolean[];
  private threshold = BEST_THRESHOLD;
  private readonly choices = new Map<number, boolean>();
  private facts: string[][] | undefined;
  private readonly listeners: (() => void)[] = [];
  private readonly thresholdListeners: ((threshold: number) => void)[] = [];

  constructor(document: Document) {
    this.annotation = annotate(document, { frames: true, shadowRoot });
    this.kept = this.annotation.keep();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** There are two sliders, which move together. */
  onThreshold(listener: (threshold: number) => void): void {
    this.thresholdListeners.push(listener);
  }

  get isEmpty(): boolean {
    return !this.kept.includes(true);
  }

  /** The share of the page's characters that is not kept, from 0 to 1. */
  get boilerplate(): number {
    let all = 0;
    let dropped = 0;
    for (const block of this.annotation.blocks) {
      all += block.text.length;
      if (!this.kept[block.number]) dropped += block.text.length;
    }
    return all ? dropped / all : 0;
  }

  setThreshold(threshold: number): void {
    this.threshold = threshold;
    for (const listener of this.thresholdListeners) listener(threshold);
    this.select();
  }

  /** Put a block back, or take it out. */
  toggle(block: Block): void {
    this.choices.set(block.number, !this.kept[block.number]);
    this.select();
  }

  private select(): void {
    const kept = this.annotation.keep(this.threshold);
    for (const [number, choice] of this.choices) kept[number] = choice;
    this.kept = kept;
    for (const listener of this.listeners) listener();
  }

  /** The facts that decided on a block; none on very large pages. */
  reasons(block: Block): readonly string[] {
    const choice = this.choices.get(block.number);
    if (choice !== undefined) return [choice ? "+ you put it back" : "- you took it out"];
    if (this.annotation.blocks.length > MOST_EXPLAINED) return [];
    this.facts ??= this.annotation.explain();
    return this.facts[block.number];
  }

  /** The title of the piece: the heading that the page's title repeats, else the title without the site's name. */
  get title(): string {
    const { blocks, title } = this.annotation;
    const whole = title.toLowerCase();
    const heading = blocks.find(
      (block) => block.level === 1 && block.kind === "heading" && whole.includes(block.text.toLowerCase()),
    );
    if (heading) return heading.text;
    const [first] = title.split(/ [-–—|·»] /);
    return first.split(" ").length >= FEWEST_WORDS ? first : title;
  }

  /** What is kept, or with `every` all blocks, as a tree. */
  outline(every = false): OutlineElement {
    return this.annotation.outline(every ? this.kept.map(() => true) : this.kept, { images: true });
  }

  get markdown(): string {
    return this.annotation.markdown(this.kept, { links: true, images: true });
  }
}

/** Extensions may look into closed shadow roots, too, each browser in its own way. */
function shadowRoot(element: Element): ShadowRoot | null {
  if (element.shadowRoot) return element.shadowRoot;
  const own = (element as { openOrClosedShadowRoot?: ShadowRoot | null }).openOrClosedShadowRoot;
  if (own !== undefined) return own;
  if (!(element instanceof HTMLElement)) return null;
  return (chrome.dom?.openOrClosedShadowRoot(element) as ShadowRoot | null | undefined) ?? null;
}
