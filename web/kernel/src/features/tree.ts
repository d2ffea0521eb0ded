/** Tree features: where a block is in the page's tree, which tags are above it, and what its ancestors hold. */

import { type Blocks, blockText } from "../blocks.js";
import { features_tree as constants, tag_numbers } from "../generated/constants.js";
import { isLink } from "../page/leaves.js";
import { page_walk_flags } from "../generated/constants.js";
import type { Page } from "../page.js";
import { roleOf } from "../page/walk.js";
import { BitRows } from "./bit_rows.js";
import { log, type Matrix } from "./matrix.js";

const { ABOVE, Grouping, PROSE_WORDS, SHARES, STEPS_UP, FARTHEST } = constants;
const Row = constants.TreeRow;
const BIT_OF = new Map<string, number>(ABOVE.map((tag, bit) => [tag, bit]));
const NUMBER_OF = new Map<string, number>(Object.entries(tag_numbers));
const ASTRAL = /[\u{10000}-\u{10ffff}]/gu;
const GROUPINGS = Object.keys(Grouping).length;
export const HEADING_BITS = bitsOf(["h1", "h2", "h3", "h4", "h5", "h6"]);
const H1_BIT = bitsOf(["h1"]);

/** What the features of a page share: columns over its elements, and over its blocks. */
export interface Tree {
  // Of each element.
  readonly parent: Int32Array;
  readonly level: Int32Array;
  readonly tag: Int32Array;
  readonly firstBlock: Int32Array;
  readonly endBlock: Int32Array;
  readonly size: Int32Array;
  // Of each block: the tags above it, the block-level element that holds it, the numbers of its groups.
  readonly above: BitRows;
  readonly holder: Int32Array;
  readonly groups: readonly Int32Array[];
  readonly sizes: readonly Int32Array[];
}

/** Words added up over the blocks, starting with zero. */
export interface Totals {
  readonly words: Float64Array;
  readonly linkWords: Float64Array;
  readonly plainProse: Float64Array;
  readonly plainWords: Float64Array;
  readonly prose: Float64Array;
}

export function bitsOf(tags: readonly string[]): number[] {
  return tags.map((tag) => BIT_OF.get(tag)!);
}

export function readTree(page: Page, blocks: Blocks): Tree {
  const { above, holder, path, ...elements } = inherit(page);
  const contents = findContents(page, blocks);
  const parent = elements.parent;
  const ofBlocks = new BitRows(blocks.count, ABOVE.length);
  const holders = new Int32Array(blocks.count);
  const groups = Array.from({ length: GROUPINGS }, () => new Int32Array(blocks.count));
  for (let block = 0; block < blocks.count; block++) {
    ofBlocks.add(block, above, blocks.owner[block]);
    const element = holder[blocks.owner[block]];
    holders[block] = element;
    groups[Grouping.BY_PATH][block] = path[element];
    groups[Grouping.BY_PARENT][block] = parent[element];
    const grandparent = parent[parent[element]];
    groups[Grouping.BY_GRANDPARENT][block] = grandparent;
    groups[Grouping.BY_ANCESTOR][block] = parent[parent[grandparent]];
  }
  return { ...elements, ...contents, above: ofBlocks, holder: holders, groups, sizes: groups.map(numberGroups) };
}

/** From parents to children: depth, tags above, the nearest block-level element, and the path of tags to it. */
function inherit(page: Page) {
  const { tag: tags, parent: parents } = page.elements;
  const [parent, level, tag, holder, path] = Array.from({ length: 5 }, () => new Int32Array(tags.length));
  const above = new BitRows(tags.length, ABOVE.length);
  const paths = new Map<number, number>(); // from a shorter path and a tag
  for (let index = 1; index < tags.length; index++) {
    const up = parents[index];
    const name = tags[index];
    parent[index] = up;
    level[index] = level[up] + 1;
    tag[index] = NUMBER_OF.get(name) ?? 0;
    above.add(index, above, up);
    const bit = BIT_OF.get(name);
    if (bit !== undefined) above.set(index, bit);
    const isBlock = (roleOf(name) & page_walk_flags.BLOCK) !== 0;
    holder[index] = isBlock ? index : holder[up];
    path[index] = isBlock ? pathNumber(paths, path[up] * 256 + tag[index]) : path[up];
  }
  return { parent, level, tag, holder, path, above };
}

function pathNumber(paths: Map<number, number>, key: number): number {
  let number = paths.get(key);
  if (number === undefined) paths.set(key, (number = paths.size + 1));
  return number;
}

