// The report's own script. What comes from the page is set as text and never as markup; the content policy would stop
// anything else. A cut is what one method made of the page; an atom is a piece of text that no edge of any cut parts.

const SVG = "http://www.w3.org/2000/svg";
const BINS = 50;
const LETTERS = "abcdefghij";
const data = JSON.parse(document.getElementById("data").textContent);
const tags = data.tags.split(" ");
const parents = ints(data.parents);
const main = document.querySelector("main");
const blockList = document.getElementById("blocks");
const clean = document.getElementById("clean");
const detail = document.getElementById("detail");

const cuts = data.cuts.map(asCut);
const rows = [];
const atoms = makeAtoms();
let pointed = null; // the block under the pointer, else
let focused = null; // the block that has the focus
let stop = null; // the block that the tab key comes to
let lit = []; // the nodes that are marked as the same words
let numbers = null; // of every element among its siblings of the same tag, once somebody asks for a path

buildBlocks();
buildText();
cuts.forEach(buildTool);
listen();

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

// ── Building ──

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function shade(score) {
  return Number.isNaN(score) ? "none" : `s${Math.min(Math.floor(score * 10), 9)}`;
}

function letterOf(score) {
  return Number.isNaN(score) ? "–" : LETTERS[Math.min(Math.floor(score * 10), 9)];
}

function kindClass(cut, block) {
  const level = Math.min(cut.level[block], 6);
  return `${data.kinds[cut.kind[block]].replace(" ", "-")}${level ? ` level${level}` : ""}`;
}

/** Blocks that overlap stand in one row, so that two cuts stay beside each other. */
function buildBlocks() {
  const all = cuts.flatMap((cut) =>
    Array.from(cut.start, (start, block) => ({ cut, block, start, end: cut.end[block] })),
  );
  if (cuts.length > 1) all.sort((one, other) => one.start - other.start || one.cut.number - other.cut.number);
  let row = null;
  for (const { cut, block, start, end } of all) {
    if (!row || start >= row.end) rows.push((row = newRow()));
    row.end = Math.max(row.end, end);
    row.cells[cut.number].append(blockNode(cut, block));
    cut.rowOf[block] = row;
  }
  const fragment = document.createDocumentFragment();
  for (const each of rows) fragment.append(each.node); // not at once: so many arguments overflow the stack
  blockList.append(fragment);
  moveStop(rows[0]);
}

function newRow() {
  const node = element("div", "row");
  node.setAttribute("role", "presentation");
  const cells = cuts.map((cut) => element("div", `cell cut${cut.number}`));
  for (const cell of cells) cell.setAttribute("role", "presentation");
  node.append(...cells);
  return { node, cells, end: -1, differing: 0 };
}

function blockNode(cut, block) {
  const score = cut.score[block];
  const node = element("div", `block ${shade(score)} ${kindClass(cut, block)}`);
  node.textContent = data.text.slice(cut.start[block], cut.end[block]);
  node.dir = "auto";
  node.setAttribute("role", "option");
  node.tabIndex = -1;
  node.dataset.cut = cut.number;
  node.dataset.block = block;
  // Rounded down, so that what is kept below 0.50 does not read 0.50.
  node.dataset.score = `${(Math.floor(score * 100) / 100).toFixed(2)} ${letterOf(score)}`;
  node.classList.toggle("dropped", !cut.kept[block]);
  if (cut.hidden.has(block)) node.classList.add("unseen");
  if (cut.comments.has(block)) node.classList.add("comment");
  cut.nodes[block] = node;
  return node;
}

function buildText() {
  for (const cut of cuts) cut.torn.forEach((word) => decide(cut, word));
  const fragment = document.createDocumentFragment();
  let line = null;
  let end = 0;
  atoms.forEach((atom, number) => {
    const gap = data.text.slice(end, atom.start);
    end = atom.end;
    if (!line || gap.includes("\n")) fragment.append((line = newLine(atom)).node);
    atom.node = element("span", "", (gap.trim() || !gap || gap.includes("\n") ? "" : " ") + textOf(atom));
    atom.node.dataset.atom = number;
    atom.node.hidden = true;
    atom.line = line;
    line.node.append(atom.node);
    refresh(atom);
  });
  clean.append(fragment);
  tellEmpty();
}

function textOf(atom) {
  return data.text.slice(atom.start, atom.end);
}

function newLine(atom) {
  const cut = cuts.find((each) => atom.blocks[each.number] >= 0) ?? cuts[0];
  const node = element("p", kindClass(cut, Math.max(atom.blocks[cut.number], 0)));
  node.dir = "auto";
  node.hidden = true;
  return { node, shown: 0 };
}

