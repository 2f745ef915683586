/** Options that several commands share, and parsers for the values of options. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { BowlineError, didYouMean, toCamelCase } from "../core/index.ts";
import { methods } from "../methods/index.ts";
import { type Dials, SPLITS } from "../spec/index.ts";
import { configFields, type EvaluationLimits, readDials, resolveConfig } from "../train/index.ts";
import type { CommandContext } from "./command-context.ts";

export const DEFAULT_WORLD = "everyday/starter";

export function worldOption(): Option {
  const description =
    "a built-in world, the path of a world module, or openenv:URL,URL for hosts that serve a world";
  return new Option("--world <world>", description).default(DEFAULT_WORLD);
}

export function splitOption(defaultSplit: (typeof SPLITS)[number]): Option {
  return new Option("--split <split>", SPLITS.join(" | "))
    .default(defaultSplit)
    .argParser(choiceParser(SPLITS));
}

export function jsonOption(): Option {
  return new Option("--json", "print only the result, as JSON, on stdout");
}

export function seedOption(description: string): Option {
  return new Option("--seed <seed>", description).argParser(integerParser(0, 2 ** 32 - 1));
}

export function choiceParser<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`Expected ${values.join(", ")}${didYouMean(text, values)}.`);
  };
}

/** Makes a parser that accepts integers from `low` to `high`, both included. */
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

/** Makes a parser that accepts finite numbers of at least `low`. */
export function numberParser(low: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isFinite(value) && value >= low) return value;
    throw new InvalidArgumentError(`Expected a number of at least ${low}.`);
  };
}

/** The kinds of policies with weights, as they stand in the help of every command that takes one. */
export const POLICY_KINDS =
  "a run or checkpoint directory | a Hugging Face folder | a PEFT folder | a GGUF file";

/** The part of a command's help that says how an adapter finds its base. */
export const BASE_HELP =
  "\n\nA PEFT folder is an adapter. Its base is what adapter_config.json names: a path from there, or a folder\nnext to it. --engine.model PATH names another one, a folder or a GGUF file.";

/**
 * Reads the base of an adapter from the config field `--engine.model`. Returns it with a context that no longer has
 * this field. Throws a `config` error when the field has no value.
 */
export function resolveBaseField(context: CommandContext): {
  readonly base: { readonly base?: string };
  readonly context: CommandContext;
} {
  const name = Object.keys(context.fields).find((one) => toCamelCase(one) === "engine.model");
  if (name === undefined) return { base: {}, context };
  const { [name]: value, ...fields } = context.fields;
  if (typeof value === "string") return { base: { base: value }, context: { ...context, fields } };
  throw new BowlineError(
    "config",
    "--engine.model: expected the folder or GGUF file of an adapter's base, got no value",
  );
}

/**
 * Throws a `config` error if a field such as `--algo.groupSize 8` is given to a command that takes no configuration.
 */
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
    "how tasks become prompts: compact | compact-tools | fenced | react | tools, or the path of a module (default: as in the policy's training; for a model's folder, what fits the model)",
  );
}

/**
 * Reads the scaffold from `--scaffold`, or from the config field `--scaffold.name`, which means the same. Returns it
 * with a context that no longer has this field. Throws a `config` error when both are given.
 */
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

/** The limits of a stored policy that an evaluation may change, as config fields. */
const LIMIT_FIELDS = ["evaluationTurns", "maxTurnTokens", "maxTokens"] as const;

/**
 * Reads the limits of an evaluation from config fields such as `--scaffold.evaluationTurns`. Returns them with a
 * context that no longer has these fields. Throws a `config` error when a value is wrong.
 */
export function resolveLimitFields(context: CommandContext): {
  readonly limits: EvaluationLimits;
  readonly context: CommandContext;
} {
  const limits: { -readonly [L in keyof EvaluationLimits]: EvaluationLimits[L] } = {};
  const fields = { ...context.fields };
  for (const [name, value] of Object.entries(context.fields)) {
    const limit = LIMIT_FIELDS.find((one) => toCamelCase(name) === `scaffold.${one}`);
    if (limit === undefined) continue;
    const number = Number(value);
    if (value === true || !Number.isSafeInteger(number) || number < 1) {
      const got = value === true ? "no value" : JSON.stringify(value);
      const problem = `--${name}: expected an integer of at least 1, got ${got}`;
      throw new BowlineError("config", problem);
    }
    limits[limit] = number;
    delete fields[name];
  }
  return { limits, context: { ...context, fields } };
}

const DIALS_PREFIX = "world.dials.";

/** Reads the dials that were given to a command whose only config fields are a world's dials. */
export function readDialFields(command: Command, { fields }: CommandContext): Partial<Dials> {
  const other = Object.keys(fields).find((name) => !name.startsWith(DIALS_PREFIX));
  if (other !== undefined) {
    throw new BowlineError(
      "config",
      `bowline ${command.name()} takes no config fields but ${DIALS_PREFIX}*, and --${other} was given; it belongs to bowline train`,
    );
  }
  const dials = readDials(resolveConfig({ overrides: fields }));
  const given = new Set(
    Object.keys(fields).map((name) => toCamelCase(name.slice(DIALS_PREFIX.length))),
  );
  return Object.fromEntries(Object.entries(dials).filter(([name]) => given.has(name)));
}

/** Returns the dials that differ from their defaults; undefined when none do. */
export function changedDials(dials: Dials): Partial<Dials> | undefined {
  const defaults = readDials(resolveConfig());
  const changed = Object.entries(dials).filter(
    ([name, value]) => value !== defaults[name as keyof Dials],
  );
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}

/** Returns the part of `--help` that lists a world's dials. */
export function dialsHelpText(): string {
  const dials = configFields(methods["loop"]!).filter(({ path }) => path.startsWith(DIALS_PREFIX));
  const lines = dials.map(
    ({ path, description, expected }) => `  --${path.padEnd(28)}  ${description} (${expected})`,
  );
  return `\n\nDials of the world:\n${lines.join("\n")}`;
}

/**
 * Returns the key in the environment variable that `--key-from` names. A key is never an argument, because other users
 * can read arguments. Throws a `config` error if it is not set.
 */
export function readKeyVariable(variable: string): string {
  const key = process.env[variable];
  if (key) return key;
  // Somebody may give the key itself, which must not be printed.
  const name = /^[A-Z][A-Z0-9_]*_[A-Z0-9_]*$/.test(variable) ? variable : "that it names";
  throw new BowlineError(
    "config",
    `--key-from: expected the name of an environment variable, such as OPENAI_API_KEY; the variable ${name} is not set`,
  );
}
