/** Tables of data are kept or dropped as a whole or in whole rows: with holes in it a table says something else. */

import type { Blocks } from "../blocks.js";
import { selection_whole_tables as constants } from "../generated/constants.js";
import { type Cell, dataCells, enclosingTables } from "../html_tables.js";
import type { Elements } from "../page/leaves.js";

const { WHOLE, NONE, FEWEST_CELLS, LONGEST_CELL, MOST_BLOCKS } = constants;

/** The blocks of one table: their numbers, cells (-1 for captions), lengths, and which of them are kept. */
interface TableBlocks {
  readonly cells: readonly Cell[];
  readonly numbers: readonly number[];
  readonly ofCells: readonly number[];
  readonly lengths: readonly number[];
  readonly before: readonly boolean[];
}

/**
 * What is kept, with tables of data that were kept in part kept or dropped in whole rows.
 *
 * A table that is mostly kept is kept as a whole, one of which little is kept is dropped, and what is in between is
 * decided row by row; header rows and the caption go with the rows that they are for.
 */
export function withWholeTables(blocks: Blocks, kept: readonly boolean[]): boolean[] {
  const { enclosing, isLayout } = enclosingTables(blocks.elements);
  const numbersOf = new Map<number, number[]>();
  blocks.owner.forEach((owner, block) => {
    const table = enclosing[owner];
    if (table < 0 || isLayout[table]) return;
    if (!numbersOf.has(table)) numbersOf.set(table, []);
    numbersOf.get(table)!.push(block);
  });
  const result = kept.slice();
  for (const [table, numbers] of numbersOf) {
    const some = numbers.filter((block) => kept[block]).length;
    if (some === 0 || some === numbers.length) continue;
    const cells = dataCells(blocks.elements, table);
    if (cells.length) makeWhole(blocks, cells, numbers, result);
  }
  return result;
}

function makeWhole(blocks: Blocks, cells: readonly Cell[], numbers: readonly number[], kept: boolean[]): void {
  const table: TableBlocks = {
    cells,
    numbers,
    ofCells: cellsOf(
      blocks.elements,
      cells,
      numbers.map((block) => blocks.owner[block]),
    ),
    lengths: numbers.map((block) => blocks.end[block] - blocks.start[block]),
    before: numbers.map((block) => kept[block]),
  };
  if (!holdsData(table)) return;
  const wanted = wantedBlocks(table);
  const filled = new Set(table.ofCells.filter((_, number) => table.before[number]));
  // What a page hides is no hole either, unless the whole table waits for a click.
  const allHidden = numbers.every((block) => blocks.hidden[block]);
  numbers.forEach((block, number) => {
    const outOfSight = blocks.hidden[block] && !allHidden;
    kept[block] = wanted[number] && (kept[block] || !(outOfSight || filled.has(table.ofCells[number])));
  });
}

function wantedBlocks(table: TableBlocks): boolean[] {
  const share = sum(table.lengths.filter((_, number) => table.before[number])) / sum(table.lengths);
  if (share >= NONE && share < WHOLE) return keptInRows(table);
  return table.numbers.map(() => share >= WHOLE);
}

/** The number of the cell that each element is in, -1 for captions. */
function cellsOf(elements: Elements, cells: readonly Cell[], owners: readonly number[]): number[] {
  const numbers = new Map(cells.map((cell, number) => [cell.element, number]));
  return owners.map((owner) => {
    const inside: number[] = [];
    let element = owner;
    for (; !numbers.has(element) && elements.tag[element] !== "table"; element = elements.parent[element])
      inside.push(element);
    const number = numbers.get(element) ?? -1;
    // Blocks may be thousands of elements deep in one cell, and share most of these.
    for (const each of inside) numbers.set(each, number);
    return number;
  });
}

/** Old forums and listings are in tables, too: without a header, these figures tell tables of data apart. */
function holdsData({ cells, ofCells, lengths }: TableBlocks): boolean {
  if (cells.some((cell) => cell.head)) return true;
  const sizes = new Map<number, number>();
  ofCells.forEach((cell, number) => sizes.set(cell, (sizes.get(cell) ?? 0) + lengths[number]));
  const longest = [...sizes.values()].reduce((most, each) => Math.max(most, each), 0);
  return (
    sizes.size >= FEWEST_CELLS && longest <= LONGEST_CELL * sum(lengths) && ofCells.length <= MOST_BLOCKS * sizes.size
  );
}

/** Which blocks of a table are kept if its rows stay whole. */
function keptInRows({ cells, ofCells, lengths, before }: TableBlocks): boolean[] {
  const { bands, isHeader } = bandsOf(cells);
  const balance = isHeader.map(() => 0); // of each band, the characters that are kept less those that are not
  ofCells.forEach((cell, number) => {
    if (cell >= 0) balance[bands[cell]] += before[number] ? lengths[number] : -lengths[number];
  });
  const keeps = balance.map((each, band) => each > 0 && !isHeader[band]);
  const anyKept = keeps.includes(true);
  keepHeaders(keeps, isHeader);
  return ofCells.map((cell) => (cell < 0 ? anyKept : keeps[bands[cell]]));
}

/** The band of each cell, which is a row or several that cells connect, and which bands are headers. */
function bandsOf(cells: readonly Cell[]): { bands: number[]; isHeader: boolean[] } {
  const bands: number[] = [];
  const isHeader: boolean[] = [];
  let reach = -1;
  for (const cell of cells) {
    if (cell.row > reach) isHeader.push(true);
    reach = Math.max(reach, cell.row + cell.high - 1);
    isHeader[isHeader.length - 1] &&= cell.head;
    bands.push(isHeader.length - 1);
  }
  // The first row is most likely to be one that is not marked as such.
  if (!isHeader.includes(true)) isHeader[0] = true;
  return { bands, isHeader: isHeader.includes(false) ? isHeader : isHeader.map(() => false) };
}

/** Keep the headers that come before rows that are kept: the first ones, and those of each section. */
function keepHeaders(keeps: boolean[], isHeader: readonly boolean[]): void {
  let below = false; // whether a row of the section is kept
  for (let band = keeps.length - 1; band >= 0; band--) {
    if (isHeader[band]) keeps[band] = below;
    else below = keeps[band] || (below && !isHeader[band + 1]);
  }
  for (let band = 0; band < keeps.length && isHeader[band]; band++) keeps[band] = keeps.includes(true);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
