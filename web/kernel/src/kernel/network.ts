/**
 * Network: the kernel's layers. Each block sees itself, its neighbours, blocks in similar places, and the whole page.
 *
 * A layer normalises the blocks' vectors, adds up those of the neighbours and the means of four groups (same path of
 * tags, same parent, same grandparent, same ancestor further up), and passes the sum on with a summary of the page.
 */

import { features_tokens, kernel_features, kernel_network, vocabulary } from "../generated/constants.js";
import { binValues, type BinValues } from "./bins.js";
import type { PageFeatures } from "./features.js";
import type { Layer, Weights } from "./weights.js";

const { BITS } = features_tokens;
const { LARGEST_LOGIT } = kernel_network;
/** Rows of the bits of tokens nearby, after which come those anywhere above. */
const TOKEN_ROWS = Math.ceil(vocabulary.length / BITS) * BITS;

/** A page as a network takes it. */
export interface Input {
  readonly count: number;
  readonly values: BinValues;
  /** Of each block, the rows of `Weights.bits` for the tags above it. */
  readonly above: readonly (readonly number[])[];
  /** Of each block, the rows of `Weights.bits` for the tokens above it. */
  readonly tokens: readonly (readonly number[])[];
  readonly tag: Int32Array;
  readonly page: Float64Array;
  readonly groups: readonly Int32Array[];
  readonly sizes: readonly Int32Array[];
}

/** What a network returns: the logit of main text for every block, and the logits of the kinds of page. */
export interface Output {
  readonly logits: Float64Array;
  readonly kinds: Float64Array;
}

export function networkInput(features: PageFeatures): Input {
  const { tree, tokens, words } = features;
  const count = words.length;
  return {
    count,
    values: binValues(features.matrix),
    above: Array.from({ length: count }, (_, block) => {
      const rows: number[] = [];
      tree.above.list(block, 0, rows);
      return rows;
    }),
    tokens: Array.from({ length: count }, (_, block) => {
      const rows: number[] = [];
      tokens.nearby.list(block, BITS, rows);
      tokens.anywhere.list(block, BITS + TOKEN_ROWS, rows);
      return rows;
    }),
    tag: tree.holder.map((element) => tree.tag[element]),
    page: pageInput(features),
    groups: tree.groups,
    sizes: tree.sizes,
  };
}

function pageInput(features: PageFeatures): Float64Array {
  const page = new Float64Array(kernel_features.PAGE_NAMES.length + vocabulary.length);
  page.set(features.page);
  vocabulary.forEach((_, token) => {
    if (features.tokens.page.has(0, token)) page[features.page.length + token] = 1;
  });
  return page;
}

/** The number of the vocabulary's word that a row of token bits stands for. */
export function tokenOfRow(row: number): number {
  return (row - BITS) % TOKEN_ROWS;
}

/** The first layer gets the rows of `start`, if given, in addition to the blocks' own. */
export function run(weights: Weights, input: Input, start?: Float64Array): Output {
  const state = embed(weights, input, start);
  for (const layer of weights.layers) runLayer(state, layer, input, weights.width);
  const logits = new Float64Array(input.count);
  for (let block = 0; block < input.count; block++) {
    let sum = weights.out[0];
    for (let column = 0; column < weights.width; column++) {
      sum += state[block * weights.width + column] * weights.out[1 + column];
    }
    logits[block] = sum;
  }
  return { logits, kinds: kindLogits(pooled(state, input.count, weights.width), weights) };
}

function kindLogits(summary: Float64Array, { kind, width }: Weights): Float64Array {
  const kinds = new Float64Array(kind.length / (2 * width));
  for (let row = 0; row < summary.length; row++) {
    for (let column = 0; column < kinds.length; column++)
      kinds[column] += summary[row] * kind[row * kinds.length + column];
  }
  return kinds;
}

function embed(weights: Weights, input: Input, start?: Float64Array): Float64Array {
  const { width } = weights;
  const shift = weights.shift.slice();
  input.page.forEach((factor, row) => addRow(shift, 0, weights.page, row * width, factor, width));
  const state = start ? start.slice() : new Float64Array(input.count * width);
  const { rows, shares, ends } = input.values;
  for (let block = 0, value = 0; block < input.count; block++) {
    const place = block * width;
    addRow(state, place, shift, 0, 1, width);
    addRow(state, place, weights.tags, input.tag[block] * width, 1, width);
    for (const row of input.above[block]) addRow(state, place, weights.bits, row * width, 1, width);
    for (const row of input.tokens[block]) addRow(state, place, weights.bits, row * width, 1, width);
    for (; value < ends[block]; value++) {
      addTwoRows(state, place, weights.binsBefore, weights.binWeights, rows[value] * width, shares[value], width);
    }
    for (let column = place; column < place + width; column++) if (state[column] < 0) state[column] = 0;
  }
  return state;
}

function addRow(
  into: Float64Array,
  place: number,
  from: Float64Array,
  row: number,
  factor: number,
  width: number,
): void {
  if (factor === 0) return;
  for (let column = 0; column < width; column++) into[place + column] += factor * from[row + column];
}

