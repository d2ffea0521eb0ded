/** Files: the kept text on the clipboard, or saved as Markdown or HTML. */

import { escapeHtml, htmlOf } from "@dehusk/kernel";
import type { Session } from "./session.js";

const STYLE =
  "body{max-width:70ch;margin:2rem auto;padding:0 1rem;font:1.1rem/1.6 Georgia,serif}img{max-width:100%;height:auto}" +
  "pre{overflow:auto}table{border-collapse:collapse}td,th{border:1px solid #aaa;padding:.3em .6em}";

export async function copyMarkdown(session: Session): Promise<void> {
  try {
    await navigator.clipboard.writeText(session.markdown);
  } catch {
    copyBySelection(session.markdown); // pages without encryption have no clipboard, and others may forbid it
  }
}

export function saveMarkdown(session: Session): void {
  const { title } = session.annotation;
  const head = `---\ntitle: ${JSON.stringify(title)}\nurl: ${JSON.stringify(location.href)}\n---\n\n`;
  save(`${fileName(title)}.md`, "text/markdown", `${head}${session.markdown}\n`);
}

export function saveHtml(session: Session): void {
  const title = escapeHtml(session.annotation.title);
  const source = escapeHtml(location.href);
  const language = escapeHtml(document.documentElement.lang);
  save(
    `${fileName(session.annotation.title)}.html`,
    "text/html",
    `<!doctype html>\n<html${language ? ` lang="${language}"` : ""}>\n<meta charset="utf-8">\n` +
      `<title>${title}</title>\n<style>${STYLE}</style>\n` +
      `<p><a href="${source}">${source}</a></p>\n${htmlOf(session.outline())}\n</html>\n`,
  );
}

function save(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function fileName(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80);
  return name || "page";
}

function copyBySelection(text: string): void {
  const listener = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("copy", listener, { capture: true, once: true });
  document.execCommand("copy");
}
