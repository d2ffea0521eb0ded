/**
 * Marks: what a page puts inside of its text that is none of it.
 *
 * Links from a heading to itself, as documentation has them, links that edit a section, as wikis have them, and words in
 * the middle of a line that only screen readers are meant to say.
 */

import { split } from "../characters.js";
import { page_walk_flags, writing_marks as constants } from "../generated/constants.js";
import type { Elements } from "../page/leaves.js";
import type { Span } from "../spans.js";
import type { Written } from "./edits.js";

const { NO_MARK, UNSEEN, EDIT, HEADING } = constants;
const BLOCK_MARKS = new Map<string, number>(Object.entries(constants.BLOCK_MARKS));
const CLASS_MARKS = new Map<string, number>(Object.entries(constants.CLASS_MARKS));

/** The marks in spans of a page's text; none if these are all there is. */
export function marks({ text, leaves }: Written, elements: Elements, spans: readonly Span[]): Span[] {
  const known = new Map<number, number>();
  const found: Span[] = [];
  let others = false;
  let leaf = 0;
  for (const [start, end] of spans) {
    while (leaf < leaves.start.length && leaves.start[leaf] < start) leaf++;
    for (; leaf < leaves.start.length && leaves.start[leaf] < end; leaf++) {
      const span: Span = [leaves.start[leaf], leaves.end[leaf]];
      const mark = marksAbove(leaves.element[leaf], elements, known);
      const isLink = span[1] - span[0] === 1 && (leaves.state[leaf] & page_walk_flags.LINKED) !== 0;
      const isSign = isLink && isLinkSign(text.at(span[0]), mark);
      if (isSign || mark & EDIT || (mark & (UNSEEN | HEADING)) === UNSEEN) found.push(span);
      else others = true;
    }
  }
  return others ? found : [];
}

/** The marks of an element, and of those above it up to the block-level element that it is in. */
function marksAbove(owner: number, elements: Elements, known: Map<number, number>): number {
  const chain: number[] = [];
  let mark: number = NO_MARK;
  for (let index = owner; index > 0; index = elements.parent[index]) {
    const ended = known.get(index) ?? BLOCK_MARKS.get(elements.tag[index]);
    if (ended !== undefined) {
      mark = ended;
      break;
    }
    chain.push(index);
  }
  for (const index of chain.reverse()) {
    // Other tags seldom have such a class.
    if (elements.tag[index] === "span") mark |= classMark(elements.node[index]!.getAttribute("class") ?? "");
    known.set(index, mark);
  }
  return mark;
}

function classMark(name: string): number {
  return split(name).reduce((mark, part) => mark | (CLASS_MARKS.get(part) ?? 0), 0);
}

function isLinkSign(character: string, mark: number): boolean {
  return character === "¶" || ((mark & HEADING) !== 0 && "#§🔗".includes(character));
}
