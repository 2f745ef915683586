/**
 * Finds the variables that a template reads from its caller: names that are read where the template has not set them
 * itself. It follows the order of the statements. A name that is set in only some branches of an `if` still counts as
 * the caller's after it.
 */
import {
  type Expression,
  type MacroBody,
  type Statement,
  type Target,
  visitSubexpressions,
} from "./nodes.ts";
import { listNames } from "./parse-template.ts";

/** Returns the names, also those of functions. */
export function findGivenNames(template: readonly Statement[]): ReadonlySet<string> {
  const found = new Set<string>();
  visitBody(template, new Set(), found);
  return found;
}

type Names = Set<string>;

/** Visits statements in order. `declared` grows by the names that they set in this scope. */
function visitBody(body: readonly Statement[], declared: Names, found: Names): void {
  for (const statement of body) visit(statement, declared, found);
}

function visit(statement: Statement, declared: Names, found: Names): void {
  const read = (expression: Expression | undefined) =>
    expression && readNames(expression, declared, found);
  const visitInner = (body: readonly Statement[], names: readonly string[] = []) =>
    visitBody(body, new Set([...declared, ...names]), found);
  switch (statement.type) {
    case "print":
      read(statement.value);
      break;
    case "set":
      read(statement.value);
      assign(statement.target, declared, found);
      break;
    case "set-block":
      visitInner(statement.body);
      read(statement.filter);
      assign(statement.target, declared, found);
      break;
    case "for": {
      const names = listNames(statement.target);
      read(statement.iterable);
      if (statement.test) readNames(statement.test, new Set([...declared, ...names]), found);
      visitInner(statement.body, [...names, "loop"]);
      visitInner(statement.otherwise);
      break;
    }
    case "if":
      visitBranches(statement, declared, found);
      break;
    case "filter-block":
      read(statement.filter);
      visitInner(statement.body);
      break;
    case "with":
      for (const value of statement.values) read(value);
      visitInner(statement.body, statement.targets.flatMap(listNames));
      break;
    case "macro":
      declared.add(statement.name);
      visitMacro(statement.macro, declared, found);
      break;
    case "call-block":
    case "generation":
      if (statement.type === "call-block") read(statement.call);
      visitMacro(statement.macro, declared, found);
      break;
    default:
  }
}

function visitBranches(
  { branches, otherwise }: Extract<Statement, { type: "if" }>,
  declared: Names,
  found: Names,
): void {
  const after = [...branches.map(({ body }) => body), otherwise].map((body, i) => {
    const test = branches[i]?.test;
    if (test) readNames(test, declared, found);
    const names = new Set(declared);
    visitBody(body, names, found);
    return names;
  });
  for (const name of after[0]!) if (after.every((names) => names.has(name))) declared.add(name);
}

function visitMacro({ parameters, body }: MacroBody, declared: Names, found: Names): void {
  const names = parameters.map(({ name }) => name);
  const inner = new Set([...declared, ...names, "caller", "kwargs", "varargs"]);
  for (const { fallback } of parameters) if (fallback) readNames(fallback, inner, found);
  visitBody(body, inner, found);
}

function readNames(expression: Expression, declared: Names, found: Names): void {
  if (expression.type === "name" && !declared.has(expression.name)) found.add(expression.name);
  visitSubexpressions(expression, (child) => readNames(child, declared, found));
}

function assign(target: Target, declared: Names, found: Names): void {
  if (target.type === "namespace-attribute" && !declared.has(target.name)) found.add(target.name);
  for (const name of listNames(target)) declared.add(name);
}
