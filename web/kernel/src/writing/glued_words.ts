/**
 * Glued words: where a style sheet sets two inline elements apart, so that a blank has to be written between them.
 *
 * The page does not say so, and its text has `agentsAutomate`.
 */

import { isAlphanumeric, joinsWords } from "../characters.js";
import { page_walk_flags, writing_glued_words as constants } from "../generated/constants.js";
import type { Elements } from "../page/leaves.js";
import { roleOf } from "../page/walk.js";
import type { Span } from "../spans.js";
import type { Written } from "./edits.js";

const { BLOCK, GLUED, IN_SVG, VERBATIM } = page_walk_flags;
const { CURRENCIES, FORMULAS, MAX_STEPS } = constants;
const JOINED = new Set<string>(constants.JOINED);
const SET_APART = new Set<string>(constants.SET_APART);
const LOWER = /^\p{Lowercase}$/u;
const UPPER = /^\p{Uppercase}$/u;
const TITLE = /^\p{Lt}$/u;
const DECIMAL = /^\p{Nd}$/u;
const LETTERS = /^\p{L}+$/u;
const LETTERS_AND_DIGITS = /^[\p{L}\p{N}]+$/u;
const ENDS = ".!?";

/** The places in spans of a page's text where words touch that a reader would see apart, in order. */
export function separators(written: Written, elements: Elements, spans: readonly Span[]): number[] {
  const found = touchingLeaves(written, spans);
  return found.filter((leaf) => areApart(written, elements, leaf)).map((leaf) => written.leaves.start[leaf]);
}

/** The leaves in spans of a text that touch the one before them, and are in another element than it is. */
function touchingLeaves({ text, leaves }: Written, spans: readonly Span[]): number[] {
  const found: number[] = [];
  let span = -1;
  let [first, end] = [-1, -1];
  for (let leaf = 1; leaf < leaves.start.length; leaf++) {
    if (leaves.gap[leaf] !== GLUED || leaves.element[leaf] === leaves.element[leaf - 1]) continue;
    if ((leaves.state[leaf] | leaves.state[leaf - 1]) & (VERBATIM | IN_SVG)) continue;
    const place = leaves.start[leaf];
    while (end <= place) {
      if (++span === spans.length) return found;
      if (spans[span][0] > end) first = spans[span][0]; // where two spans touch, they are one
      end = spans[span][1];
    }
    if (first < place && touch(text.at(place - 1), text.at(place))) found.push(leaf);
  }
  return found;
}

function touch(before: string, after: string): boolean {
  // Marks of scripts without cases are no letters; which characters beyond Latin are, is asked later.
  const beyond = (character: string): boolean => character.codePointAt(0)! > 0x2ff;
  if (!isAlphanumeric(after) && !beyond(after)) return LOWER.test(before) && "$£".includes(after);
  if (ENDS.includes(before)) return UPPER.test(after) || DECIMAL.test(after);
  return isAlphanumeric(before) || beyond(before) || ":)".includes(before);
}

function areApart({ text, leaves }: Written, elements: Elements, leaf: number): boolean {
  const start = leaves.start[leaf - 1];
  const place = leaves.start[leaf];
  const path = (): [number[], number[]] | null => pathBetween(elements, leaves.element[leaf - 1], leaves.element[leaf]);
  const before = characters(text.slice(Math.max(start, place - 3), place));
  const after = characters(text.slice(place, Math.min(leaves.end[leaf], place + 3)));
  const last = before[before.length - 1];
  if (!joinsWords(last) || !joinsWords(after[0])) {
    return areParted(before, after, text.includes(0x20, start, place)) && path() !== null;
  }
  const between = path();
  return between !== null && (differ(before, after) || areSetApart(elements, ...between));
}

function characters(text: string): string[] {
  return Array.from(text);
}

/**
 * Whether a mark between the last three characters of a text and the first three of the next sets them apart.
 *
 * A full stop does if the text before it has a blank: else it is often part of a name.
 */
