/** The weights of all networks, decoded once. */

import { features_tree } from "../generated/constants.js";
import { numbers, shapes, steps } from "../generated/weights.js";
import { weightsBefore } from "./bins.js";

const GROUPINGS = Object.keys(features_tree.Grouping).length;

/** The weights of one layer: rows of one number per column. */
export interface Layer {
  readonly step: number;
  readonly gain: Float64Array;
  readonly bias: Float64Array;
  readonly shift: Float64Array;
  /** One row per neighbour. */
  readonly taps: Float64Array;
  /** One row per grouping. */
  readonly groups: Float64Array;
  readonly mix: Float64Array;
  readonly page: Float64Array;
}

export interface Weights {
  readonly width: number;
  readonly binWeights: Float64Array;
  readonly binsBefore: Float64Array;
  readonly layers: readonly Layer[];
  readonly bits: Float64Array;
  readonly tags: Float64Array;
  readonly page: Float64Array;
  readonly shift: Float64Array;
  /** The first entry is the constant. */
  readonly out: Float64Array;
  readonly kind: Float64Array;
}

let loaded: readonly Weights[] | undefined;

export function loadWeights(): readonly Weights[] {
  return (loaded ??= read());
}

function read(): Weights[] {
  const all = decoded();
  let place = 0;
  const take = (shape: readonly number[]): Float64Array => {
    const size = shape.reduce((product, each) => product * each, 1);
    return Float64Array.from(all.subarray(place, (place += size)));
  };
  return shapes.map((shape, number) => {
    const width = shape.shift[0];
    const binWeights = take(shape.numbers);
    const rows = take(shape.layers);
    const layers = steps[number].map((step, index) => layer(rows, step, index, shape.layers[1], width));
    const [bits, tags, page, shift, out, kind] = [
      shape.bits,
      shape.tags,
      shape.page,
      shape.shift,
      shape.out,
      shape.kind,
    ].map(take);
    return {
      width,
      binWeights,
      binsBefore: weightsBefore(binWeights, width),
      layers,
      bits,
      tags,
      page,
      shift,
      out,
      kind,
    };
  });
}

function decoded(): Float32Array {
  const text = atob(numbers);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place++) bytes[place] = text.charCodeAt(place);
  return new Float32Array(bytes.buffer);
}

/** One layer of those packed as rows: gain, bias, shift, taps, groups, mix and page. */
function layer(packed: Float64Array, step: number, index: number, height: number, width: number): Layer {
  let row = index * height;
  const rows = (count: number): Float64Array => packed.subarray(row * width, (row += count) * width);
  const taps = height - 3 - GROUPINGS - 3 * width;
  return {
    step,
    gain: rows(1),
    bias: rows(1),
    shift: rows(1),
    taps: rows(taps),
    groups: rows(GROUPINGS),
    mix: rows(width),
    page: rows(2 * width),
  };
}
