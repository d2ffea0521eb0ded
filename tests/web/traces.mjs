// Reads a list of pages from standard input, and prints the trace of each, as jsdom parses it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runInThisContext } from "node:vm";

const { JSDOM } = createRequire(new URL("../../web/package.json", import.meta.url))("jsdom");
runInThisContext(readFileSync(process.argv[2], "utf8"));
const traces = JSON.parse(readFileSync(0, "utf8")).map((html) => {
  // Scripting is on, so that `noscript` is text, but no script of the page runs.
  const { document } = new JSDOM(html, { runScripts: "outside-only", url: "https://example.org/page" }).window;
  return globalThis.dehusk.trace(document, {}, true);
});
process.stdout.write(JSON.stringify(traces));