function buildTool(cut) {
  cut.tool = main.querySelector(`.tool[data-cut="${cut.number}"]`);
  cut.slider = cut.tool.querySelector("input");
  cut.total = sum(cut.words);
  cut.keptWords = sum(cut.words.filter((_, block) => cut.kept[block]));
  cut.keptBlocks = sum(cut.kept);
  const weight = new Array(BINS).fill(0);
  cut.score.forEach((score, block) => {
    if (!Number.isNaN(score)) weight[Math.min(Math.floor(score * BINS), BINS - 1)] += cut.words[block];
  });
  const most = Math.max(1, ...weight);
  // Most words lie at the ends; roots let the few between them be seen.
  cut.bars = weight.map((words, bin) => bar(bin, words ? Math.max(1, 20 * Math.sqrt(words / most)) : 0));
  cut.tool.querySelector("svg").append(...cut.bars);
  tell(cut, cut.threshold);
}

function bar(bin, height) {
  const made = document.createElementNS(SVG, "rect");
  const place = { x: bin + 0.1, y: 20 - height, width: 0.8, height, class: shade(bin / BINS + 0.001) };
  for (const [name, value] of Object.entries(place)) made.setAttribute(name, value);
  return made;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

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
  clean.classList.toggle("empty", cuts.every((cut) => !cut.kept.includes(1)));
}

function many(count) {
  return count.toLocaleString("en");
}

// ── The block in hand ──

function inspect() {
  const chosen = pointed ?? focused;
  if (!chosen) return;
  const { cut, block } = chosen;
  const facts = element("dl");
  for (const [name, value, className] of factsOf(cut, block)) {
    facts.append(element("dt", "", name), element("dd", className, value));
  }
  detail.replaceChildren(verdict(cut, block), facts, reasons(cut, block), closer());
  detail.classList.add("open");
}

function verdict(cut, block) {
  const score = cut.score[block];
  const line = element("p", "verdict");
  const name = Number.isNaN(score) ? "not scored" : `${score.toFixed(4)} ${letterOf(score)}`;
  const fate = cut.kept[block] ? "kept" : "dropped";
  const asked = cut.held.has(block)
    ? ", since comments were asked for"
    : cut.barred.has(block) ? ", since it stands in a table (--no-tables)" : "";
  const method = cuts.length > 1 ? ` by ${cut.name}` : "";
  line.append(element("b", `chip ${shade(score)}`, name), ` ${fate}${method} at ${cut.threshold.toFixed(2)}${asked}`);
  return line;
}

function factsOf(cut, block) {
  const level = cut.level[block];
  const kind = data.kinds[cut.kind[block]];
  const words = cut.words[block];
  const marks = [level ? `${kind}, ${kind === "heading" ? "level" : "depth"} ${level}` : kind];
  if (cut.hidden.has(block)) marks.push("hidden on the page");
  if (cut.comments.has(block)) marks.push("a reader's comment");
  return [
    ["kind", marks.join("; ")],
    ["place", `block ${many(block + 1)} of ${many(cut.nodes.length)}, ${many(words)} word${words === 1 ? "" : "s"}`],
    ["xpath", pathOf(cut.first[block], cut.last[block]), "path"],
  ];
}

function reasons(cut, block) {
  if (!cut.because) return element("p", "soft", "No reasons: made without --explain, or by a method that gives none.");
  const list = element("ul", "because");
  for (const reason of cut.because[block]) {
    const way = reason.startsWith("+ ") ? "for" : reason.startsWith("- ") ? "against" : "";
    list.append(element("li", way, way ? reason.slice(2) : reason));
  }
  return list.children.length ? list : element("p", "soft", "No single fact weighed much.");
}

function closer() {
  const button = element("button", "close", "Close");
  button.type = "button";
  button.addEventListener("click", release);
  return button;
}

function release() {
  pointed = focused = null;
  detail.classList.remove("open");
  light([]);
}

/** The path of the innermost element that holds both elements, as `Places.xpath` has it. */
function pathOf(first, last) {
  while (first !== last) {
    if (first > last) first = parents[first];
    else last = parents[last];
  }
  const steps = [];
  for (let index = first; index > 0; index = parents[index]) steps.unshift(stepOf(index));
  return steps.join("") || "/";
}

function stepOf(index) {
  numbers ??= numbered();
  const tag = tags[index];
  const quote = tag.includes("'") ? '"' : "'";
  const name = /^[a-z_][\w.-]*$/i.test(tag) ? tag : `*[name()=${quote}${tag}${quote}]`;
  return numbers.twins.get(`${parents[index]} ${tag}`) > 1 ? `/${name}[${numbers.own[index]}]` : `/${name}`;
}

function numbered() {
  const twins = new Map();
  const own = tags.map((tag, index) => {
    const key = `${parents[index]} ${tag}`;
    twins.set(key, (twins.get(key) ?? 0) + 1);
    return twins.get(key);
  });
  return { own, twins };
}

