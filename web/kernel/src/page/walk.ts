/** The walk: one pass over a live document that collects its text nodes and the elements around them. */

import { isSpace, split, strip } from "../characters.js";
import { limits, page_walk, page_walk_flags } from "../generated/constants.js";
import { countCodePoints } from "./code_points.js";
import { parseFragment } from "./fragment.js";
import type { Elements, Leaves } from "./leaves.js";

const { GLUED, SPACED, NEW_LINE, NEW_BLOCK, SELF_SPACED, SEPARATOR } = page_walk_flags;
const { HIDDEN, VERBATIM, LINKED, IN_SVG } = page_walk_flags;
const { BLOCK, BR, PRE, RAW, ANCHOR, SVG, HEAD, PASSED, SPECIAL } = page_walk_flags;
const ROLES = new Map<string, number>(Object.entries(page_walk_flags.ROLES));
const OTHER_SPACE = /[^\S ]|[\x1c-\x1f\x85]| {2}/;

/** What a page may let the walk see beside its own tree. */
export interface WalkOptions {
  /** Enter frames of the same origin; Python sees no frames. */
  frames?: boolean;
  /** The shadow root of an element; extensions may open closed ones. */
  shadowRoot?: (element: Element) => ShadowRoot | null;
}

export interface WalkResult {
  readonly text: string;
  readonly elements: Elements;
  readonly leaves: Leaves;
  /** False when the walk stopped at the limit on elements. */
  readonly complete: boolean;
}

/** The children of an element that are still to come, and what the walk knows of it. */
interface Level {
  next: Node | null;
  list: readonly Node[] | null; // in place of siblings, where a slot shows nodes from elsewhere
  taken: number; // of the list
  here: number;
  role: number;
  state: number;
  of: "element" | "fragment" | "slot";
}

export function walk(document: Document, options: WalkOptions = {}): WalkResult {
  const walker = new Walker(options);
  walker.run(document);
  return walker.result();
}

export function roleOf(tag: string): number {
  return ROLES.get(tag) ?? 0;
}

class Walker {
  private readonly tags: string[] = ["#document"];
  private readonly parents: number[] = [-1];
  private readonly nodes: (Element | null)[] = [null];
  private readonly start: number[] = [];
  private readonly end: number[] = [];
  private readonly element: number[] = [];
  private readonly opened: number[] = [];
  private readonly gaps: number[] = [];
  private readonly states: number[] = [];
  private readonly texts: Text[] = [];
  private readonly pieces: string[] = [];
  private readonly levels: Level[] = []; // no recursion, since markup decides its depth
  private level: Level = { next: null, list: null, taken: 0, here: 0, role: 0, state: 0, of: "element" };
  private length = 0;
  private gap: number = NEW_BLOCK;
  private fragments = 0;
  private complete = true;

  constructor(private readonly options: WalkOptions) {}

  run(document: Document): void {
    this.level.next = document.firstChild;
    while (this.complete) {
      const node = this.take();
      if (node) this.meet(node);
      else if (!this.leave()) break;
    }
  }

  result(): WalkResult {
    return {
      text: this.pieces.join(""),
      elements: { tag: this.tags, parent: this.parents, node: this.nodes },
      leaves: {
        start: this.start,
        end: this.end,
        element: this.element,
        opened: this.opened,
        gap: this.gaps,
        state: this.states,
        node: this.texts,
      },
      complete: this.complete,
    };
  }

  private take(): Node | null {
    const level = this.level;
    if (level.list) return level.list[level.taken++] ?? null;
    const node = level.next;
    level.next = node && node.nextSibling;
    return node;
  }

  private meet(node: Node): void {
    if (this.level.role & HEAD && !isNoscript(node)) return; // the only text in a head is in its noscript
    if (isElement(node)) this.meetElement(node);
    else if (isText(node)) this.meetText(node);
  }

  /** Go back to the level above; false at the end. */
  private leave(): boolean {
    const level = this.levels.pop();
    if (!level) return false;
    if (this.level.of === "fragment") this.fragments--;
    else if (this.level.of === "element" && this.level.role & BLOCK) this.gap = NEW_BLOCK;
    this.level = level;
    return true;
  }

  private meetText(first: Text): void {
    let data = first.data;
    // A parser splits long text, and scripts leave pieces: what touches is one text.
    while (!this.level.list && this.level.next && isText(this.level.next)) data += (this.take() as Text).data;
    if (data === "") return;
    if (
      this.level.role & RAW &&
      this.fragments < page_walk.MOST_FRAGMENTS &&
      !first.previousSibling &&
      !this.level.next
    ) {
      this.enterFragment(parseFragment(first.ownerDocument, data));
    } else if (this.level.state & VERBATIM) this.addVerbatim(data, first);
    else this.addCollapsed(data, first);
  }

