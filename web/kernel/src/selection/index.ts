/** Selection: what is kept or dropped apart from the scores. One file per rule. */

import type { Blocks } from "../blocks.js";
import { selection as reasons } from "../generated/constants.js";
import type { Scores } from "../kernel/kernel.js";
import { NEVER_PROSE_SIGNS, withoutNeverProse } from "./never_prose.js";
import { withoutRepeats } from "./repeats.js";
import { readSigns, TABLE } from "./signs.js";
import { withWholeTables } from "./whole_tables.js";

export interface Selection {
  /** Keep readers' comments under an article too. */
  comments?: boolean;
}

/** What is kept after one rule, and why that rule changed something. */
interface Step {
  readonly kept: readonly boolean[];
  readonly reason: string;
}

export function selected(
  blocks: Blocks,
  scores: Scores,
  threshold: number,
  selection: Selection = {},
): readonly boolean[] {
  let kept = byScore(scores, threshold);
  for (const step of steps(blocks, scores, kept, selection)) kept = step.kept;
  return kept;
}

/** The blocks that are kept or dropped against their score, by number, and the reason for it. */
export function decidedByRule(
  blocks: Blocks,
  scores: Scores,
  threshold: number,
  selection: Selection = {},
): Map<number, string> {
  const first = byScore(scores, threshold);
  const found = new Map<number, string>();
  let before = first;
  for (const { kept, reason } of steps(blocks, scores, first, selection)) {
    kept.forEach((each, block) => {
      if (each !== before[block]) found.set(block, reason);
    });
    before = kept;
  }
  return new Map([...found].filter(([block]) => before[block] !== first[block]));
}

function byScore(scores: Scores, threshold: number): readonly boolean[] {
  return Array.from(scores.values, (value) => value < threshold);
}

function* steps(blocks: Blocks, scores: Scores, first: readonly boolean[], selection: Selection): Generator<Step> {
  let kept = first;
  if (selection.comments) {
    kept = kept.map((each, block) => each || scores.comments[block]);
    yield { kept, reason: reasons.COMMENTS };
  }
  if (!blocks.count) return;
  const signs = readSigns(blocks, kept);
  if (signs.found & NEVER_PROSE_SIGNS) {
    kept = withoutNeverProse(blocks, kept, signs);
    yield { kept, reason: reasons.NEVER_PROSE };
  }
  kept = withoutRepeats(blocks, kept);
  yield { kept, reason: reasons.REPEATED };
  if (signs.found & TABLE) {
    kept = withWholeTables(blocks, kept);
    yield { kept, reason: reasons.WHOLE_TABLES };
  }
}
