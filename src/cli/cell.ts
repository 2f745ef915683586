/** Whether typed code is a whole cell, or the next line belongs to it: it ends inside a bracket, template or comment. */
import { parse } from "acorn";

export function isIncomplete(code: string): boolean {
  try {
    parse(code, {
      ecmaVersion: "latest",
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    });
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
