/**
 * Learning by imitation: cross-entropy on the tokens of rollouts that passed (arXiv 2502.01600, section 5.3).
 *
 * When it uses the policy's own rollouts in every iteration, this is expert iteration. When it uses many rollouts at
 * several temperatures once, it is rejection sampling. When it uses the tasks' solutions, it is supervised fine-tuning.
 * Three options are off by default: weights by return instead of the choice of passed rollouts
 * (`imitation.temperature`), predicting the world's answers instead of the agent's words (`imitation.target`), and
 * rollouts that passed in earlier iterations (`buffer`).
 */

import { z } from "zod";
import {
  type ActionRow,
  buildActionRow,
  type GradedRollout,
  gradeBatch,
  imitationCotangents,
  imitationLoss,
  isPassed,
  LOOP_ADVANTAGE,
  weightsFromReturns,
} from "../algo/index.ts";
import {
  BowlineError,
  choice,
  type FieldValue,
  offByDefault,
  section,
  withDescription,
} from "../core/index.ts";
import type { Rollout } from "../spec/index.ts";
import { defineMethod, defineVariant, type MethodConfig } from "./define-method.ts";
import { applyFilters } from "./extensions.ts";
import { applySurpriseBand, buildAnswerRow, buildObservationRow } from "./imitation-rows.ts";
import { runEpochs, takeStep } from "./learning/epochs.ts";
import { requireFinite } from "./learning/guards.ts";
import { gradientNormMetric, meanOrZero, rewardOptions } from "./learning/metrics.ts";
import type { FiringCount } from "./mechanisms/learning-record.ts";
import {
  addMetrics,
  type Collected,
  type Grading,
  type Iteration,
  type Learned,
  NOTHING_LEARNED,
} from "./method.ts";
import { findTermsConflict } from "./on-policy/conflicts.ts";
import { gradeWithTerms } from "./on-policy/grading.ts";
import type { BufferState, HeadState } from "./on-policy/on-policy-state.ts";
import { rememberedRollouts, updateBuffer } from "./on-policy/rollout-buffer.ts";
import { collectRollouts, type ShapeState } from "./rollouts/collect-rollouts.ts";
import { collectFromExpertStates } from "./rollouts/expert-states.ts";
import { stalenessNeeds } from "./rollouts/groups.ts";
import { hasLinearRollouts } from "./rollouts/shape-config.ts";
import { findShapeConflict } from "./rollouts/shape-conflicts.ts";
import { collectSolutions } from "./rollouts/solutions.ts";
import { findTasksConflict } from "./rollouts/tasks-conflict.ts";
import { findTemperatureConflict } from "./rollouts/temperatures.ts";
import { EVERY_METHOD, SAMPLING, STALENESS, STRAGGLERS, TEMPERATURES } from "./sections/algo.ts";
import { rewards, STORE, surprise } from "./sections/credit.ts";
import { number } from "./sections/numbers.ts";
import { ROLLOUTS } from "./sections/rollouts.ts";
import { OVER_ITERATIONS } from "./sections/tasks.ts";

const filter = withDescription("Which turns are not imitated", section({ surprise }));

const sections = {
  algo: section({ ...EVERY_METHOD, ...SAMPLING, ...STRAGGLERS, ...STALENESS, ...TEMPERATURES }),
  imitation: withDescription(
    "What is imitated",
    section(
      {},
      choice(
        "target",
        "What is learned: actions, what the agent wrote in passed rollouts; observations, what the world answered in all rollouts",
        {
          actions: section({
            temperature: number(1e-3, 1000)
              .nullable()
              .default(null)
              .describe(
                "The number t in the weights exp(return / t) with which all rollouts are imitated; null: only passed rollouts are imitated, all with weight 1",
              ),
          }),
          observations: section({
            states: z
              .enum(["own", "expert"])
              .default("own")
              .describe(
                "Where the world's answers come from: own, from the policy's own rollouts; expert, from actions of the policy in states of the tasks' solutions",
              ),
          }),
        },
      ),
    ),
  ),
  filter,
  buffer: offByDefault("Imitates rollouts that passed in earlier iterations again", section(STORE)),
  rewards,
  ...OVER_ITERATIONS,
  ...ROLLOUTS,
};

type ImitationConfig = MethodConfig<typeof sections>;
type ImitationState = BufferState & HeadState & ShapeState;

/**
 * The method `ei`, expert iteration: the same K, tasks and iterations as LOOP, with cross-entropy on passed rollouts
 * instead of the clipped objective (section 5.3).
 */