function areParted(before: readonly string[], after: readonly string[], inProse: boolean): boolean {
  const mark = before[before.length - 1];
  const rest = before.slice(0, -1);
  if (ENDS.includes(mark)) {
    const isNumber = DECIMAL.test(after[0]) && LOWER.test(rest[rest.length - 1] ?? "");
    return inProse && (UPPER.test(after[0]) ? LOWER.test(after[1] ?? "") : isNumber);
  }
  if (mark === ":") return rest.length === 2 && rest.every(joinsWords) && areLetters(rest) && joinsWords(after[0]);
  if (mark === ")") return after.length > 1 && areLetters(after.slice(0, 2)) && joinsWords(after[0]);
  return CURRENCIES.includes(after[0]) && before.length === 3 && areLetters(before) && areLower(before);
}

function areLetters(characters: readonly string[]): boolean {
  return LETTERS.test(characters.join(""));
}

/** Whether a text has letters in lower case, and none in upper case. */
function areLower(characters: readonly string[]): boolean {
  return (
    characters.some((each) => LOWER.test(each)) && !characters.some((each) => UPPER.test(each) || TITLE.test(each))
  );
}

/** Whether a text has letters in upper case, and none in lower case. */
function areUpper(characters: readonly string[]): boolean {
  return (
    characters.some((each) => UPPER.test(each)) && !characters.some((each) => LOWER.test(each) || TITLE.test(each))
  );
}

/** Whether upper case begins each run of letters that have a case, and lower case continues it. */
function areTitle(characters: readonly string[]): boolean {
  let inside = false;
  let any = false;
  for (const each of characters) {
    const begins = UPPER.test(each) || TITLE.test(each);
    if (begins === inside && (begins || LOWER.test(each))) return false;
    inside = begins || LOWER.test(each);
    any ||= inside;
  }
  return any;
}

/** Whether the last three characters of a text and the first three of the next cannot be one word. */
function differ(before: readonly string[], after: readonly string[]): boolean {
  const last = before[before.length - 1];
  if (LOWER.test(last)) {
    if (UPPER.test(after[0])) {
      return (
        before.length > 1 &&
        after.length > 1 &&
        LETTERS_AND_DIGITS.test(before.slice(-2).join("")) &&
        LETTERS_AND_DIGITS.test(after.slice(0, 2).join(""))
      );
    }
    return DECIMAL.test(after[0]) && before.length === 3 && LETTERS.test(before.join(""));
  }
  if (before.length === 3 && areUpper(before) && areLetters(before)) {
    return DECIMAL.test(after[0]) || (after.length === 3 && areLetters(after) && areTitle(after));
  }
  return DECIMAL.test(last) && UPPER.test(after[0]) && after.length === 3 && LETTERS_AND_DIGITS.test(after.join(""));
}

/** The elements around each of two leaves that are not around both; null in formulas and the like. */
function pathBetween(elements: Elements, one: number, other: number): [number[], number[]] | null {
  const before: number[] = [];
  const after: number[] = [];
  let [left, right] = [one, other];
  for (let step = 0; step < MAX_STEPS; step++) {
    const index = Math.max(left, right); // parents have smaller numbers than their children
    if (index <= 0 || roleOf(elements.tag[index]) & BLOCK) return [before, after];
    if (JOINED.has(elements.tag[index]) || isFormula(elements.node[index]!)) return null;
    const parent = elements.parent[index];
    if (left === right) left = right = parent;
    else if (index === left) {
      before.push(index);
      left = parent;
    } else {
      after.push(index);
      right = parent;
    }
  }
  return null;
}

function isFormula(node: Element): boolean {
  const name = node.getAttribute("class");
  return name !== null && FORMULAS.some((prefix) => name.startsWith(prefix));
}

/** Whether elements that end and begin at the same place show that what they hold is not one word. */
function areSetApart(elements: Elements, before: readonly number[], after: readonly number[]): boolean {
  if ([...before, ...after].some((index) => SET_APART.has(elements.tag[index]))) return true;
  const [one, other] = [addressOf(elements, before), addressOf(elements, after)];
  return one !== null && other !== null && one !== other; // parts of one link lead to the same page
}

function addressOf(elements: Elements, path: readonly number[]): string | null {
  const link = path.find((index) => elements.tag[index] === "a");
  return link === undefined ? null : elements.node[link]!.getAttribute("href");
}
