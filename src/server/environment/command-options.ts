/** The options of an environment that is a program, and their checks. */
import {
  BowlineError,
  formatValue,
  isPlainObject,
  requireKnownFields,
  requireNonEmptyText,
} from "../../core/index.ts";
import { SET_VARIABLES } from "./model-variables.ts";

/** The options that all environments have. */
export interface EnvironmentOptions {
  /**
   * How many seconds an episode may take. Later it is failed and left out of its group. By default only
   * `scaffold.episodeSeconds` limits it.
   */
  readonly timeoutSeconds?: number | undefined;
  /** The path of the field with the reward, such as "verifier.reward"; default "reward". */
  readonly rewardField?: string | undefined;
}

/** An environment that is a program. */
export interface CommandOptions extends EnvironmentOptions {
  /** The program and its arguments, which no shell reads, or a line for the shell. */
  readonly command: string | readonly string[];
  /** The folder in which the program runs; default: the current one. */
  readonly workingDirectory?: string | undefined;
  /** Further environment variables. The program also has those of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** How many seconds the program and its children get between SIGTERM and SIGKILL; default 5. */
  readonly graceSeconds?: number | undefined;
}

const OPTION_NAMES = [
  "command",
  "workingDirectory",
  "env",
  "timeoutSeconds",
  "graceSeconds",
  "rewardField",
] as const satisfies readonly (keyof CommandOptions)[];

/** Throws a `config` error that names the wrong option. */
export function requireCommandOptions(options: CommandOptions): void {
  requireKnownFields("the options of command()", options, OPTION_NAMES);
  const { command, workingDirectory, env = {} } = options;
  const isList =
    Array.isArray(command) &&
    command.every((part, i) => typeof part === "string" && (i > 0 || part !== ""));
  if (!(isList && command.length > 0) && !(typeof command === "string" && command.trim() !== "")) {
    throw configError(
      `command: expected a list of the program and its arguments, or a line for the shell, got ${formatValue(command)}`,
    );
  }
  if (workingDirectory !== undefined) {
    requireNonEmptyText("workingDirectory", workingDirectory, "the path of a folder");
  }
  requireVariables(env);
  requireSeconds("graceSeconds", options.graceSeconds, 0);
  requireEnvironmentOptions(options);
}

/** Throws a `config` error that names the wrong one of the options that all environments have. */
export function requireEnvironmentOptions({
  timeoutSeconds,
  rewardField,
}: EnvironmentOptions): void {
  requireSeconds("timeoutSeconds", timeoutSeconds, 0.001);
  if (rewardField !== undefined) requireNonEmptyText("rewardField", rewardField, "a field");
}

function requireVariables(env: unknown): void {
  if (!isPlainObject(env))
    throw configError(`env: expected an object of texts, got ${formatValue(env)}`);
  for (const [name, value] of Object.entries(env)) {
    if (SET_VARIABLES.some((known) => known === name)) {
      throw configError(
        `env.${name}: Bowline sets this variable to reach the model that it trains; give another name to a variable for another model`,
      );
    }
    if (typeof value === "string") continue;
    throw configError(`env.${name}: expected a text, got ${formatValue(value)}`);
  }
}

/** The longest time that a timer of Node takes is 2^31 - 1 ms. */
const MAX_SECONDS = 2_000_000;

function requireSeconds(name: string, seconds: unknown, least: number): void {
  if (seconds === undefined) return;
  if (typeof seconds === "number" && seconds >= least && seconds <= MAX_SECONDS) return;
  throw configError(
    `${name}: expected a number of seconds from ${least} to ${MAX_SECONDS}, got ${formatValue(seconds)}`,
  );
}

const configError = (message: string) => new BowlineError("config", message);
