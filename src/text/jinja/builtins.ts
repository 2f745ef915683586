/**
 * The functions that rewritten templates call (see `rewrite.ts`), and the helpers that transformers offers to
 * templates.
 *
 * The library passes plain JavaScript values to plain functions. Our functions must distinguish `1` from `1.0` and need
 * the scope, so they are instances of the library's own function value, which passes its arguments unchanged.
 */
import { Environment } from "@huggingface/jinja";
import { toJson } from "./json.ts";
import { BUILTIN_PREFIX } from "./rewrite.ts";
import { strftime } from "./strftime.ts";
import {
  capitalizeText,
  equalInPython,
  lengthInPython,
  stripText,
  toPythonString,
  type Value,
} from "./values.ts";

/** The part of the library's scope that is used here. */
interface Scope {
  readonly variables: Map<string, Value>;
  readonly tests: ReadonlyMap<string, (...values: Value[]) => boolean>;
  readonly parent?: Scope | undefined;
  set(name: string, value: unknown): Value;
  setVariable(name: string, value: Value): Value;
  lookupVariable(name: string): Value;
}
type BuiltinFunction = (args: readonly Value[], scope: Scope) => unknown;

/** The error that a template raises by `raise_exception`. */
export class TemplateRaisedError extends Error {}

const BUILTINS: Readonly<Record<string, BuiltinFunction>> = {
  string: ([value]) => toPythonString(value!),
  defined: ([value]) => {
    if (value!.type === "UndefinedValue")
      throw new Error("cannot read an attribute of an undefined value");
    return value;
  },
  iterable: ([value]) => {
    if (value!.type === "UndefinedValue") return [];
    return value!.type === "StringValue" ? [...(value!.value as string)] : value;
  },
  add: ([a, b]) => addValues(a!, b!),
  concatenate: (values) => values.map(toPythonString).join(""),
  equal: ([a, b]) => equalInPython(a!, b!),
  unequal: ([a, b]) => !equalInPython(a!, b!),
  json: ([value, ...args]) => toJson(value!, args),
  capitalize: ([value]) => capitalizeText(toPythonString(value!)),
  length: ([value]) => lengthInPython(value!),
  /** Calls a method of a text. Other values have no methods, while filters accept any value. */
  method: ([value, name, ...args], scope) => {
    const method = toPythonString(name!);
    if (value?.type !== "StringValue") throw new Error(`a ${value?.type} has no ${method}()`);
    return BUILTINS[method]?.([value, ...args], scope);
  },
  strip: ([value, side, characters]) => {
    // In Python, `text.strip(None)` is the same as `text.strip()`.
    const set = characters?.type === "StringValue" ? (characters.value as string) : undefined;
    return stripText(toPythonString(value!), side!.value as "strip" | "lstrip" | "rstrip", set);
  },
  forget: (names, scope) => {
    for (const { value } of names) scope.variables.delete(value as string);
    return null;
  },
};

/** Creates a scope with Jinja's constants, transformers' helpers, our functions and the variables of one rendering. */
export function createScope(variables: Readonly<Record<string, unknown>>, now?: Date): Environment {
  const environment = new Environment();
  const scope = environment as unknown as Scope;
  const FunctionValue = scope.lookupVariable("namespace").constructor as new (
    run: (args: Value[], scope: Scope) => Value,
  ) => Value;
  const define = (name: string, builtin: BuiltinFunction) => {
    const run = (args: Value[], at: Scope) => toRuntimeValue(builtin(args, at));
    scope.setVariable(name, new FunctionValue(run));
  };
  const all = {
    ...{ true: true, True: true, false: false, False: false, none: null, None: null },
    ...variables,
  };
  for (const [name, value] of Object.entries(all)) scope.setVariable(name, toRuntimeValue(value));
  for (const [name, builtin] of Object.entries(BUILTINS)) define(BUILTIN_PREFIX + name, builtin);
  scope.setVariable(`${BUILTIN_PREFIX}select`, new FunctionValue(selectItems));
  define("range", (args) => range(args.map(({ value }) => value as number)));
  define("raise_exception", ([message]) => {
    throw new TemplateRaisedError(message ? toPythonString(message) : "");
  });
  if (now) define("strftime_now", ([format]) => strftime(now, toPythonString(format!)));
  return environment;
}

/** The names that every template finds in its scope: constants and functions. */
export const HELPER_NAMES: ReadonlySet<string> = new Set(
  (createScope({}, new Date(0)) as unknown as Scope).variables.keys(),
);

/** Returns a value of the library unchanged, and turns any other value into one. */
function toRuntimeValue(value: unknown): Value {
  if (isRuntimeValue(value)) return value;
  return (new Environment() as unknown as Scope).set("value", value);
}

/** Runs `items | select(test, argument)` or `reject`. */
function selectItems([list, mode, test, argument]: Value[], scope: Scope): Value {
  if (!Array.isArray(list?.value)) throw new Error(`${mode?.value}: ${list?.type} is not a list`);
  const name = test?.value as string | undefined;
  const testFunction = name === undefined ? isTruthy : scope.tests.get(name);
  if (testFunction === undefined) throw new Error(`unknown test: ${name}`);
  const keptResult = mode?.value === "select";
  const kept = (list.value as Value[]).filter(
    (item) => testFunction(item, ...(argument ? [argument] : [])) === keptResult,
  );
  return createListValue(kept);
}

function isRuntimeValue(value: unknown): value is Value {
  return typeof value === "object" && value !== null && "__bool__" in value;
}

function createListValue(items: readonly Value[]): Value {
  const list = toRuntimeValue([]);
  (list.value as Value[]).push(...items);
  return list;
}

const FloatValue = toRuntimeValue(0.5).constructor as new (value: number) => Value;
const NUMBERS = new Set(["IntegerValue", "FloatValue", "BooleanValue"]);

/** Computes `a + b` of two texts, two numbers or two lists. */
function addValues(a: Value, b: Value): Value {
  if (a.type === "StringValue" && b.type === "StringValue") {
    return toRuntimeValue(toPythonString(a) + toPythonString(b));
  }
  if (NUMBERS.has(a.type) && NUMBERS.has(b.type)) {
    const total = Number(a.value) + Number(b.value);
    const isFloat = a.type === "FloatValue" || b.type === "FloatValue";
    return isFloat ? new FloatValue(total) : toRuntimeValue(total);
  }
  if (Array.isArray(a.value) && Array.isArray(b.value))
    return createListValue([...a.value, ...b.value]);
  throw new Error(`a ${a.type} and a ${b.type} cannot be added`);
}

function isTruthy(value: Value): boolean {
  return (value as Value & { __bool__(): { readonly value: boolean } }).__bool__().value;
}

/** Computes Python's `range(stop)`, `range(start, stop)` or `range(start, stop, step)`. */
function range(args: readonly number[]): number[] {
  const [start = 0, stop = 0, step = 1] = args.length === 1 ? [0, args[0]] : args;
  if (step === 0) throw new Error("range: the step must not be zero");
  const length = Math.max(0, Math.ceil((stop - start) / step));
  return Array.from({ length }, (_, i) => start + i * step);
}
