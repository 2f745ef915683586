/**
 * Decides where each variable of a template lives, as Jinja's compiler does before it runs anything.
 *
 * The template, the body of a loop, of a macro and of some tags are scopes. A scope knows the names that are assigned
 * or read first in it; any other name belongs to a scope around it. When a scope is entered, each of its names gets its
 * first value: that of the same name around it (`outer`), of the variable that the template was given (`context`), or
 * none. So a name that is assigned anywhere in the template is undefined in a loop before the assignment, even if the
 * template was given a variable of this name.
 */
import {
  type Expression,
  type ForStatement,
  type IfStatement,
  type MacroBody,
  type Statement,
  type Target,
  visitSubexpressions,
} from "./nodes.ts";
import { Scope } from "./scope.ts";

/** Finds the scopes of a template and of everything in it. The scopes are stored in the tree. */
export function findScopes(template: readonly Statement[]): Scope {
  const scope = new Scope();
  analyzeAll(template, scope);
  for (const statement of template) findInnerScopes(statement, scope);
  return scope;
}

function analyzeAll(statements: readonly Statement[], scope: Scope): void {
  for (const statement of statements) analyze(statement, scope);
}

/** Enters the names of a statement into its scope. Bodies that are scopes of their own are left out. */
function analyze(statement: Statement, scope: Scope): void {
  switch (statement.type) {
    case "print":
      read(statement.value, scope);
      return;
    case "set":
      read(statement.value, scope);
      assign(statement.target, scope);
      return;
    case "set-block":
      assign(statement.target, scope);
      return;
    case "for":
      read(statement.iterable, scope);
      return;
    case "if":
      analyzeIf(statement, scope);
      return;
    case "macro":
      scope.assign(statement.name);
      return;
    case "call-block":
      read(statement.call, scope);
      return;
    case "filter-block":
      read(statement.filter, scope);
      return;
    case "with":
      for (const value of statement.values) read(value, scope);
      return;
    default:
  }
}

function read(expression: Expression, scope: Scope): void {
  if (expression.type === "name") scope.read(expression.name);
  visitSubexpressions(expression, (child) => read(child, scope));
}

function assign(target: Target, scope: Scope): void {
  if (target.type === "name") scope.assign(target.name);
  else if (target.type === "namespace-attribute") scope.read(target.name);
  else for (const item of target.items) assign(item, scope);
}

function declareAll(target: Target, scope: Scope): void {
  if (target.type === "name") scope.declare(target.name);
  else if (target.type === "targets") for (const item of target.items) declareAll(item, scope);
}

/** Jinja takes all `elif` together as one branch, in which each is a further `if`. */
function analyzeIf({ branches, otherwise }: IfStatement, scope: Scope): void {
  const [first, ...others] = branches;
  read(first!.test, scope);
  const body = scope.copy();
  analyzeAll(first!.body, body);
  const elifs = scope.copy();
  for (const branch of others) analyzeIf({ type: "if", branches: [branch], otherwise: [] }, elifs);
  const last = scope.copy();
  analyzeAll(otherwise, last);
  scope.join([body, elifs, last]);
}

/** Creates the scopes of the bodies in a statement. */
function findInnerScopes(statement: Statement, scope: Scope): void {
  const enter = (body: readonly Statement[], inner: Scope) => {
    analyzeAll(body, inner);
    for (const child of body) findInnerScopes(child, inner);
    return inner;
  };
  switch (statement.type) {
    case "if":
      for (const { body } of statement.branches)
        for (const child of body) findInnerScopes(child, scope);
      for (const child of statement.otherwise) findInnerScopes(child, scope);
      return;
    case "for":
      statement.scopes = findLoopScopes(statement, scope, enter);
      return;
    case "macro":
    case "call-block":
    case "generation":
      findMacroScope(statement.macro, scope, enter);
      return;
    case "set-block":
      statement.scope = enter(statement.body, new Scope(scope));
      return;
    case "filter-block": {
      const inner = new Scope(scope);
      read(statement.filter, inner);
      statement.scope = enter(statement.body, inner);
      return;
    }
    case "with": {
      const inner = new Scope(scope);
      for (const target of statement.targets) declareAll(target, inner);
      statement.scope = enter(statement.body, inner);
      return;
    }
    default:
  }
}

type Enter = (body: readonly Statement[], inner: Scope) => Scope;

function findLoopScopes(
  { target, test, body, otherwise }: ForStatement,
  scope: Scope,
  enter: Enter,
): NonNullable<ForStatement["scopes"]> {
  const inBody = new Scope(scope);
  inBody.declare("loop");
  declareAll(target, inBody);
  const inTest = new Scope(scope);
  declareAll(target, inTest);
  if (test) read(test, inTest);
  return {
    body: enter(body, inBody),
    otherwise: enter(otherwise, new Scope(scope)),
    test: inTest,
  };
}

const SPECIAL = ["caller", "kwargs", "varargs"];

function findMacroScope(macro: MacroBody, scope: Scope, enter: Enter): void {
  const inner = new Scope(scope);
  for (const { name } of macro.parameters) inner.declare(name);
  for (const { fallback } of macro.parameters) if (fallback) read(fallback, inner);
  const names = macro.parameters.map(({ name }) => name);
  const isRead = findUndeclared(macro.body);
  const special = SPECIAL.filter((name) => isRead.has(name) && !names.includes(name));
  for (const name of special) inner.declare(name);
  macro.special = new Set(special);
  macro.scope = enter(macro.body, inner);
}

/** Returns those of the special names that the statements read before they assign them. */
function findUndeclared(statements: readonly Statement[]): ReadonlySet<string> {
  const found = new Set<string>();
  const assigned = new Set<string>();
  const readName = (expression: Expression): void => {
    if (expression.type === "name" && !assigned.has(expression.name)) found.add(expression.name);
    visitSubexpressions(expression, readName);
  };
  const visitTarget = (target: Target): void => {
    if (target.type === "name") assigned.add(target.name);
    else if (target.type === "targets") target.items.forEach(visitTarget);
  };
  for (const statement of statements) visitAll(statement, readName, visitTarget);
  return new Set(SPECIAL.filter((name) => found.has(name)));
}

/** Visits the expressions and targets of a statement and of everything in it. */
export function visitAll(
  statement: Statement,
  onExpression: (expression: Expression) => void,
  onTarget: (target: Target) => void = () => undefined,
): void {
  const all = (body: readonly Statement[]) => {
    for (const child of body) visitAll(child, onExpression, onTarget);
  };
  switch (statement.type) {
    case "print":
      onExpression(statement.value);
      return;
    case "set":
      onTarget(statement.target);
      onExpression(statement.value);
      return;
    case "set-block":
      onTarget(statement.target);
      if (statement.filter) onExpression(statement.filter);
      all(statement.body);
      return;
    case "for":
      onTarget(statement.target);
      onExpression(statement.iterable);
      all(statement.body);
      all(statement.otherwise);
      if (statement.test) onExpression(statement.test);
      return;
    case "if":
      for (const { test, body } of statement.branches) {
        onExpression(test);
        all(body);
      }
      all(statement.otherwise);
      return;
    case "filter-block":
      all(statement.body);
      onExpression(statement.filter);
      return;
    case "with":
      for (const target of statement.targets) onTarget(target);
      for (const value of statement.values) onExpression(value);
      all(statement.body);
      return;
    case "call-block":
      onExpression(statement.call);
      all(statement.macro.body);
      return;
    case "macro":
    case "generation":
      for (const { fallback } of statement.macro.parameters) if (fallback) onExpression(fallback);
      all(statement.macro.body);
      return;
    default:
  }
}
