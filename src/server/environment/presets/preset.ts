/**
 * A preset knows how one harness is started for an episode, and where it writes the reward. It is data beside the core:
 * its program is started by `command()`, through `play-preset.ts`, which reads the result when the harness has ended.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import {
  BowlineError,
  formatValue,
  resolveBuiltUrl,
  withoutUndefined,
} from "../../../core/index.ts";
import type { RewardWithMetrics, RunAgent } from "../../agent/index.ts";
import { command } from "../command.ts";
import type { CommandOptions } from "../command-options.ts";

/** What one episode of a preset is given. */
export interface PresetEpisode {
  readonly task: unknown;
  /** An empty folder for the results of the harness. It is removed after the episode. */
  readonly folder: string;
  /** The environment variables of the episode, which have the addresses and the key of the model. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A program to start, with its arguments and further environment variables. */
export interface PresetProgram {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Preset<O> {
  readonly options: z.ZodType<O>;
  /** Returns the program that plays one episode. Throws when the task has another form. */
  createProgram(options: O, episode: PresetEpisode): PresetProgram;
  /** Reads the reward after exit code 0. Throws when the episode failed, because a failure is no reward of 0. */
  readResult(options: O, episode: PresetEpisode): RewardWithMetrics;
}

/** The options that all presets have. */
export type PresetOptions = Pick<
  CommandOptions,
  "timeoutSeconds" | "graceSeconds" | "env" | "workingDirectory"
> & {
  /** The path or name of the harness's program. */
  readonly program?: string | undefined;
  /** Further arguments of the program. */
  readonly arguments?: readonly string[] | undefined;
};

/** The schemas of the options that a preset passes to its runner. */
export const programFields = {
  program: z.string().min(1).optional(),
  arguments: z.array(z.string()).optional(),
};

const ENTRY = new URL("./play-preset.ts", import.meta.url);

/** Makes the agent of a preset. Throws a `config` error that names a wrong option. */
export function createPresetAgent<T>(
  name: string,
  schema: z.ZodType,
  { timeoutSeconds, graceSeconds, env, workingDirectory, ...options }: PresetOptions,
): RunAgent<T> {
  const checked = schema.safeParse(withoutUndefined(options));
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const place = [`the options of ${name}()`, ...(issue?.path ?? [])].join(": ");
    throw new BowlineError("config", `${place}: ${issue?.message}`);
  }
  const entry = resolveBuiltUrl(ENTRY.href);
  const loader = entry.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : [];
  const given = JSON.stringify(withoutUndefined(options));
  return command<T>({
    command: [process.execPath, ...loader, fileURLToPath(entry), name, given],
    ...{ timeoutSeconds, graceSeconds, env, workingDirectory },
  });
}

/** Reads a JSON file with a schema. Throws an error that names the file and the first wrong field. */
export function readJsonFile<S extends z.ZodType>(path: string, schema: S): z.output<S> {
  return parseResult(readText(path), schema, path);
}

/** Reads a file. Throws an error that says which file is missing. */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Error(`the harness ended with exit code 0, but wrote no ${path}`);
  }
}

/** Parses a result in JSON. Throws an error that names the file and the first wrong field. */
export function parseResult<S extends z.ZodType>(
  text: string,
  schema: S,
  path: string,
): z.output<S> {
  const parsed = schema.safeParse(parseJson(text, path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${path}: ${issue?.path.join(".")}: ${issue?.message}`);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${path} is no JSON`);
  }
}

/** Reads the task with a schema. Throws an error that says which tasks the preset takes. */
export function readTask<S extends z.ZodType>(
  task: unknown,
  schema: S,
  expected: string,
): z.output<S> {
  const parsed = schema.safeParse(task);
  if (parsed.success) return parsed.data;
  throw new Error(`the task: expected ${expected}, got ${formatValue(task)}`);
}

/** Returns a variable of the episode. */
export function requireVariable({ variables }: PresetEpisode, name: string): string {
  const value = variables[name];
  if (value === undefined) throw new Error(`the variable ${name} is missing`);
  return value;
}
