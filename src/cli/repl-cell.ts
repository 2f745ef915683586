/**
 * Handles code cells that a person types into `bowline play`. A cell may continue in the next line, and the value of
 * its last expression is shown, as in a REPL. An agent sees only what it prints.
 */
import { type ExpressionStatement, type Program, parse } from "acorn";

const PARSE_OPTIONS = {
  ecmaVersion: "latest",
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
} as const;

/** Returns true if the code ends inside a bracket, template or comment, so that the next line belongs to it. */
export function isIncomplete(code: string): boolean {
  try {
    parse(code, PARSE_OPTIONS);
    return false;
  } catch (error) {
    const { pos, message } = error as SyntaxError & { pos?: number };
    const atEnd = pos !== undefined && pos >= code.trimEnd().length;
    return (
      /Unterminated (template|comment)/.test(message) ||
      (atEnd && !/Unterminated string/.test(message))
    );
  }
}

/** Changes a cell so that it also prints the value of its last statement, if this is an expression with a value. */
export function addPrintOfLastValue(code: string): string {
  const text = isObjectLiteral(code) ? `(${code.trim()})` : code;
  const last = parseCell(text)?.body.at(-1);
  if (last?.type !== "ExpressionStatement") return code;
  const { start, end } = (last as ExpressionStatement).expression;
  const print = "((value) => { if (value !== undefined) print(value); })";
  // The closing bracket is on its own line, because the expression may end in a comment.
  return `${text.slice(0, start)}${print}(await (${text.slice(start, end)}\n))${text.slice(end)}`;
}

/**
 * Returns true for code such as `{ a: 1 }`, which its author means as an object although JavaScript reads it as a
 * block.
 */
function isObjectLiteral(code: string): boolean {
  const text = code.trim();
  return text.startsWith("{") && text.endsWith("}") && parseCell(`(${text})`) !== undefined;
}

function parseCell(code: string): Program | undefined {
  try {
    return parse(code, PARSE_OPTIONS);
  } catch {
    return undefined;
  }
}
