/** The page of options: every change is stored at once, and takes effect on open pages. */

import {
  ACTIONS,
  type Action,
  DEFAULTS,
  isKey,
  loadSettings,
  saveSettings,
  type Settings,
  SIZES,
  withDefaults,
  WIDTHS,
} from "./settings.js";

const LABELS: Readonly<Record<Action, string>> = {
  reader: "Reader view",
  edit: "Edit in the reader view",
  copy: "Copy as Markdown",
  save: "Save as Markdown",
  close: "Close",
};
const form = document.querySelector<HTMLFormElement>("#form")!;
const state = document.querySelector<HTMLElement>("#state")!;

function field(name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

function addKeys(): void {
  const keys = document.querySelector("#keys")!;
  for (const action of ACTIONS) {
    const input = document.createElement("input");
    Object.assign(input, { type: "text", name: `key-${action}`, maxLength: 1, autocomplete: "off" });
    const label = document.createElement("label");
    label.append(LABELS[action], input);
    keys.append(label);
  }
}

function show(settings: Settings): void {
  for (const name of ["highlight", "theme", "font"] as const) field(name).value = settings[name];
  Object.assign(field("size"), { ...SIZES, value: settings.size });
  Object.assign(field("width"), { ...WIDTHS, value: settings.width });
  field("fade").checked = settings.fade;
  for (const action of ACTIONS) field(`key-${action}`).value = settings.keys[action];
}

function read(): Settings {
  const keys = Object.fromEntries(ACTIONS.map((action) => [action, field(`key-${action}`).value.toLowerCase()]));
  return withDefaults({
    highlight: field("highlight").value,
    fade: field("fade").checked,
    theme: field("theme").value,
    font: field("font").value,
    size: field("size").valueAsNumber,
    width: field("width").valueAsNumber,
    keys,
  });
}

/** What is wrong with the keys, "" if nothing is. */
function keyProblem(): string {
  const keys = ACTIONS.map((action) => field(`key-${action}`).value.toLowerCase());
  if (!keys.every(isKey)) return "A key is one letter or digit.";
  return new Set(keys).size < keys.length ? "Two actions have the same key." : "";
}

async function store(): Promise<void> {
  const problem = keyProblem();
  if (!problem) await saveSettings(read());
  state.textContent = problem || "Saved.";
}

async function start(): Promise<void> {
  addKeys();
  show(await loadSettings());
  form.addEventListener("change", () => void store());
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    show(DEFAULTS);
    void store();
  });
  const isFirefox = location.protocol === "moz-extension:";
  document.querySelector("#shortcuts")!.textContent = isFirefox
    ? "about:addons, the cogwheel"
    : "chrome://extensions/shortcuts";
}

void start();
