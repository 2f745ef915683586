/** The option `--environment` of train and eval: somebody else's environment, in a file or a module. */
import { basename, extname, resolve } from "node:path";
import { BowlineError, THIS_CALL, toCamelCase } from "../core/index.ts";
import type { Summary } from "../spec/index.ts";
import {
  type Config,
  type EvaluateOptions,
  type EvaluateResult,
  type TrainOptions as LibraryOptions,
  loadMethod,
  type RunPreview,
  recognisePolicy,
} from "../train/index.ts";

/** A training in an environment that can start. */
export interface EnvironmentTraining {
  readonly config: Config;
  readonly run: (
    options: Required<Pick<LibraryOptions, "out" | "onEvent" | "signal">>,
  ) => Promise<Summary>;
  /** Returns the configuration that the run would have. It starts nothing of the environment. */
  readonly preview: () => Promise<RunPreview>;
}

/** The options that a command line gives besides the environment. */
interface TrainingRequest {
  readonly recipe: string;
  readonly method: string | undefined;
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** Options that concern tasks and prompts, which an environment has itself. */
const REPLACED_OPTIONS = ["world", "scaffold", "recordings", "scenarios"] as const;

/** Throws a `config` error when an option contradicts `--environment`. */
export function requireNoContradiction(
  options: { readonly [O in (typeof REPLACED_OPTIONS)[number]]?: unknown },
  names: readonly (typeof REPLACED_OPTIONS)[number][] = REPLACED_OPTIONS,
): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new BowlineError(
    "config",
    `--${given}: an environment has its own tasks and prompts, so --environment and --${given} contradict each other; give one of them`,
  );
}

/** Plans a training in the environment that this command line names. */
export async function planEnvironmentTraining(
  file: string,
  { recipe, method, overrides }: TrainingRequest,
): Promise<EnvironmentTraining> {
  const { loadEnvironment, recordEnvironment, resolveAgentConfig, trainAgent } = await import(
    "../server/index.ts"
  );
  const { timeoutSeconds, ...environment } = await loadEnvironment(file, THIS_CALL);
  const isLimited = Object.keys(overrides).some(
    (name) => toCamelCase(name) === "scaffold.episodeSeconds",
  );
  const request = {
    ...environment,
    recipe,
    ...(method !== undefined && { method: await loadMethod(method) }),
    overrides: {
      ...(timeoutSeconds !== undefined &&
        !isLimited && { "scaffold.episodeSeconds": timeoutSeconds }),
      ...overrides,
    },
  };
  const config = await resolveAgentConfig({ ...request, out: "" });
  return {
    config,
    preview: () => Promise.resolve({ config, fitting: undefined }),
    async run(chosen) {
      let mustRecord = true;
      const record = () => {
        if (mustRecord) mustRecord = !recordEnvironment(chosen.out, file);
      };
      const onEvent: typeof chosen.onEvent = (event) => {
        record();
        chosen.onEvent(event);
      };
      const summary = await trainAgent({ ...request, ...chosen, onEvent });
      record();
      return summary;
    },
  };
}

/** Returns the part of a run directory's name that stands for an environment. */
export function environmentName(file: string): string {
  return basename(file, extname(file));
}

/** The options of an evaluation that an environment leaves open. */
type EvaluationRequest = Pick<
  EvaluateOptions,
  "base" | "split" | "scenarios" | "seed" | "temperature" | "limits" | "onEvent" | "signal"
> & { readonly policy: string };

/**
 * Evaluates a policy in the environment that this command line names, or else in the one that the policy was trained in.
 * Returns undefined when there is neither. Rejects with a `trust` error, and starts nothing, when the run names an
 * environment that this user has not trusted.
 */
export async function evaluateInEnvironment(
  named: string | undefined,
  request: EvaluationRequest,
): Promise<EvaluateResult | undefined> {
  const { evaluateAgent, loadEnvironment, readEnvironmentRecord } = await import(
    "../server/index.ts"
  );
  const { policy } = request;
  const run = named === undefined ? findRun(policy) : undefined;
  const recorded = run === undefined ? undefined : readEnvironmentRecord(run);
  if (named === undefined && recorded === undefined) return undefined;
  const {
    tasks,
    run: play,
    passAt,
  } = recorded
    ? await loadEnvironment(recorded.file, { by: "file", file: recorded.record, subject: policy })
    : await loadEnvironment(named!, THIS_CALL);
  return evaluateAgent({
    ...request,
    ...{ tasks, run: play },
    ...(passAt !== undefined && { passAt }),
  });
}

/** Returns the run directory of a policy, if it is a run or one of its checkpoints. */
function findRun(policy: string): string | undefined {
  const recognised = recognisePolicy(policy);
  return "checkpoint" in recognised ? resolve(recognised.checkpoint, "..", "..") : undefined;
}
