/** Spans of a page's text. */

import type { CodePoints } from "./page/code_points.js";

export type Span = readonly [start: number, end: number];
const LINE_END = 10;

/**
 * Spans of a text as one, joined by a line end if one was between them, else by a blank if anything was.
 *
 * A blank is put at each of the places `apart`, which are in order.
 */
export function joined(text: CodePoints, spans: readonly Span[], apart: readonly number[] = []): string {
  const pieces: string[] = [];
  let previous = -1;
  let next = 0;
  for (const [first, end] of spans) {
    let start = first;
    if (previous >= 0 && previous < start) pieces.push(text.includes(LINE_END, previous, start) ? "\n" : " ");
    for (; next < apart.length && apart[next] < end; next++) {
      pieces.push(text.slice(start, apart[next]), " ");
      start = apart[next];
    }
    pieces.push(text.slice(start, end));
    previous = end;
  }
  return pieces.join("");
}

/** The first place in a sorted list whose value is greater than one, or at least as great. */
export function search(values: readonly number[], value: number, side: "left" | "right"): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value || (side === "right" && values[middle] === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
