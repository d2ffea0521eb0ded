// boilernet's features in the browser: the words of text nodes, and counts of tags and words.
// dehusk.methods.boilernet.features does the same in Python and has the rules; tests/methods/boilernet-vectors.json
// holds both to them.

const BLANK = [
  [0x00, 0x20], [0x7f, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f],
  [0x205f, 0x205f], [0x3000, 0x3000],
];
const IGNORED = [
  [0xad, 0xad], [0x200b, 0x200f], [0x202a, 0x202e], [0x2060, 0x206f], [0xfe00, 0xfe0f], [0xfeff, 0xfeff],
];
const SINGLE = [
  [0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e], [0xa1, 0xa9], [0xab, 0xac], [0xae, 0xb4], [0xb6, 0xb9],
  [0xbb, 0xbf], [0xd7, 0xd7], [0xf7, 0xf7], [0x2010, 0x2027], [0x2030, 0x205e], [0x20a0, 0x20cf], [0x2100, 0x2bff],
  [0x3001, 0x303f], [0xff01, 0xff0f], [0xff1a, 0xff20], [0xff3b, 0xff40], [0xff5b, 0xff65],
  // Scripts that put no blanks between words.
  [0x0e01, 0x0eff], [0x1000, 0x109f], [0x1780, 0x17ff], [0x2e80, 0x2fdf], [0x3005, 0x3007], [0x3040, 0x30ff],
  [0x31f0, 0x31ff], [0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xf900, 0xfaff], [0xff66, 0xff9f],
];
// Letters with capitals that every version of Unicode agrees on: Latin, Greek, Cyrillic.
const CASED = 0x530;
// Counts above this are treated as equal.
const MAX_COUNT = 65535;

const ENDS = 0;
const LETTER = 1;
const WORD = 2;
const NOTHING = 3;

const classes = new Uint8Array(0x10001).fill(LETTER);
for (const [kind, ranges] of [[ENDS, BLANK], [WORD, [...SINGLE, [0x10000, 0x10000]]], [NOTHING, IGNORED]]) {
  for (const [first, last] of ranges) {
    classes.fill(kind, first, last + 1);
  }
}

const lowered = Array.from({ length: CASED }, (_, code) => {
  if (code >= 0x30 && code <= 0x39) {
    return "0";
  }
  const letter = String.fromCodePoint(code);
  const small = letter.toLowerCase();
  return [...small].length === 1 ? small : letter;
});

/** Returns the words of a text, in order. */
export function tokens(text) {
  const words = [];
  let word = "";
  for (const letter of text) {
    const code = letter.codePointAt(0);
    const kind = classes[Math.min(code, 0x10000)];
    if (kind === LETTER) {
      word += code < CASED ? lowered[code] : letter;
    } else if (kind !== NOTHING) {
      if (word) {
        words.push(word);
        word = "";
      }
      if (kind === WORD) {
        words.push(letter);
      }
    }
  }
  if (word) {
    words.push(word);
  }
  return words;
}

/** Returns the columns of a vocabulary: `tags` and `words` as model.json lists them. */
export function vocabulary({ tags, words }) {
  return {
    tags: new Map(tags.map((tag, number) => [tag, number + 1])),
    words: new Map(words.map((word, number) => [word, number + 1])),
    width: tags.length + words.length + 2,
  };
}

/**
 * Returns the inputs of the network: leaf by leaf the columns that are not 0, and the logarithms of one more than each
 * count. Leaves are `{tags, text}`, with the outermost tag first.
 */
export function features(leaves, known) {
  const rows = [];
  const columns = [];
  const values = [];
  leaves.forEach(({ tags, text }, row) => {
    const found = [
      ...tags.map((tag) => known.tags.get(tag) ?? 0),
      ...tokens(text).map((word) => known.tags.size + 1 + (known.words.get(word) ?? 0)),
    ];
    const counts = new Map();
    for (const column of found) {
      counts.set(column, (counts.get(column) ?? 0) + 1);
    }
    for (const [column, count] of counts) {
      rows.push(BigInt(row));
      columns.push(BigInt(column));
      values.push(Math.log1p(Math.min(count, MAX_COUNT)));
    }
  });
  return {
    rows: BigInt64Array.from(rows),
    columns: BigInt64Array.from(columns),
    values: Float32Array.from(values),
    leaves: leaves.length,
  };
}
