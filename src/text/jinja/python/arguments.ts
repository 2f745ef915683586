/** Binds the arguments of a call to the parameters of a function, as Python does. */
import { isNumeric, isTrue, textOf, toComparable } from "./compare.ts";
import { type NamedValues, orElse, typeError, typeName, type Value } from "./values.ts";

/** The arguments of one call by parameter. */
export class Arguments {
  readonly #name: string;
  readonly #values: ReadonlyMap<string, Value>;
  constructor(name: string, values: ReadonlyMap<string, Value>) {
    this.#name = name;
    this.#values = values;
  }
  /** Returns the argument, or undefined when it was not given. */
  find(parameter: string): Value | undefined {
    return this.#values.get(parameter);
  }
  /** Returns the argument, or the fallback when it was not given. */
  findOr(parameter: string, fallback: Value): Value {
    return orElse(this.#values.get(parameter), fallback);
  }
  /** Returns the argument, or undefined when it was not given or is None. */
  findSome(parameter: string): Exclude<Value, null> | undefined {
    return this.#values.get(parameter) ?? undefined;
  }
  get(parameter: string): Value {
    const value = this.#values.get(parameter);
    if (value !== undefined) return value;
    throw typeError(`${this.#name}() missing 1 required positional argument: '${parameter}'`);
  }
  isTrue(parameter: string): boolean {
    return isTrue(this.findOr(parameter, null));
  }
  text(parameter: string): string {
    return requireText(this.get(parameter), `${this.#name}: ${parameter}`);
  }
  integer(parameter: string, fallback: bigint): bigint {
    const value = this.#values.get(parameter);
    return value === undefined ? fallback : requireInteger(value);
  }
}

/** Binds arguments. Throws a `TypeError` for too many arguments, unknown names, and names that are given twice. */
export function bindArguments(
  name: string,
  parameters: readonly string[],
  args: readonly Value[],
  named: NamedValues,
): Arguments {
  if (args.length > parameters.length)
    throw typeError(`${name}() takes ${parameters.length} arguments but ${args.length} were given`);
  const values = new Map(args.map((value, i) => [parameters[i]!, value]));
  for (const [parameter, value] of named) {
    if (!parameters.includes(parameter))
      throw typeError(`${name}() got an unexpected keyword argument '${parameter}'`);
    if (values.has(parameter))
      throw typeError(`${name}() got multiple values for argument '${parameter}'`);
    values.set(parameter, value);
  }
  return new Arguments(name, values);
}

/** Returns a text, or throws a `TypeError` for another value. `what` is for the message. */
export function requireText(value: Value, what: string): string {
  const text = textOf(value);
  if (text !== undefined) return text;
  throw typeError(`${what}: expected a str, got ${typeName(value)}`);
}

/** Returns an int, as Python's `operator.index`. */
export function requireInteger(value: Value): bigint {
  const number = isNumeric(value) ? toComparable(value) : undefined;
  if (typeof number === "bigint") return number;
  throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`);
}
