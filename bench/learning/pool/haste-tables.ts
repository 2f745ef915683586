/** Tables of what the policies of the primary cell do, made from results/haste.json (`measure-haste.ts`). */
import { join } from "node:path";
import { meanInterval } from "../../../src/algo/index.ts";
import { readJson } from "../../../src/core/index.ts";
import { computeSpread } from "../../../src/train/index.ts";
import { HABITS } from "../habits.ts";
import { formatTable } from "../markdown-table.ts";
import { ARMS } from "./arms.ts";
import { RESULTS } from "./result-files.ts";

/** Counts of the rollouts of some tasks whose careful solution reads every page of a list. */
export interface HasteCount {
  /** The training tasks that repeat, or tasks of test-normal. */
  readonly where: "pool" | "unseen";
  /** True for tasks that the hasty program passes. */
  readonly lucky: boolean;
  readonly rollouts: number;
  /** Rollouts whose code asks whether there are more pages. */
  readonly allPages: number;
  readonly passed: number;
}

/** A policy, or the warm start of a seed (`warm`). */
export interface HasteLine {
  readonly arm: string;
  readonly seed: number;
  readonly counts: readonly HasteCount[];
  /** The habits of the paper on test-normal, by name. */
  readonly habits: Readonly<Record<string, number>>;
}

export interface Haste {
  readonly version: 1;
  readonly temperature: 1;
  readonly lines: readonly HasteLine[];
}

const START = "warm";
const PLACES = [
  ["training tasks, haste passes", "pool", true],
  ["training tasks, haste fails", "pool", false],
  ["unseen tasks, haste passes", "unseen", true],
  ["unseen tasks, haste fails", "unseen", false],
] as const;

/** Reads the measured policies. Throws when nothing was measured. */
export const readHaste = () => readJson(join(RESULTS, "haste.json")) as Haste;

/** Makes a table with a row for each arm: the share of rollouts that read every page, by the kind of task. */
export function formatHaste({ lines }: Haste): string {
  const arms = [START, ...Object.keys(ARMS)].filter((arm) => lines.some((one) => one.arm === arm));
  const rows = arms.map((arm) => {
    const own = lines.filter((one) => one.arm === arm);
    const cells = PLACES.map(([, where, lucky]) => {
      const shares = own.flatMap(({ counts }) => {
        const found = counts.find((one) => one.where === where && one.lucky === lucky);
        return found ? [(100 * found.allPages) / found.rollouts] : [];
      });
      return shares.length === 0 ? "" : formatSpread(shares, 0);
    });
    return [ARMS[arm]?.label ?? "warm start, before", String(own.length), ...cells];
  });
  return formatTable(["arm", "runs", ...PLACES.map(([head]) => head)], rows);
}

/** Makes a table with a row for each habit of the paper, before and after an arm, over runs of the same seeds. */
export function formatHabits({ lines }: Haste, arm: string): string {
  const before = new Map(lines.filter((one) => one.arm === START).map((one) => [one.seed, one]));
  const after = lines.filter((one) => one.arm === arm && before.has(one.seed));
  const rows = Object.entries(HABITS).flatMap(([habit, definition]) => {
    const pairs = after.flatMap(({ seed, habits }) => {
      const [first, second] = [before.get(seed)!.habits[habit], habits[habit]];
      return first === undefined || second === undefined ? [] : [[first, second] as const];
    });
    if (pairs.length === 0) return [];
    const change = meanInterval(pairs.map(([first, second]) => second - first));
    const cells = [0, 1].map((i) =>
      formatSpread(
        pairs.map((pair) => pair[i]!),
        3,
      ),
    );
    return [
      [
        definition,
        String(pairs.length),
        ...cells,
        change ? `[${change.map((value) => value.toFixed(3)).join(", ")}]` : "",
      ],
    ];
  });
  const heads = ["habit", "runs", "before", "after", "change [95%]"];
  return formatTable(heads, rows);
}

function formatSpread(values: readonly number[], digits: number): string {
  const { mean, sd } = computeSpread(values);
  return sd === undefined
    ? mean.toFixed(digits)
    : `${mean.toFixed(digits)} ± ${sd.toFixed(digits)}`;
}
