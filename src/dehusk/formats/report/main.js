// The report's own script. What comes from the page is set as text and never as markup; the content policy would stop
// anything else. A cut is what one method made of the page; an atom is a piece of text that no edge of any cut parts.

const SVG = "http://www.w3.org/2000/svg";
const BINS = 50;
const LETTERS = "abcdefghij";
const data = JSON.parse(document.getElementById("data").textContent);
const tags = data.tags.split(" ");
const parents = ints(data.parents);
const main = document.querySelector("main");
const blockList = document.getElementById("blocks");
const clean = document.getElementById("clean");
const detail = document.getElementById("detail");

const cuts = data.cuts.map(asCut);
const title = data.title && titleNode();
const rows = [];
const atoms = makeAtoms();
let pointed = null; // the block under the pointer, else
let focused = null; // the block that has the focus
let stop = null; // the block that the tab key comes to
let lit = []; // the nodes that are marked as the same words
let numbers = null; // of every element among its siblings of the same tag, once somebody asks for a path

buildBlocks();
buildText();
cuts.forEach(buildTool);
listen();