export const expertIteration = defineMethod<typeof sections, ImitationState>({
  name: "ei",
  summary: "expert iteration: imitate the rollouts that passed, in every iteration",
  sections,
  conflict: (config) => findImitationConflict(config),
  needs: stalenessNeeds,
  usesSolutions: (config) => usesExpertStates(config),
  collect: (tasks, iteration) =>
    usesExpertStates(iteration.config)
      ? collectFromExpertStates(tasks, iteration)
      : collectRollouts(tasks, iteration),
  grade({ rollouts }, iteration) {
    refuseUnreadRewardTerms(iteration);
    return gradeWithTerms(rollouts, iteration, { advantage: LOOP_ADVANTAGE });
  },
  async learn(experience, iteration) {
    const { config, state, extensions } = iteration;
    const { kept, metrics } = applyFilters(experience.graded, extensions);
    const left = new Set(kept.map(({ rollout }) => rollout));
    const isKept = (rollout: Rollout) =>
      Object.keys(extensions.filters).length === 0 || left.has(rollout);
    const rollouts = experience.rollouts.filter(isKept);
    const { solutions = [] } = experience;
    const chosen = chooseImitated({ rollouts, graded: kept, solutions }, iteration);
    const learned = await imitate(chosen, iteration);
    if (config.buffer) updateBuffer(state, experience.graded, config.buffer, iteration.number);
    return addMetrics(learned, metrics);
  },
});

function usesExpertStates({ imitation }: Pick<ImitationConfig, "imitation">): boolean {
  return imitation.target === "observations" && imitation.states === "expert";
}

function weighsByReturn({ imitation }: Pick<ImitationConfig, "imitation">): boolean {
  return imitation.target === "actions" && imitation.temperature !== null;
}

/**
 * Throws a `config` error when a user's reward term would have no effect. `findImitationConflict` does the same for
 * `rewards.terms`.
 */
function refuseUnreadRewardTerms({
  config,
  extensions,
}: Pick<Iteration<ImitationConfig>, "config" | "extensions">) {
  const [name] = Object.keys(extensions.rewards);
  if (name === undefined || weighsByReturn(config)) return;
  throw new BowlineError(
    "config",
    `the reward term ${name} has no effect, because passed rollouts are imitated with equal weights: set imitation.temperature, or leave the term out`,
  );
}

function findImitationConflict(config: ImitationConfig): string | undefined {
  const { imitation, buffer, rewards: paid, context, participants } = config;
  if (imitation.target === "observations" && context.kind !== "growing") {
    return `imitation.target observations needs context.kind growing: with context.kind ${context.kind} a row repeats earlier text`;
  }
  const byReturn = weighsByReturn(config);
  if (paid.terms.length > 0 && !byReturn) {
    return "rewards.terms have no effect, because passed rollouts are imitated with equal weights: set imitation.temperature, or leave the terms out";
  }
  if (usesExpertStates(config) && !hasLinearRollouts(config)) {
    return "imitation.states expert begins every rollout with a part of a solution: it needs collect.kind groups, context.kind growing, no participants and no memory";
  }
  if (buffer !== null && (byReturn || imitation.target === "observations")) {
    return "buffer remembers passed rollouts to imitate them again: it needs imitation.target actions and imitation.temperature null";
  }
  if (participants.trainedUser !== null) {
    return "participants.trainedUser: set it to null, because a success of the agent is no reason to imitate its user";
  }
  return (
    findTemperatureConflict(config) ??
    findTermsConflict(paid.terms, config) ??
    findTasksConflict(config) ??
    findShapeConflict(config)
  );
}

/** A rollout to imitate, with its weight. */
interface ImitatedRollout {
  readonly rollout: Rollout;
  readonly weight: number;
  /** Builds the row of tokens to learn from; default: what the agent wrote. */
  readonly buildRow?: (rollout: Rollout) => ActionRow;
}

/**
 * Returns the rollouts to imitate. These are the rollouts that passed, now or in remembered iterations, all with weight
 * 1; or all graded rollouts, weighted by their returns.
 */
function chooseImitated(
  { rollouts, graded, solutions = [] }: Collected & Pick<Grading, "graded">,
  { config, state }: Iteration<ImitationConfig, ImitationState>,
): ImitatedRollout[] {
  const { imitation, buffer } = config;
  if (imitation.target === "observations") {
    const buildRow = imitation.states === "expert" ? buildAnswerRow : buildObservationRow;
    return [
      ...graded.map(({ rollout }) => ({ rollout, weight: 1, buildRow })),
      ...solutions.map((rollout) => ({ rollout, weight: 1, buildRow: buildObservationRow })),
    ];
  }
  if (imitation.temperature === null) {
    const before = buffer ? rememberedRollouts(state) : [];
    return withEqualWeights([...rollouts.filter(isPassed), ...before]);
  }
  const weights = weightsFromReturns(
    graded.map(({ reward }) => reward),
    imitation.temperature,
  );
  return graded.map(({ rollout }, i) => ({ rollout, weight: weights[i]! }));
}

