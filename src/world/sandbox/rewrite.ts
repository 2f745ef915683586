/**
 * Turns a cell into a script that can be run again and again in one global scope.
 *
 * A second `let x` would be a SyntaxError, and after a throwing initialiser `x` would be dead for good. So `let`,
 * `const` and `class` at the top level become `var`; everything deeper (blocks, loop heads, functions) is untouched.
 * Lines and, but for classes, columns stay where they were.
 */
import { type Node, type Pattern, parse } from "acorn";
import { messageOf } from "../../core/index.ts";

export type Rewritten =
  | { readonly ok: true; readonly script: string }
  | { readonly ok: false; readonly message: string };

/** Names that the sandbox defines and a cell may not redeclare at the top level. */
const RESERVED = new Set(["apis", "print", "console"]);
const MAX_CODE_CHARS = 200_000;

export function rewriteCell(code: string): Rewritten {
  if (code.length > MAX_CODE_CHARS) {
    return refuse(`a cell has at most ${MAX_CODE_CHARS} characters, this one has ${code.length}`);
  }
  try {
    return rewrite(escapeForUtf8(code));
  } catch (error) {
    if (error instanceof SyntaxError) return refuse(error.message);
    if (error instanceof RangeError) return refuse("the code is nested too deeply");
    throw new Error(`cannot parse a cell: ${messageOf(error)}`, { cause: error });
  }
}

/** NUL and lone surrogates do not survive the way into QuickJS; inside literals their escapes mean the same. */
function escapeForUtf8(code: string): string {
  return code.replace(
    /[\0\p{Surrogate}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function rewrite(code: string): Rewritten {
  const program = parse(code, {
    ecmaVersion: "latest",
    sourceType: "script",
    allowAwaitOutsideFunction: true,
  });
  let script = "";
  let done = 0;
  const replace = (start: number, end: number, text: string) => {
    script += code.slice(done, start) + text;
    done = end;
  };
  for (const statement of program.body) {
    if (statement.type === "VariableDeclaration") {
      for (const { id } of statement.declarations) {
        const taken = boundNames(id).find((name) => RESERVED.has(name));
        if (taken) return reserved(taken);
      }
      if (statement.kind !== "let" && statement.kind !== "const") continue;
      replace(
        statement.start,
        statement.start + statement.kind.length,
        statement.kind === "let" ? "var" : "var  ",
      );
      for (const declarator of statement.declarations) {
        // `let x;` makes x undefined again, `var x;` would keep its old value.
        if (!declarator.init) replace(declarator.id.end, declarator.id.end, "=undefined");
      }
    } else if (statement.type === "ClassDeclaration") {
      if (RESERVED.has(statement.id.name)) return reserved(statement.id.name);
      replace(statement.start, statement.start, `var ${statement.id.name}=`);
      replace(statement.end, statement.end, ";");
    } else if (statement.type === "FunctionDeclaration" && RESERVED.has(statement.id.name)) {
      return reserved(statement.id.name);
    }
  }
  return { ok: true, script: script + code.slice(done) };
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

function refuse(message: string): Rewritten {
  return { ok: false, message };
}

function reserved(name: string): Rewritten {
  return refuse(`'${name}' is provided by the sandbox; choose another name`);
}
