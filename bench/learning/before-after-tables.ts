/** Makes tables of one arm, in which each run is compared with its own warm start. */
import {
  formatDifference,
  formatMean,
  formatPercent,
  formatScoreName,
  takenScores,
} from "../../src/report/index.ts";
import {
  armDifference,
  armScore,
  type Comparison,
  type Measure,
  type ScoredArm,
} from "../../src/train/index.ts";
import { formatTable } from "./markdown-table.ts";
import { formatEstimate, selectArms, type TableRequest, warmStartsAsArm } from "./table-cells.ts";

/** Returns the first requested arm and the warm starts of its runs. */
function selectArmAndStarts(comparison: Comparison, request: TableRequest) {
  const [arm] = selectArms(comparison, request);
  if (arm === undefined) throw new Error(`${request.file} has no arms`);
  const seeds = new Set(arm.runs.map(({ seed }) => seed));
  const starts: ScoredArm = {
    runs: warmStartsAsArm(comparison).runs.filter(({ seed }) => seeds.has(seed)),
  };
  return { arm, starts };
}

/** Makes a table of one arm in three lines, greedy and at T = 1, before and after training. */
export function headlineTable(comparison: Comparison, request: TableRequest): string {
  const { arm, starts } = selectArmAndStarts(comparison, request);
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
      formatEstimate(armScore(comparison, arm, on, measure)),
    ]),
  ]);
  const heads = ["greedy, before", "after [95%]", "T = 1, before", "after [95%]"];
  return formatTable([`percent, ${arm.runs.length} runs`, ...heads], rows);
}

/** Makes a table of one arm with all scores, before and after training, and by difficulty. */
export function beforeAfterTable(comparison: Comparison, request: TableRequest): string {
  const { arm, starts } = selectArmAndStarts(comparison, request);
  const createRow = (name: string, of: Comparison, on: string, measure: Measure) => [
    name,
    formatMean(armScore(of, starts, on, measure)),
    formatEstimate(armScore(of, arm, on, measure)),
    formatDifference(armDifference(of, arm, starts, on, measure)),
  ];
  const levels = [...new Set(comparison.splits["test-normal"]?.difficulty ?? [])].sort();
  const scores = takenScores(comparison);
  return formatTable(
    [`percent, ${arm.runs.length} runs`, "before", "after [95%]", "points [95%]"],
    [
      ...scores.map((on) => createRow(`TGC ${formatScoreName(on)}`, comparison, on, "tgc")),
      ...scores.map((on) => createRow(`SGC ${formatScoreName(on)}`, comparison, on, "sgc")),
      ...levels.map((level) => {
        const part = selectDifficulty(comparison, "test-normal", level);
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

/** Selects the scenarios of one difficulty: their share of all tasks, and the scores of runs on them. */
function selectDifficulty({ splits }: Comparison, on: string, level: number) {
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