/** The blocks and elements that each element contains. */
function findContents(page: Page, blocks: Blocks) {
  const { opened, element } = page.leaves;
  const count = page.elements.tag.length;
  const [firstBlock, endBlock, size] = Array.from({ length: 3 }, () => new Int32Array(count));
  let leaf = 0;
  let block = 0;
  for (let index = 0; index < count; index++) {
    while (leaf < opened.length && opened[leaf] <= index) leaf++;
    while (block < blocks.count && blocks.lastLeaf[block] <= leaf) block++;
    firstBlock[index] = block;
  }
  block = 0;
  for (leaf = 0; leaf < opened.length; leaf++) {
    while (block < blocks.count && blocks.firstLeaf[block] <= leaf) block++;
    endBlock[element[leaf]] = block;
  }
  for (let index = count - 1; index >= 0; index--) {
    size[index] += 1;
    endBlock[index] = Math.max(endBlock[index], firstBlock[index]);
    if (index === 0) continue;
    const above = page.elements.parent[index];
    size[above] += size[index];
    endBlock[above] = Math.max(endBlock[above], endBlock[index]);
  }
  return { firstBlock, endBlock, size };
}

/** Replace keys by 0, 1, 2… in order of appearance; return how often each occurs. */
function numberGroups(keys: Int32Array): Int32Array {
  const numbers = new Map<number, number>();
  const sizes = new Int32Array(keys.length);
  keys.forEach((key, index) => {
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, (number = numbers.size));
    keys[index] = number;
    sizes[number]++;
  });
  return sizes;
}

export function runningTotals(words: Float32Array, density: Float32Array): Totals {
  const [all, linkWords, plainProse, plainWords, prose] = Array.from(
    { length: 5 },
    () => new Float64Array(words.length + 1),
  );
  words.forEach((count, block) => {
    const plain = count * (1 - density[block]);
    const isProse = count >= PROSE_WORDS;
    all[block + 1] = all[block] + count;
    linkWords[block + 1] = linkWords[block] + count - plain;
    plainProse[block + 1] = plainProse[block] + (isProse ? plain : 0);
    plainWords[block + 1] = plainWords[block] + plain;
    prose[block + 1] = prose[block] + (isProse ? count : 0);
  });
  return { words: all, linkWords, plainProse, plainWords, prose };
}

/** Everything that the rows are computed from. */
export interface TreeInput {
  readonly page: Page;
  readonly blocks: Blocks;
  readonly tree: Tree;
  readonly words: Float32Array;
  readonly logWords: (block: number) => number;
  readonly density: Float32Array;
  readonly totals: Totals;
}

/** Fill in the rows of `TreeRow`, which begin at `first`. */
export function treeFeatures(input: TreeInput, matrix: Matrix, first: number): void {
  countColumns(input, matrix, first);
  countRepeats(input.blocks, matrix, first + Row.REPEATED);
  blocksSince(input.tree.above, HEADING_BITS, matrix, first + Row.SINCE_HEADING);
  blocksSince(input.tree.above, H1_BIT, matrix, first + Row.SINCE_H1);
  subtreeColumns(input, matrix, first);
  positionColumns(input, matrix, first);
  pathMeans(input, matrix, first);
  SHARES.forEach((share, number) => dominanceColumns(input, share, matrix, first + Row.INSIDE_20 + 2 * number));
}

function countColumns({ page, blocks, tree }: TreeInput, matrix: Matrix, first: number): void {
  for (let block = 0; block < blocks.count; block++) {
    const begin = blocks.firstLeaf[block];
    const end = blocks.lastLeaf[block];
    let links = 0;
    for (let leaf = begin; leaf < end; leaf++) if (isLink(page.leaves, leaf)) links++;
    matrix.set(first + Row.DEPTH, block, log(tree.level[tree.holder[block]]));
    matrix.set(first + Row.LEAVES, block, log(end - begin));
    matrix.set(first + Row.TAGS, block, log(page.leaves.opened[end - 1] - page.leaves.opened[begin]));
    matrix.set(first + Row.LINK_LEAVES, block, log(links));
    // Siblings and cousins come after those with the same path.
    for (let way = 0; way < 3; way++) {
      matrix.set(first + Row.SAME_PATH + way, block, log(tree.sizes[way][tree.groups[way][block]]));
    }
  }
}

/** How often each text occurs again; all characters beyond the first plane count as the same. */
function countRepeats(blocks: Blocks, matrix: Matrix, row: number): void {
  const counts = new Map<string, number>();
  const keys = blocks.start.map((_, block) => blockText(blocks, block).replace(ASTRAL, "\u{10000}"));
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  keys.forEach((key, block) => matrix.set(row, block, log(counts.get(key)! - 1)));
}

