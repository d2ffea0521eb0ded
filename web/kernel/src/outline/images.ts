/** Images that belong to the kept text: those between two pieces of it, or in a figure with one. */

import type { Blocks } from "../blocks.js";
import type { Page } from "../page.js";
import { safeAddress } from "./kinds.js";
import { search } from "../spans.js";

const SMALLEST = 100; // pixels, in either direction: what is smaller is an icon or counts visitors
const LAZY = ["data-src", "data-original", "data-lazy-src"];

export interface Image {
  /** The number of the `img` among the page's elements. */
  readonly element: number;
  readonly src: string;
  readonly alt: string;
}

export function keptImages(page: Page, blocks: Blocks, kept: readonly boolean[]): Image[] {
  const found: Image[] = [];
  page.elements.tag.forEach((tag, index) => {
    if (tag !== "img") return;
    const node = page.elements.node[index]!;
    const src = addressOf(node);
    if (src && isLarge(node) && isAmongKept(page, blocks, kept, index)) {
      found.push({ element: index, src, alt: node.getAttribute("alt") ?? "" });
    }
  });
  return found;
}

function addressOf(node: Element): string | null {
  for (const name of [...LAZY, "src"]) {
    const address = safeAddress(node, name, ["http:", "https:"]);
    if (address) return address;
  }
  return null;
}

function isLarge(node: Element): boolean {
  const image = node as HTMLImageElement;
  const sizes = [image.naturalWidth, image.naturalHeight].filter((size) => size > 0);
  for (const name of ["width", "height"]) sizes.push(Number.parseInt(node.getAttribute(name) ?? "", 10));
  return !sizes.some((size) => size < SMALLEST);
}

/** Whether the text before and after an image is kept, or the text of its figure. */
function isAmongKept(page: Page, blocks: Blocks, kept: readonly boolean[], index: number): boolean {
  const leaf = search(page.leaves.opened, index, "right"); // the first leaf after it
  const next = search(blocks.lastLeaf, leaf, "right");
  const before = search(blocks.firstLeaf, leaf, "left") - 1;
  const nextKept = kept[next] ?? false;
  const beforeKept = kept[before] ?? false;
  return (nextKept && beforeKept) || (nextKept && inSameFigure(page, index, blocks.owner[next]));
}

function inSameFigure(page: Page, image: number, owner: number): boolean {
  const { tag, parent } = page.elements;
  for (let above = image; above > 0; above = parent[above]) {
    if (tag[above] !== "figure") continue;
    for (let other = owner; other >= above; other = parent[other]) if (other === above) return true;
    return false;
  }
  return false;
}
