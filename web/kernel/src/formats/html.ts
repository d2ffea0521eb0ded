/** HTML: an outline as markup of plain elements, in which nothing runs and nothing is loaded but images. */

import type { OutlineElement, OutlineNode } from "../outline/nodes.js";

const EMPTY = new Set(["br", "img"]);
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character]);
}

export function htmlOf(outline: OutlineElement): string {
  return outline.children.map(markup).join("");
}

function markup(node: OutlineNode): string {
  if (typeof node === "string") return escapeHtml(node);
  const attributes = Object.entries(node.attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join("");
  if (EMPTY.has(node.tag)) return `<${node.tag}${attributes}>`;
  return `<${node.tag}${attributes}>${node.children.map(markup).join("")}</${node.tag}>`;
}
