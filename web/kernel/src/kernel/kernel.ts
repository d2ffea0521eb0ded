/** kernel: dehusk's own method. Small networks that see each block with its neighbours and its page. */

import type { Blocks } from "../blocks.js";
import { bitsOf } from "../features/tree.js";
import { controls, kernel as constants, scores, vocabulary } from "../generated/constants.js";
import type { Page } from "../page.js";
import { confidence, decide, expectedF1, likelihoods } from "./decision.js";
import { pageFeatures, type PageFeatures, ROWS } from "./features.js";
import { meanOutput, networkInput, run } from "./network.js";
import { loadWeights } from "./weights.js";

const { BARE, BARE_WORDS, COMMENT_TOKENS, SURE_KIND } = constants;
const COMMENT_BITS = COMMENT_TOKENS.map((word) => (vocabulary as readonly string[]).indexOf(word)).filter(
  (bit) => bit >= 0,
);
const CONTROL_BITS = bitsOf(controls);
const NOSCRIPT_BIT = bitsOf(["noscript"]);
const LINK_DENSITY = ROWS.get("link_density")!;

/** One number in [0, 1] per block, 1 = boilerplate; and the verdict on the page as a whole. */
export interface Scores {
  readonly values: Float64Array;
  /** Such as "article" or "forum". */
  readonly kind: string;
  /** From 0 to 1: the F1 that the model expects of its own choice of blocks. */
  readonly confidence: number;
  /** Which blocks are readers' comments. */
  readonly comments: readonly boolean[];
}

export function score(page: Page, blocks: Blocks): Scores {
  if (!blocks.count) return { values: new Float64Array(0), kind: "other", confidence: 0, comments: [] };
  return scoreFeatures(blocks, pageFeatures(page, blocks));
}

function scoreFeatures(blocks: Blocks, features: PageFeatures): Scores {
  const input = networkInput(features);
  const { logits, kinds } = meanOutput(loadWeights().map((weights) => run(weights, input)));
  let likely = likelihoods(logits);
  if (isBare(blocks, features)) likely = likely.map((each) => Math.max(each, BARE));
  const expected = expectedF1(likely, features.words);
  const kept = decide(likely, expected);
  const kind = kindOf(kinds);
  return {
    values: kept.map((each) => 1 - each),
    kind,
    confidence: kept.some((each) => each > 0.5) ? confidence(expected) : 0,
    comments: Array.from(kept, (each, block) => kind !== "forum" && each <= 0.5 && isComment(features, block)),
  };
}

/** Inside of an element named like comments; links and forms there are for handling them. */
function isComment({ matrix, tokens, tree }: PageFeatures, block: number): boolean {
  return (
    tokens.anywhere.hasAny(block, COMMENT_BITS) &&
    matrix.get(LINK_DENSITY, block) < 0.5 &&
    !tree.above.hasAny(block, CONTROL_BITS)
  );
}

/** Whether a page is a few words without a single link, such as an example or a mail: all of it is main text. */
function isBare(blocks: Blocks, { words, tree }: PageFeatures): boolean {
  return (
    words.reduce((sum, each) => sum + each, 0) < BARE_WORDS &&
    blocks.linkChars.every((characters) => characters === 0) &&
    !blocks.start.some((_, block) => tree.above.hasAny(block, NOSCRIPT_BIT))
  );
}

function kindOf(logits: Float64Array): string {
  const largest = Math.max(...logits);
  const total = logits.reduce((sum, each) => sum + Math.exp(each - largest), 0);
  return total * SURE_KIND <= 1 ? scores.KINDS[logits.indexOf(largest)] : "other";
}
