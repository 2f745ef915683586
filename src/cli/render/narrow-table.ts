/**
 * Makes a table of `renderTable` narrower: cells break at words, and where this is not enough, further columns follow
 * in a second table that repeats the first columns.
 */
import {
  displayWidth,
  padEnd,
  padStart,
  splitIntoUnits,
  unitWidth,
  withoutColours,
  wrapText,
} from "./text.ts";

/** A table that was read from lines of text. */
export interface ReadTable {
  /** How many lines of the text it has. */
  readonly lines: number;
  /** The rows without the rule, of which the first is the head. */
  readonly rows: readonly (readonly string[])[];
  readonly columns: readonly TableColumn[];
  /** The colour codes around the rule, with a `─` between them. */
  readonly rule: string;
}

interface TableColumn {
  readonly start: number;
  readonly end: number;
  readonly isRight: boolean;
  /** The length of the longest word. */
  readonly least: number;
}

const INDENT = 2;
const GAP = 2;

/** Reads the table whose head is line `at`. Returns undefined when no table begins there. */
export function readTable(lines: readonly string[], at: number): ReadTable | undefined {
  const rule = lines[at + 1];
  if (rule === undefined || !/^ {2}─+(?: {2}─+)*$/.test(withoutColours(rule))) return undefined;
  const spans = [...withoutColours(rule).matchAll(/─+/g)].map(({ 0: dashes, index }) => ({
    start: index,
    end: index + dashes.length,
  }));
  const isRow = (line: string | undefined) =>
    line !== undefined && line !== "" && fitsSpans(withoutColours(line), spans);
  let end = at + 2;
  while (isRow(lines[end])) end++;
  const rows = [lines[at]!, ...lines.slice(at + 2, end)].map((line) =>
    spans.map(({ start, end }) => sliceShown(line, start, end)),
  );
  const columns = spans.map((span, i) => {
    const cells = rows.map((row) => row[i]!);
    const words = cells.flatMap((cell) => withoutColours(cell).split(" "));
    const isRight = cells.some((cell) => /^ +\S/.test(withoutColours(cell)));
    return { ...span, isRight, least: Math.max(1, ...words.map((word) => [...word].length)) };
  });
  const trimmed = rows.map((row) => row.map((cell) => cell.replace(/^ +| +$/g, "")));
  return { lines: end - at, rows: trimmed, columns, rule: rule.trim().replace(/─.*─|─/, "─") };
}

/** Says whether a line has nothing between the columns. */
function fitsSpans(line: string, spans: readonly { start: number; end: number }[]): boolean {
  const characters = [...line];
  const isFree = (at: number) => (characters[at] ?? " ") === " ";
  return (
    characters.length <= spans.at(-1)!.end &&
    [0, 1].every(isFree) &&
    spans.slice(0, -1).every(({ end }) => isFree(end) && isFree(end + 1))
  );
}

/** Cuts the characters from `start` to `end` out of a line, with the colour codes between them. */
function sliceShown(line: string, start: number, end: number): string {
  let at = 0;
  const units = splitIntoUnits(line).filter((unit) => {
    const isInside = unitWidth(unit) === 0 ? at >= start && at <= end : at >= start && at < end;
    at += unitWidth(unit);
    return isInside;
  });
  return units.join("");
}

/** Renders the table with at most `columns` characters in a line, apart from words that are longer. */
export function narrowTable(table: ReadTable, columns: number): string[] {
  const room = columns - INDENT;
  return chooseBlocks(table, room).flatMap((block, i) => {
    const widths = shareRoom(
      block.map((column) => table.columns[column]!),
      room,
    );
    return [...(i === 0 ? [] : [""]), ...renderBlock(table, block, widths)];
  });
}

/**
 * Chooses which columns stand beside each other. Each block but the first begins again with the column that tells rows
 * apart, and with the first where that has only marks.
 */
function chooseBlocks(table: ReadTable, room: number): number[][] {
  const { columns } = table;
  const keys = listKeys(table);
  const blocks: number[][] = [[0]];
  for (let i = 1; i < columns.length; i++) {
    const block = blocks.at(-1)!;
    const isRoom = leastWidth([...block, i].map((one) => columns[one]!)) <= room;
    if (isRoom || block.length <= (blocks.length > 1 ? keys.length : 1)) block.push(i);
    else blocks.push([...keys.filter((key) => key !== i), i]);
  }
  return blocks;
}

/** Lists the columns that a further block repeats: marks without a title, and the first column without equal cells. */
function listKeys({ columns, rows: [head, ...rows] }: ReadTable): number[] {
  const hasMarks = head![0] === "" && columns[0]!.end - columns[0]!.start === 1;
  const isDistinct = (i: number) => new Set(rows.map((row) => row[i])).size === rows.length;
  const first = hasMarks && columns.length > 1 ? 1 : 0;
  const named = columns.findIndex((_, i) => i >= first && isDistinct(i));
  const key = named < 0 ? first : named;
  return hasMarks && key > 0 ? [0, key] : [key];
}

const leastWidth = (columns: readonly TableColumn[]) =>
  columns.reduce((sum, { least }) => sum + least, GAP * (columns.length - 1));

/** Gives every column the width it needs, and takes from the widest columns what is too much. */
function shareRoom(columns: readonly TableColumn[], room: number): number[] {
  const widths = columns.map(({ start, end }) => end - start);
  const tooMuch = () =>
    widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1)) - room;
  while (tooMuch() > 0) {
    const spare = widths.map((width, i) => (width > columns[i]!.least ? width : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (spare[widest] === 0) break;
    widths[widest]!--;
  }
  return widths;
}

function renderBlock(
  table: ReadTable,
  block: readonly number[],
  widths: readonly number[],
): string[] {
  const [head = [], ...rows] = table.rows.map((row) => layRow(table, row, block, widths));
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return [...head, `  ${table.rule.replace("─", rule)}`, ...rows.flat()];
}

function layRow(
  { columns }: ReadTable,
  row: readonly string[],
  block: readonly number[],
  widths: readonly number[],
): string[] {
  const cells = block.map((column, i) => wrapText(row[column]!, widths[i]!, { keepWords: true }));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const parts = cells.map((lines, i) => {
      const pad = columns[block[i]!]!.isRight ? padStart : padEnd;
      return pad(lines[line] ?? "", widths[i]!);
    });
    return `  ${parts.join("  ")}`.trimEnd();
  }).filter((line) => displayWidth(line) > 0 || height === 1);
}
