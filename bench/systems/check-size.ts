/**
 * Makes a short run of a row of the systems table: three iterations with few tasks, a short warm start and no scores.
 * Stages and schedules, which span a whole run, are shortened too, so that every stage has an iteration.
 */
import {
  affectsWarmStart,
  type Config,
  configLeaves,
  resolveConfig,
} from "../../src/train/index.ts";
import type { FieldValue, System } from "./system.ts";

export const CHECKED_ITERATIONS = 3;
const CHECKED_TASKS = 8;
/**
 * Fields of the model and of the shared warm start. The policy is small, and passes about half of its rollouts after a
 * warm start of a minute and a half.
 */
const WARM_START_FIELDS = {
  "model.hiddenSize": 96,
  "model.layers": 2,
  "model.heads": 4,
  "warm.demonstrations": 12_000,
  "warm.hastyShare": 0.3,
  "warm.epochs": 2,
  "warm.rows": 16,
  "warm.learningRate": 3e-3,
  "world.trainScenarios": 3000,
};

const CHECK_FIELDS = {
  ...WARM_START_FIELDS,
  // With one thread the numbers do not depend on how busy the machine is.
  "engine.threads": 1,
  "algo.iterations": CHECKED_ITERATIONS,
  "algo.tasksPerIteration": CHECKED_TASKS,
  "algo.taskSampling": "uniform",
  "evaluation.every": 0,
  "evaluation.scenarios": 1,
  "evaluation.scores": ["dev", "test-normal"],
};

/**
 * Returns the configuration that the check trains for a row. Throws a `config` error when the row's fields are invalid.
 */
export function createCheckConfig(row: System): Config {
  const recipe = `starter/${row.method}`;
  const full = resolveConfig({ recipe, overrides: row.fields });
  const { iterations, tasksPerIteration } = full.algo;
  const share = CHECKED_ITERATIONS / Math.max(iterations, CHECKED_ITERATIONS);
  const fields = Object.entries(row.fields).map(([path, value]): [string, unknown] => [
    path,
    shortenField(path, value, { share, tasks: CHECKED_TASKS / tasksPerIteration }),
  ]);
  const critic = row.method === "ppo-critic" ? { "critic.warmIterations": 1 } : {};
  return resolveConfig({
    recipe,
    overrides: { ...CHECK_FIELDS, ...critic, ...Object.fromEntries(fields) },
  });
}

/**
 * Returns the configuration of a warm start, without iterations. Rows of the systems table whose fields of the warm
 * start are equal share one warm start.
 */
export function createWarmStartConfig(config: Config): Config {
  const fields = [...configLeaves(config)].filter(
    ([path]) => affectsWarmStart(path) && path !== "engine.options",
  );
  return resolveConfig({
    recipe: config.setting,
    overrides: {
      ...Object.fromEntries(fields.filter(([path]) => !path.startsWith("optimizer."))),
      "algo.iterations": 0,
      "evaluation.scenarios": 1,
      "evaluation.scores": ["dev", "test-normal"],
    },
  });
}

interface SizeRatios {
  readonly share: number;
  readonly tasks: number;
}

function shortenField(path: string, value: FieldValue, shares: SizeRatios): unknown {
  if (path === "warm.demonstrations") return WARM_START_FIELDS["warm.demonstrations"];
  if (path === "tasks.pool")
    return Math.max(CHECKED_TASKS, Math.round(Number(value) * shares.tasks));
  if (path === "schedule.stages") return shortenStages(value as readonly Stage[]);
  return shortenSchedules(value);
}

type Stage = { readonly iterations: number };

/** Returns the stages with one iteration for each, except that the last stage gets all remaining iterations. */
function shortenStages(stages: readonly Stage[]): Stage[] {
  return stages.map((stage, i) => ({
    ...stage,
    iterations: i < stages.length - 1 ? 1 : Math.max(1, CHECKED_ITERATIONS - i),
  }));
}

/** Shortens all schedules inside of a value so that each ends in the last of the three iterations. */
function shortenSchedules(value: unknown): unknown {
  const parsed = typeof value === "string" && value.startsWith("{") ? JSON.parse(value) : value;
  if (Array.isArray(parsed)) return parsed.map(shortenSchedules);
  if (typeof parsed !== "object" || parsed === null) return value;
  const own = Object.entries(parsed).map(([name, child]): [string, unknown] => {
    if (name === "over") return [name, CHECKED_ITERATIONS - 1];
    if (name === "every" && "values" in parsed) return [name, 1];
    return [name, shortenSchedules(child)];
  });
  return Object.fromEntries(own);
}
