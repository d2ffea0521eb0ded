/** Build: from the kept blocks of a page to an outline, in which their words come in the same order, each once. */

import type { Blocks } from "../blocks.js";
import { type EnclosingTables, enclosingTables } from "../html_tables.js";
import type { Page } from "../page.js";
import { search } from "../spans.js";
import { write, type WrittenPage } from "../writing/index.js";
import { type Image, keptImages } from "./images.js";
import { attributesOf, HOLDS_TEXT, INLINE, KEPT_TAGS, TABLE_TAGS } from "./kinds.js";
import { element, type OutlineElement } from "./nodes.js";

export interface OutlineOptions {
  images?: boolean;
}

export function buildOutline(
  page: Page,
  blocks: Blocks,
  kept: readonly boolean[],
  options: OutlineOptions = {},
): OutlineElement {
  const builder = new Builder(page, write(page, blocks, kept));
  const images = options.images ? keptImages(page, blocks, kept) : [];
  let next = 0;
  builder.blocks(kept, (opened) => {
    while (next < images.length && images[next].element < opened) builder.addImage(images[next++]);
  });
  while (next < images.length) builder.addImage(images[next++]);
  return builder.root;
}

/** An element that is open: its number on the page, -1 for a paragraph that the page does not mark, and its copy. */
interface Open {
  readonly key: number;
  readonly copy: OutlineElement;
}

class Builder {
  readonly root = element("article");
  private stack: Open[] = [{ key: 0, copy: this.root }];
  private readonly apart: Set<number>;
  private readonly tables: EnclosingTables;

  constructor(
    private readonly page: Page,
    private readonly written: WrittenPage,
  ) {
    this.apart = new Set(written.apart);
    this.tables = enclosingTables(page.elements);
  }

  blocks(kept: readonly boolean[], before: (opened: number) => void): void {
    this.written.spans.forEach(([start, end], block) => {
      if (kept[block] && start < end) this.addBlock(block, start, end, before);
    });
  }

  private addBlock(block: number, start: number, end: number, before: (opened: number) => void): void {
    const { leaves, text } = this.written;
    let reached = start;
    for (
      let leaf = search(leaves.end, start, "right");
      leaf < leaves.start.length && leaves.start[leaf] < end;
      leaf++
    ) {
      before(leaves.opened[leaf]);
      const from = Math.max(leaves.start[leaf], start);
      const gap = text.slice(reached, from) + (this.apart.has(from) && from > start ? " " : "");
      this.open(leaves.element[leaf], block, from === start ? null : gap);
      this.addText(text.slice(from, Math.min(leaves.end[leaf], end)));
      reached = Math.min(leaves.end[leaf], end);
    }
  }

  addImage(image: Image): void {
    this.open(this.page.elements.parent[image.element], -1, "", false);
    this.top.children.push(element("img", { src: image.src, alt: image.alt }));
  }

  private get top(): OutlineElement {
    return this.stack[this.stack.length - 1].copy;
  }

  /** Close what does not hold the next text, write the gap to it, null where a block begins, and open what does. */
  private open(index: number, block: number, gap: string | null, isText = true): void {
    const path = this.pathTo(index);
    const paragraph = isText && !path.some((each) => HOLDS_TEXT.has(KEPT_TAGS.get(this.page.elements.tag[each])!));
    // What is inline goes into the paragraph, all around it stays outside.
    const keys = paragraph ? this.withParagraph(path, block) : path;
    let shared = 1;
    while (shared < this.stack.length && shared <= keys.length && this.stack[shared].key === keys[shared - 1]) shared++;
    const inside = this.stack.length > 1 && shared === this.stack.length;
    this.stack.length = shared;
    // Two blocks in one item or cell, without elements of their own.
    if (gap === null && inside && keys.length === shared - 1 && !paragraph) this.top.children.push(element("br"));
    if (gap) this.addText(gap);
    for (const key of keys.slice(shared - 1)) this.push(key, block);
  }

  private push(key: number, block: number): void {
    const copy = key < 0 ? element("p", {}, block) : this.copyOf(key, block);
    this.top.children.push(copy);
    this.stack.push({ key, copy });
  }

  private copyOf(index: number, block: number): OutlineElement {
    const tag = KEPT_TAGS.get(this.page.elements.tag[index])!;
    return element(tag, attributesOf(this.page.elements.node[index]!, tag), HOLDS_TEXT.has(tag) ? block : -1);
  }

  private withParagraph(path: readonly number[], block: number): number[] {
    const inline = path.findIndex((each) => INLINE.has(KEPT_TAGS.get(this.page.elements.tag[each])!));
    const place = inline < 0 ? path.length : inline;
    return [...path.slice(0, place), -1 - block, ...path.slice(place)];
  }

  /** The elements around a text that an outline keeps, the outermost first. */
  private pathTo(index: number): number[] {
    const { tag, parent } = this.page.elements;
    const path: number[] = [];
    for (let above = index; above > 0; above = parent[above]) {
      if (KEPT_TAGS.has(tag[above]) && !this.isLayout(above, KEPT_TAGS.get(tag[above])!)) path.unshift(above);
    }
    return path;
  }

  /** Whether an element is a table for layout or a part of one, or a part of a table that is nowhere. */
  private isLayout(index: number, tag: string): boolean {
    if (!TABLE_TAGS.has(tag)) return false;
    const table = tag === "table" ? index : this.tables.enclosing[index];
    return table < 0 || this.tables.isLayout[table] === 1;
  }

  private addText(text: string): void {
    const lines = this.stack.some(({ copy }) => copy.tag === "pre") ? [text] : text.split("\n");
    lines.forEach((line, number) => {
      if (number) this.top.children.push(element("br"));
      if (line) this.top.children.push(line);
    });
  }
}
