/**
 * Trains by a row of the systems table for three iterations. At the start of each, it also runs the iteration again as
 * it is, and with every mechanism of the row off, and on but dead.
 */
import { join } from "node:path";
import type { GradedRollout } from "../../../src/algo/index.ts";
import { loadReference, type ReferencePolicy } from "../../../src/methods/index.ts";
import type { Config } from "../../../src/train/config/config.ts";
import { listConfigsAndMethods, readSchedule } from "../../../src/train/config/stages.ts";
import type { TrainEvent } from "../../../src/train/index.ts";
import { rememberTasks } from "../../../src/train/iterate/task-history.ts";
import { acquireRun } from "../../../src/train/open/acquire-run.ts";
import { planRun } from "../../../src/train/open/plan-run.ts";
import { requirePossibleRequest } from "../../../src/train/open/require-possible-request.ts";
import { realMakers } from "../../../src/train/parts/makers.ts";
import type { TrainingRun } from "../../../src/train/run/training-run.ts";
import { CHECKED_ITERATIONS } from "../check-size.ts";
import type { System } from "../system.ts";
import { type Attempt, attemptIteration, type Start } from "./attempt.ts";
import type { Change, Counterfactual } from "./change.ts";
import { compareAttempts, type Difference, relativeDifference } from "./compare.ts";
import { GRADIENT_COUNTERFACTUALS } from "./gradient-changes.ts";
import { ROLLOUT_COUNTERFACTUALS } from "./rollout-changes.ts";

/** All counterfactuals by the name of the mechanism. */
export const COUNTERFACTUALS: Readonly<Record<string, Counterfactual>> = {
  ...GRADIENT_COUNTERFACTUALS,
  ...ROLLOUT_COUNTERFACTUALS,
};

/** The sections of fields that change which rollouts are collected, and not what is learned from given ones. */
const COLLECTING_SECTIONS = ["world", "tasks", "collect", "scaffold"];

/**
 * Returns the counterfactual of a mechanism in this configuration. Stages are compared by rollouts when they change
 * only what is collected.
 */
function findCounterfactual(name: string, config: Config): Counterfactual {
  const found = COUNTERFACTUALS[name]!;
  if (name !== "stages") return found;
  const paths = readSchedule(config).stages.flatMap(({ patch }) => Object.keys(patch));
  const collects = paths.every((path) => COLLECTING_SECTIONS.includes(path.split(".")[0]!));
  return collects ? { ...found, compares: "rollouts" } : found;
}

/** The relative differences of one mechanism over all iterations. */
export interface MechanismDifferences {
  readonly compares: Counterfactual["compares"];
  readonly onOff: number;
  readonly deadOff: number;
  readonly onDead: number;
  readonly repeated: number;
}

/** What three iterations of a row showed. */
export interface ProbedRow {
  readonly updates: number;
  readonly atLimit: number;
  readonly mechanisms: Readonly<Record<string, MechanismDifferences>>;
}

type Pair = Exclude<keyof MechanismDifferences, "compares">;
type Parts = Record<string, Record<Pair, Difference[]>>;

/** Probes a row. `warm` is the run directory whose warm start is copied. */
export async function probeRow(
  row: System,
  config: Config,
  { out, warm }: { readonly out: string; readonly warm: string },
): Promise<ProbedRow> {
  const options = { out, warmFrom: warm, onEvent: (_: TrainEvent) => {} };
  const plan = await planRun(realMakers, await requirePossibleRequest(realMakers, config, options));
  if ("summary" in plan) throw new Error(`${out} holds a finished run`);
  const run = await acquireRun(plan);
  const untrained = await run.createEngine();
  const reference = await openReference(run, warm);
  try {
    return await probeIterations(row, run, { untrained, reference });
  } finally {
    await reference?.close();
    await untrained.close();
    await run.close();
  }
}

async function openReference(run: TrainingRun, warm: string): Promise<ReferencePolicy | undefined> {
  const isUsed = listConfigsAndMethods(run).some(({ method, config }) =>
    method.usesReference(config),
  );
  if (!isUsed) return undefined;
  return loadReference(await run.createEngine(), join(warm, "checkpoints", "warm", "engine"));
}

async function probeIterations(
  { mechanisms }: System,
  run: TrainingRun,
  engines: Pick<Start, "untrained" | "reference">,
): Promise<ProbedRow> {
  const counterfactuals = mechanisms.map((name) => findCounterfactual(name, run.config));
  const parts: Parts = Object.fromEntries(
    mechanisms.map((name) => [name, { onOff: [], deadOff: [], onDead: [], repeated: [] }]),
  );
  const earlier: GradedRollout[] = [];
  let updates = 0;
  const outcomes: string[] = [];
  for (let number = 1; number <= CHECKED_ITERATIONS; number++) {
    const weights = run.store.path("probe", "before");
    await run.engine.save(weights);
    const start: Start = { run, number, weights, earlier, ...engines };
    const collected = await attemptIteration(start, { change: {} });
    const repeated = await attemptIteration(start, { change: {} });
    for (const [i, counterfactual] of counterfactuals.entries()) {
      const compared = { on: collected, repeated };
      await probeMechanism(counterfactual, start, compared, parts[mechanisms[i]!]!);
    }
    await continueFrom(start, collected);
    earlier.push(...collected.graded);
    updates += Number((collected.metrics["train/updates"] ?? 0) > 0);
    outcomes.push(...collected.collected.rollouts.map(({ outcome }) => outcome));
  }
  return {
    updates,
    atLimit: outcomes.filter((outcome) => outcome.endsWith("-limit")).length / outcomes.length,
    mechanisms: Object.fromEntries(
      mechanisms.map((name, i) => [name, summarise(counterfactuals[i]!, parts[name]!)]),
    ),
  };
}

function summarise(
  { compares }: Counterfactual,
  pairs: Record<Pair, Difference[]>,
): MechanismDifferences {
  const compute = (pair: Pair) => relativeDifference(compares, pairs[pair]);
  return {
    compares,
    onOff: compute("onOff"),
    deadOff: compute("deadOff"),
    onDead: compute("onDead"),
    repeated: compute("repeated"),
  };
}

async function probeMechanism(
  { compares, off, dead }: Counterfactual,
  start: Start,
  { on, repeated }: { readonly on: Attempt; readonly repeated: Attempt },
  parts: Record<Pair, Difference[]>,
): Promise<void> {
  const run = (change: Change) =>
    attemptIteration(start, {
      change,
      on: on.collected,
      ...(compares === "gradients" ? { given: on.collected } : { collectsOnly: true }),
    });
  const offAttempt = await run(off);
  const deadAttempt = dead === off ? offAttempt : await run(dead);
  parts.onOff.push(compareAttempts(compares, on, offAttempt));
  // The dead mechanism is compared with none, in units of the mechanism that is on.
  parts.deadOff.push({
    ...compareAttempts(compares, deadAttempt, offAttempt),
    ...(compares === "gradients" && { size: parts.onOff.at(-1)!.size }),
  });
  parts.onDead.push(compareAttempts(compares, on, deadAttempt));
  parts.repeated.push(compareAttempts(compares, on, repeated));
}

/** Continues the run after the iteration with all mechanisms on. */
async function continueFrom(start: Start, on: Attempt): Promise<void> {
  const { run, number } = start;
  const again = await attemptIteration(start, { change: {}, given: on.collected });
  await run.engine.publish();
  Object.assign(run.state.method, on.state.method);
  const { tasks } = run.state;
  rememberTasks(tasks, again.graded, on.collected.rollouts, on.stage.config);
  run.state.iteration = number;
}
