/** Collects the data of an evaluation's report: its scores, what a hosted model used, and a sample of its rollouts. */
import { isPassed, PAPER_REWARD } from "../../../algo/index.ts";
import { formatCompact, formatPercent } from "../../../report/index.ts";
import type { Rollout } from "../../../spec/index.ts";
import type { Report, RolloutView } from "../../../spec/studio/index.ts";
import type { EvaluateResult } from "../../../train/index.ts";
import { makeSection, recogniseResult, type Section } from "../documents/index.ts";
import { buildRolloutRow, hidesChecks } from "../world-views.ts";
import { answerPath } from "./answers.ts";

/** The largest number of rollouts in one report. */
const MAX_ROLLOUTS = 60;
/** The name under which the report shows the file of the rollouts. */
const FILE = "rollouts";

export function collectEvaluationReport(result: EvaluateResult): Report {
  const { policy, split, score, hosted } = result;
  const run = `${policy} on ${split}`;
  const shown = failedFirst(result.rollouts).slice(0, MAX_ROLLOUTS);
  return {
    ...{ run, isRun: false, facts: [] },
    headline: `${formatPercent(score.tgc)}% of ${score.tasks} tasks solved`,
    sections: [...listScoreSections(result), ...(hosted ? [makeUsageSection(hosted)] : [])],
    rollouts: shown.map((rollout) => ({
      ...{ file: FILE, rollout: rollout.id, task: rollout.task.id, label: rollout.outcome },
      ...{ instruction: rollout.task.instruction, passed: isPassed(rollout), hasTokens: false },
    })),
    answers: Object.fromEntries(
      shown.map((rollout, i) => [
        answerPath(["runs", run, "files", FILE, "rollouts", rollout.id]),
        buildView(rollout, shown[i - 1]?.id ?? null, shown[i + 1]?.id ?? null),
      ]),
    ),
  };
}

/** Returns the sections with which the studio shows the same result as a file. */
function listScoreSections({
  policy,
  world,
  scaffold,
  split,
  seed,
  score,
}: EvaluateResult): Section[] {
  return recogniseResult({ policy, world, scaffold, split, seed, ...score })?.sections() ?? [];
}

function makeUsageSection(hosted: NonNullable<EvaluateResult["hosted"]>): Section {
  const rows = Object.entries(hosted).map(([name, value]) => [name, formatCompact(value)]);
  return makeSection("Usage", { columns: [{ title: "" }, { title: "" }], rows }, [
    "The provider counted these tokens. Cached tokens are part of the input, and reasoning tokens are part of the output.",
  ]);
}

/** Returns failed rollouts before the others, because readers look for failures. */
function failedFirst(rollouts: readonly Rollout[]): Rollout[] {
  return rollouts.toSorted((a, b) => Number(isPassed(a)) - Number(isPassed(b)));
}

function buildView(
  { tokens: _, segments: __, ...rollout }: Rollout,
  previous: string | null,
  next: string | null,
): RolloutView {
  const row = buildRolloutRow(rollout, PAPER_REWARD);
  const hidden = hidesChecks(rollout.task.split);
  return { file: FILE, row, rollout, hidden, previous, next, group: [] };
}
