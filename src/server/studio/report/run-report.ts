/**
 * Collects the data of a run's report: what the studio answers about this run and about a sample of its rollouts. So
 * every number of the report is the number that the studio shows.
 */
import {
  difficultyChangeTable,
  formatUsage,
  phaseUsageTable,
  pluralize,
  type RunRecord,
  scoreChangeTable,
  taskUsageTable,
} from "../../../report/index.ts";
import type { Summary } from "../../../spec/index.ts";
import type {
  BehaviourView,
  Report,
  RolloutTokensView,
  RolloutView,
} from "../../../spec/studio/index.ts";
import { behaviourRoutes } from "../behaviour.ts";
import { makeSection, type Section } from "../documents/index.ts";
import { createApi } from "../routes.ts";
import { openRuns, rolloutRoutes, runRoutes } from "../runs/index.ts";
import { hidesChecks } from "../world-views.ts";
import { type AnswerCollector, answerPath, createAnswerCollector } from "./answers.ts";
import { type SelectedRollout, selectRollouts } from "./select-rollouts.ts";

/** Collects the report of a run. While the run is in training, some parts of its report are empty. */
export async function collectRunReport(record: RunRecord): Promise<Report> {
  const { directory, summary } = record;
  const runs = openRuns(directory);
  const location = (await runs.locateAll())[0]!;
  const { id } = location;
  const routes = [...runRoutes(runs), ...rolloutRoutes(runs), ...behaviourRoutes(runs)];
  const collector = createAnswerCollector(createApi(routes));
  await collector.request(["runs", id]);
  await collector.request(["runs", id, "metrics"]);
  const selected = await selectRollouts(runs, location);
  const rollouts = await collectRollouts(collector, id, selected);
  const behaviour = await collector.request<BehaviourView>(["runs", id, "behaviour"]);
  collector.answers[answerPath(["runs", id, "behaviour"])] = keepContained(behaviour, rollouts);
  return {
    ...{ run: id, isRun: true, rollouts, answers: collector.answers },
    headline: createHeadline(record),
    facts: listFacts(record),
    sections: summary ? buildSections(summary) : [],
  };
}

/** Collects the selected rollouts, each with links to its neighbours in the report. */
async function collectRollouts(
  { answers, request }: AnswerCollector,
  run: string,
  selected: readonly SelectedRollout[],
): Promise<Report["rollouts"]> {
  const rollouts: Report["rollouts"] = [];
  for (const [i, { file, id, task, passed, label }] of selected.entries()) {
    const path = ["runs", run, "files", file.name, "rollouts", id];
    const view = await request<RolloutView>(path, { checks: "1" });
    const neighbour = (at: number) =>
      selected[at]?.file.name === file.name ? selected[at].id : null;
    const hidden = { hidden: hidesChecks(task.split) };
    answers[answerPath(path)] = {
      ...{ ...view, ...hidden, group: [] },
      ...{ previous: neighbour(i - 1), next: neighbour(i + 1) },
    } satisfies RolloutView;
    const hasTokens = await keepNotedTokens({ answers, request }, [...path, "tokens"]);
    const { instruction } = task;
    rollouts.push({
      file: file.name,
      rollout: id,
      task: task.id,
      instruction,
      passed,
      label,
      hasTokens,
    });
  }
  return rollouts;
}

/** Keeps the tokens of a rollout only if the trainer noted what it learned from them. Returns whether it did. */
async function keepNotedTokens(
  { answers, request }: AnswerCollector,
  path: readonly string[],
): Promise<boolean> {
  const { rows } = await request<RolloutTokensView>(path);
  const isNoted = rows.some(({ recorded }) => recorded !== null);
  if (!isNoted) delete answers[answerPath(path)];
  return isNoted;
}

/** Removes the examples of habits that the report does not contain. */
function keepContained(view: BehaviourView, rollouts: Report["rollouts"]): BehaviourView {
  const contained = new Set(rollouts.map(({ file, rollout }) => `${file} ${rollout}`));
  const isContained = ({ file, rollout }: { file: string; rollout: string }) =>
    contained.has(`${file} ${rollout}`);
  const { pair } = view;
  return {
    ...view,
    splits: view.split === "" ? [] : [view.split],
    pair: pair && isContained(pair.before) && isContained(pair.after) ? pair : null,
    habits: view.habits.map((habit) => ({
      ...habit,
      examplesBefore: habit.examplesBefore.filter(isContained),
      examplesAfter: habit.examplesAfter.filter(isContained),
    })),
  };
}

function createHeadline({ summary, run }: RunRecord): string {
  const { recipe, world } = readFacts({ run });
  if (!summary) return `${recipe}: this run in ${world} has not finished`;
  const split = ["test-normal", "dev"]
    .flatMap((name) => [name, `${name}@T1`])
    .find((name) => summary.before[name] && summary.after[name]);
  if (split === undefined) return `${recipe}: no scores before and after training`;
  const [before, after] = [summary.before[split]!, summary.after[split]!].map(
    ({ tgc }) => `${Math.round(tgc * 100)}%`,
  );
  const tasks = split.startsWith("test-normal") ? "unseen test tasks" : "held-out tasks";
  return `${before} → ${after} of ${tasks} solved`;
}

function readFacts({ run }: Pick<RunRecord, "run">) {
  const config = (run["config"] ?? {}) as { recipe?: string; world?: { name?: string } };
  return { recipe: config.recipe ?? "run", world: config.world?.name ?? "its world" };
}

/** Lists what the head of a run's page does not show. */
function listFacts({ run, summary }: RunRecord): Report["facts"] {
  const versions = Object.entries((run["versions"] ?? {}) as Record<string, string>);
  const machine = run["machine"];
  const facts: [string, string | undefined][] = [
    ["warm start", summary && describeWarmStart(summary.warmStart)],
    ["machine", typeof machine === "string" ? machine : undefined],
    ["versions", versions.map((version) => version.join(" ")).join(", ") || undefined],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

function describeWarmStart({
  demonstrations,
  hastyShare,
}: Summary["warmStart"]): string | undefined {
  if (demonstrations === 0) return undefined;
  return `${pluralize(demonstrations, "demonstration")}, ${Math.round(hastyShare * 100)}% hasty`;
}

const SCORE_NOTES = [
  "TGC (task goal completion): the percentage of tasks whose checks all pass [95% interval, tasks of a scenario as one cluster]. SGC: the percentage of scenarios whose tasks all pass.",
  "Before: after the warm start and before the first update. Test tasks are never trained on.",
];

function buildSections(summary: Summary): Section[] {
  const { usage } = summary;
  const sections = [
    makeSection("Before and after training", scoreChangeTable(summary), SCORE_NOTES),
    makeSection("By difficulty", difficultyChangeTable(summary)),
    ...(usage
      ? [
          makeSection("Tokens", phaseUsageTable(usage), [`${formatUsage(usage)}.`]),
          makeSection("Most expensive tasks", taskUsageTable(usage)),
        ]
      : []),
  ];
  return sections.filter(({ rows, notes }) => rows.length + notes.length > 0);
}
