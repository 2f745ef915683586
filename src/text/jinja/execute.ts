/** Runs the statements of a template. */

import { applyFilter, evaluate, evaluateCall } from "./evaluate.ts";
import { Frame } from "./frame.ts";
import { LoopContext, Namespace } from "./library/instances.ts";
import { createMacro } from "./macro.ts";
import { isTrue, iterate, listItems } from "./python/compare.ts";
import { toText } from "./python/print.ts";
import {
  PyIterator,
  PythonError,
  typeError,
  typeName,
  type Value,
  valueError,
} from "./python/values.ts";
import type { ForStatement, Statement, Target } from "./syntax/nodes.ts";

/** What ends a body before its last statement. */
export type Jump = "break" | "continue" | undefined;

/** Runs statements and appends what they print to `out`. */
export function execute(statements: readonly Statement[], frame: Frame, out: string[]): Jump {
  for (const statement of statements) {
    const jump = executeOne(statement, frame, out);
    if (jump !== undefined) return jump;
  }
  return undefined;
}

function executeOne(statement: Statement, frame: Frame, out: string[]): Jump {
  switch (statement.type) {
    case "text":
      out.push(statement.text);
      return undefined;
    case "print":
      out.push(toText(evaluate(statement.value, frame)));
      return undefined;
    case "for":
      return executeFor(statement, frame, out);
    case "if": {
      const branch = statement.branches.find(({ test }) => isTrue(evaluate(test, frame)));
      return execute(branch?.body ?? statement.otherwise, frame, out);
    }
    case "break":
    case "continue":
      return statement.type;
    case "set":
      requireNamespaces(statement.target, frame);
      assignTarget(statement.target, evaluate(statement.value, frame), frame);
      return undefined;
    case "macro":
      frame.assign(statement.name, createMacro(statement.name, statement.macro, frame, execute));
      return undefined;
    case "call-block": {
      const caller = createMacro(undefined, statement.macro, frame, execute);
      out.push(toText(evaluateCall(statement.call, frame, new Map([["caller", caller]]))));
      return undefined;
    }
    case "generation":
      out.push(toText(createMacro(undefined, statement.macro, frame, execute).call([], new Map())));
      return undefined;
    default:
      return executeScoped(statement, frame, out);
  }
}

type Scoped = Extract<Statement, { type: "set-block" | "filter-block" | "with" }>;

/** Runs a tag whose body is a scope. A jump out of the body ends the tag without an effect. */
function executeScoped(statement: Scoped, frame: Frame, out: string[]): Jump {
  const inner = new Frame(frame.rendering, statement.scope!, frame);
  if (statement.type === "with") {
    statement.targets.forEach((target, i) => {
      assignTarget(target, evaluate(statement.values[i]!, frame), inner);
    });
    return execute(statement.body, inner, out);
  }
  if (statement.type === "set-block") requireNamespaces(statement.target, frame);
  const texts: string[] = [];
  const jump = execute(statement.body, inner, texts);
  if (jump !== undefined) return jump;
  const text = texts.join("");
  const { filter } = statement;
  const value = filter ? applyFilters(filter, text, inner) : text;
  if (statement.type === "filter-block") out.push(toText(value));
  else assignTarget(statement.target, value, frame);
  return undefined;
}

/** Applies the filters of a block, of which the innermost takes the text of the block. */
function applyFilters(
  filter: Parameters<typeof applyFilter>[0],
  text: string,
  frame: Frame,
): Value {
  const { input } = filter;
  const before = input?.type === "filter" ? applyFilters(input, text, frame) : text;
  return applyFilter(filter, before, frame);
}

/** Only namespaces have attributes that can be set. */
function requireNamespaces(target: Target, frame: Frame): void {
  if (target.type === "targets") for (const item of target.items) requireNamespaces(item, frame);
  if (target.type !== "namespace-attribute" || frame.find(target.name) instanceof Namespace) return;
  throw new PythonError("TemplateRuntimeError", "cannot assign attribute on non-namespace object");
}

function assignTarget(target: Target, value: Value, frame: Frame): void {
  if (target.type === "name") frame.assign(target.name, value);
  else if (target.type === "namespace-attribute") {
    (frame.find(target.name) as Namespace).setAttribute(target.attribute, value);
  } else {
    const items = listToUnpack(value);
    const wanted = target.items.length;
    if (items.length > wanted) throw valueError(`too many values to unpack (expected ${wanted})`);
    if (items.length < wanted)
      throw valueError(`not enough values to unpack (expected ${wanted}, got ${items.length})`);
    for (const [i, item] of target.items.entries()) assignTarget(item, items[i]!, frame);
  }
}

function listToUnpack(value: Value): Value[] {
  try {
    return listItems(value);
  } catch (error) {
    if (!(error instanceof PythonError && error.kind === "TypeError")) throw error;
    throw typeError(`cannot unpack non-iterable ${typeName(value)} object`);
  }
}

function executeFor(statement: ForStatement, frame: Frame, out: string[]): Jump {
  const recurse = (iterable: Value, depth0: number) => {
    const texts: string[] = [];
    runLoop(
      statement,
      new LoopContext(selectItems(statement, iterable, frame), depth0, recurse),
      frame,
      texts,
    );
    return texts.join("");
  };
  const items = selectItems(statement, evaluate(statement.iterable, frame), frame);
  const loop = new LoopContext(items, 0, statement.recursive ? recurse : undefined);
  runLoop(statement, loop, frame, out);
  return undefined;
}

function runLoop(
  { body, otherwise, scopes, target }: ForStatement,
  loop: LoopContext,
  frame: Frame,
  out: string[],
): void {
  // A round that a jump ended does not count for `else`.
  let isElse = true;
  while (loop.advance()) {
    frame.rendering.countStep();
    const inner = new Frame(frame.rendering, scopes!.body, frame);
    inner.assign("loop", loop);
    assignTarget(target, loop.current, inner);
    const jump = execute(body, inner, out);
    if (jump === undefined) isElse = false;
    if (jump === "break") break;
  }
  if (isElse && otherwise.length > 0) {
    execute(otherwise, new Frame(frame.rendering, scopes!.otherwise, frame), out);
  }
}

/** Returns the items for which the loop's test is true. They are tested when the loop gets to them. */
function selectItems({ target, test, scopes }: ForStatement, iterable: Value, frame: Frame): Value {
  if (test === undefined) return iterable;
  function* select(): Generator<Value, undefined> {
    const inner = new Frame(frame.rendering, scopes!.test, frame);
    const items = iterate(iterable);
    for (let step = items.next(); !step.done; step = items.next()) {
      assignTarget(target, step.value, inner);
      if (isTrue(evaluate(test!, inner))) yield step.value;
    }
    return undefined;
  }
  return new PyIterator("generator", select());
}
