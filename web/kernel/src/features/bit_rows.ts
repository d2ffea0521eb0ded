/** Rows of bits: which tags or tokens are above each element or block. */

export class BitRows {
  private readonly words: number;
  private readonly data: Int32Array;

  constructor(
    readonly rows: number,
    readonly bits: number,
  ) {
    this.words = Math.ceil(bits / 32);
    this.data = new Int32Array(rows * this.words);
  }

  set(row: number, bit: number): void {
    this.data[row * this.words + (bit >> 5)] |= 1 << (bit & 31);
  }

  has(row: number, bit: number): boolean {
    return (this.data[row * this.words + (bit >> 5)] & (1 << (bit & 31))) !== 0;
  }

  clear(row: number): void {
    this.data.fill(0, row * this.words, (row + 1) * this.words);
  }

  /** Set in a row all bits of a row of this or another table of the same width. */
  add(row: number, from: BitRows, other: number): void {
    for (let word = 0; word < this.words; word++) {
      this.data[row * this.words + word] |= from.data[other * this.words + word];
    }
  }

  hasAny(row: number, bits: readonly number[]): boolean {
    return bits.some((bit) => this.has(row, bit));
  }

  /** Append the numbers of the bits that are set, each with an offset. */
  list(row: number, offset: number, into: number[]): void {
    for (let word = 0; word < this.words; word++) {
      for (let rest = this.data[row * this.words + word]; rest; rest &= rest - 1) {
        into.push(offset + word * 32 + 31 - Math.clz32(rest & -rest));
      }
    }
  }
}
