/** Characters and words: classes of characters, and white space as Python has it, which is not quite JavaScript's. */

import { character_class_runs, characters, word_class_runs } from "./generated/constants.js";

export const { BEYOND, PART_OF_WORD, WHOLE_WORD } = characters;
/** What a character is to the words of a text. */
export const WORD_CLASSES = expanded(word_class_runs);
/** What text features count. */
export const CHARACTER_CLASSES = expanded(character_class_runs);

const BLANKS = Array.from(WORD_CLASSES.keys()).filter((code) => WORD_CLASSES[code] === characters.SPACE);
const BLANK_CLASS = BLANKS.map((code) => `\\u${code.toString(16).padStart(4, "0")}`).join("");
/** White space in a regular expression: `\s` is not quite the same. */
export const BLANK = `[${BLANK_CLASS}]`;
const RUN_OF_BLANKS = new RegExp(`${BLANK}+`);
const ALPHANUMERIC = /^[\p{L}\p{N}]$/u;
const MARK = /^\p{M}$/u;

export function isSpace(code: number): boolean {
  return code < BEYOND && WORD_CLASSES[code] === characters.SPACE;
}

export function wordClass(code: number): number {
  return WORD_CLASSES[code < BEYOND ? code : BEYOND];
}

/** The text without white space at its ends. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (start < end && isSpace(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** The words of a text. */
export function split(text: string): string[] {
  const stripped = strip(text);
  return stripped ? stripped.split(RUN_OF_BLANKS) : [];
}

export function isBlank(text: string): boolean {
  return text !== "" && strip(text) === "";
}

export function isAlphanumeric(character: string): boolean {
  return ALPHANUMERIC.test(character);
}

/** Whether a character forms one word with its neighbours: a letter, mark or digit of a script with spaces. */
export function joinsWords(character: string): boolean {
  if (!isAlphanumeric(character) && !MARK.test(character)) return false;
  return wordClass(character.codePointAt(0)!) === PART_OF_WORD;
}

function expanded(runs: readonly number[]): Uint8Array {
  const table = new Uint8Array(BEYOND + 1);
  let place = 0;
  for (let run = 0; run < runs.length; run += 2) {
    table.fill(runs[run + 1], place, place + runs[run]);
    place += runs[run];
  }
  return table;
}
