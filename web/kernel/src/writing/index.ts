/** Writing: how what is kept of a page's text is written, in the text and by all formats alike. */

import type { Blocks } from "../blocks.js";
import type { Page } from "../page.js";
import type { CodePoints } from "../page/code_points.js";
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
  let { text, leaves }: { text: CodePoints; leaves: Leaves } = page;
  let spans: readonly Span[] = blocks.start.map((start, block) => [start, blocks.end[block]]);
  if (hasInvisible(text) || hasGlosses(page.elements)) {
    const edits = removals({ text, leaves }, page.elements);
    if (edits.length) {
      const made = new Edits(edits);
      ({ text, leaves } = made.apply({ text, leaves }));
      spans = made.spans(spans, text);
    }
  }
  // What touches may have been separated by what was removed.
  const apart = separators({ text, leaves }, page.elements, keptSpans(spans, kept));
  return { text, leaves, spans, apart };
}

export function keptSpans(spans: readonly Span[], kept: readonly boolean[]): Span[] {
  return spans.filter(([start, end], block) => kept[block] && start < end);
}

/** The kept text, one line per block. */
export function writtenText(page: Page, blocks: Blocks, kept: readonly boolean[]): string {
  const { text, spans, apart } = write(page, blocks, kept);
  return joined(text, keptSpans(spans, kept), apart);
}
