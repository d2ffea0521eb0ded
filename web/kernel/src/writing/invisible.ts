/** What a page's text has and its readers do not see: hints where to break a word, and glosses beside ideographs. */

import { isSpace, WHOLE_WORD, wordClass } from "../characters.js";
import { page_walk_flags, writing_invisible as constants } from "../generated/constants.js";
import type { CodePoints } from "../page/code_points.js";
import type { Elements, Leaves } from "../page/leaves.js";
import { search, type Span } from "../spans.js";
import type { Edit, Written } from "./edits.js";

const { ZERO_WIDTH_SPACE, VOWEL_SEPARATOR, JOINERS, INVISIBLE, LATIN_END, GLOSS, MARK, CLOSING } = constants;
const CODES = new Set(Array.from(INVISIBLE, (character) => character.charCodeAt(0)));
const ANY = new RegExp(`[${INVISIBLE}]`);
const WITHOUT_BLANKS = new RegExp(`^${constants.WITHOUT_BLANKS}`);
const MONGOLIAN = new RegExp(`^${constants.MONGOLIAN}`);
const GLOSSES = new Set<string>(constants.GLOSSES);

export function hasInvisible(text: CodePoints): boolean {
  return ANY.test(text.string) && invisible(text).length > 0;
}

export function hasGlosses(elements: Elements): boolean {
  return elements.tag.includes("rt");
}

/** Whether a span has a character that is written. */
export function isVisible(text: CodePoints, [start, end]: Span): boolean {
  return text.codes.subarray(start, end).some((code) => !isSpace(code) && !CODES.has(code));
}

/**
 * What to remove from a page's text, with the white space that would be doubled or at the end of a line.
 *
 * What is `marked` goes, too.
 */
export function removals({ text, leaves }: Written, elements: Elements, marked: readonly Span[] = []): Edit[] {
  const code = new Code(leaves, text.length);
  const found = [
    ...invisible(text).map((span) => ({ span, absorbed: "" })),
    ...glosses(leaves, elements).map((span) => ({ span, absorbed: GLOSS as string })),
    ...marked.map((span) => ({ span, absorbed: MARK as string })),
  ].sort((one, other) => one.span[0] - other.span[0] || other.span[1] - one.span[1]);
  const edits: { start: number; end: number; absorbed: string }[] = [];
  for (const { span, absorbed } of found) {
    const last = edits.at(-1);
    if (last && span[0] < last.end) continue; // a gloss may have invisible characters
    const [left, right] = withWhiteSpace(text, span, code.freeAround(span));
    const here = absorbed + text.slice(left, span[0]) + text.slice(span[1], right);
    if (last && left <= last.end) edits.push({ start: edits.pop()!.start, end: right, absorbed: last.absorbed + here });
    else edits.push({ start: left, end: right, absorbed: here });
  }
  return edits.map(({ start, end, absorbed }) => ({ start, end, replacement: whiteSpace(text, start, end, absorbed) }));
}

/** A span with the white space around it, within limits. */
function withWhiteSpace(text: CodePoints, [start, end]: Span, [low, high]: Span): Span {
  let [left, right] = [start, end];
  while (left > low && isSpace(text.codes[left - 1])) left--;
  while (right < high && isSpace(text.codes[right])) right++;
  return [left, right];
}

/** The invisible characters that no script needs where they are. */
function invisible(text: CodePoints): Span[] {
  if (!ANY.test(text.string)) return [];
  const spans: Span[] = [];
  let reached = 0;
  let before = "";
  text.codes.forEach((code, start) => {
    if (!CODES.has(code)) return;
    const character = text.at(start);
    if (start !== reached) before = text.at(start - 1);
    if (isNeeded(character, before, text.at(start + 1))) before = character;
    else spans.push([start, start + 1]);
    reached = start + 1;
  });
  return spans;
}

/** Whether a character changes what is around it. */
function isNeeded(character: string, before: string, after: string): boolean {
  if (JOINERS.includes(character)) {
    const code = before.codePointAt(0) ?? 0;
    return code > LATIN_END.charCodeAt(0) && !isSpace(code);
  }
  if (character === ZERO_WIDTH_SPACE) return WITHOUT_BLANKS.test(before + after);
  return character === VOWEL_SEPARATOR && MONGOLIAN.test(before);
}

/** The spans of ruby glosses, except in a `ruby` without any other text. */
function glosses(leaves: Leaves, elements: Elements): Span[] {
  if (!hasGlosses(elements)) return [];
  const rubies: number[] = [-1]; // the outermost `ruby` around each element
  const areGlosses: boolean[] = [false];
  elements.tag.forEach((tag, index) => {
    if (index === 0) return;
    const parent = elements.parent[index];
    rubies.push(rubies[parent] < 0 && tag === "ruby" ? index : rubies[parent]);
    areGlosses.push(areGlosses[parent] || (rubies[index] >= 0 && GLOSSES.has(tag)));
  });
  const withText = new Set(leaves.element.filter((owner) => !areGlosses[owner]).map((owner) => rubies[owner]));
  return leaves.element.flatMap((owner, leaf): Span[] =>
    areGlosses[owner] && withText.has(rubies[owner]) ? [[leaves.start[leaf], leaves.end[leaf]]] : [],
  );
}

/** The verbatim leaves of a page, whose white space stays. */
class Code {
  private readonly starts: readonly number[];
  private readonly ends: readonly number[];

  constructor(
    leaves: Leaves,
    private readonly length: number,
  ) {
    const isCode = (_: number, leaf: number): boolean => (leaves.state[leaf] & page_walk_flags.VERBATIM) !== 0;
    this.starts = leaves.start.filter(isCode);
    this.ends = leaves.end.filter(isCode);
  }

  /** The span around another that reaches up to the code before and after it; in code that span itself. */
  freeAround([start, end]: Span): Span {
    const after = search(this.starts, start, "right");
    if (after && this.ends[after - 1] > start) return [start, end];
    return [after ? this.ends[after - 1] : 0, after < this.starts.length ? this.starts[after] : this.length];
  }
}

/** The white space that stays where a span with `absorbed` white space is removed. */
function whiteSpace(text: CodePoints, start: number, end: number, absorbed: string): string {
  if (start === 0 || end === text.length) return "";
  // Markup is often indented between a word and its gloss, where no blank is shown.
  const spaced = (place: number): boolean => wordClass(text.codes[place]) !== WHOLE_WORD;
  if (absorbed.startsWith(GLOSS) && !(spaced(start - 1) || spaced(end))) return "";
  // The blank before a mark belongs to it if what comes after it has none.
  if (absorbed.includes(MARK) && CLOSING.includes(text.at(end))) return "";
  return absorbed.includes("\n") ? "\n" : absorbed.replaceAll(GLOSS, "").replaceAll(MARK, "") ? " " : "";
}
