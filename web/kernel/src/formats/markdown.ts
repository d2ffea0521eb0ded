/** Markdown: an outline with headings, lists, tables, code and emphasis, as GitHub reads it. */

import { INLINE } from "../outline/kinds.js";
import { element, type OutlineElement, type OutlineNode, textOf } from "../outline/nodes.js";

export interface MarkdownOptions {
  /** Write the addresses of links. */
  links?: boolean;
}

const MARKS: Readonly<Record<string, string>> = { strong: "**", em: "*", del: "~~" };
const SPECIAL = /[\\`*_[\]<>~|]/g;
const LINE_START = /^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|=+\s*$|\d{1,9}(?=[.)](?:\s|$)))/;

export function markdownOf(outline: OutlineElement, options: MarkdownOptions = {}): string {
  return new Writer(options).blocks(outline.children);
}

class Writer {
  constructor(private readonly options: MarkdownOptions) {}

  /** Nodes as blocks with a blank line between them; what is inline in a row is one paragraph. */
  blocks(nodes: readonly OutlineNode[]): string {
    const parts: string[] = [];
    for (const group of grouped(nodes)) parts.push(Array.isArray(group) ? this.paragraph(group) : this.block(group));
    return parts.filter((part) => part !== "").join("\n\n");
  }

  private block(node: OutlineElement): string {
    switch (node.tag) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        return `${"#".repeat(Number(node.tag[1]))} ${this.line(node.children)}`;
      case "ul":
      case "ol":
        return this.list(node);
      case "dt":
        return `**${this.line(node.children)}**`;
      case "dd":
        return hanging(": ", this.blocks(node.children));
      case "li":
        return hanging("- ", this.blocks(node.children));
      case "blockquote":
        return this.blocks(node.children)
          .split("\n")
          .map((line) => `> ${line}`.trimEnd())
          .join("\n");
      case "pre":
        return fence(node);
      case "table":
        return this.table(node);
      default:
        return this.blocks(node.children);
    }
  }

  private paragraph(nodes: readonly OutlineNode[]): string {
    const text = nodes
      .map((node) => this.inline(node))
      .join("")
      .trim();
    return text
      .split("\n")
      .map((line) => line.replace(LINE_START, "$1\\$2").replace(/\\(\d+)/, "$1\\"))
      .join("\n");
  }

  /** Nodes on one line, as in headings and cells. */
  private line(nodes: readonly OutlineNode[]): string {
    return nodes
      .map((node) => this.inline(node, true))
      .join("")
      .replace(/\s+/g, " ")
      .trim();
  }

  private inline(node: OutlineNode, oneLine = false): string {
    if (typeof node === "string") return node.replace(SPECIAL, "\\$&");
    if (node.tag === "br") return oneLine ? " " : "  \n";
    if (node.tag === "img") return `![${escaped(node.attributes.alt ?? "")}](${address(node.attributes.src ?? "")})`;
    if (node.tag === "code") return codeSpan(textOf(node));
    const text = node.children.map((child) => this.inline(child, oneLine)).join("");
    // In a cell, blocks come one after another on the same line.
    if (!INLINE.has(node.tag)) return ` ${text} `;
    if (node.tag === "a") return this.link(node, text);
    return MARKS[node.tag] ? emphasised(text, MARKS[node.tag]) : text;
  }

  private link(node: OutlineElement, text: string): string {
    if (!this.options.links || !node.attributes.href || !text.trim()) return text;
    return surrounded(text, "[", `](${address(node.attributes.href)})`);
  }

  private list(node: OutlineElement): string {
    let number = Number(node.attributes.start ?? 1);
    const items = itemsOf(node).map((item) => {
      number = Number(item.attributes.value ?? number);
      const mark = node.tag === "ol" ? `${number++}. ` : "- ";
      return hanging(mark, this.blocks(item.children));
    });
    return items.join(items.some((item) => item.includes("\n\n")) ? "\n\n" : "\n");
  }

  private table(node: OutlineElement): string {
    const captions = node.children.filter((child) => isTag(child, "caption"));
    const rows = rowsOf(node).map((row) => this.cells(row));
    const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
    const lines = rows.map(
      (row) => `| ${Array.from({ length: columns }, (_, place) => row[place] ?? "").join(" | ")} |`,
    );
    lines.splice(1, 0, `|${" --- |".repeat(columns)}`);
    return [...captions.map((caption) => this.blocks([caption])), columns ? lines.join("\n") : ""]
      .filter(Boolean)
      .join("\n\n");
  }

  private cells(row: OutlineElement): string[] {
    return row.children.flatMap((cell) => {
      if (typeof cell === "string") return [this.line([cell])];
      const wide = Number(cell.attributes.colspan ?? 1);
      return [this.line(cell.children), ...Array.from({ length: wide - 1 }, () => "")];
    });
  }
}

/** Runs of inline nodes, and between them the blocks; an inline element that holds blocks gives way to them. */
function grouped(nodes: readonly OutlineNode[]): (OutlineNode[] | OutlineElement)[] {
  const groups: (OutlineNode[] | OutlineElement)[] = [];
  for (const node of nodes) {
    if (isInline(node)) {
      const last = groups.at(-1);
      if (Array.isArray(last)) last.push(node);
      else groups.push([node]);
    } else groups.push(node as OutlineElement);
  }
  return groups;
}

function isInline(node: OutlineNode): boolean {
  if (typeof node === "string" || node.tag === "br" || node.tag === "img") return true;
  return INLINE.has(node.tag) && node.children.every(isInline);
}

function isTag(node: OutlineNode, tag: string): node is OutlineElement {
  return typeof node !== "string" && node.tag === tag;
}

/** The items of a list; what is in it and no item counts as one. */
function itemsOf(list: OutlineElement): OutlineElement[] {
  return list.children.map((child) => {
    if (isTag(child, "li")) return child;
    const item = element("li");
    item.children.push(child);
    return item;
  });
}

function rowsOf(node: OutlineElement): OutlineElement[] {
  return node.children.flatMap((child) => {
    if (typeof child === "string" || child.tag === "caption") return [];
    return child.tag === "tr" ? [child] : rowsOf(child);
  });
}

/** A text after a mark, with its other lines indented under it. */
function hanging(mark: string, text: string): string {
  return (
    mark +
    text
      .split("\n")
      .join(`\n${" ".repeat(mark.length)}`)
      .replace(/[ ]+$/gm, (blanks) => (blanks === "  " ? blanks : ""))
  );
}

function fence(node: OutlineElement): string {
  const code = textOf(node).replace(/^\n|\s+$/g, "");
  const inner = node.children.find((child) => isTag(child, "code")) as OutlineElement | undefined;
  const language = (node.attributes.class ?? inner?.attributes.class ?? "").replace("language-", "");
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${code}\n${mark}`;
}

function codeSpan(text: string): string {
  const code = text.replace(/\s+/g, " ").trim();
  if (!code) return text;
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const mark = "`".repeat(longest + 1);
  const pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
  return surrounded(text, mark + pad, pad + mark, code);
}

function emphasised(text: string, mark: string): string {
  return text.includes("\n") ? text : surrounded(text, mark, mark);
}

/** A text with marks around it, the white space at its ends outside of them. */
function surrounded(text: string, before: string, after: string, inner = text.trim()): string {
  if (!inner) return text;
  const [lead] = /^\s*/.exec(text)!;
  const [tail] = /\s*$/.exec(text)!;
  return `${lead}${before}${inner}${after}${tail}`;
}

function escaped(text: string): string {
  return text.replace(SPECIAL, "\\$&").replace(/\s+/g, " ");
}

function address(url: string): string {
  return url.replace(/[()\s<>]/g, (character) => encodeURIComponent(character).replace("(", "%28").replace(")", "%29"));
}
