/**
 * The functions that rewritten templates call (see `rewrite.ts`), and the helpers that transformers gives to templates.
 *
 * The library wraps plain functions so that they see bare JavaScript values; ours must tell `1` from `1.0` and see
 * scopes, so they are made of the library's own function value, which hands over its arguments as they are.
 */
import { Environment } from "@huggingface/jinja";
import { toJson } from "./json.ts";
import { OURS } from "./rewrite.ts";
import { strftime } from "./strftime.ts";
import { capitalized, equalInPython, lengthOf, toPythonString, stripped, type Value } from "./values.ts";

interface Scope {
  readonly variables: Map<string, Value>;
  readonly tests: ReadonlyMap<string, (...values: Value[]) => boolean>;
  readonly parent?: Scope | undefined;
  set(name: string, value: unknown): Value;
  setVariable(name: string, value: Value): Value;
  lookupVariable(name: string): Value;
}
type Builtin = (args: readonly Value[], scope: Scope) => unknown;

/** What a template itself said by `raise_exception`. */
export class TemplateRefusal extends Error {}

const BUILTINS: Readonly<Record<string, Builtin>> = {
  string: ([value]) => toPythonString(value!),
  defined: ([value]) => {
    if (value!.type === "UndefinedValue") throw new Error("an attribute of what is undefined");
    return value;
  },
  iterable: ([value]) => {
    if (value!.type === "UndefinedValue") return [];
    return value!.type === "StringValue" ? [...(value!.value as string)] : value;
  },
  add: ([a, b]) => sum(a!, b!),
  concatenate: (values) => values.map(toPythonString).join(""),
  equal: ([a, b]) => equalInPython(a!, b!),
  unequal: ([a, b]) => !equalInPython(a!, b!),
  json: ([value, ...args]) => toJson(value!, args),
  capitalize: ([value]) => capitalized(toPythonString(value!)),
  length: ([value]) => lengthOf(value!),
  /** Filters print what they are given; methods exist on texts alone. */
  method: ([value, name, ...args], scope) => {
    const method = toPythonString(name!);
    if (value?.type !== "StringValue") throw new Error(`a ${value?.type} has no ${method}()`);
    return BUILTINS[method]?.([value, ...args], scope);
  },
  strip: ([value, side, characters]) => {
    // `text.strip(none)` is `text.strip()`.
    const set = characters?.type === "StringValue" ? (characters.value as string) : undefined;
    return stripped(toPythonString(value!), side!.value as "strip" | "lstrip" | "rstrip", set);
  },
  forget: (names, scope) => {
    for (const { value } of names) scope.variables.delete(value as string);
    return null;
  },
};

/** A scope with Jinja's constants, transformers' helpers and our builtins, and the variables of one rendering. */
export function scopeOf(variables: Readonly<Record<string, unknown>>, now?: Date): Environment {
  const environment = new Environment();
  const scope = environment as unknown as Scope;
  const FunctionValue = scope.lookupVariable("namespace").constructor as new (
    run: (args: Value[], scope: Scope) => Value,
  ) => Value;
  const define = (name: string, builtin: Builtin) => {
    const run = (args: Value[], at: Scope) => runtimeValue(builtin(args, at));
    scope.setVariable(name, new FunctionValue(run));
  };
  const all = {
    ...{ true: true, True: true, false: false, False: false, none: null, None: null },
    ...variables,
  };
  for (const [name, value] of Object.entries(all)) scope.setVariable(name, runtimeValue(value));
  for (const [name, builtin] of Object.entries(BUILTINS)) define(OURS + name, builtin);
  scope.setVariable(`${OURS}select`, new FunctionValue(selected));
  define("range", (args) => range(args.map(({ value }) => value as number)));
  define("raise_exception", ([message]) => {
    throw new TemplateRefusal(message ? toPythonString(message) : "");
  });
  if (now) define("strftime_now", ([format]) => strftime(now, toPythonString(format!)));
  return environment;
}

/** A library's value as it is, anything else as the library makes it one. */
function runtimeValue(value: unknown): Value {
  if (isValue(value)) return value;
  return (new Environment() as unknown as Scope).set("value", value);
}

/** `items | select(test, argument)`, and `reject`: keeps items as they are. */
function selected([list, mode, test, argument]: Value[], scope: Scope): Value {
  if (!Array.isArray(list?.value)) throw new Error(`${mode?.value}: ${list?.type} is no list`);
  const name = test?.value as string | undefined;
  const known = name === undefined ? truth : scope.tests.get(name);
  if (known === undefined) throw new Error(`unknown test: ${name}`);
  const wanted = mode?.value === "select";
  const kept = (list.value as Value[]).filter(
    (item) => known(item, ...(argument ? [argument] : [])) === wanted,
  );
  return listOf(kept);
}

function isValue(value: unknown): value is Value {
  return typeof value === "object" && value !== null && "__bool__" in value;
}

function listOf(items: readonly Value[]): Value {
  const list = runtimeValue([]);
  (list.value as Value[]).push(...items);
  return list;
}

const FloatValue = runtimeValue(0.5).constructor as new (value: number) => Value;
const NUMBERS = new Set(["IntegerValue", "FloatValue", "BooleanValue"]);

/** `a + b`: texts with texts, numbers with numbers, lists with lists. */
function sum(a: Value, b: Value): Value {
  if (a.type === "StringValue" && b.type === "StringValue") {
    return runtimeValue(toPythonString(a) + toPythonString(b));
  }
  if (NUMBERS.has(a.type) && NUMBERS.has(b.type)) {
    const total = Number(a.value) + Number(b.value);
    const isFloat = a.type === "FloatValue" || b.type === "FloatValue";
    return isFloat ? new FloatValue(total) : runtimeValue(total);
  }
  if (Array.isArray(a.value) && Array.isArray(b.value)) return listOf([...a.value, ...b.value]);
  throw new Error(`a ${a.type} and a ${b.type} cannot be added`);
}

function truth(value: Value): boolean {
  return (value as Value & { __bool__(): { readonly value: boolean } }).__bool__().value;
}

/** `range(stop)`, `range(start, stop)`, `range(start, stop, step)` */
function range(args: readonly number[]): number[] {
  const [start = 0, stop = 0, step = 1] = args.length === 1 ? [0, args[0]] : args;
  if (step === 0) throw new Error("range: the step must not be zero");
  const length = Math.max(0, Math.ceil((stop - start) / step));
  return Array.from({ length }, (_, i) => start + i * step);
}
