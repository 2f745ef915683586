/**
 * Makes two tables that compare tasks of different numbers of dependent steps. The first has metrics of training. Its
 * pass rate is a score on new tasks whose steps occur in training, because training uses each task once. The second has
 * the scores of `trained-steps.ts` on such tasks in a world of another seed, greedy and at T = 1, and also for the warm
 * start.
 */
import { formatMean, formatPoints } from "../../../src/report/index.ts";
import { type Arm, type Comparison, computeSpread } from "../../../src/train/index.ts";
import { formatMeanAndSpread, formatTable } from "../markdown-table.ts";
import { estimateMean, formatMeanDifference, pairedDifferences } from "../table-cells.ts";

/** The decodings: greedy, and sampled at T = 1 as in training. */
export const MODES = ["greedy", "T1"] as const;

/** A policy's score on new tasks whose steps occur in training. */
export interface ScoreLine {
  readonly k: number;
  /** The method or its variant (`variants.ts`), or `warm` for the warm start that all methods share. */
  readonly method: string;
  readonly seed: number;
  readonly mode: (typeof MODES)[number];
  readonly tasks: number;
  readonly tgc: number;
  readonly reward: number;
  readonly turns: number;
}

/** The content of `results/trained-steps.json`. */
export interface TrainedSteps {
  readonly version: 1;
  /** Seed of the world in which policies were scored. */
  readonly freshSeed: number;
  readonly lines: readonly ScoreLine[];
}

/**
 * Formats a row for each decoding and method. For each number of steps, the row has task goal completion (TGC), or the
 * reward that LOOP was paid, and its difference to LOOP over pairs of runs.
 */
export function formatTrainedSteps(
  { lines }: TrainedSteps,
  measure: "tgc" | "reward" = "tgc",
  modes: readonly ScoreLine["mode"][] = MODES,
): string {
  const ks = [...new Set(lines.map(({ k }) => k))].sort((a, b) => a - b);
  const read = (line: ScoreLine) => line[measure];
  const linesOf = (policy: Pick<ScoreLine, "k" | "method" | "mode">) =>
    lines.filter((line) => hasSamePolicy(line, policy));
  const rows = modes.flatMap((mode) =>
    listMethods(lines).map((method) => [
      `${displayQuoted(method)}, ${mode === "greedy" ? "greedy" : "T = 1"}`,
      ...ks.flatMap((k) => {
        const own = linesOf({ k, method, mode });
        const loop = linesOf({ k, method: "loop", mode });
        const apart = method === "loop" ? [] : pairedDifferences(own, loop, read);
        return [formatMeanCell(own.map(read)), formatDifferenceCell(apart)];
      }),
    ]),
  );
  return formatTable(
    [measure === "tgc" ? "TGC" : "reward", ...ks.flatMap((k) => [`k = ${k}`, "to LOOP [95%]"])],
    rows,
  );
}

/** Lists LOOP, the other methods in order, and the warm start. */
export function listMethods(lines: readonly Pick<ScoreLine, "method">[]): string[] {
  const others = new Set(lines.map(({ method }) => method));
  others.delete("loop");
  others.delete("warm");
  return ["loop", ...[...others].sort(), "warm"];
}

/** Says whether a score has the number of steps, method and decoding of `of`, with any seed. */
export const hasSamePolicy = (line: ScoreLine, of: Pick<ScoreLine, "k" | "method" | "mode">) =>
  line.k === of.k && line.method === of.method && line.mode === of.mode;

/** Two quarters of a run, counted from 1: the quarter that ends in the middle of the run, and the last quarter. */
const [HALF, END] = [2, 4];

/**
 * Formats a row for each world and arm: pass rates at the start, in the middle and at the end, and metrics of the last
 * quarter.
 */
export function formatTraining(comparisons: readonly Comparison[]): string {
  const rows = comparisons.flatMap(({ world, arms }) =>
    arms.map((arm) => [
      `\`${world.name}\``,
      arm.name === arm.recipe ? displayQuoted(arm.method) : `\`${arm.name}\``,
      String(arm.runs.length),
      computeSpread(arm.runs.map(({ updates }) => updates)).mean.toFixed(0),
      formatMeanCell(firstValues(arm, "reward/pass_rate")),
      formatMeanCell(meansInQuarter(arm, "reward/pass_rate", HALF)),
      formatMeanCell(meansInQuarter(arm, "reward/pass_rate", END)),
      formatMeanCell(firstValues(arm, "group/all_wrong").map((wrong) => 1 - wrong)),
      formatMeanCell(meansInQuarter(arm, "group/all_wrong", END).map((wrong) => 1 - wrong)),
      formatMeanCell(firstValues(arm, "reward/mean")),
      formatMeanCell(meansInQuarter(arm, "reward/mean", END)),
      formatMeanCell(meansInQuarter(arm, "group/mixed", END)),
      formatMeanAndSpread(meansInQuarter(arm, "entropy/sampled", END)),
      formatMeanAndSpread(meansInQuarter(arm, "kl/trajectory", END)),
    ]),
  );
  const rates = ["pass rate at first", "at half", "at the end", "pass@8 at first", "at the end"];
  const rest = ["groups of differing returns", "nats a token", "KL a rollout"];
  const heads = ["world", "method", "runs", "updates", ...rates, "reward at first", "at the end"];
  return formatTable([...heads, ...rest], rows);
}

/** Returns the value of each run's first iteration, which samples from the warm start. */
function firstValues({ runs }: Arm, series: string): number[] {
  return runs.flatMap(({ training }) => training[series]?.[0] ?? []);
}

/**
 * Returns the mean of each run over a quarter of its iterations, and leaves out runs with fewer than four iterations.
 */
function meansInQuarter({ runs }: Arm, series: string, quarter: number): number[] {
  return runs.flatMap(({ training }) => {
    const values = training[series] ?? [];
    const length = Math.floor(values.length / 4);
    const end = Math.floor((values.length * quarter) / 4);
    const within = values.slice(end - length, end).filter((value) => value !== null);
    return within.length > 0 ? [computeSpread(within).mean] : [];
  });
}

const NAMES: { readonly [method: string]: string } = {
  loop: "LOOP",
  "loop-strict": "LOOP, strict reward",
  "loop-annealed": "LOOP, falling rate",
  warm: "warm start, before",
};

export const displayName = (method: string) => NAMES[method] ?? method;
export const displayQuoted = (method: string) => NAMES[method] ?? `\`${method}\``;

const formatMeanCell = (shares: readonly number[]) =>
  shares.length > 0 ? formatMean(estimateMean(shares)) : "";

/** Formats the mean difference with its interval, or only the difference when there is a single pair. */
function formatDifferenceCell(differences: readonly number[]): string {
  return differences.length === 1
    ? formatPoints(differences[0]!)
    : formatMeanDifference(differences);
}
