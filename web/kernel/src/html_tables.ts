/** HTML tables: which table an element is in, which tables hold data, and row and column of their cells. */

import { html_tables } from "./generated/constants.js";
import type { Elements } from "./page/leaves.js";

const { MOST_COLUMNS, MOST_ROWS, MOST_PLACES_PER_CELL } = html_tables;
const ROW_GROUPS = new Set<string>(html_tables.ROW_GROUPS);
const PARTS = new Map<string, number>(Object.entries(html_tables.PARTS));
const NUMBER = /^[\t-\r ]*\+?([0-9]{1,6})/;

/** A td or th in the grid of its table. */
export interface Cell {
  element: number;
  row: number;
  column: number;
  high: number;
  wide: number;
  head: boolean;
}

/** The innermost table around every element, or -1, and which elements are tables for layout. */
export interface EnclosingTables {
  readonly enclosing: Int32Array;
  readonly isLayout: Uint8Array;
}

/** Tables that hold another table or a heading lay out the page, and their cells are no cells. */
export function enclosingTables(elements: Elements): EnclosingTables {
  const { tag, parent } = elements;
  const enclosing = new Int32Array(tag.length);
  const isLayout = new Uint8Array(tag.length);
  enclosing[0] = -1;
  for (let index = 1; index < tag.length; index++) {
    const above = parent[index];
    const table = PARTS.get(tag[above]) === 1 ? above : enclosing[above];
    enclosing[index] = table;
    if (table >= 0 && PARTS.has(tag[index])) isLayout[table] = 1;
  }
  return { enclosing, isLayout };
}

/** Which elements are in a table for layout, but not in a table of data inside it. */
export function inLayoutTable(elements: Elements): Uint8Array {
  const { enclosing, isLayout } = enclosingTables(elements);
  return Uint8Array.from(enclosing, (table) => (table < 0 ? 0 : isLayout[table]));
}

/** The cells of a table that is none for layout; none unless it is a table of data. */
export function dataCells(elements: Elements, table: number): Cell[] {
  const cells = readCells(elements, table);
  return isGrid(cells) ? cells : [];
}

function readCells(elements: Elements, table: number): Cell[] {
  const { tag, parent } = elements;
  const grid = new Grid();
  const cells: { group: number; cell: Cell }[] = [];
  const lastRows = [-1];
  let group = -1;
  let inHead = false;
  for (let index = table + 1; index < tag.length && parent[index] >= table; index++) {
    if (tag[index] === "td" || tag[index] === "th") {
      const high = spanOf(elements, index, "rowspan") || MOST_ROWS;
      const place = grid.place(spanOf(elements, index, "colspan") || 1, high);
      cells.push({ group, cell: { element: index, ...place, high, head: inHead || tag[index] === "th" } });
    } else if (tag[index] === "tr") {
      grid.nextRow();
      lastRows[lastRows.length - 1] = grid.row;
    } else if (ROW_GROUPS.has(tag[index])) {
      grid.nextGroup();
      group++;
      inHead = tag[index] === "thead";
      lastRows.push(grid.row);
    }
  }
  // No cell extends beyond its row group, and where that ends is known only now.
  return cells.map(({ group, cell }) =>
    cell.high === 1 ? cell : { ...cell, high: Math.min(cell.high, lastRows[group + 1] - cell.row + 1) },
  );
}

function isGrid(cells: readonly Cell[]): boolean {
  const places = new Set(cells.map((cell) => cell.row * MOST_COLUMNS + cell.column));
  const rows = new Set(cells.map((cell) => cell.row)).size;
  const columns = new Set(cells.map((cell) => cell.column)).size;
  return (
    places.size === cells.length && // beyond the last column that is allowed, cells overlap
    rows > 1 &&
    (columns > 1 || cells.some((cell) => cell.head)) &&
    rows * columns <= MOST_PLACES_PER_CELL * cells.length + 1000
  );
}

/** Which columns of a table are occupied, and up to which row. */
class Grid {
  row = -1;
  private column = 0;
  private taken: number[] = [];

  nextGroup(): void {
    this.taken = []; // no cell extends into the next row group
  }

  nextRow(): void {
    this.row++;
    this.column = 0;
  }

  /** Put a cell into the first free column of this row: where it is, and how many columns it occupies alone. */
  place(wide: number, high: number): { row: number; column: number; wide: number } {
    let column = this.column;
    while (column < this.taken.length && (this.taken[column] ?? -1) >= this.row) column++;
    column = Math.min(column, MOST_COLUMNS - 1);
    const end = Math.min(column + wide, MOST_COLUMNS);
    const last = this.row + Math.min(high, MOST_ROWS) - 1;
    let alone = end - column;
    for (let each = end - 1; each >= column; each--) {
      if ((this.taken[each] ?? -1) >= this.row) alone = each - column;
      this.taken[each] = Math.max(this.taken[each] ?? -1, last); // what is taken for longer stays taken
    }
    this.column = Math.min(end, MOST_COLUMNS - 1);
    return { row: Math.max(this.row, 0), column, wide: Math.max(alone, 1) };
  }
}

/** A span by the rule of the HTML standard: the number that the value begins with, or 1. */
function spanOf(elements: Elements, index: number, name: string): number {
  const number = NUMBER.exec(elements.node[index]?.getAttribute(name) ?? "");
  return number ? Number(number[1]) : 1;
}
