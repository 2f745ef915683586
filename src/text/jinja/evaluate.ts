/** Evaluates the expressions of a template. */

import type { Frame } from "./frame.ts";
import { callFilter, callTest } from "./library/library.ts";
import { getAttribute, getItem, getSlice } from "./python/access.ts";
import { compute, negateOrKeep } from "./python/arithmetic.ts";
import { contains, isEqual, isInOrder, isTrue, listItems } from "./python/compare.ts";
import { toText } from "./python/print.ts";
import {
  Callable,
  Dict,
  Instance,
  type NamedValues,
  Tuple,
  typeError,
  typeName,
  Undefined,
  type Value,
} from "./python/values.ts";
import type {
  CallArguments,
  CallExpression,
  Comparison,
  Expression,
  FilterExpression,
} from "./syntax/nodes.ts";

export function evaluate(node: Expression, frame: Frame): Value {
  switch (node.type) {
    case "constant":
      return node.value;
    case "name":
      return frame.read(node.name);
    case "list":
      return node.items.map((item) => evaluate(item, frame));
    case "tuple":
      return new Tuple(node.items.map((item) => evaluate(item, frame)));
    case "dict":
      return new Dict(
        node.entries.map(([key, value]) => [evaluate(key, frame), evaluate(value, frame)] as const),
      );
    case "attribute":
      return getAttribute(evaluate(node.object, frame), node.name);
    case "item":
      return getItem(evaluate(node.object, frame), evaluate(node.key, frame));
    case "slice": {
      const [start, stop, step] = node.limits.map((limit) => limit && evaluate(limit, frame));
      return getSlice(evaluate(node.object, frame), start, stop, step);
    }
    case "call":
      return evaluateCall(node, frame);
    case "filter":
      return applyFilter(node, evaluate(node.input!, frame), frame);
    case "test": {
      const input = evaluate(node.input, frame);
      const { args, named } = evaluateArguments(node, frame);
      return callTest(node.name, input, args, named);
    }
    default:
      return evaluateOperator(node, frame);
  }
}

type OperatorNode = Extract<
  Expression,
  { type: "choice" | "and" | "or" | "not" | "sign" | "operation" | "concatenation" | "comparison" }
>;

function evaluateOperator(node: OperatorNode, frame: Frame): Value {
  switch (node.type) {
    case "choice":
      if (isTrue(evaluate(node.test, frame))) return evaluate(node.yes, frame);
      if (node.no !== undefined) return evaluate(node.no, frame);
      return new Undefined(
        "the inline if-expression evaluated to false and no else section was defined.",
      );
    case "and": {
      const left = evaluate(node.left, frame);
      return isTrue(left) ? evaluate(node.right, frame) : left;
    }
    case "or": {
      const left = evaluate(node.left, frame);
      return isTrue(left) ? left : evaluate(node.right, frame);
    }
    case "not":
      return !isTrue(evaluate(node.value, frame));
    case "sign":
      return negateOrKeep(node.sign, evaluate(node.value, frame));
    case "operation":
      return compute(node.operator, evaluate(node.left, frame), evaluate(node.right, frame));
    case "concatenation":
      return node.parts.map((part) => toText(evaluate(part, frame))).join("");
    case "comparison":
      return compareAll(node, frame);
    default:
      return node satisfies never;
  }
}

/** Compares neighbours up to the first that do not agree. `a < b < c` evaluates `b` once. */
function compareAll(node: Extract<Expression, { type: "comparison" }>, frame: Frame): boolean {
  let left = evaluate(node.first, frame);
  for (const [comparison, expression] of node.rest) {
    const right = evaluate(expression, frame);
    if (!compareValues(left, comparison, right)) return false;
    left = right;
  }
  return true;
}

function compareValues(left: Value, comparison: Comparison, right: Value): boolean {
  switch (comparison) {
    case "==":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    case "in":
      return contains(right, left);
    case "not in":
      return !contains(right, left);
    default:
      return isInOrder(left, comparison, right);
  }
}

/** Evaluates a call. `extra` are further named arguments. */
export function evaluateCall(
  node: CallExpression,
  frame: Frame,
  extra: NamedValues = new Map(),
): Value {
  const callee = evaluate(node.callee, frame);
  const { args, named } = evaluateArguments(node, frame);
  return callValue(callee, args, new Map([...named, ...extra]));
}

function callValue(callee: Value, args: readonly Value[], named: NamedValues): Value {
  if (callee instanceof Undefined) callee.fail();
  const call = callee instanceof Callable || callee instanceof Instance ? callee.call : undefined;
  if (call === undefined) throw typeError(`'${typeName(callee)}' object is not callable`);
  return call.call(callee, args, named);
}

/** Applies a filter to a value. */
export function applyFilter(node: FilterExpression, input: Value, frame: Frame): Value {
  const { args, named } = evaluateArguments(node, frame);
  return callFilter(node.name, input, args, named);
}

function evaluateArguments(
  { args, named, spread, spreadNamed }: CallArguments,
  frame: Frame,
): { args: readonly Value[]; named: NamedValues } {
  const values = args.map((arg) => evaluate(arg, frame));
  const names = new Map<string, Value>();
  const add = (name: string, value: Value) => {
    if (names.has(name)) throw typeError(`got multiple values for keyword argument '${name}'`);
    names.set(name, value);
  };
  for (const [name, value] of named) add(name, evaluate(value, frame));
  if (spread) values.push(...listItems(evaluate(spread, frame)));
  if (spreadNamed) {
    const dict = evaluate(spreadNamed, frame);
    if (!(dict instanceof Dict)) throw typeError("argument after ** must be a mapping");
    for (const [name, value] of dict.entries()) {
      if (typeof name !== "string") throw typeError("keywords must be strings");
      add(name, value);
    }
  }
  return { args: values, named: names };
}
