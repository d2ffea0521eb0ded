// ── Moving the threshold ──

function move(cut, threshold) {
  const border = below(cut, threshold);
  const changed = cut.movable.slice(Math.min(border, cut.border), Math.max(border, cut.border));
  const keep = border > cut.border;
  cut.border = border;
  cut.threshold = threshold;
  for (const block of changed) flip(cut, block, keep);
  const words = new Set();
  for (const block of changed) {
    eachAtom(cut, block, (atom) => atom.words[cut.number] && words.add(atom.words[cut.number]));
  }
  for (const word of words) decide(cut, word);
  for (const block of changed) eachAtom(cut, block, refresh);
  for (const word of words) word.atoms.forEach(refresh);
  tellEmpty();
  tell(cut, threshold);
  keepStop();
  inspect();
}

function flip(cut, block, keep) {
  cut.kept[block] = keep ? 1 : 0;
  cut.keptWords += keep ? cut.words[block] : -cut.words[block];
  cut.keptBlocks += keep ? 1 : -1;
  cut.nodes[block].classList.toggle("dropped", !keep);
}

function eachAtom(cut, block, act) {
  for (let number = cut.firstAtom[block] ?? 0; number < (cut.endAtom[block] ?? 0); number++) act(atoms[number]);
}

/** Show or hide an atom in the clean text, as its blocks are kept or dropped now. */
function refresh(atom) {
  const mask = maskOf(atom);
  if (mask === atom.mask) return;
  atom.line.shown += (mask ? 1 : 0) - (atom.mask ? 1 : 0);
  atom.line.node.hidden = !atom.line.shown;
  atom.node.hidden = !mask;
  if (cuts.length > 1) contrast(atom, mask);
  atom.mask = mask;
}

function contrast(atom, mask) {
  const differs = (value) => value === 1 || value === 2;
  atom.node.className = mask === 1 ? "only0" : mask === 2 ? "only1" : "";
  const owner = cuts.find((cut) => atom.blocks[cut.number] >= 0);
  if (!owner) return;
  const row = owner.rowOf[atom.blocks[owner.number]];
  row.differing += (differs(mask) ? 1 : 0) - (differs(atom.mask) ? 1 : 0);
  row.node.classList.toggle("differs", row.differing > 0);
}

function tell(cut, threshold) {
  const count = cut.tool.querySelector(".count");
  const shown = threshold.toFixed(2);
  const [words, blocks] = [cut.keptWords, cut.keptBlocks].map((number) => element("b", "", many(number)));
  count.replaceChildren("threshold ", element("output", "", shown), " keeps ");
  count.append(words, ` of ${many(cut.total)} words, `, blocks, ` of ${many(cut.nodes.length)} blocks`);
  cut.slider.setAttribute("aria-valuetext", `${shown}: ${many(cut.keptWords)} of ${many(cut.total)} words kept`);
  cut.bars.forEach((each, bin) => each.classList.toggle("over", (bin + 0.5) / BINS >= threshold));
}

function tellEmpty() {
  const empty = cuts.every((cut) => !cut.kept.includes(1));
  clean.classList.toggle("empty", empty);
  // A title that is added is for a page whose text does not say it.
  if (title) title.hidden = empty || ints(data.title.said).some((block) => cuts[0].kept[block]);
}

function many(count) {
  return count.toLocaleString("en");
}