function withEqualWeights(rollouts: readonly Rollout[]): ImitatedRollout[] {
  return rollouts.map((rollout) => ({ rollout, weight: 1 }));
}

type ImitatingIteration = Iteration & {
  readonly config: {
    readonly filter: FieldValue<typeof filter>;
  };
};

/** Runs epochs of cross-entropy over the chosen rollouts. */
async function imitate(
  chosen: readonly ImitatedRollout[],
  iteration: ImitatingIteration,
): Promise<Learned> {
  const { engine, config, step } = iteration;
  if (chosen.length === 0) return NOTHING_LEARNED;
  const rows = chosen
    .map(({ rollout, weight, buildRow = buildActionRow }) => ({ ...buildRow(rollout), weight }))
    .filter(({ at }) => at.length > 0);
  const bands: FiringCount[] = [];
  const { updates } = await runEpochs(rows, iteration, async (minibatch) => {
    const weights = minibatch.map(({ weight }) => weight);
    const counts = minibatch.map(({ at }) => at.length);
    const plain = imitationCotangents(counts, undefined, weights);
    const banded = await applySurpriseBand(engine, minibatch, plain, config.filter.surprise);
    const { cotangents, turns } = banded;
    if (turns) bands.push(turns);
    let loss = 0;
    const { gradientNorm } = await takeStep(engine, minibatch, cotangents, {
      step,
      beforeUpdate: (outputs) => {
        loss = imitationLoss(outputs.map(({ logprobs }, i) => ({ logprobs, weight: weights[i]! })));
        requireFinite(loss, "loss");
      },
    });
    return { loss, gradientNorm };
  });
  return {
    kept: chosen.length,
    metrics: {
      "train/updates": updates.length,
      "train/loss": meanOrZero(updates.map(({ loss }) => loss)),
      ...gradientNormMetric(updates),
    },
    ratios: [],
    record: {
      bands,
      imitated: chosen.map(({ rollout: { id }, weight, buildRow = buildActionRow }) => ({
        id,
        weight,
        observations: buildRow !== buildActionRow,
      })),
    },
  };
}

/**
 * The method `rft`, rejection sampling: samples rollouts of the warm-started policy at several temperatures and
 * imitates the passed ones once, for several epochs (section 5.3). It uses eight temperatures from 0.3 to 1 with one
 * rollout each; the paper uses twenty from 0.05 and as many rollouts as needed. The number of epochs is fixed, whereas
 * the paper picks the best of 100 epochs on dev. There is one iteration, so a learning rate that falls over iterations
 * (`optimizer.finalRate`) stays constant.
 */
export const rft = defineVariant(expertIteration, {
  name: "rft",
  summary: "imitate once the passed rollouts of the warm start at several temperatures",
  spends: "tasks",
  preset: {
    algo: {
      iterations: 1,
      groupSize: 8,
      lowestTemperature: 0.3,
      taskSampling: "uniform",
      epochs: 6,
    },
  },
});

const solutionSections = { algo: section(EVERY_METHOD), filter, ...OVER_ITERATIONS };

/**
 * The method `sft-gt`: imitates the ground-truth solutions of the drawn tasks, one per task, without any rollouts of
 * the policy (section 5.3). Our solutions read what they need in turns and see true observations; the paper's solutions
 * are programs that are cut into turns, and every observation says that the execution was successful. As in `rft`,
 * there is only one iteration, so the learning rate is constant.
 */
export const sftGt = defineMethod({
  name: "sft-gt",
  summary: "imitate the solutions of the training tasks, without rollouts",
  sections: solutionSections,
  spends: "tasks",
  preset: { algo: { iterations: 1, taskSampling: "uniform", epochs: 10 } },
  usesSolutions: () => true,
  collect: async (tasks, iteration) => ({ rollouts: await collectSolutions(tasks, iteration) }),
  grade: async ({ rollouts }, { config }) => ({ ...gradeByOutcome(rollouts, config), metrics: {} }),
  learn: ({ rollouts }, iteration) =>
    imitate(withEqualWeights(rollouts.filter(isPassed)), iteration),
});

function gradeByOutcome(
  rollouts: readonly Rollout[],
  config: Parameters<typeof rewardOptions>[0],
): { readonly graded: readonly GradedRollout[] } {
  return { graded: gradeBatch(rollouts, LOOP_ADVANTAGE, { reward: rewardOptions(config) }).graded };
}
