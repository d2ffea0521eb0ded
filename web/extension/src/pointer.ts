/** Pointer: the block under it, in the page, its shadow roots and its frames. */

import type { Block } from "@dehusk/kernel";
import type { Session } from "./session.js";

export function blockAt(session: Session, event: MouseEvent): Block | undefined {
  const root = (event.composedPath()[0] as Node | undefined)?.getRootNode() ?? document;
  const text = textAt(event.clientX, event.clientY, root instanceof ShadowRoot ? [root] : []);
  return text ? session.annotation.blockOf(text) : undefined;
}

/** The text at a point of the window, if the point is on its letters and not merely nearest to them. */
function textAt(x: number, y: number, shadowRoots: ShadowRoot[]): Text | null {
  const node = document.caretPositionFromPoint
    ? document.caretPositionFromPoint(x, y, { shadowRoots })?.offsetNode
    : document.caretRangeFromPoint(x, y)?.startContainer;
  if (!(node instanceof Text)) return null;
  const range = document.createRange();
  range.selectNodeContents(node);
  return Array.from(range.getClientRects()).some((box) => contains(box, x, y)) ? node : null;
}

function contains(box: DOMRect, x: number, y: number): boolean {
  return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
}
