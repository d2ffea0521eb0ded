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
  if (title) clean.append(title);
  clean.append(fragment);
  tellEmpty();
}

function titleNode() {
  const node = element("p", "heading level1", data.title.text);
  node.dir = "auto";
  return node;
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
