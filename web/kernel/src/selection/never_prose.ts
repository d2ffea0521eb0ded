/**
 * What is never prose: form fields, buttons, modal dialogs, data and templates, what only screen readers shall see.
 *
 * Each is dropped only if the page has other text that is kept.
 */

import { type Blocks, blockText } from "../blocks.js";
import { BLANK, strip } from "../characters.js";
import { selection_never_prose as constants } from "../generated/constants.js";
import { CodePoints } from "../page/code_points.js";
import { BRACKET, BUTTON, HEADING, MODAL, NOSCRIPT, type Signs, TEXTAREA, UNSEEN } from "./signs.js";

const { LONGEST } = constants;
const CODE = new Set<string>(constants.CODE);
export const NEVER_PROSE_SIGNS = NOSCRIPT | TEXTAREA | UNSEEN | BRACKET | MODAL | BUTTON;
const WORD = "[\\p{L}\\p{N}_]";
const NAME = `(?:${WORD}|-)+`;
// The three forms of a shortcode: [/vc_row], [vc_row] and [gallery ids="1,2"], but not [edit] or [1].
const FORMS = [
  `/${whole(NAME, 1)}`,
  `${whole("[\\p{L}\\p{N}]+", 2)}_${WORD}*`,
  `${whole(NAME, 3)} ${whole(NAME, 4)}=[^\\[\\]]*`,
];
const SHORTCODE = new RegExp(`\\[(?:${FORMS.join("|")})\\]${BLANK}*`, "yu");
const TEMPLATE = new RegExp(`\\{\\{[^{}]+\\}\\}${BLANK}*`, "yu");
const JSON_START = new RegExp(`^\\[?${BLANK}*\\{${BLANK}*"[^"]+"${BLANK}*:`, "u");

/** A pattern that takes as much as it can and gives nothing back, so that no text can make the search long. */
function whole(pattern: string, group: number): string {
  return `(?=(${pattern}))\\${group}`;
}

export function withoutNeverProse(blocks: Blocks, kept: readonly boolean[], signs: Signs): boolean[] {
  const of = signs.ofBlocks;
  const dropped = Array.from(
    of,
    (sign) =>
      (sign & TEXTAREA) !== 0 || (sign & (UNSEEN | HEADING)) === UNSEEN || (sign & (BUTTON | HEADING)) === BUTTON,
  );
  dropDialogs(blocks, kept, signs, dropped);
  dropMarkup(blocks, signs, dropped);
  dropCopies(blocks, kept, signs, dropped);
  const rest = kept.map((each, block) => each && !dropped[block]);
  return rest.includes(true) ? rest : kept.slice();
}

/** Whether a text is JSON, or nothing but shortcodes or fields of a template. */
export function isMarkup(text: string): boolean {
  const points = new CodePoints(text);
  const start = points.slice(0, Math.min(LONGEST, points.length));
  if (JSON_START.test(start)) return /[}\]]$/.test(strip(text));
  return start === text && (isAll(SHORTCODE, text) || isAll(TEMPLATE, text));
}

function isAll(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  let reached = 0;
  while (reached < text.length) {
    if (!pattern.test(text)) return false;
    reached = pattern.lastIndex;
  }
  return reached > 0;
}

/** Drop what is in modal dialogs, unless these hold most of what is kept, such as an article. */
function dropDialogs(blocks: Blocks, kept: readonly boolean[], signs: Signs, dropped: boolean[]): void {
  if (!(signs.found & MODAL)) return;
  let [inside, all] = [0, 0];
  kept.forEach((each, block) => {
    const length = blocks.end[block] - blocks.start[block];
    if (each) all += length;
    if (signs.ofBlocks[block] & MODAL) inside += length;
  });
  if (2 * inside >= all) return;
  signs.ofBlocks.forEach((sign, block) => {
    if (sign & MODAL) dropped[block] = true;
  });
}

/** Drop markup, unless the page shows code. */
function dropMarkup(blocks: Blocks, signs: Signs, dropped: boolean[]): void {
  if (!(signs.found & BRACKET) || blocks.elements.tag.some((tag) => CODE.has(tag))) return;
  signs.ofBlocks.forEach((sign, block) => {
    if (sign & BRACKET && isMarkup(blockText(blocks, block))) dropped[block] = true;
  });
}

/** Drop what a noscript says that is kept elsewhere. */
function dropCopies(blocks: Blocks, kept: readonly boolean[], signs: Signs, dropped: boolean[]): void {
  if (!(signs.found & NOSCRIPT)) return;
  const known = new Set<string>();
  kept.forEach((each, block) => {
    if (each && !dropped[block] && !(signs.ofBlocks[block] & NOSCRIPT)) known.add(blockText(blocks, block));
  });
  signs.ofBlocks.forEach((sign, block) => {
    if (sign & NOSCRIPT && known.has(blockText(blocks, block))) dropped[block] = true;
  });
}
