/**
 * Bins: the ranges that features are split into, so that the networks see each of them step by step.
 *
 * The bins of a feature are adjacent. So a value is in one of them, has passed all before it and reached none after it;
 * a network adds for it the weights of the bins before, and as much of its own bin's weight as the value has passed.
 */

import type { Matrix } from "../features/matrix.js";
import { bins } from "../generated/weights.js";

const LOW = Float32Array.from(bins.low);
const SLOPE = Float32Array.from(bins.slope);
const COLUMN = Int32Array.from(bins.column);
export const BINS = COLUMN.length;
const FEATURES = COLUMN[BINS - 1] + 1;
/** Of every feature, the number of its first bin, then the number of all bins. */
const FIRST = Int32Array.from({ length: FEATURES + 1 }, (_, feature) => {
  const first = COLUMN.indexOf(feature);
  return first < 0 ? BINS : first;
});

/** Which bins the features of each block are in; features that have not reached their first are left out. */
export interface BinValues {
  readonly rows: Int32Array;
  /** How much of the bin the feature has passed, from 0 to 1. */
  readonly shares: Float64Array;
  /** Where each block's bins end. */
  readonly ends: Int32Array;
}

export function binValues(matrix: Matrix): BinValues {
  const rows = new Int32Array(matrix.blocks * FEATURES);
  const shares = new Float64Array(matrix.blocks * FEATURES);
  const ends = new Int32Array(matrix.blocks);
  let count = 0;
  for (let block = 0; block < matrix.blocks; block++) {
    for (let feature = 0; feature < FEATURES; feature++) {
      const value = matrix.get(feature, block);
      let bin = FIRST[feature];
      if (!(value > LOW[bin])) continue;
      while (bin + 1 < FIRST[feature + 1] && value > LOW[bin + 1]) bin++;
      rows[count] = bin;
      shares[count++] = Math.min((value - LOW[bin]) * SLOPE[bin], 1);
    }
    ends[block] = count;
  }
  return { rows, shares, ends };
}

/** How much a block's feature has passed of a bin: 0 before it, 1 beyond. */
export function passed(matrix: Matrix, bin: number, block: number): number {
  const begun = (matrix.get(COLUMN[bin], block) - LOW[bin]) * SLOPE[bin];
  return Math.min(Math.max(begun, 0), 1);
}

/** The bins of some features. */
export function binsOf(features: readonly number[]): number[] {
  const wanted = new Set(features);
  return Array.from(COLUMN.keys()).filter((bin) => wanted.has(COLUMN[bin]));
}

/** For each bin, the sum of the weights of all bins before it of the same feature: one row per bin. */
export function weightsBefore(weights: Float64Array, width: number): Float64Array {
  const before = new Float64Array(weights.length);
  for (let bin = 1; bin < BINS; bin++) {
    if (COLUMN[bin] !== COLUMN[bin - 1]) continue;
    for (let column = 0; column < width; column++) {
      const above = (bin - 1) * width + column;
      before[above + width] = before[above] + weights[above];
    }
  }
  return before;
}
