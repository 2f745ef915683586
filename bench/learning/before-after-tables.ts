/** Tables of one arm: each of its runs against its own warm start. */
import {
  formatDifference,
  formatMean,
  formatPercent,
  formatScoreName,
  HEADLINE_SCORES,
} from "../../src/report/index.ts";
import {
  armDifference,
  armScore,
  type Comparison,
  type Measure,
  type ScoredArm,
} from "../../src/train/index.ts";
import { table } from "./markdown-table.ts";
import { type Asked, armsOf, before, withInterval } from "./table-cells.ts";

/** The first arm that was asked for, and the warm starts of its runs. */
function armAndStarts(comparison: Comparison, asked: Asked) {
  const [arm] = armsOf(comparison, asked);
  if (arm === undefined) throw new Error(`${asked.file} has no arms`);
  const seeds = new Set(arm.runs.map(({ seed }) => seed));
  const starts: ScoredArm = { runs: before(comparison).runs.filter(({ seed }) => seeds.has(seed)) };
  return { arm, starts };
}

/** Of one arm, in three lines: greedy and T = 1 side by side. */
export function headline(comparison: Comparison, asked: Asked): string {
  const { arm, starts } = armAndStarts(comparison, asked);
  const rows = (
    [
      ["test-normal", "tgc"],
      ["dev", "tgc"],
      ["test-normal", "sgc"],
    ] as const
  ).map(([split, measure]) => [
    `${measure.toUpperCase()} ${split}`,
    ...[split, `${split}@T1`].flatMap((on) => [
      formatMean(armScore(comparison, starts, on, measure)),
      withInterval(armScore(comparison, arm, on, measure)),
    ]),
  ]);
  const heads = ["greedy, before", "after [95%]", "T = 1, before", "after [95%]"];
  return table([`percent, ${arm.runs.length} runs`, ...heads], rows);
}

/** Of one arm, each run against its own warm start. */
export function beforeAfter(comparison: Comparison, asked: Asked): string {
  const { arm, starts } = armAndStarts(comparison, asked);
  const row = (name: string, of: Comparison, on: string, measure: Measure) => [
    name,
    formatMean(armScore(of, starts, on, measure)),
    withInterval(armScore(of, arm, on, measure)),
    formatDifference(armDifference(of, arm, starts, on, measure)),
  ];
  const levels = [...new Set(comparison.splits["test-normal"]?.difficulty ?? [])].sort();
  return table(
    [`percent, ${arm.runs.length} runs`, "before", "after [95%]", "points [95%]"],
    [
      ...HEADLINE_SCORES.map((on) => row(`TGC ${formatScoreName(on)}`, comparison, on, "tgc")),
      ...HEADLINE_SCORES.map((on) => row(`SGC ${formatScoreName(on)}`, comparison, on, "sgc")),
      ...levels.map((level) => {
        const part = atDifficulty(comparison, "test-normal", level);
        const name = `TGC test-normal, greedy, difficulty ${level} (${formatPercent(part.share)}% of tasks)`;
        const score = (scored: ScoredArm) => armScore(comparison, part.of(scored), part.on);
        return [
          name,
          formatMean(score(starts)),
          formatMean(score(arm)),
          formatDifference(armDifference(comparison, part.of(arm), part.of(starts), part.on)),
        ];
      }),
    ],
  );
}

/** The scenarios of one difficulty, as scores of their own. */
function atDifficulty({ splits }: Comparison, on: string, level: number) {
  const { difficulty } = splits[on]!;
  const kept = difficulty.map((one) => one === level);
  return {
    on,
    share: kept.filter(Boolean).length / difficulty.length,
    of: ({ runs }: ScoredArm): ScoredArm => ({
      runs: runs.map(({ seed, after }) => ({
        seed,
        after: { [on]: (after[on] ?? []).filter((_, i) => kept[i]) },
      })),
    }),
  };
}
