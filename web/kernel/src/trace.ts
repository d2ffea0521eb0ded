/** Everything that the stages compute of a page, in plain values: what the test vectors hold. */

import { cut } from "./blocks.js";
import { pageFeatures } from "./kernel/features.js";
import { score } from "./kernel/kernel.js";
import { readPage } from "./page.js";
import type { WalkOptions } from "./page/walk.js";
import { selected } from "./selection/index.js";
import { writtenText } from "./writing/index.js";

export function trace(document: Document, options: WalkOptions = {}, withFeatures = false) {
  const page = readPage(document, options);
  const blocks = cut(page);
  const scores = score(page, blocks);
  const kept = selected(blocks, scores, 0.5);
  const { start, end, element, opened, gap, state } = page.leaves;
  return {
    text: page.text.string,
    elements: page.elements.tag,
    leaves: [start, end, element, opened, gap, state],
    blocks: [blocks.start, blocks.end, blocks.owner, blocks.linkChars, blocks.hidden.map(Number)],
    scores: Array.from(scores.values),
    kind: scores.kind,
    confidence: scores.confidence,
    comments: scores.comments.map(Number),
    kept: kept.map(Number),
    written: writtenText(page, blocks, kept),
    features: withFeatures && blocks.count ? Array.from(pageFeatures(page, blocks).matrix.values) : [],
  };
}
