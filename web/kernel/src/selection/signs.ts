/** Signs: what the selection asks of every block that is kept, in one number, so that most pages need nothing more. */

import type { Blocks } from "../blocks.js";
import { split } from "../characters.js";
import { selection_signs as constants } from "../generated/constants.js";

export const { TABLE, NOSCRIPT, TEXTAREA, HEADING, UNSEEN, BRACKET, MODAL, BUTTON } = constants;
const { IS_BLOCK, MAY_BE_MODAL, MAY_BE_BUTTON, NEAR, HIGH } = constants;
const TAG_SIGNS = new Map<string, number>(Object.entries(constants.TAG_SIGNS));
const UNSEEN_CLASSES = new Set<string>(constants.UNSEEN_CLASSES);

export interface Signs {
  /** Of the blocks that are kept, 0 for all others. */
  readonly ofBlocks: Int32Array;
  readonly found: number;
}

export function readSigns(blocks: Blocks, kept: readonly boolean[]): Signs {
  const ofElements = new Int32Array(blocks.elements.tag.length).fill(-1);
  ofElements[0] = 0;
  const ofBlocks = new Int32Array(blocks.count);
  let found = 0;
  for (let block = 0; block < blocks.count; block++) {
    if (!kept[block]) continue;
    const first = blocks.text.at(blocks.start[block]);
    ofBlocks[block] =
      signsAbove(blocks, blocks.owner[block], ofElements) | (first === "{" || first === "[" ? BRACKET : 0);
    found |= ofBlocks[block];
  }
  return { ofBlocks, found };
}

function signsAbove(blocks: Blocks, owner: number, ofElements: Int32Array): number {
  const { tag, parent, node } = blocks.elements;
  const chain: number[] = [];
  let index = owner;
  for (; ofElements[index] < 0; index = parent[index]) chain.push(index);
  let above = ofElements[index];
  while (chain.length) {
    index = chain.pop()!;
    const mine = TAG_SIGNS.get(tag[index]) ?? 0;
    above |= mine & ~(IS_BLOCK | MAY_BE_MODAL | MAY_BE_BUTTON);
    if (mine & IS_BLOCK && chain.length < NEAR && isUnseen(node[index]!)) above |= UNSEEN;
    if (mine & MAY_BE_MODAL && isHigh(index, parent) && isModal(node[index]!)) above |= MODAL;
    if (mine & MAY_BE_BUTTON && !opensSomething(node[index]!)) above |= BUTTON;
    ofElements[index] = above;
  }
  return above;
}

/** Whether an element is near the root. */
function isHigh(index: number, parent: readonly number[]): boolean {
  let above = index;
  for (let step = 0; step < HIGH; step++) {
    if (above <= 0) return true;
    above = parent[above];
  }
  return false;
}

/** Whether an element keeps readers from the page until it is closed. */
function isModal(node: Element): boolean {
  return node.getAttribute("aria-modal") === "true";
}

/** Whether a button opens and closes something. */
function opensSomething(node: Element): boolean {
  return node.getAttribute("aria-expanded") !== null || node.getAttribute("aria-controls") !== null;
}

/** Whether a class takes text out of sight for all but screen readers. */
function isUnseen(node: Element): boolean {
  return split(node.getAttribute("class") ?? "").some((name) => UNSEEN_CLASSES.has(name));
}
