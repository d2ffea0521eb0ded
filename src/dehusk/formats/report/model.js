// ── The model ──

function asCut(raw, number) {
  const fixed = new Set([...ints(raw.held), ...ints(raw.barred)]);
  const score = new Float64Array(bytes(raw.score));
  const movable = Array.from(score.keys()).filter((block) => !Number.isNaN(score[block]) && !fixed.has(block));
  movable.sort((one, other) => score[one] - score[other]);
  const kept = new Uint8Array(score.length).fill(1);
  const cut = { ...raw, number, score, movable, kept, nodes: [], firstAtom: [], endAtom: [], rowOf: [], torn: [] };
  for (const name of ["start", "end", "kind", "level", "words", "first", "last"]) cut[name] = ints(raw[name]);
  for (const name of ["hidden", "comments", "held", "barred"]) cut[name] = new Set(ints(raw[name]));
  const edges = ints(raw.torn);
  for (let at = 0; at < edges.length; at += 2) {
    cut.torn.push({ left: edges[at], right: edges[at + 1], atoms: [], kept: false });
  }
  cut.border = below(cut, raw.threshold);
  for (const block of [...movable.slice(cut.border), ...cut.barred]) kept[block] = 0;
  return cut;
}

function bytes(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer;
}

function ints(base64) {
  return new Int32Array(bytes(base64));
}

/** How many of the blocks that can move score below the threshold: those come first in `movable`. */
function below(cut, threshold) {
  let low = 0;
  let high = cut.movable.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cut.score[cut.movable[middle]] < threshold) low = middle + 1;
    else high = middle;
  }
  return low;
}

function makeAtoms() {
  const edges = new Set();
  for (const cut of cuts) {
    const torn = cut.torn.flatMap((word) => [word.left, word.right]);
    for (const edge of [...cut.start, ...cut.end, ...torn]) edges.add(edge);
  }
  const sorted = Int32Array.from(edges).sort();
  const found = [];
  const next = cuts.map(() => ({ block: 0, word: 0 }));
  for (let place = 0; place + 1 < sorted.length; place++) {
    const atom = { start: sorted[place], end: sorted[place + 1], blocks: [], words: [], mask: 0 };
    cuts.forEach((cut, number) => claim(atom, cut, next[number], found.length));
    atom.blank = !textOf(atom).trim();
    if (atom.blocks.some((block) => block >= 0) || atom.words.some(Boolean)) found.push(atom);
  }
  return found;
}

/** Note which block, and which word that an edge tore, an atom belongs to in a cut. */
function claim(atom, cut, next, number) {
  while (next.block < cut.end.length && cut.end[next.block] <= atom.start) next.block++;
  const inside = next.block < cut.start.length && cut.start[next.block] <= atom.start;
  atom.blocks.push(inside ? next.block : -1);
  if (inside) {
    cut.firstAtom[next.block] ??= number;
    cut.endAtom[next.block] = number + 1;
  }
  while (next.word < cut.torn.length && cut.torn[next.word].right <= atom.start) next.word++;
  const word = cut.torn[next.word];
  const torn = word && word.left <= atom.start ? word : null;
  atom.words.push(torn);
  if (torn) torn.atoms.push(atom);
}

/** A word is kept whole where at least half of it lies in kept blocks, as `assemble` has it. */
function decide(cut, word) {
  let inside = 0;
  for (const atom of word.atoms) if (isKept(cut, atom)) inside += atom.end - atom.start;
  word.kept = 2 * inside >= word.right - word.left;
}

function isKept(cut, atom) {
  const block = atom.blocks[cut.number];
  return block >= 0 && cut.kept[block] === 1;
}

/** Which cuts keep an atom, a bit each; a blank inside of one cut's block and between another's is no difference. */
function maskOf(atom) {
  const mask = cuts.reduce((bits, cut) => {
    const word = atom.words[cut.number];
    return bits | ((word ? word.kept : isKept(cut, atom)) ? 1 << cut.number : 0);
  }, 0);
  return mask && atom.blank ? (1 << cuts.length) - 1 : mask;
}
