/** Fragments: the markup in `noscript` and `noframes`, which a browser that runs scripts keeps as text. */

/** Formatting that is left open is repeated in every block after it; 100,000 copies take Chromium half a minute. */
const MOST_COPIES = 10_000;
const TAG = /<(\/?)([a-z][a-z0-9]*)/gi;
const FORMATTING = new Set("b big code em font i nobr s small strike strong tt u".split(" "));

/** Parse markup in a document of its own, in which nothing is loaded or run. */
export function parseFragment(owner: Document, markup: string): Element {
  const inert = owner.implementation.createHTMLDocument("");
  const root = inert.createElement("div");
  root.innerHTML = affordable(markup);
  return root;
}

/** The markup up to where open formatting would multiply beyond measure. */
export function affordable(markup: string): string {
  let open = 0;
  let copies = 0;
  for (const tag of markup.matchAll(TAG)) {
    if (FORMATTING.has(tag[2].toLowerCase())) open = Math.max(0, open + (tag[1] ? -1 : 1));
    else if (!tag[1]) copies += open;
    if (copies > MOST_COPIES) return markup.slice(0, tag.index);
  }
  return markup;
}
