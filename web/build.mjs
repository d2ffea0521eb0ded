// Builds the package and the extension: `node web/build.mjs kernel extension`.
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const here = import.meta.dirname;
const out = `${here}/../build/extension`;
const common = {
  bundle: true,
  absWorkingDir: here,
  target: ["es2022", "chrome128", "firefox140"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  loader: { ".css": "text" },
};
/** What the two browsers want in the manifest beside what they share. */
const BROWSERS = {
  chromium: { minimum_chrome_version: "128", background: { service_worker: "background.js" } },
  firefox: {
    background: { scripts: ["background.js"] },
    browser_specific_settings: {
      gecko: {
        id: "dehusk@dehusk.org",
        strict_min_version: "140.0",
        data_collection_permissions: { required: ["none"] },
      },
      gecko_android: { strict_min_version: "142.0" },
    },
  },
};

/** The package, and what the tests run in a page: every stage of the kernel. */
async function kernel() {
  await build({
    ...common,
    entryPoints: ["kernel/src/index.ts"],
    outfile: "kernel/dist/index.js",
    format: "esm",
    minify: true,
  });
  await build({
    ...common,
    entryPoints: ["kernel/src/testing.ts"],
    outfile: "../build/web/testing.js",
    format: "iife",
    globalName: "dehusk",
  });
}

/** One folder for each browser, to be loaded unpacked or zipped. */
async function extension() {
  await rm(out, { recursive: true, force: true });
  const { version } = JSON.parse(await readFile(`${here}/kernel/package.json`, "utf8"));
  const shared = JSON.parse(await readFile(`${here}/extension/manifest.json`, "utf8"));
  for (const [browser, own] of Object.entries(BROWSERS)) {
    const folder = `${out}/${browser}`;
    await mkdir(folder, { recursive: true });
    const entryPoints = ["background", "content", "options"].map((name) => `extension/src/${name}.ts`);
    await build({ ...common, entryPoints, outdir: folder, format: "iife", minify: true });
    await cp(`${here}/extension/static`, folder, { recursive: true });
    await writeFile(`${folder}/manifest.json`, JSON.stringify({ ...shared, version, ...own }, null, 2));
  }
}

const builders = { kernel, extension };
for (const name of process.argv.slice(2)) await builders[name]();
