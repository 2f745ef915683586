/**
 * Lays out text in a terminal: width, wrapping and padding. Colour codes have no width, and a break never cuts one.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence starts with one
const ANSI_COLOUR = /\u001b\[[0-9;]*m/g;
const UNIT = new RegExp(`${ANSI_COLOUR.source}|[\\s\\S]`, "gu");

/** Splits a text into colour codes and characters. */
export const splitIntoUnits = (text: string): string[] => text.match(UNIT) ?? [];

/** Returns 1 for a character and 0 for a colour code. */
export const unitWidth = (unit: string): number => (unit.startsWith("\u001b[") ? 0 : 1);

export const withoutColours = (text: string): string => text.replace(ANSI_COLOUR, "");

/** Counts the characters that are shown, without colour codes. */
export function displayWidth(text: string): number {
  return [...withoutColours(text)].length;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

export interface WrapOptions {
  /** What every line but the first begins with; nothing by default. */
  readonly hang?: string;
  /** What every line but the last ends with; nothing by default. */
  readonly tail?: string;
  /** Leaves a word whole that is longer than a line, so that it can be copied, instead of cutting it. */
  readonly keepWords?: boolean;
}

/**
 * Breaks a text into lines of at most `width` characters, at a space if one is near. Line breaks in the text are kept.
 */
export function wrapText(text: string, width: number, options: WrapOptions = {}): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line.replaceAll("\t", "  "), width, options));
}

function wrapLine(
  line: string,
  width: number,
  { hang = "", tail = "", keepWords = false }: WrapOptions,
): string[] {
  const lines: string[] = [];
  let rest = splitIntoUnits(line);
  let start = "";
  while (sumWidths(rest) > width - start.length) {
    const cut = findBreak(rest, width - start.length - tail.length, keepWords);
    if (cut >= rest.length) break;
    lines.push(`${start}${rest.slice(0, cut).join("")}${tail}`);
    rest = rest.slice(rest[cut] === " " ? cut + 1 : cut);
    start = hang;
  }
  return [...lines, start + rest.join("")];
}

const sumWidths = (units: readonly string[]) =>
  units.reduce((sum, unit) => sum + unitWidth(unit), 0);

/** Finds the index of the unit before which a line of at most `width` characters ends. */
function findBreak(units: readonly string[], width: number, keepWords: boolean): number {
  const indent = units.findIndex((unit) => unitWidth(unit) > 0 && unit !== " ");
  const earliest = keepWords ? indent : Math.max(indent, width * 0.4);
  let shown = 0;
  let space = -1;
  for (const [i, unit] of units.entries()) {
    if (unit === " " && i > earliest) {
      if (shown > width && keepWords) return space >= 0 ? space : i;
      if (shown <= width) space = i;
    }
    if (shown > width && (space >= 0 || !keepWords)) break;
    shown += unitWidth(unit);
  }
  if (space >= 0) return space;
  return keepWords ? units.length : indexAtWidth(units, width);
}

/** Returns the index of the unit that follows the first `width` characters. */
function indexAtWidth(units: readonly string[], width: number): number {
  let shown = 0;
  const index = units.findIndex((unit) => {
    shown += unitWidth(unit);
    return shown > width;
  });
  return index < 0 ? units.length : index;
}
