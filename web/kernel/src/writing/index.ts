/** Writing: how what is kept of a page's text is written, in the text and by all formats alike. */

import type { Blocks } from "../blocks.js";
import type { Page } from "../page.js";
import { CodePoints } from "../page/code_points.js";
import type { Leaves } from "../page/leaves.js";
import { joined, type Span } from "../spans.js";
import { type Edit, Edits } from "./edits.js";
import { separators } from "./glued_words.js";
import { hasGlosses, hasInvisible, removals } from "./invisible.js";
import { marks } from "./marks.js";

/** A page as it is written: without invisible characters, and with the places where a blank goes between words. */
export interface WrittenPage {
  readonly text: CodePoints;
  readonly leaves: Leaves;
  /** Of every block; some may be left with nothing. */
  readonly spans: readonly Span[];
  readonly apart: readonly number[];
}

export function write(page: Page, blocks: Blocks, kept: readonly boolean[]): WrittenPage {
  let state: Unseparated = { text: page.text, leaves: page.leaves, spans: spansOf(blocks) };
  if (hasInvisible(page.text) || hasGlosses(page.elements)) state = without(state, removals(state, page.elements));
  // A mark may have had a soft hyphen in it.
  const marked = marks(state, page.elements, keptSpans(state.spans, kept));
  if (marked.length) state = without(state, removals(state, page.elements, marked));
  // What touches may have been separated by what was removed.
  return separated(page, state, kept);
}

type Unseparated = Omit<WrittenPage, "apart">;

function without(state: Unseparated, removed: readonly Edit[]): Unseparated {
  if (!removed.length) return state;
  const edits = new Edits(removed);
  const { text, leaves } = edits.apply(state);
  return { text, leaves, spans: edits.spans(state.spans, text) };
}

function separated(page: Page, state: Unseparated, kept: readonly boolean[]): WrittenPage {
  return { ...state, apart: separators(state, page.elements, keptSpans(state.spans, kept)) };
}

function spansOf(blocks: Blocks): Span[] {
  return blocks.start.map((start, block) => [start, blocks.end[block]]);
}

function keptSpans(spans: readonly Span[], kept: readonly boolean[]): Span[] {
  return spans.filter(([start, end], block) => kept[block] && start < end);
}

/** The kept text, one line per block. */
export function writtenText(page: Page, blocks: Blocks, kept: readonly boolean[]): string {
  return textOf(write(page, blocks, kept), kept);
}

function textOf({ text, spans, apart }: WrittenPage, kept: readonly boolean[]): string {
  return joined(text, keptSpans(spans, kept), apart);
}
