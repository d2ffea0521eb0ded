/** Writing: how what is kept of a page's text is written, in the text and by all formats alike. */

import type { Blocks } from "../blocks.js";
import type { Page } from "../page.js";
import { CodePoints } from "../page/code_points.js";
import type { Leaves } from "../page/leaves.js";
import { joined, type Span } from "../spans.js";
import { Edits } from "./edits.js";
import { separators } from "./glued_words.js";
import { hasGlosses, hasInvisible, removals } from "./invisible.js";

/** A page as it is written: without invisible characters, and with the places where a blank goes between words. */
export interface WrittenPage {
  readonly text: CodePoints;
  readonly leaves: Leaves;
  /** Of every block; some may be left with nothing. */
  readonly spans: readonly Span[];
  readonly apart: readonly number[];
}

export function write(page: Page, blocks: Blocks, kept: readonly boolean[]): WrittenPage {
  const edits = hasInvisible(page.text) || hasGlosses(page.elements) ? removals(page, page.elements) : [];
  return edits.length ? edited(page, blocks, kept, new Edits(edits)) : asItIs(page, blocks, kept);
}

function edited(page: Page, blocks: Blocks, kept: readonly boolean[], edits: Edits): WrittenPage {
  const { text, leaves } = edits.apply(page);
  const spans = edits.spans(spansOf(blocks), text);
  // What touches may have been separated by what was removed.
  return { text, leaves, spans, apart: separators({ text, leaves }, page.elements, keptSpans(spans, kept)) };
}

function asItIs(page: Page, blocks: Blocks, kept: readonly boolean[]): WrittenPage {
  const spans = spansOf(blocks);
  const { text, leaves } = page;
  return { text, leaves, spans, apart: separators(page, page.elements, keptSpans(spans, kept)) };
}

function spansOf(blocks: Blocks): Span[] {
  return blocks.start.map((start, block) => [start, blocks.end[block]]);
}

function keptSpans(spans: readonly Span[], kept: readonly boolean[]): Span[] {
  return spans.filter(([start, end], block) => kept[block] && start < end);
}

/** The kept text, one line per block. */
export function writtenText(page: Page, blocks: Blocks, kept: readonly boolean[]): string {
  const text = textOf(asItIs(page, blocks, kept), kept);
  // What is removed elsewhere on the page does not matter.
  if (!hasInvisible(new CodePoints(text)) && !hasGlosses(page.elements)) return text;
  return textOf(write(page, blocks, kept), kept);
}

function textOf({ text, spans, apart }: WrittenPage, kept: readonly boolean[]): string {
  return joined(text, keptSpans(spans, kept), apart);
}
