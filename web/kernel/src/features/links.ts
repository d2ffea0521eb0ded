/** Link density: how much of a block's text can be clicked. */

import type { Blocks } from "../blocks.js";

export function linkDensity(blocks: Blocks): Float32Array {
  const { start, end, linkChars } = blocks;
  return Float32Array.from(linkChars, (characters, block) => characters / Math.max(end[block] - start[block], 1));
}