function blocksSince(above: BitRows, wanted: readonly number[], matrix: Matrix, row: number): void {
  let gone: number = FARTHEST;
  for (let block = 0; block < above.rows; block++) {
    gone = above.hasAny(block, wanted) ? 0 : Math.min(gone + 1, FARTHEST);
    matrix.set(row, block, log(gone));
  }
}

/** What the ancestors some steps up contain: six groups of rows, each with one row per entry of `STEPS_UP`. */
function subtreeColumns({ blocks, tree, totals }: TreeInput, matrix: Matrix, first: number): void {
  const page = Math.max(totals.words[blocks.count], 1);
  for (let block = 0; block < blocks.count; block++) {
    let element = tree.holder[block];
    let level = 0;
    STEPS_UP.forEach((steps, step) => {
      for (; level < steps; level++) element = tree.parent[element];
      const begin = tree.firstBlock[element];
      const end = tree.endBlock[element];
      const words = totals.words[end] - totals.words[begin];
      const divisor = Math.max(words, 1);
      matrix.set(first + Row.WORDS_1 + step, block, log(Math.trunc(words)));
      matrix.set(first + Row.BLOCKS_1 + step, block, log(end - begin));
      matrix.set(first + Row.ELEMENTS_1 + step, block, log(tree.size[element]));
      matrix.set(first + Row.LINKS_1 + step, block, (totals.linkWords[end] - totals.linkWords[begin]) / divisor);
      matrix.set(first + Row.PROSE_1 + step, block, (totals.plainProse[end] - totals.plainProse[begin]) / divisor);
      matrix.set(first + Row.PAGE_1 + step, block, words / page);
    });
  }
}

function positionColumns({ blocks, density }: TreeInput, matrix: Matrix, first: number): void {
  const length = Math.max(blocks.text.length, 1);
  for (let block = 0; block < blocks.count; block++) {
    matrix.set(first + Row.BLOCK_POSITION, block, block / Math.max(blocks.count - 1, 1));
    matrix.set(first + Row.TEXT_POSITION, block, blocks.start[block] / length);
    matrix.set(first + Row.HIDDEN, block, Number(blocks.hidden[block]));
    matrix.set(first + Row.LINK_DENSITY, block, density[block]);
    matrix.set(first + Row.ALL_LINKS, block, Number(density[block] > 0.9));
  }
}

/** For blocks with the same path: mean logarithm of words, mean link density, and their share of the page's words. */
function pathMeans({ tree, words, logWords, density, totals }: TreeInput, matrix: Matrix, first: number): void {
  const groups = tree.groups[Grouping.BY_PATH];
  const sizes = tree.sizes[Grouping.BY_PATH];
  const [logs, links, counts] = Array.from({ length: 3 }, () => new Float64Array(sizes.length));
  groups.forEach((group, block) => {
    logs[group] += logWords(block);
    links[group] += density[block];
    counts[group] += words[block];
  });
  const total = Math.max(totals.words[groups.length], 1);
  groups.forEach((group, block) => {
    matrix.set(first + Row.SAME_PATH_WORDS, block, logs[group] / sizes[group]);
    matrix.set(first + Row.SAME_PATH_LINKS, block, links[group] / sizes[group]);
    matrix.set(first + Row.SAME_PATH_PAGE, block, counts[group] / total);
  });
}

/** Two rows: whether a block is in the deepest element with a share of the words, and how far below it. */
function dominanceColumns({ blocks, tree, totals }: TreeInput, share: number, matrix: Matrix, row: number): void {
  const chosen = dominant(tree, totals.plainWords, share);
  for (let block = 0; block < blocks.count; block++) {
    const inside = tree.firstBlock[chosen] <= block && block < tree.endBlock[chosen];
    const below = tree.level[tree.holder[block]] - tree.level[chosen];
    matrix.set(row, block, Number(inside));
    matrix.set(row + 1, block, inside ? Math.min(below / 5 + 0.2, 3) : 0);
  }
}

/** The deepest element with at least a share of the words; of several equally deep, the one with most. */
function dominant(tree: Tree, total: Float64Array, share: number): number {
  const enough = share * total[total.length - 1];
  let best = 0;
  let deepest = -1;
  let most = 0;
  for (let index = 0; index < tree.parent.length; index++) {
    const words = total[tree.endBlock[index]] - total[tree.firstBlock[index]];
    if (words < enough || words <= 0) continue;
    const depth = tree.level[index];
    if (depth > deepest || (depth === deepest && words > most)) [best, deepest, most] = [index, depth, words];
  }
  return best;
}
