/** Blocks: a page's text cut at block-level elements into contiguous runs, as columns. */

import { isBlank, PART_OF_WORD, WHOLE_WORD, wordClass } from "./characters.js";
import { blocks as constants, limits, page_walk_flags } from "./generated/constants.js";
import { inLayoutTable } from "./html_tables.js";
import type { CodePoints } from "./page/code_points.js";
import { type Elements, isHidden, isLink } from "./page/leaves.js";
import type { Page } from "./page.js";

const { NEW_BLOCK, VERBATIM } = page_walk_flags;
const { DEEPER, REPEATED_WORDS } = constants;
const CODES = new Map<string, number>(Object.entries(constants.CODES));
export const Kind = constants.Kind;
/** The names of kinds, by number. */
export const KIND_LABELS = Object.keys(Kind).map(label);

/** Columns, one row per block, in document order. Offsets count code points of the page's text. */
export interface Blocks {
  readonly text: CodePoints;
  readonly elements: Elements;
  readonly count: number;
  readonly start: readonly number[];
  readonly end: readonly number[];
  readonly hidden: readonly boolean[];
  readonly linkChars: readonly number[];
  /** The element that the block's text begins in. */
  readonly owner: readonly number[];
  readonly firstLeaf: readonly number[];
  /** One past the end. */
  readonly lastLeaf: readonly number[];
  /** False when the page had more blocks than its limit. */
  readonly complete: boolean;
}

interface Row {
  firstLeaf: number;
  lastLeaf: number;
  start: number;
  end: number;
  owner: number;
  linkChars: number;
  hidden: boolean;
  blank: boolean;
}

export function cut(page: Page): Blocks {
  const all = rows(page).filter((row) => !row.blank); // only verbatim text can be white space alone
  const kept = all.slice(0, limits.blocks);
  return {
    text: page.text,
    elements: page.elements,
    count: kept.length,
    start: kept.map((row) => row.start),
    end: kept.map((row) => row.end),
    hidden: kept.map((row) => row.hidden),
    linkChars: kept.map((row) => row.linkChars),
    owner: kept.map((row) => row.owner),
    firstLeaf: kept.map((row) => row.firstLeaf),
    lastLeaf: kept.map((row) => row.lastLeaf),
    complete: kept.length === all.length,
  };
}

function rows(page: Page): Row[] {
  const { leaves, text } = page;
  const found: Row[] = [];
  for (let leaf = 0; leaf < leaves.start.length; leaf++) {
    const start = leaves.start[leaf];
    const end = leaves.end[leaf];
    if (leaves.gap[leaf] === NEW_BLOCK || !found.length) {
      found.push({
        firstLeaf: leaf,
        lastLeaf: leaf,
        start,
        end,
        owner: leaves.element[leaf],
        linkChars: 0,
        hidden: true,
        blank: true,
      });
    }
    const row = found[found.length - 1];
    row.lastLeaf = leaf + 1;
    row.end = end;
    if (isLink(leaves, leaf)) row.linkChars += end - start;
    if (!isHidden(leaves, leaf)) row.hidden = false;
    if (row.blank && !(leaves.state[leaf] & VERBATIM && isBlank(text.slice(start, end)))) row.blank = false;
  }
  return found;
}

export function blockText(blocks: Blocks, number: number): string {
  return blocks.text.slice(blocks.start[number], blocks.end[number]);
}

/** Kind and level in one number for each of the given blocks: the level in its second byte. */
export function kindCodes(blocks: Blocks, numbers: readonly number[]): number[] {
  const codes = codesOf(blocks, numbers, null);
  // Tables for layout matter only where a block is a cell.
  return codes.includes(Kind.CELL) ? codesOf(blocks, numbers, inLayoutTable(blocks.elements)) : codes;
}

function codesOf(blocks: Blocks, numbers: readonly number[], inLayout: Uint8Array | null): number[] {
  const { tag, parent } = blocks.elements;
  const codes = new Int32Array(tag.length).fill(-1);
  codes[0] = 0;
  const chain: number[] = [];
  return numbers.map((number) => {
    let index = blocks.owner[number];
    for (; codes[index] < 0; index = parent[index]) chain.push(index);
    let code = codes[index];
    while (chain.length) {
      index = chain.pop()!;
      code = inherited(code, CODES.get(tag[index]) ?? -1, inLayout !== null && inLayout[index] === 1);
      codes[index] = code;
    }
    return code & 0xffff;
  });
}

/** The code of an element below one with a code; above the level it counts the lists around. */
function inherited(above: number, own: number, inLayout: boolean): number {
  const depth = above >> 16;
  if (own >= DEEPER) return above + DEEPER;
  if (own === Kind.ITEM) return (depth << 16) | (Math.min(depth, 255) << 8) | own;
  if (own >= 0) return (depth << 16) | (own === Kind.CELL && inLayout ? Kind.PARAGRAPH : own);
  return above;
}

/** For every block the number of the first with the same text among those wanted, -1 where there is none before it. */
export function repeats(blocks: Blocks, among: readonly boolean[]): number[] {
  const first = new Map<string, number>();
  return among.map((wanted, number) => {
    if (!wanted || blocks.end[number] - blocks.start[number] < 2 * REPEATED_WORDS - 1) return -1;
    const text = blockText(blocks, number);
    const original = first.get(text);
    if (original === undefined) first.set(text, number);
    return original !== undefined && hasWords(blocks, number) ? original : -1;
  });
}

/** Whether a block has enough words for its text twice to be no chance; without spaces two characters are a word. */
function hasWords(blocks: Blocks, number: number): boolean {
  let halves = 0;
  let inside = false;
  for (let place = blocks.start[number]; place < blocks.end[number]; place++) {
    const kind = wordClass(blocks.text.codes[place]);
    if (kind === WHOLE_WORD) halves += 1;
    else if (kind === PART_OF_WORD && !inside) halves += 2;
    inside = kind === PART_OF_WORD;
    if (halves >= 2 * REPEATED_WORDS) return true;
  }
  return false;
}

function label(name: string): string {
  return name === "ITEM" ? "list item" : name === "CELL" ? "table cell" : name.toLowerCase();
}
