/** Tokens: the parts of class, id, role and itemprop attributes above a block, as bits over a fixed vocabulary. */

import { vocabulary } from "../generated/constants.js";
import type { Elements } from "../page/leaves.js";
import { BitRows } from "./bit_rows.js";
import type { Tree } from "./tree.js";

const NUMBERS = new Map<string, number>(vocabulary.map((word, number) => [word, number]));
const LONGEST = 13; // letters of a token

/** Bits over the vocabulary, one row per block; and those of the whole page. */
export interface Tokens {
  /** Of the element that holds a block and of the two above it. */
  readonly nearby: BitRows;
  /** Of all elements above a block. */
  readonly anywhere: BitRows;
  /** Those of `html` and `body`, in one row, which describe the page rather than a block. */
  readonly page: BitRows;
}

export function tokenBits(elements: Elements, tree: Tree): Tokens {
  const count = elements.tag.length;
  const own = new BitRows(count, vocabulary.length);
  const above = new BitRows(count, vocabulary.length);
  const page = new BitRows(1, vocabulary.length);
  const needed = neededElements(elements, tree.holder);
  for (let index = 1; index < count; index++) {
    if (!needed[index]) continue;
    readAttributes(elements.node[index]!, own, index);
    if (elements.tag[index] === "body" || elements.tag[index] === "html") {
      page.add(0, own, index);
      own.clear(index);
    }
    above.add(index, above, tree.parent[index]);
    above.add(index, own, index);
  }
  return { ...ofBlocks(own, above, tree), page };
}

function ofBlocks(own: BitRows, above: BitRows, tree: Tree): { nearby: BitRows; anywhere: BitRows } {
  const { holder, parent } = tree;
  const nearby = new BitRows(holder.length, vocabulary.length);
  const anywhere = new BitRows(holder.length, vocabulary.length);
  holder.forEach((first, block) => {
    const second = parent[first];
    nearby.add(block, own, first);
    nearby.add(block, own, second);
    nearby.add(block, own, parent[second]);
    anywhere.add(block, above, first);
  });
  return { nearby, anywhere };
}

/** The elements that hold blocks, and all above them. */
function neededElements(elements: Elements, holder: Int32Array): Uint8Array {
  const needed = new Uint8Array(elements.tag.length);
  for (const element of holder) {
    for (let above = element; above > 0 && !needed[above]; above = elements.parent[above]) needed[above] = 1;
  }
  return needed;
}

function readAttributes(node: Element, own: BitRows, index: number): void {
  addTokens(node.getAttribute("class"), own, index);
  addTokens(node.getAttribute("id"), own, index);
  const role = node.getAttribute("role");
  const property = node.getAttribute("itemprop");
  // Python searches these two in the tree of the page alone, not in shadow roots, nor in a noscript.
  if ((role !== null || property !== null) && isInTree(node)) {
    addTokens(role, own, index);
    addTokens(property, own, index);
  }
}

function isInTree(node: Element): boolean {
  return node.getRootNode().nodeType === 9 && !node.parentElement?.closest("noscript");
}

function addTokens(text: string | null, own: BitRows, index: number): void {
  if (!text) return;
  for (const number of tokensOf(text)) own.set(index, number);
}

const known = new Map<string, readonly number[]>(); // most attributes occur several times
const MOST_KNOWN = 10_000;

function tokensOf(text: string): readonly number[] {
  const found = known.get(text);
  if (found) return found;
  const numbers = readTokens(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, numbers);
  return numbers;
}

/**
 * The numbers of the tokens in an attribute: a token is a run of lower-case ASCII letters with the capital before it,
 * or of capitals, whatever its case.
 */
export function readTokens(text: string): number[] {
  const numbers: number[] = [];
  let token = "";
  let length = 0; // of the run, of which no more than LONGEST letters are remembered
  let small = false; // whether the letter before was in lower case
  const take = (word: string, size: number): void => {
    const number = size > LONGEST ? undefined : NUMBERS.get(word);
    if (number !== undefined) numbers.push(number);
  };
  for (let place = 0; place <= text.length; place++) {
    const code = place < text.length ? text.charCodeAt(place) : 32;
    const lower = code >= 97 && code <= 122;
    const upper = code >= 65 && code <= 90;
    // A capital after a lower-case letter begins a token; so does the last of several before one.
    const ends = length > 0 && !(lower || (upper && !small));
    if (lower && !small && length > 1) {
      // The run of capitals went one too far: its last letter begins this token.
      take(token.slice(0, -1), length - 1);
      [token, length] = [token.slice(-1), 1];
    }
    if (ends) {
      take(token, length);
      [token, length] = ["", 0];
    }
    if (lower || upper) {
      token = length < LONGEST ? token + String.fromCharCode(lower ? code : code + 32) : "";
      length++;
    }
    small = lower;
  }
  return numbers;
}
