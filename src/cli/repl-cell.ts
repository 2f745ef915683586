/**
 * Cells as a person types them. Whether one is whole, or the next line belongs to it: it ends inside a bracket, template or
 * comment. And a cell whose last expression is shown, as a REPL does; an agent sees only what it prints.
 */
import { type ExpressionStatement, type Program, parse } from "acorn";

const PARSE_OPTIONS = {
  ecmaVersion: "latest",
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
} as const;

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

/** The same cell, which also prints the value of its last statement where that is an expression with a value. */
export function addPrintOfLastValue(code: string): string {
  const text = isObjectLiteral(code) ? `(${code.trim()})` : code;
  const last = parseCell(text)?.body.at(-1);
  if (last?.type !== "ExpressionStatement") return code;
  const { start, end } = (last as ExpressionStatement).expression;
  const show = "((value) => { if (value !== undefined) print(value); })";
  // On a line of its own, for the expression may end in a comment.
  return `${text.slice(0, start)}${show}(await (${text.slice(start, end)}\n))${text.slice(end)}`;
}

/** `{ a: 1 }` alone is a block to the language and an object to whoever types it. */
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
