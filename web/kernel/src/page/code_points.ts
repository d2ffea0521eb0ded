/** A text by code points: offsets count these, as in Python, while JavaScript's strings count UTF-16 units. */

export class CodePoints {
  readonly string: string;
  readonly codes: Uint32Array;
  /** Where each code point begins in the string; null if that is its number. */
  private readonly units: Uint32Array | null;

  constructor(string: string) {
    this.string = string;
    const count = countCodePoints(string);
    this.codes = new Uint32Array(count);
    this.units = count === string.length ? null : new Uint32Array(count + 1);
    for (let point = 0, unit = 0; point < count; point++) {
      const code = string.codePointAt(unit)!;
      this.codes[point] = code;
      if (this.units) this.units[point] = unit;
      unit += code > 0xffff ? 2 : 1;
    }
    if (this.units) this.units[count] = string.length;
  }

  get length(): number {
    return this.codes.length;
  }

  slice(start: number, end: number): string {
    return this.units ? this.string.slice(this.units[start], this.units[end]) : this.string.slice(start, end);
  }

  /** The character at a place, "" beyond the ends. */
  at(place: number): string {
    return place < 0 || place >= this.length ? "" : String.fromCodePoint(this.codes[place]);
  }

  /** Where a text begins, from a place on; -1 if nowhere. */
  find(text: string, from: number): number {
    if (from > this.length) return -1;
    const unit = this.string.indexOf(text, this.units ? this.units[from] : from);
    return unit < 0 || !this.units ? unit : this.units.indexOf(unit, from);
  }

  /** Whether a code point is in a span. */
  includes(code: number, start: number, end: number): boolean {
    const found = this.codes.indexOf(code, start);
    return found >= 0 && found < end;
  }
}

export function countCodePoints(text: string): number {
  let count = text.length;
  for (let unit = 0; unit + 1 < text.length; unit++) {
    if ((text.charCodeAt(unit) & 0xfc00) === 0xd800 && (text.charCodeAt(unit + 1) & 0xfc00) === 0xdc00) {
      count--;
      unit++;
    }
  }
  return count;
}
