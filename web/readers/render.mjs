// Markdown readers for testing/markdown_readers.py: reads a list of texts, writes {reader: [html, …]}, both as JSON. HTML is
// on in all of them, and so is what a wiki or a chat usually adds: tables, strikethrough, footnotes, bare addresses.
import { readFileSync } from "node:fs";
import { HtmlRenderer, Parser } from "commonmark";
import MarkdownIt from "markdown-it";
import { marked } from "marked";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import showdown from "showdown";

const parser = new Parser();
const renderer = new HtmlRenderer();
const markdownIt = new MarkdownIt({ html: true, linkify: true, typographer: false });
const plain = new showdown.Converter();
const github = new showdown.Converter({ parseImgDimensions: true, underline: true, ellipsis: true });
github.setFlavor("github");
github.setOption("ghMentions", false); // links of the reader's own

const READERS = {
  commonmark: (text) => renderer.render(parser.parse(text)),
  "markdown-it with linkify": (text) => markdownIt.render(text),
  marked: (text) => marked.parse(text),
  micromark: (text) =>
    micromark(text, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }),
  showdown: (text) => plain.makeHtml(text),
  "showdown as GitHub": (text) => github.makeHtml(text),
};

const texts = JSON.parse(readFileSync(0, "utf8"));
const read = ([name, reader]) => [name, texts.map((text) => reader(text))];
process.stdout.write(JSON.stringify(Object.fromEntries(Object.entries(READERS).map(read))));
