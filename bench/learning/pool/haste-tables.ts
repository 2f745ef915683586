/** The table of what the policies of a cell do, made from results/haste.json (`measure-haste.ts`). */
import { join } from "node:path";
import { readJson } from "../../../src/core/index.ts";
import { formatMeanAndSpread, formatTable } from "../markdown-table.ts";
import { ARMS, type PlannedRun } from "./arms.ts";
import { RESULTS } from "./result-files.ts";

/** Counts of the rollouts of some tasks whose careful solution reads every page of a list. */
export interface HasteCount {
  /** The tasks that were played: the training tasks that repeat, or tasks of test-normal. */
  readonly where: "pool" | "unseen";
  /** True for tasks that the hasty program passes. */
  readonly lucky: boolean;
  readonly rollouts: number;
  /** Rollouts whose code asks whether there are more pages. */
  readonly allPages: number;
  readonly passed: number;
}

/** A policy, or the warm start of a seed (the arm `warm`). */
export interface HasteLine extends PlannedRun {
  readonly counts: readonly HasteCount[];
}

export interface Haste {
  readonly version: 1;
  readonly temperature: 1;
  readonly lines: readonly HasteLine[];
}

/** The name under which a warm start stands among the arms. */
export const START = "warm";
const PLACES = [
  ["training tasks, haste passes", "pool", true],
  ["training tasks, haste fails", "pool", false],
  ["unseen tasks, haste passes", "unseen", true],
  ["unseen tasks, haste fails", "unseen", false],
] as const;

/** Reads the measured policies. Throws when nothing was measured. */
export const readHaste = () => readJson(join(RESULTS, "haste.json")) as Haste;

/** Makes a table with a row for each arm of a cell: the share of rollouts that read every page, by the kind of task. */
export function formatHaste({ lines: all }: Haste, cell: string): string {
  const lines = all.filter((line) => line.cell === cell);
  const arms = [START, ...Object.keys(ARMS)].filter((arm) => lines.some((one) => one.arm === arm));
  const rows = arms.map((arm) => {
    const own = lines.filter((one) => one.arm === arm);
    const cells = PLACES.map(([, where, lucky]) => {
      const shares = own.flatMap(({ counts }) => {
        const found = counts.find((one) => one.where === where && one.lucky === lucky);
        return found ? [(100 * found.allPages) / found.rollouts] : [];
      });
      return formatMeanAndSpread(shares, 0);
    });
    return [ARMS[arm]?.label ?? "warm start, before", String(own.length), ...cells];
  });
  return formatTable(["arm", "runs", ...PLACES.map(([head]) => head)], rows);
}
