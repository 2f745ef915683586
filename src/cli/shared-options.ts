/** Options that several commands share, and how their values are read. A wrong value names what was expected. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { BowlineError, didYouMean, toCamelCase } from "../core/index.ts";
import { methods } from "../methods/index.ts";
import { type Dials, SPLITS } from "../spec/index.ts";
import { configFields, readDials, resolveConfig } from "../train/index.ts";
import type { CommandContext } from "./command-context.ts";

export const DEFAULT_WORLD = "everyday/starter";

export function worldOption(): Option {
  return new Option("--world <world>", "a built-in world, or the path of a world module").default(
    DEFAULT_WORLD,
  );
}

export function splitOption(fallback: (typeof SPLITS)[number]): Option {
  return new Option("--split <split>", SPLITS.join(" | "))
    .default(fallback)
    .argParser(choiceParser(SPLITS));
}

export function jsonOption(): Option {
  return new Option("--json", "print the result as JSON, and nothing else, on stdout");
}

export function seedOption(what: string): Option {
  return new Option("--seed <seed>", what).argParser(integerParser(0, 2 ** 32 - 1));
}

export function choiceParser<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`Expected ${values.join(", ")}${didYouMean(text, values)}.`);
  };
}

export function integerParser(
  low: number,
  high = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isSafeInteger(value) && value >= low && value <= high)
      return value;
    const bound = high === Number.MAX_SAFE_INTEGER ? `at least ${low}` : `from ${low} to ${high}`;
    throw new InvalidArgumentError(`Expected an integer ${bound}.`);
  };
}

export function numberParser(low: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isFinite(value) && value >= low) return value;
    throw new InvalidArgumentError(`Expected a number of at least ${low}.`);
  };
}

/** Commands without a configuration refuse `--algo.groupSize 8` instead of ignoring it. */
export function refuseConfigFields(command: Command, { fields }: CommandContext): void {
  const [name] = Object.keys(fields);
  if (name === undefined) return;
  throw new BowlineError(
    "config",
    `bowline ${command.name()} takes no config fields, but --${name} was given; they belong to bowline train`,
  );
}

export function scaffoldOption(): Option {
  return new Option(
    "--scaffold <scaffold>",
    "how it is talked to: compact | compact-tools | fenced | react | tools, or a module (default: as it was trained; a model's folder by what fits it)",
  );
}

/** `--scaffold.name` is the same field under its whole name. Gives the scaffold, and the session without that field. */
export function resolveScaffoldOption(
  scaffold: string | undefined,
  context: CommandContext,
): { readonly scaffold?: string; readonly context: CommandContext } {
  const names = Object.keys(context.fields).filter((name) => toCamelCase(name) === "scaffold.name");
  const [name] = names;
  if (name === undefined) return { ...(scaffold !== undefined && { scaffold }), context };
  const { [name]: value, ...fields } = context.fields;
  if (scaffold !== undefined || typeof value !== "string") {
    const problem =
      scaffold === undefined
        ? "--scaffold.name: expected the name of a scaffold, got no value"
        : "--scaffold and --scaffold.name are the same; give one of them";
    throw new BowlineError("config", problem);
  }
  return { scaffold: value, context: { ...context, fields } };
}

const DIALS_PREFIX = "world.dials.";

/** For commands that open a world: its dials are their only fields. Gives those that were named. */
export function readDialFields(command: Command, { fields }: CommandContext): Partial<Dials> {
  const other = Object.keys(fields).find((name) => !name.startsWith(DIALS_PREFIX));
  if (other !== undefined) {
    throw new BowlineError(
      "config",
      `bowline ${command.name()} takes no config fields but ${DIALS_PREFIX}*, and --${other} was given; it belongs to bowline train`,
    );
  }
  const dials = readDials(resolveConfig({ overrides: fields }));
  const named = new Set(
    Object.keys(fields).map((name) => toCamelCase(name.slice(DIALS_PREFIX.length))),
  );
  return Object.fromEntries(Object.entries(dials).filter(([name]) => named.has(name)));
}

/** What is not as the world is written; undefined when nothing is. */
export function changedDials(dials: Dials): Partial<Dials> | undefined {
  const off = readDials(resolveConfig());
  const turned = Object.entries(dials).filter(
    ([name, value]) => value !== off[name as keyof Dials],
  );
  return turned.length > 0 ? Object.fromEntries(turned) : undefined;
}

/** For `--help`. */
export function dialsHelpText(): string {
  const dials = configFields(methods["loop"]!).filter(({ path }) => path.startsWith(DIALS_PREFIX));
  const lines = dials.map(
    ({ path, description, expected }) => `  --${path.padEnd(28)}  ${description} (${expected})`,
  );
  return `\n\nDials of the world:\n${lines.join("\n")}`;
}
