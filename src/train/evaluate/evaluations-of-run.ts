/**
 * The evaluations of a run: all configured scores before and after training, and greedy evaluations on dev in between.
 */

import { enginePolicy } from "../../agent/index.ts";
import { asShapedConfig, createRolloutShaper } from "../../methods/index.ts";
import {
  formatIterationNumber,
  type Score,
  type Scores,
  type Split,
  type World,
} from "../../spec/index.ts";
import { namesHosts } from "../../world/index.ts";
import type { Config } from "../config/config.ts";
import { countEpisodesAtOnce } from "../config/memory-plan.ts";
import { SCORE_NAMES } from "../config/score-names.ts";
import { addRolloutUsage } from "../run/budget/index.ts";
import { nameScoreMetrics, scoreName } from "../run/metrics.ts";
import { findMemory } from "../run/trainer-state.ts";
import { saveRun, type TrainingRun } from "../run/training-run.ts";
import { scoreSplit } from "./score-split.ts";

type DecodingMode = "greedy" | "T1";
type EvaluationTime = "before" | "after" | `iteration ${number}`;

/** Evaluates the policy before training, unless the run's state already has these scores. */
export async function evaluateBeforeTraining(run: TrainingRun): Promise<void> {
  const { state, watch } = run;
  if (Object.keys(state.before).length > 0) return;
  const start = watch.seconds();
  state.before = await evaluateAllScores(run, "before");
  state.evaluationSeconds = watch.seconds() - start;
  await saveRun(run);
}

/**
 * Evaluates greedily on dev if an evaluation is due after this iteration. The last iteration has none, because the
 * evaluations after training follow.
 */
export async function evaluateIfDue(run: TrainingRun, iteration: number): Promise<void> {
  const { evaluation, algo } = run.config;
  const isDue = evaluation.every > 0 && iteration % evaluation.every === 0;
  if (!isDue || iteration >= algo.iterations) return;
  if (run.world.tasks("dev", evaluation.everyScenarios).length === 0) return;
  await evaluateSplit(run, `iteration ${iteration}`, "dev", "greedy", evaluation.everyScenarios);
}

/**
 * Says which evaluations a run leaves out, because its world has no tasks of their splits; undefined if there are none.
 */
export function describeMissingScores(
  world: Pick<World, "tasks">,
  { evaluation, algo, world: { name } }: Config,
): string | undefined {
  const asked = evaluation.scores.map((key) => parseScoreName(key).split);
  if (evaluation.every > 0 && evaluation.every < algo.iterations) asked.push("dev");
  const missing = [...new Set(asked)].filter((split) => world.tasks(split, 1).length === 0);
  if (missing.length === 0) return undefined;
  const splits = missing.join(" and ");
  const cure = namesHosts(name)
    ? "serves none; start its hosts with --splits that name what is to be evaluated"
    : "has none";
  return `nothing is evaluated on ${splits}: the run asks for it (evaluation.scores, evaluation.every), but ${name} ${cure}`;
}

/** Evaluates all configured scores, before or after training. */
export async function evaluateAllScores(
  run: TrainingRun,
  when: "before" | "after",
): Promise<Scores> {
  const { config, world, progress } = run;
  const { scenarios, scores: wanted } = config.evaluation;
  const asked = SCORE_NAMES.filter((key) => wanted.includes(key)).map(parseScoreName);
  const counted = asked.map((one) => ({ ...one, tasks: world.tasks(one.split, scenarios).length }));
  const some = counted.filter(({ tasks }) => tasks > 0);
  progress.startPhase(
    "eval",
    when,
    some.reduce((sum, { tasks }) => sum + tasks, 0),
  );
  const scores: Scores = {};
  for (const { split, mode } of some) {
    scores[scoreName(split, mode)] = await evaluateSplit(run, when, split, mode, scenarios);
  }
  return scores;
}

/** Splits the name of a score, such as `dev@T1`, into its split and its decoding. */
function parseScoreName(key: (typeof SCORE_NAMES)[number]): {
  readonly split: Split;
  readonly mode: DecodingMode;
} {
  const [split, mode] = key.split("@");
  return { split: split as Split, mode: mode === undefined ? "greedy" : "T1" };
}

async function evaluateSplit(
  run: TrainingRun,
  when: EvaluationTime,
  split: Split,
  mode: DecodingMode,
  scenarios: number,
): Promise<Score> {
  const { config, world, engine, agent, store, onEvent, progress, signal, state } = run;
  const name = `eval-${when.replace(/(\d+)/, (n) => formatIterationNumber(Number(n))).replace(" ", "-")}-${split}-${mode}`;
  const shapes = asShapedConfig(config);
  const { participants, exceptions } = run;
  const { score, rollouts } = await scoreSplit({
    world,
    split,
    scenarios,
    agent,
    policy: enginePolicy(engine),
    temperature: mode === "greedy" ? 0 : 1,
    maxTurns: config.scaffold.evaluationTurns,
    episodes: countEpisodesAtOnce(config),
    seed: config.run.seed,
    name,
    // Between two iterations, no checkpoint has the present weights yet, so a continued run could not reuse these
    // rollouts.
    ...(when === "before" || when === "after" ? { journal: store.journal(name) } : {}),
    shape:
      shapes &&
      createRolloutShaper(shapes, { participants, mode: "evaluation", store: findMemory(state) }),
    onTurn: (task, turn) => exceptions.warnOfFirst({ task, turns: [turn] }),
    onDone: (_, rollout) => progress.countEvaluation(rollout),
    signal,
  });
  store.writeRollouts(name, rollouts);
  exceptions.addAll(rollouts);
  addRolloutUsage(state.usage, when === "before" ? "before" : "evaluate", rollouts);
  const metrics = nameScoreMetrics(score, split, mode);
  store.appendMetrics({ phase: "eval", step: state.iteration, when, ...metrics });
  onEvent({ type: "score", when, split, mode, score });
  return score;
}