/** Add a row, and a share of the row at the same place of another table. */
function addTwoRows(
  into: Float64Array,
  place: number,
  whole: Float64Array,
  part: Float64Array,
  row: number,
  share: number,
  width: number,
): void {
  for (let column = 0; column < width; column++)
    into[place + column] += whole[row + column] + share * part[row + column];
}

function runLayer(state: Float64Array, layer: Layer, input: Input, width: number): void {
  const normal = normalised(state, layer, input.count, width);
  const blended = blend(normal, layer, input.count, width);
  input.groups.forEach((group, way) => {
    addGroupMeans(blended, normal, group, input.sizes[way], layer.groups.subarray(way * width, (way + 1) * width));
  });
  const shift = layer.shift.slice();
  const summary = pooled(normal, input.count, width);
  summary.forEach((factor, row) => addRow(shift, 0, layer.page, row * width, factor, width));
  const mixed = new Float64Array(width);
  for (let place = 0; place < input.count * width; place += width) {
    mixed.set(shift);
    mix(mixed, blended, place, layer.mix, width);
    for (let column = 0; column < width; column++) if (mixed[column] > 0) state[place + column] += mixed[column];
  }
}

/** Add the product of one row and a square matrix. Four rows of it at a time: half of all time is spent here. */
function mix(into: Float64Array, rows: Float64Array, place: number, weights: Float64Array, width: number): void {
  for (let row = 0; row < width; row += 4) {
    const first = rows[place + row];
    const second = rows[place + row + 1];
    const third = rows[place + row + 2];
    const fourth = rows[place + row + 3];
    const begin = row * width;
    for (let column = 0; column < width; column++) {
      const at = begin + column;
      into[column] +=
        first * weights[at] +
        second * weights[at + width] +
        third * weights[at + 2 * width] +
        fourth * weights[at + 3 * width];
    }
  }
}

function normalised(state: Float64Array, layer: Layer, count: number, width: number): Float64Array {
  const normal = new Float64Array(state.length);
  for (let place = 0; place < count * width; place += width) {
    let mean = 0;
    let square = 0;
    for (let column = 0; column < width; column++) mean += state[place + column];
    mean /= width;
    for (let column = 0; column < width; column++) square += (state[place + column] - mean) ** 2;
    const scale = 1 / Math.sqrt(square / width + 1e-5);
    for (let column = 0; column < width; column++) {
      normal[place + column] = (state[place + column] - mean) * scale * layer.gain[column] + layer.bias[column];
    }
  }
  return normal;
}

/** For every row the sum of the rows around it, weighted by the taps. */
function blend(normal: Float64Array, layer: Layer, count: number, width: number): Float64Array {
  const blended = new Float64Array(normal.length);
  const taps = layer.taps.length / width;
  for (let tap = 0; tap < taps; tap++) {
    const away = (tap - (taps - 1) / 2) * layer.step;
    const last = Math.min(count, count - away);
    for (let block = Math.max(0, -away); block < last; block++) {
      const place = block * width;
      const other = place + away * width;
      for (let column = 0; column < width; column++) {
        blended[place + column] += normal[other + column] * layer.taps[tap * width + column];
      }
    }
  }
  return blended;
}

function addGroupMeans(
  blended: Float64Array,
  normal: Float64Array,
  group: Int32Array,
  sizes: Int32Array,
  weight: Float64Array,
): void {
  const width = weight.length;
  const sums = new Float64Array(normal.length);
  group.forEach((number, block) => addRow(sums, number * width, normal, block * width, 1, width));
  group.forEach((number, block) => {
    const share = 1 / sizes[number];
    for (let column = 0; column < width; column++) {
      blended[block * width + column] += sums[number * width + column] * share * weight[column];
    }
  });
}

/** The means over the rows, then the largest values. */
function pooled(values: Float64Array, count: number, width: number): Float64Array {
  const summary = new Float64Array(2 * width).fill(-Infinity, width);
  for (let place = 0; place < count * width; place += width) {
    for (let column = 0; column < width; column++) {
      const value = values[place + column];
      summary[column] += value / count;
      if (value > summary[width + column]) summary[width + column] = value;
    }
  }
  return summary;
}

/** The mean of several networks: the logits of their mean probabilities, and the means of the logits of the kinds. */
export function meanOutput(outputs: readonly Output[]): Output {
  if (outputs.length === 1) return outputs[0];
  const logits = outputs[0].logits.map((_, block) => meanLogit(outputs.map((output) => output.logits[block])));
  const kinds = outputs[0].kinds.map((_, kind) => {
    return outputs.reduce((sum, output) => sum + output.kinds[kind], 0) / outputs.length;
  });
  return { logits, kinds };
}

function meanLogit(logits: readonly number[]): number {
  let likely = 0;
  let unlikely = 0;
  // Both sides are summed, since the difference from 1 of a sum that is nearly 1 would be lost.
  for (const logit of logits) {
    const odds = Math.exp(Math.min(Math.max(logit, -LARGEST_LOGIT), LARGEST_LOGIT));
    likely += odds / (1 + odds);
    unlikely += 1 / (1 + odds);
  }
  return Math.log(likely / unlikely);
}
