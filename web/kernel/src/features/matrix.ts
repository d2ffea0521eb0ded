/** A matrix of features: one row per feature and one column per block. */

export class Matrix {
  readonly values: Float32Array;

  constructor(
    readonly rows: number,
    readonly blocks: number,
  ) {
    this.values = new Float32Array(rows * blocks);
  }

  get(row: number, block: number): number {
    return this.values[row * this.blocks + block];
  }

  set(row: number, block: number, value: number): void {
    this.values[row * this.blocks + block] = value;
  }
}

const LONGEST = (1 << 16) - 1;
/** log(1 + n) for each n: counts matter by their order of magnitude. */
const LOGS = Float32Array.from({ length: LONGEST + 1 }, (_, count) => Math.log1p(count));

export function log(count: number): number {
  return LOGS[Math.min(count, LONGEST)];
}
