/**
 * Turns a cell into a script that can be run again and again in one global scope.
 *
 * A second `let x` would be a SyntaxError, and if its initialiser throws, `x` could never be used again. So `let`,
 * `const` and `class` at the top level become `var`; everything deeper (blocks, loop heads, functions) is not changed.
 * Line numbers stay the same, and so do columns, except for classes. The disadvantage is that a cell may assign to a
 * top-level `const` without an error.
 */
import type { Node, Pattern, Program } from "acorn";
import { errorMessage } from "../../core/index.ts";
import { NestingError, parseWithinDepth } from "./parse-within-depth.ts";

export type RewriteResult =
  | { readonly ok: true; readonly script: string }
  | { readonly ok: false; readonly message: string };

type Statement = Program["body"][number];

/** Names that the sandbox defines. A cell may not declare them again at the top level. */
const RESERVED_NAMES = new Set(["apis", "print", "console"]);
const MAX_CODE_CHARS = 200_000;

export function rewriteCell(code: string): RewriteResult {
  if (code.length > MAX_CODE_CHARS) {
    return refusal(`a cell has at most ${MAX_CODE_CHARS} characters, this one has ${code.length}`);
  }
  try {
    return rewriteProgram(escapeForUtf8(code));
  } catch (error) {
    if (error instanceof NestingError) return refusal("the code is nested too deeply");
    if (error instanceof SyntaxError) return refusal(error.message);
    throw new Error(`cannot parse a cell: ${errorMessage(error)}`, { cause: error });
  }
}

/** Escapes NUL and lone surrogates, which QuickJS could not receive unchanged. Literals keep their meaning. */
function escapeForUtf8(code: string): string {
  return code.replace(
    /[\0\p{Surrogate}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function rewriteProgram(code: string): RewriteResult {
  const program = parseWithinDepth(code, {
    ecmaVersion: "latest",
    sourceType: "script",
    allowAwaitOutsideFunction: true,
  });
  const taken = program.body.flatMap(declaredNames).find((name) => RESERVED_NAMES.has(name));
  if (taken) return refusal(`'${taken}' is provided by the sandbox; choose another name`);
  let script = "";
  let done = 0;
  for (const { start, end, text } of program.body.flatMap(statementEdits)) {
    script += code.slice(done, start) + text;
    done = end;
  }
  return { ok: true, script: script + code.slice(done) };
}

interface SourceEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the edits for a top-level statement, in order and without overlap. */
function statementEdits(statement: Statement): SourceEdit[] {
  const insertion = (at: number, text: string): SourceEdit => ({ start: at, end: at, text });
  const { start, end } = statement;
  if (statement.type === "ClassDeclaration") {
    return [insertion(start, `var ${statement.id.name}=`), insertion(end, ";")];
  }
  if (statement.type !== "VariableDeclaration") return [];
  const { kind, declarations } = statement;
  if (kind !== "let" && kind !== "const") return [];
  // `let x;` makes x undefined again; `var x;` would keep its old value.
  const empty = declarations
    .filter(({ init }) => !init)
    .map(({ id }) => insertion(id.end, "=undefined"));
  return [{ start, end: start + kind.length, text: "var".padEnd(kind.length) }, ...empty];
}

function declaredNames(statement: Statement): string[] {
  switch (statement.type) {
    case "VariableDeclaration":
      return statement.declarations.flatMap(({ id }) => boundNames(id));
    case "ClassDeclaration":
    case "FunctionDeclaration":
      return [statement.id.name];
    default:
      return [];
  }
}

function boundNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((p) =>
        boundNames(p.type === "RestElement" ? p.argument : p.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? boundNames(element) : []));
    case "RestElement":
      return boundNames(pattern.argument);
    case "AssignmentPattern":
      return boundNames(pattern.left);
    case "MemberExpression":
      return [];
    default:
      pattern satisfies never;
      throw new Error(`unknown pattern ${(pattern as Node).type}`);
  }
}

function refusal(message: string): RewriteResult {
  return { ok: false, message };
}
