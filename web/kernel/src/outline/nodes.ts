/** Nodes of the outline: a page's kept text as a small tree of plain elements, safe to show anywhere. */

export interface OutlineElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: OutlineNode[];
  /** The number of the block that begins in it, -1 for elements around several. */
  readonly block: number;
}

export type OutlineNode = OutlineElement | string;

export function element(tag: string, attributes: Readonly<Record<string, string>> = {}, block = -1): OutlineElement {
  return { tag, attributes, children: [], block };
}

export function textOf(node: OutlineNode): string {
  return typeof node === "string" ? node : node.tag === "br" ? "\n" : node.children.map(textOf).join("");
}
