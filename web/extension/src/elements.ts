/** Elements made by hand: no markup is ever parsed, so that no text of a page can become an element of ours. */

import type { OutlineElement, OutlineNode } from "@dehusk/kernel";

type Child = Node | string;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A button; where its label is a sign, the title is its name. */
export function button(label: string, title: string, act: () => void): HTMLButtonElement {
  const name = /[a-z]{2}/i.test(label) ? {} : { "aria-label": title };
  const element = make("button", { type: "button", title, ...name }, label);
  onTrusted(element, "click", act);
  return element;
}

/** Listen to the user alone: a page's script could send events of its own. */
export function onTrusted(element: HTMLElement, type: string, act: () => void): void {
  element.addEventListener(type, (event) => {
    if (event.isTrusted) act();
  });
}

/** The nodes of an outline, which has nothing but plain elements and safe addresses. */
export function nodesOf(outline: OutlineElement): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...outline.children.map(nodeOf));
  return fragment;
}

function nodeOf(node: OutlineNode): Child {
  if (typeof node === "string") return node;
  const element = document.createElement(node.tag);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
  if (node.block >= 0) element.dataset.block = String(node.block);
  element.append(...node.children.map(nodeOf));
  return element;
}
