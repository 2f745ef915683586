/** Makes the tables of results/temperatures.json: scores by temperature, and habits before and after LOOP. */
import { computeSpread } from "../../../src/train/index.ts";
import { HABITS } from "../habits.ts";
import { displayQuoted, listMethods } from "../horizon/horizon-tables.ts";
import { formatTable } from "../markdown-table.ts";
import {
  estimateMean,
  formatMeanDifference,
  formatShares,
  pairedDifferences,
} from "../table-cells.ts";

/** The temperatures at which policies are scored; 0 is greedy. */
export const TEMPERATURES = [0, 0.3, 1] as const;

/** A score on test-normal: shares from 0 to 1. */
export interface TemperatureScore {
  readonly tasks: number;
  readonly tgc: number;
  readonly sgc: number;
  readonly reward: number;
}

/** What was measured of one policy on test-normal. */
export interface PolicyLine {
  /** The method, or `warm` for the warm start that all methods of a seed share. */
  readonly method: string;
  readonly seed: number;
  /** Scores by temperature. */
  readonly scores: Readonly<Record<string, TemperatureScore>>;
  /** Habits at T = 1, by name. A habit that cannot be measured is absent. */
  readonly habits: Readonly<Record<string, number>>;
}

/** The content of `results/temperatures.json`. */
export interface Temperatures {
  readonly version: 1;
  readonly machine: string;
  readonly lines: readonly PolicyLine[];
}

/**
 * Makes a table with a row for each method. For each temperature, the row has TGC and its difference to LOOP over pairs
 * of runs, in points.
 */
export function formatTemperatures({ lines }: Temperatures): string {
  const loop = linesOf(lines, "loop");
  const rows = listMethods(lines).flatMap((method) => {
    const own = linesOf(lines, method);
    if (own.length === 0) return [];
    const cells = TEMPERATURES.flatMap((temperature) => {
      const read = ({ scores }: PolicyLine) => scores[String(temperature)]!.tgc;
      const apart = method === "loop" ? [] : pairedDifferences(own, loop, read);
      return [formatShares(own.map(read)), formatMeanDifference(apart)];
    });
    return [[displayQuoted(method), String(own.length), ...cells]];
  });
  const heads = TEMPERATURES.flatMap((temperature) => [
    temperature === 0 ? "greedy" : `T = ${String(temperature).replace("0.", ".")}`,
    "to LOOP [95%]",
  ]);
  return formatTable(["TGC test-normal", "runs", ...heads], rows);
}

/** Makes a table with a row for each habit: its mean before and after LOOP, and the mean change over runs. */
export function formatHabits({ lines }: Temperatures): string {
  const [before, after] = [linesOf(lines, "warm"), linesOf(lines, "loop")];
  const rows = Object.entries(HABITS).flatMap(([habit, definition]) => {
    const read = ({ habits }: PolicyLine) => habits[habit];
    const [first, last] = [before, after].map((own) => own.flatMap((line) => read(line) ?? []));
    if (first!.length === 0 || last!.length === 0) return [];
    const { mean, interval } = estimateMean(pairedDifferences(after, before, read));
    const range = interval ? `[${interval.map(formatSigned).join(", ")}]` : "[no interval]";
    const means = [first!, last!].map((own) => computeSpread(own).mean.toFixed(2));
    const change = `${formatSigned(mean)} ${range}`;
    return [[`\`${habit}\``, definition, ...means, change]];
  });
  return formatTable(["habit", "definition", "before", "after LOOP", "change [95%]"], rows);
}

const linesOf = (lines: readonly PolicyLine[], method: string) =>
  lines.filter((line) => line.method === method);

const formatSigned = (value: number) =>
  `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`.replace(/^[−+](0\.00)$/, "±$1");
