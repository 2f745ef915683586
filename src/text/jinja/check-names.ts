/** Checks the names of filters and tests before a template runs, as Jinja does. */
import { isFilter, isTest } from "./library/library.ts";
import { type Expression, type Statement, visitSubexpressions } from "./syntax/nodes.ts";

/**
 * Throws for a filter or test that does not exist. In a condition and in its branches, an unknown name is an error only
 * when it is used: a template may ask first whether a filter exists.
 */
export function requireKnownNames(statements: readonly Statement[], inCondition = false): void {
  for (const statement of statements) checkStatement(statement, inCondition);
}

function checkStatement(statement: Statement, inCondition: boolean): void {
  const check = (expression: Expression) => checkExpression(expression, inCondition);
  switch (statement.type) {
    case "print":
    case "set":
      check(statement.value);
      return;
    case "if":
      for (const { test, body } of statement.branches) {
        checkExpression(test, true);
        requireKnownNames(body, true);
      }
      requireKnownNames(statement.otherwise, true);
      return;
    case "for":
      check(statement.iterable);
      if (statement.test) checkExpression(statement.test, false);
      requireKnownNames(statement.body);
      requireKnownNames(statement.otherwise);
      return;
    case "set-block":
    case "filter-block":
      if (statement.filter) checkExpression(statement.filter, false);
      requireKnownNames(statement.body);
      return;
    case "with":
      for (const value of statement.values) check(value);
      requireKnownNames(statement.body);
      return;
    case "macro":
    case "call-block":
    case "generation":
      if (statement.type === "call-block") check(statement.call);
      for (const { fallback } of statement.macro.parameters)
        if (fallback) checkExpression(fallback, false);
      requireKnownNames(statement.macro.body);
      return;
    default:
  }
}

function checkExpression(node: Expression, inCondition: boolean): void {
  if (!inCondition && node.type === "filter" && !isFilter(node.name))
    throw new Error(`line ${node.line}: No filter named '${node.name}'.`);
  if (!inCondition && node.type === "test" && !isTest(node.name))
    throw new Error(`line ${node.line}: No test named '${node.name}'.`);
  const soft = inCondition || node.type === "choice";
  visitSubexpressions(node, (child) => checkExpression(child, soft));
}
