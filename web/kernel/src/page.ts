/** Page: a document as one string of text whose pieces know their place. */

import { split, strip } from "./characters.js";
import { limits } from "./generated/constants.js";
import { CodePoints } from "./page/code_points.js";
import type { Elements, Leaves } from "./page/leaves.js";
import { walk, type WalkOptions } from "./page/walk.js";

export type DoctypeClass = "html5" | "html4" | "xhtml" | "none";

export interface Page {
  readonly document: Document;
  readonly text: CodePoints;
  readonly elements: Elements;
  readonly leaves: Leaves;
  /** Why the text is incomplete; "" when all went well. */
  readonly reason: string;
}

export function readPage(document: Document, options: WalkOptions = {}): Page {
  const { text, elements, leaves, complete } = walk(document, options);
  const reason = complete ? "" : `cut off after ${limits.elements.toLocaleString("en")} elements`;
  return { document, text: new CodePoints(text), elements, leaves, reason };
}

/** The text of the page's `title` element, or "". */
export function titleOf(document: Document): string {
  return split(document.querySelector("title")?.textContent ?? "").join(" ");
}

/** The type that the page declares by og:type, such as "article", or "". */
export function declaredType(document: Document): string {
  const meta = document.querySelector("head")?.querySelector('meta[property="og:type"]');
  const declared = (meta?.getAttribute("content") ?? "").toLowerCase().split(".", 1)[0];
  return strip(declared.slice(declared.lastIndexOf(":") + 1)); // `video.movie` is a video, `og:product` a product
}

export function doctypeClass(document: Document): DoctypeClass {
  if (!document.doctype) return "none";
  const publicId = document.doctype.publicId.toLowerCase();
  return publicId.includes("xhtml") ? "xhtml" : publicId.includes("html") ? "html4" : "html5";
}
