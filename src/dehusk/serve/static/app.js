// The page's own script: what is pasted, dropped or named goes to the server, and its report comes back into a frame that
// has no origin. Nothing of a page is ever markup here.
import { Result } from "./result.js";

const $ = (id) => document.getElementById(id);
let methods = [];
let source = null; // of the page in hand: what to send, and what to call it
let asked = 0; // requests so far: the answer to an older one is dropped
const result = new Result($("report"), (threshold) => writeMarkdown(threshold));

async function start() {
  listen();
  await loadMethods();
}

async function loadMethods() {
  const reply = await send("/v1/methods").catch(() => null);
  if (!reply) return;
  methods = (await reply.json()).methods;
  $("method").replaceChildren();
  $("beside").replaceChildren(new Option("nothing", ""));
  for (const { name, default: chosen, installed } of methods) {
    for (const list of [$("method"), $("beside")]) {
      const option = new Option(installed ? name : `${name} (not installed)`, name, false, chosen && list.id === "method");
      option.disabled = !installed;
      list.append(option);
    }
  }
}

function listen() {
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  $("form").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
  });
  $("open").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", () => openFile($("file").files[0]));
  for (const button of document.querySelectorAll("[data-example]")) {
    button.addEventListener("click", () => openExample(button.dataset.example));
  }
  for (const id of ["method", "beside"]) $(id).addEventListener("change", () => source && show());
  $("copy").addEventListener("click", copy);
  $("download").addEventListener("click", download);
  $("again").addEventListener("click", back);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget ?? document.body.classList.remove("dropping"));
  document.addEventListener("drop", drop);
}

function drop(event) {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const file = event.dataTransfer.files[0];
  const html = event.dataTransfer.getData("text/html") || event.dataTransfer.getData("text/plain");
  if (file) openFile(file);
  else if (html) take({ body: html, kind: "text/html", name: "page" });
}

function submit() {
  const url = $("url")?.value.trim();
  const html = $("html").value;
  if (html.trim()) take({ body: html, kind: "text/html; charset=utf-8", name: "page" });
  else if (url) take({ body: JSON.stringify({ url }), kind: "application/json", name: nameOf(url) });
  else if (source && !$("key-line").hidden) show();
  else complain($("url") ? "Paste the HTML of a page, or give its address." : "Paste the HTML of a page first.");
}

// As bytes, so that the server finds the charset.
function openFile(file) {
  if (file) take({ body: file, kind: "text/html", name: file.name.replace(/\.[^.]*$/, "") || "page" });
  $("file").value = "";
}

async function openExample(name) {
  const reply = await send(`/static/examples/${name}.html`).catch(() => null);
  if (reply) take({ body: await reply.blob(), kind: "text/html", name });
}

function take(page) {
  source = page;
  show();
}

/** Have the server make the report of the page in hand, and show it. */
async function show() {
  const number = ++asked;
  document.body.classList.add("busy");
  say("Extracting…");
  const chosen = methods.find(({ name }) => name === $("method").value);
  const query = { ...methodsChosen(), format: "report", explain: Boolean(chosen?.explains) };
  try {
    const reply = await send(`/v1/annotate?${new URLSearchParams(query)}`, source);
    const html = await reply.text();
    if (number !== asked) return;
    $("input").hidden = true;
    $("result").hidden = $("outputs").hidden = false;
    result.show(html);
    say("Done: the page is shown block by block.");
  } catch {
    // The problem is shown already.
  } finally {
    if (number === asked) document.body.classList.remove("busy");
  }
}

function methodsChosen() {
  const beside = $("beside").value;
  return { method: $("method").value || "kernel", ...(beside ? { beside } : {}) };
}

function back() {
  asked++;
  source = null;
  $("result").hidden = $("outputs").hidden = true;
  $("input").hidden = false;
  result.clear();
  complain("");
  $("html").focus();
}

/** The page in hand in some format, at the threshold that the report stands at. */
async function written(format, threshold = result.threshold) {
  const { method, beside } = methodsChosen();
  const query = { method, format, ...(threshold === null ? {} : { threshold }) };
  if (beside && $("format").querySelector(`[data-beside][value="${format}"]`)) Object.assign(query, { beside });
  return send(`/v1/extract?${new URLSearchParams(query)}`, source);
}

async function writeMarkdown(threshold) {
  const reply = await written("markdown", threshold).catch(() => null);
  return reply ? reply.text() : "";
}

async function copy() {
  const reply = await written($("format").value).catch(() => null);
  if (!reply) return;
  const text = await reply.text();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyByHand(text); // where the browser has no clipboard for pages without https
  }
  $("copy").textContent = "Copied";
  say(`Copied as ${$("format").value}.`);
  setTimeout(() => ($("copy").textContent = "Copy"), 1500);
}

function copyByHand(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

async function download() {
  const { value: format, dataset } = $("format").selectedOptions[0];
  const reply = await written(format).catch(() => null);
  if (!reply) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await reply.blob());
  link.download = source.name + dataset.suffix;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say(`Downloaded as ${format}.`);
}

/** Send a request; show what went wrong, and throw, if it does. */
async function send(path, page) {
  const headers = $("key").value ? { Authorization: `Bearer ${$("key").value}` } : {};
  const options = page ? { method: "POST", body: page.body, headers: { ...headers, "Content-Type": page.kind } } : { headers };
  let reply;
  try {
    reply = await fetch(path, { ...options, credentials: "omit", referrerPolicy: "no-referrer" });
  } catch (error) {
    complain("The server cannot be reached.");
    throw error;
  }
  if (reply.ok) {
    complain("");
    return reply;
  }
  const problem = await reply.json().catch(() => ({ title: `The server answered ${reply.status}`, detail: "" }));
  if (problem.code === "key-required") askForKey();
  complain(problem.detail ? `${problem.title}: ${problem.detail}` : problem.title);
  throw new Error(problem.title);
}

function askForKey() {
  $("key-line").hidden = false;
  $("key").addEventListener("change", loadMethods, { once: true });
}

function complain(text) {
  $("problem").textContent = text;
  $("problem").hidden = !text;
  if (text) say("");
}

function say(text) {
  $("status").textContent = text;
}

function nameOf(url) {
  return url.replace(/^\w+:\/\//, "").replace(/[?#].*/, "").replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "page";
}

start();