/** Mark the same words on both sides. */
function light(nodes) {
  for (const node of lit) node.classList.remove("lit");
  for (const node of nodes) node.classList.add("lit");
  lit = nodes;
}

function twins(cut, block) {
  const found = [];
  eachAtom(cut, block, (atom) => found.push(atom.node));
  return found;
}

// ── Listening ──

function listen() {
  for (const cut of cuts) cut.slider.addEventListener("input", () => move(cut, Number(cut.slider.value)));
  blockList.addEventListener("pointerover", (event) => point(blockAt(event.target)));
  blockList.addEventListener("pointerleave", () => point(null));
  blockList.addEventListener("focusin", (event) => focus(blockAt(event.target)));
  blockList.addEventListener("keydown", steer);
  clean.addEventListener("pointerover", (event) => point(ownerOf(event.target)));
  clean.addEventListener("pointerleave", () => point(null));
  clean.addEventListener("click", (event) => {
    const found = ownerOf(event.target);
    if (found && document.getSelection().isCollapsed) goTo(found.cut, found.block);
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && release());
  document.getElementById("differing")?.addEventListener("change", (event) => {
    main.classList.toggle("differing", event.target.checked);
    keepStop();
  });
  for (const view of document.getElementsByName("view")) {
    view.addEventListener("change", () => (main.dataset.view = view.value));
  }
}

function blockAt(target) {
  const node = target.closest(".block");
  return node && { cut: cuts[node.dataset.cut], block: Number(node.dataset.block) };
}

/** The block that a piece of the clean text belongs to, of the first method that keeps it. */
function ownerOf(target) {
  const atom = atoms[target.dataset?.atom];
  const cut = atom && cuts.find((each) => isKept(each, atom));
  return cut ? { cut, block: atom.blocks[cut.number] } : null;
}

function point(found) {
  pointed = found;
  const chosen = found ?? focused;
  light(chosen ? [chosen.cut.nodes[chosen.block], ...twins(chosen.cut, chosen.block)] : []);
  inspect();
}

function focus(found) {
  if (!found) return;
  const { cut, block } = found;
  const node = cut.nodes[block];
  setStop(node);
  node.setAttribute("aria-selected", "true");
  node.setAttribute("aria-describedby", "detail");
  focused = found;
  point(null);
  const twin = twins(cut, block).find((each) => !each.hidden);
  if (!twin) return;
  const above = twin.getBoundingClientRect().top - clean.getBoundingClientRect().top;
  clean.scrollTop += above - clean.clientHeight / 3;
}

function setStop(node) {
  if (stop) {
    stop.tabIndex = -1;
    stop.removeAttribute("aria-selected");
    stop.removeAttribute("aria-describedby");
  }
  stop = node;
  stop.tabIndex = 0;
}

function moveStop(row) {
  const node = row?.node.querySelector(".block");
  if (node) setStop(node);
}

/** Let the tab key come to a block that is shown, where only rows that differ are. */
function keepStop() {
  const found = stop && blockAt(stop);
  if (!main.classList.contains("differing") || found?.cut.rowOf[found.block].differing) return;
  moveStop(rows.find((row) => row.differing));
}

function steer(event) {
  const found = blockAt(event.target);
  if (!found || event.altKey || event.ctrlKey || event.metaKey) return;
  const { cut, block } = found;
  const last = cut.nodes.length - 1;
  const steps = { ArrowDown: block + 1, ArrowUp: block - 1, Home: 0, End: last };
  const sides = { ArrowLeft: cut.number - 1, ArrowRight: cut.number + 1 };
  if (event.key in steps) goTo(cut, nearest(cut, Math.max(0, Math.min(last, steps[event.key])), event.key));
  else if (event.key in sides) cross(found, cuts[sides[event.key]]);
  else return;
  event.preventDefault();
}

/** The next block that is shown, where only some are. */
function nearest(cut, block, key) {
  const step = key === "ArrowUp" || key === "End" ? -1 : 1;
  let found = block;
  while (cut.nodes[found] && main.classList.contains("differing") && !cut.rowOf[found].differing) found += step;
  return cut.nodes[found] ? found : null;
}

function cross(found, other) {
  const next = other && found.cut.rowOf[found.block].cells[other.number].firstElementChild;
  if (next) goTo(other, Number(next.dataset.block));
}

function goTo(cut, block) {
  if (block === null) return;
  if (getComputedStyle(blockList).display === "none" || main.dataset.view !== `cut${cut.number}`) {
    const view = document.querySelector(`[name=view][value=cut${cut.number}]`);
    view.checked = true;
    main.dataset.view = view.value;
  }
  cut.nodes[block].focus({ preventScroll: true });
  cut.nodes[block].scrollIntoView({ block: "nearest" });
}
