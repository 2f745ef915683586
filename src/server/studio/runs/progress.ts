/**
 * Says which step a run is at, how fast it is, and how long it will still take. The run's process reports this for
 * demonstrations, warm start and evaluations. Otherwise it is read from the other files: rates are those of the last
 * step, and the remaining time uses the mean duration of a step in this phase so far, including evaluations between steps.
 */
import { isPlainObject } from "../../../core/index.ts";
import type { RunDetail, RunRow } from "../../../spec/studio/index.ts";
import type { MetricTables, PhaseTable } from "./metric-tables.ts";
import type { RunFile } from "./run-files.ts";

export interface ProgressInput {
  readonly row: RunRow;
  readonly config: Record<string, unknown>;
  readonly tables: MetricTables;
  readonly files: readonly RunFile[];
}

type Progress = Pick<
  RunDetail,
  "phase" | "step" | "steps" | "secondsLeft" | "rolloutsPerSecond" | "tokensPerSecond"
>;

export function describeProgress({ row, config, tables, files }: ProgressInput): Progress {
  const rates = readRates(tables.get("loop") ?? tables.get("warm"));
  if (row.status !== "running") return rates;
  // Evaluations between iterations are not reported, and journals know more of an iteration than a report.
  if (row.now && row.now.phase !== "loop") {
    const { detail: _, ...reported } = row.now;
    return reported;
  }
  const { phase, step, steps } = findPhase(config, tables, files);
  const table = tables.get(phase === "warm" ? "warm" : "loop");
  const secondsLeft = steps === undefined ? undefined : estimateSecondsLeft(table, steps);
  return {
    phase,
    ...(step !== undefined && { step }),
    ...(steps !== undefined && { steps }),
    ...(secondsLeft !== undefined && { secondsLeft }),
    ...rates,
  };
}

function readRates(table: PhaseTable | undefined): Progress {
  const rollouts = table?.columns.get("rolloutsPerSecond")?.at(-1) ?? undefined;
  const tokens = table?.columns.get("tokensPerSecond")?.at(-1) ?? undefined;
  return {
    ...(rollouts !== undefined && { rolloutsPerSecond: rollouts }),
    ...(tokens !== undefined && { tokensPerSecond: tokens }),
  };
}

/**
 * Finds the phase. Before the first metric, demonstrations are made (`world`); an evaluation follows the last warm
 * step.
 */
function findPhase(
  config: Record<string, unknown>,
  tables: MetricTables,
  files: readonly RunFile[],
): Pick<Progress, "step" | "steps"> & { readonly phase: NonNullable<Progress["phase"]> } {
  const iterations = readNumber(config["algo"], "iterations");
  const done = tables.get("loop")?.steps.at(-1);
  const isEvaluating = files.some(({ kind, whole }) => kind === "eval" && !whole);
  const loop = { step: done ?? 0, ...(iterations !== undefined && { steps: iterations }) };
  if (done !== undefined) {
    const isOver = iterations !== undefined && done >= iterations;
    return { phase: isEvaluating || isOver ? "eval" : "loop", ...loop };
  }
  if (files.some(({ kind, whole }) => kind === "train" && !whole))
    return { phase: "loop", ...loop };
  const warm = tables.get("warm");
  if (isEvaluating || tables.has("eval")) return { phase: "eval", ...loop };
  if (warm === undefined) return { phase: "world" };
  const step = warm.steps.at(-1) ?? 0;
  const steps = countWarmSteps(config);
  if (steps !== undefined && step >= steps) return { phase: "eval", ...loop };
  return { phase: "warm", step, ...(steps !== undefined && { steps }) };
}

/** Counts the warm-start steps, as whole passes over the demonstrations. */
function countWarmSteps(config: Record<string, unknown>): number | undefined {
  const [all, rows, epochs] = ["demonstrations", "rows", "epochs"].map((name) =>
    readNumber(config["warm"], name),
  );
  if (all === undefined || rows === undefined || epochs === undefined || rows <= 0)
    return undefined;
  return Math.ceil(all / rows) * epochs;
}

function readNumber(section: unknown, name: string): number | undefined {
  const value = isPlainObject(section) ? section[name] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function estimateSecondsLeft(table: PhaseTable | undefined, steps: number): number | undefined {
  const elapsed = table?.columns.get("elapsed");
  const [first, last] = [elapsed?.[0], elapsed?.at(-1)];
  const begun = table?.columns.get("seconds")?.[0];
  const [from, to] = [table?.steps[0], table?.steps.at(-1)];
  if (first == null || last == null || begun == null || from === undefined || to === undefined) {
    return undefined;
  }
  const perStep = (last - (first - begun)) / (to - from + 1);
  return Math.max(0, perStep * (steps - to));
}