  private enterFragment(root: Element): void {
    this.fragments++;
    const { here, role, state } = this.level;
    // What was parsed is not parsed again.
    this.enter({ next: root.firstChild, list: null, taken: 0, here, role: role & ~RAW, state, of: "fragment" });
  }

  private enter(level: Level): void {
    this.levels.push(this.level);
    this.level = level;
  }

  private addVerbatim(text: string, node: Text): void {
    const last = this.pieces.at(-1);
    const spaced = isSpace(text.charCodeAt(0)) || (last !== undefined && isSpace(last.charCodeAt(last.length - 1)));
    if (this.gap < NEW_LINE && spaced) this.gap = SELF_SPACED;
    this.addLeaf(text, node);
    this.gap = GLUED;
  }

  private addCollapsed(data: string, node: Text): void {
    const text = strip(data);
    if (!text) {
      if (this.gap === GLUED) this.gap = SPACED;
      return;
    }
    if (this.gap === GLUED && data[0] !== text[0]) this.gap = SPACED;
    this.addLeaf(OTHER_SPACE.test(text) ? split(text).join(" ") : text, node);
    this.gap = data.at(-1) === text.at(-1) ? GLUED : SPACED;
  }

  private addLeaf(text: string, node: Text): void {
    if (this.gap === SELF_SPACED) this.gap = SPACED;
    else if (this.start.length && this.gap !== GLUED) {
      this.pieces.push(SEPARATOR[this.gap]);
      this.length++;
    }
    this.pieces.push(text);
    this.start.push(this.length);
    this.length += countCodePoints(text);
    this.end.push(this.length);
    this.element.push(this.level.here);
    this.opened.push(this.tags.length);
    this.gaps.push(this.gap);
    this.states.push(this.level.state);
    this.texts.push(node);
  }

  /** Enter an element, or leave it out with all that it holds. */
  private meetElement(node: Element): void {
    const tag = node.localName;
    if (tag === "slot" && isInShadow(node)) {
      this.enterSlot(node as HTMLSlotElement);
      return;
    }
    const role = roleOf(tag);
    if (role & BLOCK) this.gap = NEW_BLOCK;
    // One br breaks the line; two in a row are how pages laid out by tables wrote paragraphs.
    else if (role & BR) this.gap = this.gap < NEW_LINE ? NEW_LINE : NEW_BLOCK;
    const frame = role & PASSED && this.options.frames ? frameDocument(node) : null;
    if (role & PASSED && !frame) return;
    if (this.tags.length > limits.elements) {
      this.complete = false;
      return;
    }
    this.tags.push(tag);
    this.nodes.push(node);
    this.parents.push(this.level.here);
    // Icons have thousands of paths and no word. Only the outermost is asked: nested ones would cost a square.
    if (role === SVG && !(this.level.state & IN_SVG) && !strip(node.textContent ?? "")) return;
    this.enterElement(node, role, frame);
  }

  private enterElement(node: Element, role: number, frame: Document | null): void {
    let state = this.level.state;
    if (role & SPECIAL) {
      if (role & SVG) state |= IN_SVG;
      else if (role & PRE) state |= VERBATIM;
      else if (role & ANCHOR && node.hasAttribute("href")) state |= LINKED;
    }
    if (isHiddenByAttributes(node)) state |= HIDDEN;
    const here = this.tags.length - 1;
    const root = frame ?? this.shadowRoot(node) ?? node;
    this.enter({ next: root.firstChild, list: null, taken: 0, here, role, state, of: "element" });
  }

  /** A slot is not there itself: it shows the nodes that it was assigned, or else its own. */
  private enterSlot(node: HTMLSlotElement): void {
    const { here, role, state } = this.level;
    const list = node.assignedNodes();
    this.enter({ next: node.firstChild, list: list.length ? list : null, taken: 0, here, role, state, of: "slot" });
  }

  private shadowRoot(node: Element): ShadowRoot | null {
    return this.options.shadowRoot ? this.options.shadowRoot(node) : (node.shadowRoot ?? null);
  }
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}

function isText(node: Node): node is Text {
  return node.nodeType === 3 || node.nodeType === 4;
}

function isInShadow(node: Element): boolean {
  return "host" in node.getRootNode();
}

function isNoscript(node: Node): boolean {
  return isElement(node) && node.localName === "noscript";
}

/** Whether an element is hidden by its own attributes. */
function isHiddenByAttributes(node: Element): boolean {
  if (node.hasAttribute("hidden") || node.getAttribute("aria-hidden")?.toLowerCase() === "true") return true;
  const style = node.getAttribute("style")?.toLowerCase();
  return style !== undefined && style.includes("none") && split(style).join("").includes("display:none");
}

/** The document in a frame, null if it is another site's. */
function frameDocument(node: Element): Document | null {
  if (node.localName !== "iframe") return null;
  try {
    return (node as HTMLIFrameElement).contentDocument;
  } catch {
    return null; // some browsers throw where others return null
  }
}
