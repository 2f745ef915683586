/** Three numbers of a row, from the files of its run: whether it updates, how often rollouts end at a limit, what fires. */
import { join } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../../src/core/index.ts";
import { counterMetricNames } from "../../src/methods/index.ts";
import { formatIterationNumber, type MetricLine } from "../../src/spec/index.ts";
import { readRollouts } from "../../src/train/index.ts";
import { CHECKED_ITERATIONS } from "./check-size.ts";
import type { System } from "./system.ts";

/** A row works when every iteration updates, and these hold. */
export const MAX_AT_LIMIT = 0.2;
export const MIN_FIRES = 0.5;

export const verdictSchema = z.strictObject({
  system: z.string(),
  works: z.boolean(),
  /** Iterations, of three, with an optimizer update. */
  updates: z.number().int(),
  /** Share of rollouts that ended at a limit of turns or tokens. */
  atLimit: z.number(),
  /** The least share, over the row's mechanisms, of what a mechanism is meant for on which it acted. */
  fires: z.number(),
  /** That share of each mechanism; null: three iterations had no occasion for it. */
  mechanisms: z.record(z.string(), z.number().nullable()),
  /** Why it could not be run. */
  problem: z.string().optional(),
});

export const verdictsSchema = z.array(verdictSchema);
export type Verdict = Readonly<z.infer<typeof verdictSchema>>;

export function computeVerdict({ system, mechanisms }: System, directory: string): Verdict {
  const lines = readJsonLines(join(directory, "metrics.jsonl")) as MetricLine[];
  const iterations = lines.filter(({ phase }) => phase === "loop");
  const updates = iterations.filter((line) => Number(line["train/updates"] ?? 0) > 0).length;
  const shares = mechanisms.map((name): [string, number | null] => [
    name,
    shareOf(name, iterations),
  ]);
  const fires = Math.min(...shares.map(([, share]) => share ?? 0));
  const atLimit = limitShare(directory);
  return {
    system,
    works: updates === CHECKED_ITERATIONS && atLimit <= MAX_AT_LIMIT && fires > MIN_FIRES,
    updates,
    atLimit: rounded(atLimit),
    fires: rounded(fires),
    mechanisms: Object.fromEntries(shares.map(([name, share]) => [name, share && rounded(share)])),
  };
}

function shareOf(mechanism: string, lines: readonly MetricLine[]): number | null {
  const names = counterMetricNames(mechanism);
  const sum = (name: string) => lines.reduce((total, line) => total + Number(line[name] ?? 0), 0);
  const meant = sum(names.meant);
  return meant === 0 ? null : sum(names.fired) / meant;
}

function limitShare(directory: string): number {
  const outcomes = Array.from({ length: CHECKED_ITERATIONS }, (_, i) =>
    readRollouts(directory, `train-${formatIterationNumber(i + 1)}`),
  ).flatMap((rollouts) => rollouts.map(({ outcome }) => outcome));
  const ended = outcomes.filter((outcome) => outcome !== "cancelled");
  const limited = ended.filter((outcome) => outcome.endsWith("-limit")).length;
  return ended.length === 0 ? 0 : limited / ended.length;
}

const rounded = (share: number) => Math.round(share * 1000) / 1000;
