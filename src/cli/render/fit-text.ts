/**
 * Fits everything that a command prints into the width of the terminal: lines break at words and continue below the
 * text that they belong to, commands break so that they can be copied, and tables get narrower columns.
 */
import { narrowTable, readTable } from "./narrow-table.ts";
import { displayWidth, withoutColours, wrapText } from "./text.ts";

/**
 * Breaks the lines of a text that are longer than `columns` characters. Only a single word can stay longer, such as a
 * path. JSON stays as it is, because a break would destroy it.
 */
export function fitText(text: string, columns: number): string {
  const lines = text.split("\n");
  if (lines.every((line) => displayWidth(line) <= columns) || isJson(text)) return text;
  const fitted: string[] = [];
  for (let i = 0; i < lines.length; ) {
    const table = readTable(lines, i);
    if (table === undefined) fitted.push(...fitLine(lines[i]!, columns));
    else fitted.push(...narrowTable(table, columns));
    i += table?.lines ?? 1;
  }
  return fitted.join("\n");
}

function fitLine(line: string, columns: number): string[] {
  if (displayWidth(line) <= columns) return [line];
  const plain = withoutColours(line);
  const hang = " ".repeat(hangingIndent(plain, columns));
  const isCommand = COMMAND.test(plain);
  return wrapText(line, columns, { hang, keepWords: true, ...(isCommand && { tail: " \\" }) });
}

/** Matches a command for a shell with nothing after it. */
const COMMAND = /^ +(?:npx |npm |node )?(?:bowline|run bowline|\S*main\.js)(?: \S+)*$/;

/** Returns where a line continues: below its last column, such as the text of an option, or a little indented. */
function hangingIndent(line: string, columns: number): number {
  const indent = /^ */.exec(line)![0].length;
  const gap = [...line.matchAll(/\S {2,}(?=\S)/g)].map(
    ({ 0: found, index }) => index + found.length,
  );
  const column = gap.filter((at) => at > indent && at <= columns / 2).at(-1);
  return column ?? indent + (COMMAND.test(line) ? 4 : 2);
}

function isJson(text: string): boolean {
  if (!/^[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
