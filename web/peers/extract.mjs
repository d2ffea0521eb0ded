// JavaScript extractors for dehusk.evaluation.node: answers one request per line, {load: tool} with {version} or {error},
// and {tool, html, url} with {cpu, html} or {cpu, error}; cpu is in microseconds. Each tool runs as the first example of
// its documentation for Node shows.
import { readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const TOOLS = {
  async defuddle() {
    const { parseHTML } = await import("linkedom");
    const { Defuddle } = await import("defuddle/node");
    // Without the option it would ask other servers about pages in which it finds nothing.
    return async (html, url) => (await Defuddle(parseHTML(html).document, url, { useAsync: false })).content;
  },
  async "@mozilla/readability"() {
    const { JSDOM } = await import("jsdom");
    const { Readability } = await import("@mozilla/readability");
    return (html, url) => new Readability(new JSDOM(html, { url }).window.document).parse()?.content;
  },
};
const loaded = {};

async function load(tool) {
  try {
    loaded[tool] = await TOOLS[tool]();
    const about = new URL(`node_modules/${tool}/package.json`, import.meta.url);
    return { version: JSON.parse(readFileSync(about, "utf8")).version };
  } catch (error) {
    return { error: String(error) };
  }
}

async function extract({ tool, html, url }) {
  const start = process.cpuUsage();
  const outcome = {};
  try {
    outcome.html = (await loaded[tool](html, url ?? undefined)) ?? "";
  } catch (error) {
    outcome.error = String(error);
  }
  const { user, system } = process.cpuUsage(start);
  return { cpu: user + system, ...outcome };
}

function send(line) {
  const bytes = Buffer.from(line + "\n");
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error; // the pipe is full, and does not block on every system
    }
  }
}

if (isMainThread) {
  // Pages are read in another thread, so that this one sees the end of its input, even during a page that never ends.
  const worker = new Worker(new URL(import.meta.url), { stdout: true, stderr: true });
  worker.on("message", send);
  worker.on("error", () => process.exit(1)); // out of memory, for example
  const input = createInterface({ input: process.stdin });
  input.on("line", (line) => worker.postMessage(line));
  input.on("close", () => process.exit(0));
} else {
  parentPort.on("message", async (line) => {
    const request = JSON.parse(line);
    parentPort.postMessage(JSON.stringify(await (request.load ? load(request.load) : extract(request))));
  });
}
