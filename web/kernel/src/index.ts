/** @dehusk/kernel: the main text of a web page, block by block with a score. */

import { annotate, BEST_THRESHOLD } from "./annotation.js";
import type { MarkdownOptions } from "./formats/markdown.js";
import type { OutlineOptions } from "./outline/build.js";
import type { WalkOptions } from "./page/walk.js";
import type { Selection } from "./selection/index.js";

export { annotate, Annotation, BEST_THRESHOLD, type Block } from "./annotation.js";
export { escapeHtml, htmlOf } from "./formats/html.js";
export { markdownOf, type MarkdownOptions } from "./formats/markdown.js";
export { version } from "./generated/constants.js";
export type { OutlineOptions } from "./outline/build.js";
export type { OutlineElement, OutlineNode } from "./outline/nodes.js";
export type { WalkOptions } from "./page/walk.js";
export type { Selection } from "./selection/index.js";

export interface ExtractOptions extends WalkOptions, Selection {
  /** Keep blocks that score below it: lower keeps less. */
  threshold?: number;
}

/** The main text of a document, one line per block. */
export function extract(document: Document, options: ExtractOptions = {}): string {
  const annotation = annotate(document, options);
  return annotation.text(annotation.keep(options.threshold ?? BEST_THRESHOLD, options));
}

/** The main text of a document as Markdown. */
export function toMarkdown(
  document: Document,
  options: ExtractOptions & MarkdownOptions & OutlineOptions = {},
): string {
  const annotation = annotate(document, options);
  return annotation.markdown(annotation.keep(options.threshold ?? BEST_THRESHOLD, options), options);
}

/** For every block of a document the facts that decided, with + for main text and - for boilerplate. */
export function explain(document: Document, options: ExtractOptions = {}): string[][] {
  return annotate(document, options).explain(options.threshold ?? BEST_THRESHOLD, options);
}
