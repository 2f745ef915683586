/**
 * Computes the verdict on a row of the systems table from a run: how many iterations made an update, how many rollouts
 * ended at a limit, and how often mechanisms acted.
 */
import { join } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../../src/core/index.ts";
import { counterMetricNames } from "../../src/methods/index.ts";
import { formatIterationNumber, type MetricLine } from "../../src/spec/index.ts";
import { readRollouts } from "../../src/train/index.ts";
import { CHECKED_ITERATIONS } from "./check-size.ts";
import type { System } from "./system.ts";

/** A row works only when at most this share of its rollouts ends at a limit of turns or tokens. */
export const MAX_AT_LIMIT = 0.2;
/** A row works only when each of its mechanisms acts on more than this share of its occasions. */
export const MIN_FIRES = 0.5;

export const verdictSchema = z.strictObject({
  system: z.string(),
  works: z.boolean(),
  /** How many of the three iterations had an optimizer update. */
  updates: z.number().int(),
  /** Share of rollouts that ended at a limit of turns or tokens. */
  atLimit: z.number(),
  /**
   * The share of its occasions on which a mechanism acted. Of the row's mechanisms, the one with the smallest share
   * counts.
   */
  fires: z.number(),
  /** For each mechanism, the share of its occasions on which it acted, or null when there was no occasion. */
  mechanisms: z.record(z.string(), z.number().nullable()),
  /** Why the row could not be run. */
  problem: z.string().optional(),
});

export const verdictsSchema = z.array(verdictSchema);
export type Verdict = Readonly<z.infer<typeof verdictSchema>>;

/** Computes the verdict on a row from the run in `directory`. */
export function computeVerdict({ system, mechanisms }: System, directory: string): Verdict {
  const lines = readJsonLines(join(directory, "metrics.jsonl")) as MetricLine[];
  const iterations = lines.filter(({ phase }) => phase === "loop");
  const updates = iterations.filter((line) => Number(line["train/updates"] ?? 0) > 0).length;
  const shares = mechanisms.map((name): [string, number | null] => [
    name,
    mechanismShare(name, iterations),
  ]);
  const fires = Math.min(...shares.map(([, share]) => share ?? 0));
  const atLimit = shareAtLimit(directory);
  return {
    system,
    works: updates === CHECKED_ITERATIONS && atLimit <= MAX_AT_LIMIT && fires > MIN_FIRES,
    updates,
    atLimit: roundShare(atLimit),
    fires: roundShare(fires),
    mechanisms: Object.fromEntries(
      shares.map(([name, share]) => [name, share && roundShare(share)]),
    ),
  };
}

function mechanismShare(mechanism: string, lines: readonly MetricLine[]): number | null {
  const names = counterMetricNames(mechanism);
  const sum = (name: string) => lines.reduce((total, line) => total + Number(line[name] ?? 0), 0);
  const occasions = sum(names.meant);
  return occasions === 0 ? null : sum(names.fired) / occasions;
}

function shareAtLimit(directory: string): number {
  const outcomes = Array.from({ length: CHECKED_ITERATIONS }, (_, i) =>
    readRollouts(directory, `train-${formatIterationNumber(i + 1)}`),
  ).flatMap((rollouts) => rollouts.map(({ outcome }) => outcome));
  const ended = outcomes.filter((outcome) => outcome !== "cancelled");
  const limited = ended.filter((outcome) => outcome.endsWith("-limit")).length;
  return ended.length === 0 ? 0 : limited / ended.length;
}

const roundShare = (share: number) => Math.round(share * 1000) / 1000;
