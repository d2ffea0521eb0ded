/** Which elements an outline keeps, under which tag and with which attributes. */

export const INLINE: ReadonlySet<string> = new Set(
  "a strong em code sup sub del ins mark kbd samp var abbr cite q small dfn".split(" "),
);
/** Tables and their parts. */
export const TABLE_TAGS: ReadonlySet<string> = new Set("table caption thead tbody tfoot tr td th".split(" "));
const BLOCKS = "h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote figure figcaption pre".split(" ");
/** By tag, what the outline has in its place. */
export const KEPT_TAGS: ReadonlyMap<string, string> = new Map([
  ...[...BLOCKS, ...TABLE_TAGS, ...INLINE].map((tag): [string, string] => [tag, tag]),
  ["b", "strong"],
  ["i", "em"],
  ["strike", "del"],
  ["s", "del"],
  ["tt", "code"],
  ["listing", "pre"],
  ["xmp", "pre"],
  ["plaintext", "pre"],
  ["menu", "ul"],
  ["dir", "ul"],
]);
/** Elements that hold text of their own; a block outside of them is a paragraph. */
export const HOLDS_TEXT: ReadonlySet<string> = new Set(
  "h1 h2 h3 h4 h5 h6 p li dt dd td th caption figcaption pre".split(" "),
);
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  ol: ["start"],
  li: ["value"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
};
const LANGUAGE = /\b(?:language|lang|highlight-source)-([a-z0-9+#-]+)/i;

/** The attributes that an element keeps; addresses only if they lead to a page, a mail or a place on this page. */
export function attributesOf(node: Element, tag: string): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ATTRIBUTES[tag] ?? []) {
    const number = Number.parseInt(node.getAttribute(name) ?? "", 10);
    if (number > 0 && number <= 1000) kept[name] = String(number);
  }
  if (tag === "a") {
    const address = safeAddress(node, "href", ["http:", "https:", "mailto:"]);
    if (address) kept.href = address;
  }
  const language = tag === "pre" || tag === "code" ? LANGUAGE.exec(node.className?.toString() ?? "") : null;
  if (language) kept.class = `language-${language[1].toLowerCase()}`;
  return kept;
}

/** An attribute as an absolute address, null unless it has one of the schemes. */
export function safeAddress(node: Element, name: string, schemes: readonly string[]): string | null {
  const value = node.getAttribute(name);
  if (!value) return null;
  try {
    const url = new URL(value, node.ownerDocument.baseURI);
    return schemes.includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
