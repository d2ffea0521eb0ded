/** The same text twice: copies for other screens, print layers, posts and sentences that are quoted. One is kept. */

import { type Blocks, blockText, Kind, kindCodes, repeats } from "../blocks.js";
import { split } from "../characters.js";
import { blocks as block_constants, page_walk_flags, selection_repeats as constants } from "../generated/constants.js";
import { roleOf } from "../page/walk.js";
import { search } from "../spans.js";

const { HIGHEST, NEAR, MOST_QUOTES, MOST_PLACES } = constants;
const QUOTABLE = new Set<number>(constants.QUOTABLE);
const FIXED = new Set<number>(constants.FIXED); // in tables and code, the same text again says something

/**
 * What is kept, where several blocks have the same text only one of them: the first that is in sight.
 *
 * Short blocks next to a copy that repeat what is next to the original go with it. Refrains stay, and so does what the
 * entries of a list have in common.
 */
export function withoutRepeats(blocks: Blocks, before: readonly boolean[]): boolean[] {
  const kept = withoutQuotes(blocks, before);
  const first = repeats(blocks, kept);
  if (!first.some((original) => original >= 0)) return kept.slice();
  const numbers = kept.flatMap((each, block) => (each ? [block] : []));
  const places = new Map(numbers.map((block, place) => [block, place]));
  const groups = new Map<number, number[]>();
  first.forEach((original, block) => {
    if (original < 0) return;
    const place = places.get(original)!;
    if (!groups.has(place)) groups.set(place, [place]);
    groups.get(place)!.push(places.get(block)!);
  });
  const copies = new Copies(blocks, numbers, groups);
  for (const group of groups.values()) copies.keepOne(group);
  const result = kept.slice();
  numbers.forEach((block, place) => {
    if (!copies.kept[place]) result[block] = false;
  });
  return result;
}

/** What is kept without quotes of eight words or more from another block that is kept and is no quote. */
function withoutQuotes(blocks: Blocks, kept: readonly boolean[]): boolean[] {
  const result = kept.slice();
  if (!blocks.elements.tag.includes("blockquote")) return result;
  const numbers = kept.flatMap((each, block) => (each ? [block] : []));
  const codes = new Map(kindCodes(blocks, numbers).map((code, row) => [numbers[row], code & 0xff]));
  const quotes = numbers.filter((number) => codes.get(number) === Kind.QUOTE).slice(0, MOST_QUOTES);
  for (const number of quotes) {
    if (split(blockText(blocks, number)).length < block_constants.REPEATED_WORDS) continue;
    result[number] = !blocksWith(blocks, number).some((other) => QUOTABLE.has(codes.get(other) ?? -1));
  }
  return result;
}

/** The blocks that have the text of another in them, its first few places in the page. */
function blocksWith(blocks: Blocks, quote: number): number[] {
  const text = blockText(blocks, quote);
  const length = blocks.end[quote] - blocks.start[quote];
  const found: number[] = [];
  let place = -1;
  for (let turn = 0; turn < MOST_PLACES; turn++) {
    place = blocks.text.find(text, place + 1);
    if (place < 0) break;
    const number = search(blocks.end, place, "right");
    if (number < blocks.count && blocks.start[number] <= place && place + length <= blocks.end[number])
      found.push(number);
  }
  return found;
}

/** The blocks that are kept, by their place among each other, and groups of them that have the same text. */
class Copies {
  readonly kept: boolean[];
  private readonly texts: string[];
  private readonly fixed: Set<number>;
  /** A long heading names one thing: an entry that is listed again, or the thread above each of its posts. */
  private readonly headings: Set<number>;
  private readonly grouped: Set<number>;

  constructor(
    private readonly blocks: Blocks,
    private readonly numbers: readonly number[],
    groups: Map<number, number[]>,
  ) {
    const originals = [...groups.keys()];
    const codes = kindCodes(
      blocks,
      originals.map((place) => numbers[place]),
    );
    this.fixed = new Set(originals.filter((_, number) => FIXED.has(codes[number] & 0xff)));
    this.headings = new Set(originals.filter((_, number) => (codes[number] & 0xff) === Kind.HEADING));
    this.grouped = new Set([...groups.values()].flat());
    this.texts = numbers.map((block) => blockText(blocks, block));
    this.kept = numbers.map(() => true);
  }

  /** Drop all blocks of a group but one, unless the text is meant to be there several times. */
  keepOne(group: readonly number[]): void {
    if (this.fixed.has(group[0])) return;
    const best = group.find((place) => !this.blocks.hidden[this.numbers[place]]) ?? group[0];
    group.forEach((place, number) => {
      if (place === best) return;
      if (!this.headings.has(group[0]) && this.isRefrain(best, group[Math.max(number - 1, 0)], place)) return;
      this.kept[place] = false;
      this.dropNeighbours(best, place, -1);
      this.dropNeighbours(best, place, 1);
    });
  }

  /** Drop what comes before or after a copy as long as it is the same as with the original. */
  private dropNeighbours(original: number, copy: number, step: number): void {
    let [best, place] = [original + step, copy + step];
    while (this.sameText(best, place) && !this.grouped.has(best) && !this.grouped.has(place) && this.kept[best]) {
      this.kept[place] = false;
      [best, place] = [best + step, place + step];
    }
  }

  /** Whether a copy, and the one before it, come in the course of a text or of a list of entries. */
  private isRefrain(best: number, before: number, place: number): boolean {
    const one = this.ancestors(best);
    const other = this.ancestors(place);
    if (one[0] === other[0] || one[1] === other[1]) return place - before > 1;
    const steps = stepsToCommon(one, other);
    if (!steps || this.path(one, steps) !== this.path(other, steps)) return false;
    if (this.goesOn(best, place, -1) || this.goesOn(best, place, 1)) return false;
    // Entries differ in what is next to the text they share, copies of one entry do not.
    const entry = other[steps - 1];
    return [-1, 1].some((step) => this.isIn(place + step, entry) && !this.sameText(best + step, place + step));
  }

  /** Whether another long text that is a copy too comes next, after a few short ones at most. */
  private goesOn(best: number, place: number, step: number): boolean {
    for (let away = 1; away <= NEAR; away++) {
      if (!this.sameText(best + away * step, place + away * step)) return false;
      if (this.grouped.has(place + away * step)) return true;
    }
    return false;
  }

  private sameText(one: number, other: number): boolean {
    return this.texts[one] !== undefined && this.texts[one] === this.texts[other];
  }

  private isIn(place: number, element: number): boolean {
    return place in this.numbers && this.ancestors(place).includes(element);
  }

  /** The block-level element that holds a block, and those above it. */
  private ancestors(place: number): number[] {
    const { tag, parent } = this.blocks.elements;
    const found: number[] = [];
    let element = this.blocks.owner[this.numbers[place]];
    for (let step = 0; step < HIGHEST; step++) {
      if (found.length || element === 0 || roleOf(tag[element]) & page_walk_flags.BLOCK) found.push(element);
      if (element === 0) break;
      element = parent[element];
    }
    return found.length ? found : [element];
  }

  private path(elements: readonly number[], steps: number): string {
    return elements
      .slice(0, steps)
      .map((element) => this.blocks.elements.tag[element])
      .join(" ");
  }
}

/** After how many steps two chains of ancestors meet, 0 unless both take the same number. */
function stepsToCommon(one: readonly number[], other: readonly number[]): number {
  const step = one.findIndex((element, place) => place < other.length && element === other[place]);
  return Math.max(step, 0);
}
