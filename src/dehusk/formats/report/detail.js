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
  const rule = cut.rules[block] ? `, since ${cut.rules[block]}` : "";
  const method = cuts.length > 1 ? ` by ${cut.name}` : "";
  line.append(element("b", `chip ${shade(score)}`, name), ` ${fate}${method} at ${cut.threshold.toFixed(2)}${rule}`);
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
  if (!cut.because) return element("p", "soft", "No reasons: written without --explain, or by a method that gives none.");
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
