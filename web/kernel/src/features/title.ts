/** Title features: which heading repeats the page's title, and where a block is relative to it. */

import { type Blocks, blockText } from "../blocks.js";
import { split } from "../characters.js";
import { features_text, features_title } from "../generated/constants.js";
import type { BitRows } from "./bit_rows.js";
import { log, type Matrix } from "./matrix.js";
import { HEADING_BITS } from "./tree.js";

const Row = features_text.TitleRow;

/** Fill in the rows of `TitleRow`, which begin at `first` and come as zeros. */
export function titleFeatures(title: string, blocks: Blocks, above: BitRows, matrix: Matrix, first: number): void {
  const titleWords = new Set(split(title.toLowerCase()));
  if (!titleWords.size) return;
  let best = -1;
  let most = 0;
  for (let block = 0; block < blocks.count; block++) {
    if (!above.hasAny(block, HEADING_BITS)) continue;
    const overlap = overlapOf(titleWords, new Set(split(blockText(blocks, block).toLowerCase())));
    if (overlap === 0) continue;
    matrix.set(first + Row.TITLE_OVERLAP, block, overlap);
    if (overlap > most) [best, most] = [block, overlap];
  }
  if (best >= 0 && matrix.get(first + Row.TITLE_OVERLAP, best) >= 0.5) writePlaces(blocks.count, best, matrix, first);
}

/** Which share of a heading's words is in the title: one word in common is chance, three are not. */
function overlapOf(titleWords: Set<string>, words: Set<string>): number {
  let common = 0;
  for (const word of words) if (titleWords.has(word)) common++;
  return (common / words.size) * Math.min(words.size / 3, 1);
}

function writePlaces(count: number, best: number, matrix: Matrix, first: number): void {
  for (let block = 0; block < count; block++) {
    if (block < best) matrix.set(first + Row.BEFORE_TITLE, block, 1);
    else matrix.set(first + Row.SINCE_TITLE, block, log(Math.min(block - best, features_title.FARTHEST)));
  }
}
