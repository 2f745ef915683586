/**
 * A row cut to three iterations on a real world: few tasks, a short warm start, nothing scored. What stretches over a whole
 * run, such as stages and schedules, is shortened in proportion, so that every stage has an iteration of the three.
 */
import {
  affectsWarmStart,
  type Config,
  configLeaves,
  resolveConfig,
} from "../../src/train/index.ts";
import type { FieldValue, System } from "./system.ts";

export const CHECKED_ITERATIONS = 3;
const TASKS = 8;
/** Demonstrations of the shared start: half as many as `starter` has, and more of them careful, so that some tasks are passed. */
const WARM = { "warm.demonstrations": 8000, "warm.hastyShare": 0.4 };

const SIZE = {
  ...WARM,
  // One thread, whatever the machine has: its numbers do not depend on how busy the others are.
  "engine.threads": 1,
  "algo.iterations": CHECKED_ITERATIONS,
  "algo.tasksPerIteration": TASKS,
  "algo.taskSampling": "uniform",
  "evaluation.every": 0,
  "evaluation.scenarios": 1,
  "evaluation.scores": ["dev", "test-normal"],
};

/** What the check trains for a row. Throws a `config` error when the row's fields cannot be. */
export function createCheckConfig(row: System): Config {
  const recipe = `starter/${row.method}`;
  const full = resolveConfig({ recipe, overrides: row.fields });
  const { iterations, tasksPerIteration } = full.algo;
  const share = CHECKED_ITERATIONS / Math.max(iterations, CHECKED_ITERATIONS);
  const fields = Object.entries(row.fields).map(([path, value]): [string, unknown] => [
    path,
    shortened(path, value, { share, tasks: TASKS / tasksPerIteration }),
  ]);
  const critic = row.method === "ppo-critic" ? { "critic.warmIterations": 1 } : {};
  return resolveConfig({
    recipe,
    overrides: { ...SIZE, ...critic, ...Object.fromEntries(fields) },
  });
}

/** The start of all rows whose start is decided by the same fields: a run without iterations. */
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

interface Shares {
  readonly share: number;
  readonly tasks: number;
}

function shortened(path: string, value: FieldValue, shares: Shares): unknown {
  if (path === "warm.demonstrations") return WARM["warm.demonstrations"];
  if (path === "tasks.pool") return Math.max(TASKS, Math.round(Number(value) * shares.tasks));
  if (path === "schedule.stages") return stagesOf(value as readonly Stage[]);
  return scheduled(value);
}

type Stage = { readonly iterations: number };

/** One iteration for each but the last, which gets what is left. */
function stagesOf(stages: readonly Stage[]): Stage[] {
  return stages.map((stage, i) => ({
    ...stage,
    iterations: i < stages.length - 1 ? 1 : Math.max(1, CHECKED_ITERATIONS - i),
  }));
}

/** Schedules, wherever they stand: they are through in the last iteration. */
function scheduled(value: unknown): unknown {
  const parsed = typeof value === "string" && value.startsWith("{") ? JSON.parse(value) : value;
  if (Array.isArray(parsed)) return parsed.map(scheduled);
  if (typeof parsed !== "object" || parsed === null) return value;
  const own = Object.entries(parsed).map(([name, child]): [string, unknown] => {
    if (name === "over") return [name, CHECKED_ITERATIONS - 1];
    if (name === "every" && "values" in parsed) return [name, 1];
    return [name, scheduled(child)];
  });
  return Object.fromEntries(own);
}
