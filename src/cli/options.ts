/** Options that several commands share, and how their values are read. A wrong value names what was expected. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { BowlineError, nearest } from "../core/index.ts";
import { SPLITS } from "../spec/index.ts";
import type { Session } from "./session.ts";

export const DEFAULT_WORLD = "everyday/starter";

export function worldOption(): Option {
  return new Option("--world <world>", "a built-in world, or the path of a world module").default(
    DEFAULT_WORLD,
  );
}

export function splitOption(fallback: (typeof SPLITS)[number]): Option {
  return new Option("--split <split>", SPLITS.join(" | "))
    .default(fallback)
    .argParser(oneOf(SPLITS));
}

export function jsonOption(): Option {
  return new Option("--json", "print the result as JSON, and nothing else, on stdout");
}

export function seedOption(what: string): Option {
  return new Option("--seed <seed>", what).argParser(integer(0, 2 ** 32 - 1));
}

export function oneOf<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    const near = nearest(text, values);
    throw new InvalidArgumentError(
      `Expected ${values.join(", ")}${near ? ` (did you mean ${near}?)` : ""}.`,
    );
  };
}

export function integer(low: number, high = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isSafeInteger(value) && value >= low && value <= high)
      return value;
    const bound = high === Number.MAX_SAFE_INTEGER ? `at least ${low}` : `from ${low} to ${high}`;
    throw new InvalidArgumentError(`Expected an integer ${bound}.`);
  };
}

export function number(low: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isFinite(value) && value >= low) return value;
    throw new InvalidArgumentError(`Expected a number of at least ${low}.`);
  };
}

/** Commands without a configuration refuse `--algo.groupSize 8` instead of ignoring it. */
export function refuseFields(command: Command, { fields }: Session): void {
  const [name] = Object.keys(fields);
  if (name === undefined) return;
  throw new BowlineError(
    "config",
    `bowline ${command.name()} takes no config fields, but --${name} was given; they belong to bowline train`,
  );
}
