/** Annotation: a page with the score of every block. Nothing is deleted; what is kept is asked for by a threshold. */

import { limits } from "./generated/constants.js";
import { type Blocks, blockText, cut, kindCodes, KIND_LABELS } from "./blocks.js";
import { htmlOf } from "./formats/html.js";
import { markdownOf, type MarkdownOptions } from "./formats/markdown.js";
import { pageFeatures } from "./kernel/features.js";
import { score, type Scores } from "./kernel/kernel.js";
import { reasons } from "./kernel/reasons.js";
import { buildOutline, type OutlineOptions } from "./outline/build.js";
import type { OutlineElement } from "./outline/nodes.js";
import { type Page, readPage, titleOf } from "./page.js";
import type { WalkOptions } from "./page/walk.js";
import { decidedByRule, selected, type Selection } from "./selection/index.js";
import { isVisible } from "./writing/invisible.js";
import { writtenText } from "./writing/index.js";

export const BEST_THRESHOLD = 0.5;

/** One block of a page's text. */
export interface Block {
  readonly number: number;
  readonly text: string;
  /** Such as "paragraph", "heading" or "list item". */
  readonly kind: string;
  /** Of a heading 1 to 6, of a list item its depth, else 0. */
  readonly level: number;
  /** From 0 to 1; 1 is boilerplate. */
  readonly score: number;
  /** Hidden by its attributes. */
  readonly hidden: boolean;
  /** A reader's comment under an article. */
  readonly comment: boolean;
}

export class Annotation {
  readonly blocks: readonly Block[];
  private numbers: Map<Text, number> | undefined;

  constructor(
    readonly page: Page,
    private readonly cut: Blocks,
    readonly scores: Scores,
  ) {
    const codes = kindCodes(
      cut,
      cut.start.map((_, number) => number),
    );
    this.blocks = codes.map((code, number) => ({
      number,
      text: blockText(cut, number),
      kind: KIND_LABELS[code & 0xff],
      level: code >> 8,
      score: scores.values[number],
      hidden: cut.hidden[number],
      comment: scores.comments[number],
    }));
  }

  get title(): string {
    return titleOf(this.page.document);
  }

  /** Why the text is empty or incomplete; "" if all is well. */
  reason(kept: readonly boolean[]): string {
    if (this.page.reason) return this.page.reason;
    if (!this.cut.count) return "no text";
    const cutOff = this.cut.complete ? "" : `cut off after ${limits.blocks.toLocaleString("en")} blocks`;
    const seen = this.cut.start.some(
      (start, number) => kept[number] && isVisible(this.page.text, [start, this.cut.end[number]]),
    );
    return [seen ? "" : "no main text", cutOff].filter(Boolean).join("; ");
  }

  /** Which blocks are kept: those that score below the threshold, subject to the selection. */
  keep(threshold: number = BEST_THRESHOLD, selection: Selection = {}): boolean[] {
    checkThreshold(threshold);
    return [...selected(this.cut, this.scores, threshold, selection)];
  }

  text(kept: readonly boolean[]): string {
    return writtenText(this.page, this.cut, kept);
  }

  outline(kept: readonly boolean[], options: OutlineOptions = {}): OutlineElement {
    return buildOutline(this.page, this.cut, kept, options);
  }

  markdown(kept: readonly boolean[], options: MarkdownOptions & OutlineOptions = {}): string {
    return markdownOf(this.outline(kept, options), options);
  }

  html(kept: readonly boolean[], options: OutlineOptions = {}): string {
    return htmlOf(this.outline(kept, options));
  }

  /** For every block the few facts that decided, the most important first; a rule that overruled the score leads. */
  explain(threshold: number = BEST_THRESHOLD, selection: Selection = {}): string[][] {
    if (!this.cut.count) return [];
    const facts = reasons(pageFeatures(this.page, this.cut));
    const kept = this.keep(threshold, selection);
    for (const [number, rule] of decidedByRule(this.cut, this.scores, threshold, selection)) {
      facts[number].unshift(`${kept[number] ? "+" : "-"} ${rule}`);
    }
    return facts;
  }

  /** The text nodes of a block as ranges of the live document; none for what is in a `noscript`. */
  ranges(number: number): StaticRange[] {
    const ranges: StaticRange[] = []; // static, since live ones would slow down every change of the page
    for (let leaf = this.cut.firstLeaf[number]; leaf < this.cut.lastLeaf[number]; leaf++) {
      const node = this.page.leaves.node[leaf];
      if (!node.isConnected) continue;
      const last = lastOfRun(node);
      ranges.push(
        new StaticRange({ startContainer: node, startOffset: 0, endContainer: last, endOffset: last.data.length }),
      );
    }
    return ranges;
  }

  /** The block that a text node belongs to, undefined if to none. */
  blockOf(node: Text): Block | undefined {
    this.numbers ??= this.numberTexts();
    return this.blocks[this.numbers.get(firstOfRun(node)) ?? -1];
  }

  private numberTexts(): Map<Text, number> {
    const numbers = new Map<Text, number>();
    this.cut.firstLeaf.forEach((first, number) => {
      for (let leaf = first; leaf < this.cut.lastLeaf[number]; leaf++) numbers.set(this.page.leaves.node[leaf], number);
    });
    return numbers;
  }

  /** Whether a browser shows any of a block, by its computed style; scores do not depend on it. */
  isShown(number: number): boolean {
    for (let leaf = this.cut.firstLeaf[number]; leaf < this.cut.lastLeaf[number]; leaf++) {
      const element = this.page.leaves.node[leaf].parentElement;
      if (element?.isConnected && (element.checkVisibility?.({ visibilityProperty: true }) ?? true)) return true;
    }
    return false;
  }
}

/** Score every block of a document. */
export function annotate(document: Document, options: WalkOptions = {}): Annotation {
  const page = readPage(document, options);
  const blocks = cut(page);
  return new Annotation(page, blocks, score(page, blocks));
}

export function checkThreshold(threshold: number): void {
  if (threshold >= 0 && threshold <= 1) return;
  const hint = threshold > 1 && threshold <= 100 ? `; did you mean ${threshold / 100}?` : "";
  throw new RangeError(`threshold must lie between 0 and 1, got ${threshold}${hint}`);
}

/** The first of the text nodes that touch. */
function firstOfRun(node: Text): Text {
  let first: Node = node;
  while (first.previousSibling && first.previousSibling.nodeType === node.nodeType) first = first.previousSibling;
  return first as Text;
}

/** The last of the text nodes that touch. */
function lastOfRun(first: Text): Text {
  let last: Node = first;
  while (last.nextSibling && last.nextSibling.nodeType === first.nodeType) last = last.nextSibling;
  return last as Text;
}
