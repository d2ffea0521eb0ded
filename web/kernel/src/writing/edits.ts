/** Edits: what is written in place of some spans of a page's text, and where its other characters go by that. */

import { isSpace } from "../characters.js";
import { page_walk_flags } from "../generated/constants.js";
import { CodePoints, countCodePoints } from "../page/code_points.js";
import type { Leaves } from "../page/leaves.js";
import { search, type Span } from "../spans.js";

const { GLUED, SPACED, VERBATIM } = page_walk_flags;

/** A span of a text, and what is written in its place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** A text and its leaves, as they are or as edits make them. */
export interface Written {
  readonly text: CodePoints;
  readonly leaves: Leaves;
}

/** Edits of one text: in order, and none overlaps another. */
export class Edits {
  private readonly start: readonly number[];
  private readonly end: readonly number[];
  private readonly sizes: readonly number[];
  /** How far what comes after so many of the edits is moved. */
  private readonly moved: readonly number[];

  constructor(private readonly edits: readonly Edit[]) {
    this.start = edits.map((edit) => edit.start);
    this.end = edits.map((edit) => edit.end);
    this.sizes = edits.map((edit) => countCodePoints(edit.replacement));
    const moved = [0];
    edits.forEach((edit, number) => moved.push(moved[number] + this.sizes[number] - edit.end + edit.start));
    this.moved = moved;
  }

  /** The text with its edits, and without the leaves that are left with nothing. */
  apply({ text, leaves }: Written): Written {
    const edited = new CodePoints(this.textOf(text));
    const collapsed = leaves.state.map((state) => !(state & VERBATIM));
    const spans = this.trimmed(edited, leaves.start, leaves.end, collapsed);
    const filled = spans.flatMap(([start, end], leaf) => (start < end ? [leaf] : []));
    const only = <T>(column: readonly T[]): T[] => filled.map((leaf) => column[leaf]);
    const start = filled.map((leaf) => spans[leaf][0]);
    const end = filled.map((leaf) => spans[leaf][1]);
    const gap = filled.map((leaf, row) => {
      // A leaf that goes leaves its gap to the next.
      const widest = Math.max(...leaves.gap.slice(row ? filled[row - 1] + 1 : 0, leaf + 1));
      return row && widest === GLUED && end[row - 1] < start[row] ? SPACED : widest;
    });
    const columns = { element: only(leaves.element), opened: only(leaves.opened), state: only(leaves.state) };
    return { text: edited, leaves: { start, end, gap, ...columns, node: only(leaves.node) } };
  }

  /** Spans of the edited text; some may be left with nothing. */
  spans(spans: readonly Span[], text: CodePoints): Span[] {
    return this.trimmed(
      text,
      spans.map(([start]) => start),
      spans.map(([, end]) => end),
      spans.map(() => true),
    );
  }

  private textOf(text: CodePoints): string {
    const pieces: string[] = [];
    let reached = 0;
    for (const { start, end, replacement } of this.edits) {
      pieces.push(text.slice(reached, start), replacement);
      reached = end;
    }
    return pieces.join("") + text.slice(reached, text.length);
  }

  /** Where something goes that starts at a place: after what is inserted there. */
  private startOf(place: number): number {
    const count = search(this.end, place, "right");
    return this.go(place, count, Math.min(count, this.edits.length - 1));
  }

  /** Where something goes that ends at a place: before what is inserted there. */
  private endOf(place: number): number {
    const count = search(this.start, place, "left");
    return this.go(place, count, Math.max(count - 1, 0));
  }

  /** A place moved by `count` edits; one inside of the edit `near` stays within what replaces it. */
  private go(place: number, count: number, near: number): number {
    const start = this.start[near];
    if (start < place && place < this.end[near])
      return start + this.moved[near] + Math.min(place - start, this.sizes[near]);
    return place + this.moved[count];
  }

  /** Spans of the edited text without white space at their ends that the edits have put there. */
  private trimmed(
    text: CodePoints,
    starts: readonly number[],
    ends: readonly number[],
    collapsed: readonly boolean[],
  ): Span[] {
    return starts.map((start, row) => {
      const end = ends[row];
      let [left, right] = [this.startOf(start), this.endOf(end)];
      if (collapsed[row] && (this.touches(start) || this.touches(end))) {
        while (left < right && isSpace(text.codes[left])) left++;
        while (left < right && isSpace(text.codes[right - 1])) right--;
      }
      return [left, right];
    });
  }

  /** Whether a place is inside or at an end of an edit. */
  private touches(place: number): boolean {
    const first = Math.min(search(this.end, place, "left"), this.edits.length - 1);
    return this.start[first] <= place && place <= this.end[first];
  }
}
