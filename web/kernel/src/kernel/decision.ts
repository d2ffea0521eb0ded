/** Decision: from logits to scores. Every page has its own cut, which follows from the F1 that is expected of it. */

import { kernel_decision, tuning } from "../generated/constants.js";

const { LOWEST_CUT, STRIP } = kernel_decision;

/** The probability that each block is main text: of blocks with 0.8, eight in ten are. */
export function likelihoods(logits: Float64Array): Float64Array {
  return logits.map((logit) => 1 / (1 + Math.exp(Math.min(-tuning.scale * logit - tuning.offset, 30))));
}

/** The F1, counted in words, that the best choice of blocks is expected to reach. */
export function expectedF1(likely: Float64Array, words: Float32Array): number {
  const total = likely.reduce((sum, each, block) => sum + words[block] * each, 0);
  // Choosing by half of the F1 reached so far gets closer with each turn, and the choice smaller, so that it ends.
  for (let best = 0; ;) {
    let taken = 0;
    let right = 0;
    likely.forEach((each, block) => {
      if (2 * each <= best) return;
      taken += words[block];
      right += words[block] * each;
    });
    const reached = taken > 0 ? (2 * right) / (taken + total) : 0;
    if (!(reached > best)) return best;
    best = reached;
  }
}

/** Move what the page's own cut keeps above 0.5, and nothing else. */
export function decide(likely: Float64Array, expected: number): Float64Array {
  if (likely.reduce((most, each) => Math.max(most, each), 0) < tuning.least)
    return likely.map((each) => Math.min(each, 0.5));
  const [constant, factor] = tuning.cut;
  const cut = Math.max(constant + factor * expected, LOWEST_CUT);
  return cut < 0.5 ? stretch(likely, cut, 0.5 + STRIP) : likely;
}

/** The F1 that a page is likely to reach, given the one expected from its scores. */
export function confidence(expected: number): number {
  const [constant, factor] = tuning.confidence;
  return Math.min(Math.max(constant + factor * expected, 0), 1);
}

/** The values mapped linearly piece by piece, so that `cut` becomes 0.5, and 0.5 becomes `above`. */
function stretch(values: Float64Array, cut: number, above: number): Float64Array {
  return values.map((value) => {
    if (value < cut) return value * (0.5 / cut);
    if (value < 0.5) return 0.5 + (value - cut) * ((above - 0.5) / (0.5 - cut));
    return above + (value - 0.5) * ((1 - above) / 0.5);
  });
}
