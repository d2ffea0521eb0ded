/** Leaves: the text nodes of a page as columns, and the elements that hold them. */

import { page_walk_flags } from "../generated/constants.js";

const { HIDDEN, LINKED } = page_walk_flags;

/** The elements that were entered, in document order; row 0 is the document, whose parent is -1. */
export interface Elements {
  readonly tag: readonly string[];
  readonly parent: readonly number[];
  readonly node: readonly (Element | null)[];
}

/** One row per text node: its span in the page's text, its element, and what it inherits. */
export interface Leaves {
  readonly start: readonly number[];
  readonly end: readonly number[];
  readonly element: readonly number[];
  /** How many elements were opened before the leaf. */
  readonly opened: readonly number[];
  /** To the leaf before: GLUED, SPACED, NEW_LINE or NEW_BLOCK. */
  readonly gap: readonly number[];
  /** HIDDEN, VERBATIM, LINKED and IN_SVG, added up. */
  readonly state: readonly number[];
  /** The text node, the first of several that touch. */
  readonly node: readonly Text[];
}

export function isHidden(leaves: Leaves, leaf: number): boolean {
  return (leaves.state[leaf] & HIDDEN) !== 0;
}

export function isLink(leaves: Leaves, leaf: number): boolean {
  return (leaves.state[leaf] & LINKED) !== 0;
}
