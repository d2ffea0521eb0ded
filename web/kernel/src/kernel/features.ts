/** The kernel's features: everything that its networks see of a page, in columns. */

import type { Blocks } from "../blocks.js";
import { linkDensity } from "../features/links.js";
import { Matrix } from "../features/matrix.js";
import { textFeatures } from "../features/text.js";
import { titleFeatures } from "../features/title.js";
import { tokenBits, type Tokens } from "../features/tokens.js";
import { readTree, runningTotals, type Totals, type Tree, treeFeatures } from "../features/tree.js";
import { features_text, features_tree, kernel_features } from "../generated/constants.js";
import { declaredType, doctypeClass, type Page, titleOf } from "../page.js";

const { NAMES, PAGE_NAMES, PAGE_TYPES } = kernel_features;
const TEXT_ROWS = Object.keys(features_text.TextRow).length;
const TREE_ROWS = Object.keys(features_tree.TreeRow).length;
/** The row of each feature by its name. */
export const ROWS: ReadonlyMap<string, number> = new Map(NAMES.map((name, row) => [name, row]));

/** Columns over the blocks of a page, and one over the page. */
export interface PageFeatures {
  readonly matrix: Matrix;
  readonly tree: Tree;
  readonly tokens: Tokens;
  readonly page: Float64Array;
  readonly words: Float32Array;
}

export function pageFeatures(page: Page, blocks: Blocks): PageFeatures {
  const matrix = new Matrix(NAMES.length, blocks.count);
  const tree = readTree(page, blocks);
  const words = textFeatures(blocks, matrix);
  const density = linkDensity(blocks);
  const totals = runningTotals(words, density);
  const logWords = (block: number): number => matrix.get(features_text.TextRow.WORDS, block);
  treeFeatures({ page, blocks, tree, words, logWords, density, totals }, matrix, TEXT_ROWS);
  titleFeatures(titleOf(page.document), blocks, tree.above, matrix, TEXT_ROWS + TREE_ROWS);
  const tokens = tokenBits(page.elements, tree);
  return { matrix, tree, tokens, page: summary(page, blocks, totals), words };
}

/** The numbers of the page as a whole, in the order of `PAGE_NAMES`. */
function summary(page: Page, blocks: Blocks, totals: Totals): Float64Array {
  const numbers = new Float64Array(PAGE_NAMES.length);
  const words = Math.max(totals.words[blocks.count], 1);
  numbers[0] = Math.log1p(blocks.count) / 5;
  numbers[1] = Math.log1p(words) / 5;
  numbers[2] = Math.log1p(page.elements.tag.length) / 5;
  numbers[3] = totals.linkWords[blocks.count] / words;
  numbers[4] = totals.prose[blocks.count] / words;
  numbers[PAGE_NAMES.indexOf(doctypeClass(page.document))] = 1;
  const type = (PAGE_TYPES as readonly string[]).indexOf(declaredType(page.document));
  if (type >= 0) numbers[PAGE_NAMES.length - PAGE_TYPES.length + type] = 1;
  return numbers;
}
