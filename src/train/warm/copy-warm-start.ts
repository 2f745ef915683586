/**
 * Copies the warm start of another run: its checkpoint, its metrics and, if both runs evaluate in the same way, its
 * evaluations before training. Both configurations must have equal values in all fields that decide a warm start. So
 * the run has the same numbers as if it had made the warm start itself.
 */
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, errorMessage, readJsonLines } from "../../core/index.ts";
import type { MetricLine } from "../../spec/index.ts";
import { type Config, configLeaves } from "../config/config.ts";
import type { ConfigAndMethod } from "../config/stages.ts";
import { addPhaseUsage } from "../run/budget/index.ts";
import { type RunStore, readRollouts, readRunConfig } from "../run/run-store.ts";
import { createTrainerState, readLatestState, type TrainerState } from "../run/trainer-state.ts";

/** The sections of the configuration that decide a warm start, except their fields in `FREE_FIELDS`. */
const DECIDING_SECTIONS = [
  "run",
  "world",
  "engine",
  "model",
  "tokenizer",
  "warm",
  "scaffold",
  "optimizer",
];
const FREE_FIELDS = [
  "run.minutes",
  "run.memory",
  "run.gates",
  "world.workers",
  "world.episodes",
  "optimizer.learningRate",
  "optimizer.finalRate",
  "optimizer.moments",
];

/** The state and tokenizer of a run after the warm start was copied into it. */
export interface CopiedWarmStart {
  readonly state: TrainerState;
  readonly tokenizer: string;
}

/**
 * Copies the warm start of the run in `source`. Throws a `config` error that names a field when that run has another
 * warm start, and a `checkpoint` error when its warm start is incomplete.
 */
export function copyWarmStart(
  store: RunStore,
  phase: ConfigAndMethod,
  source: string,
): CopiedWarmStart {
  const { config, method } = phase;
  const sourceConfig = readRunConfig(source, { name: config.method, method });
  requireSameStart(config, sourceConfig, source);
  const from = join(source, "checkpoints", "warm");
  const to = store.path("checkpoints", "warm");
  try {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true });
    const tokenizer = readFileSync(join(to, "tokenizer.json"), "utf8");
    const sourceState = readLatestState(source);
    const { warmSteps, demonstrations } = sourceState;
    const state = { ...createTrainerState(), warmSteps, warmDone: true, demonstrations };
    addPhaseUsage(state.usage, "warm", sourceState.usage?.phases.warm ?? {});
    copyMetrics(store, source, ({ phase }) => phase === "warm");
    if (hasSameEvaluations(config, sourceConfig))
      copyEvaluations(store, source, state, sourceState);
    return { state, tokenizer };
  } catch (cause) {
    if (BowlineError.is(cause) && cause.code !== "store") throw cause;
    throw new BowlineError(
      "checkpoint",
      `${source} has no complete warm start: ${errorMessage(cause)}`,
      { cause },
    );
  }
}

/** Returns true if the warm start depends on the field at this path. */
export function affectsWarmStart(path: string): boolean {
  const [section = ""] = path.split(".");
  return DECIDING_SECTIONS.includes(section) && !FREE_FIELDS.includes(path);
}

/** Returns the paths of the fields whose different values give two configurations different warm starts. */
export function findStartDifferences(a: Config, b: Config): string[] {
  const there = configLeaves(a);
  return [...configLeaves(b)].flatMap(([path, value]) =>
    affectsWarmStart(path) && there.get(path) !== value ? [path] : [],
  );
}

function requireSameStart(config: Config, sourceConfig: Config, source: string): void {
  const [path] = findStartDifferences(sourceConfig, config);
  if (path === undefined) return;
  const [there, here] = [sourceConfig, config].map((each) =>
    JSON.stringify(configLeaves(each).get(path)),
  );
  throw new BowlineError(
    "config",
    `the warm start of ${source} is a different one: ${path} is ${there} there and ${here} here`,
  );
}

function hasSameEvaluations(a: Config, b: Config): boolean {
  const { scenarios, scores } = a.evaluation;
  const others = configLeaves(b);
  const sameShape = [...configLeaves(a)].every(
    ([path, value]) =>
      !/^(collect|context|participants)\./.test(path) || others.get(path) === value,
  );
  const other = b.evaluation;
  return sameShape && scenarios === other.scenarios && scores.join() === other.scores.join();
}

/**
 * Copies the evaluations before training. They depend only on the warm start and on fields that are equal in both runs.
 */
function copyEvaluations(
  store: RunStore,
  source: string,
  state: TrainerState,
  { before, evaluationSeconds, usage }: TrainerState,
): void {
  if (Object.keys(before).length === 0) return;
  for (const key of Object.keys(before)) {
    const [split, mode] = key.split("@");
    const name = `eval-before-${split}-${mode ?? "greedy"}`;
    if (!existsSync(join(source, "rollouts", `${name}.jsonl`))) return;
    store.writeRollouts(name, readRollouts(source, name));
  }
  copyMetrics(store, source, ({ phase, when }) => phase === "eval" && when === "before");
  state.before = before;
  addPhaseUsage(state.usage, "before", usage?.phases.before ?? {});
  state.evaluationSeconds = evaluationSeconds;
}

function copyMetrics(store: RunStore, source: string, wanted: (line: MetricLine) => boolean): void {
  const lines = readJsonLines(join(source, "metrics.jsonl")) as MetricLine[];
  for (const line of lines.filter(wanted)) store.appendMetrics(line);
}
