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
