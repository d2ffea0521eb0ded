/** Text features: the shape of a block's text, counted by classes of characters that every script has. */

import { BEYOND, CHARACTER_CLASSES } from "../characters.js";
import type { Blocks } from "../blocks.js";
import { characters, features_text } from "../generated/constants.js";
import { log, type Matrix } from "./matrix.js";

const Row = features_text.TextRow;
const Class = characters.CharacterClass;
const CLASSES = Object.keys(Class).length;

/** What is counted of one block. */
interface Counts {
  readonly classes: Int32Array;
  capitals: number;
  last: number;
}

/** Fill in the rows of `TextRow`; return how many words each block has. */
export function textFeatures(blocks: Blocks, matrix: Matrix): Float32Array {
  const words = new Float32Array(blocks.count);
  const counts: Counts = { classes: new Int32Array(CLASSES), capitals: 0, last: 0 };
  for (let block = 0; block < blocks.count; block++) {
    countCharacters(blocks, block, counts);
    // In scripts without spaces about two characters make a word.
    words[block] = counts.classes[Class.BLANK] + 1 + (counts.classes[Class.UNSPACED_LETTER] >> 1);
    writeCounts(matrix, block, blocks.end[block] - blocks.start[block], words[block], counts);
    writeEdges(matrix, block, classOf(blocks.text.codes[blocks.start[block]]), counts.last);
  }
  return words;
}

function classOf(code: number): number {
  return CHARACTER_CLASSES[code < BEYOND ? code : BEYOND];
}

function countCharacters(blocks: Blocks, block: number, counts: Counts): void {
  const { codes } = blocks.text;
  counts.classes.fill(0);
  counts.capitals = 0;
  let before: number = Class.BLANK;
  for (let place = blocks.start[block]; place < blocks.end[block]; place++) {
    const kind = classOf(codes[place]);
    counts.classes[kind]++;
    if (before === Class.BLANK && kind === Class.UPPER) counts.capitals++;
    before = kind;
  }
  counts.last = before;
}

function writeCounts(matrix: Matrix, block: number, length: number, words: number, counts: Counts): void {
  const of = counts.classes;
  matrix.set(Row.CHARACTERS, block, log(length));
  matrix.set(Row.WORDS, block, log(words));
  matrix.set(Row.STOPS, block, log(of[Class.STOP]));
  matrix.set(Row.WORD_LENGTH, block, Math.min((length - of[Class.BLANK]) / (10 * words), 3));
  matrix.set(Row.UPPER_SHARE, block, of[Class.UPPER] / length);
  matrix.set(Row.LETTER_SHARE, block, of[Class.LETTER] / length);
  matrix.set(Row.UNSPACED_SHARE, block, of[Class.UNSPACED_LETTER] / length);
  matrix.set(Row.DIGIT_SHARE, block, of[Class.DIGIT] / length);
  matrix.set(Row.OTHER_SHARE, block, of[Class.OTHER] / length);
  matrix.set(Row.CAPITALISED, block, counts.capitals / words);
  matrix.set(Row.STOPS_PER_WORD, block, Math.min(of[Class.STOP] / words, 2));
  matrix.set(Row.COMMAS_PER_WORD, block, Math.min(of[Class.COMMA] / words, 2));
  matrix.set(Row.OTHER_PER_WORD, block, Math.min(of[Class.OTHER] / words, 2));
  matrix.set(Row.RULES_PER_WORD, block, Math.min(of[Class.RULE] / words, 2));
  matrix.set(Row.QUOTES_PER_WORD, block, Math.min(of[Class.QUOTE] / words, 2));
  matrix.set(Row.MONEY, block, Math.min(of[Class.CURRENCY], 2));
  matrix.set(Row.SIGNS, block, Math.min(of[Class.SIGN], 2));
}

function writeEdges(matrix: Matrix, block: number, first: number, last: number): void {
  matrix.set(Row.ENDS_IN_STOP, block, Number(last === Class.STOP));
  matrix.set(Row.ENDS_IN_COMMA, block, Number(last === Class.COMMA));
  matrix.set(Row.ENDS_IN_LETTER, block, Number(last === Class.LETTER));
  matrix.set(Row.STARTS_UPPER, block, Number(first === Class.UPPER));
  matrix.set(Row.STARTS_DIGIT, block, Number(first === Class.DIGIT));
  matrix.set(Row.STARTS_OTHER, block, Number(first >= Class.CURRENCY));
}
