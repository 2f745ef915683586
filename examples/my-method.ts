/**
 * A method of your own: REINFORCE, but it learns only from an iteration's best rollouts. Its field is `elite.share`.
 *
 *     bowline train smoke --method ./examples/my-method.ts --elite.share 0.25
 */
import {
  algo,
  applyFilters,
  collectGroups,
  computeExtraRewards,
  defineMethod,
  EVERY_METHOD,
  gradientNormMetric,
  meanOrZero,
  NOTHING_LEARNED,
  rewardOptions,
  runEpochs,
  SAMPLING,
  section,
  takeStep,
  withDescription,
  z,
} from "bowline";

/** A field is a zod schema with a default. `bowline config elite` shows its bounds and description. */
const share = z.number().min(0.01).max(1).default(0.5).describe("Of the rollouts, best first");

const sections = {
  algo: section({ ...EVERY_METHOD, ...SAMPLING }),
  elite: withDescription("Which rollouts are learned from", section({ share })),
};

export default defineMethod({
  name: "elite",
  summary: "REINFORCE against the mean of the iteration, on its best rollouts",
  sections,
  // The gradient is valid only for the policy that sampled, so an iteration takes one step.
  preset: { algo: { epochs: 1, minibatch: 0 } },
  conflict({ algo: { epochs, minibatch } }) {
    if (epochs === 1 && minibatch === 0) return undefined;
    return "elite takes one step an iteration: algo.epochs 1, algo.minibatch 0";
  },

  collect: (tasks, iteration) => collectGroups(tasks, iteration),

  async grade({ rollouts }, { config, extensions }) {
    const scored = rollouts.filter(algo.isScored);
    const extra = await computeExtraRewards(rollouts, extensions);
    const rewards = scored.map(
      (rollout) => algo.rewardOf(rollout, rewardOptions(config)) + extra.rewardOf(rollout),
    );
    const mean = meanOrZero(rewards);
    const graded = scored.map((rollout, i) => {
      return { rollout, reward: rewards[i]!, advantage: rewards[i]! - mean };
    });
    return { graded, metrics: { ...extra.metrics, "elite/baseline": mean } };
  },

  async learn({ graded }, iteration) {
    const { config, engine, extensions, step } = iteration;
    const { kept, metrics } = applyFilters(graded, extensions);
    const best = kept.toSorted((a, b) => b.advantage - a.advantage);
    const count = Math.ceil(best.length * config.elite.share);
    const elite = best.slice(0, count).filter(({ advantage }) => advantage > 0);
    const { updates } = await runEpochs(elite, iteration, async (minibatch) => {
      const rows = minibatch.map(({ rollout }) => algo.buildActionRow(rollout));
      // The loss is minus the mean over rollouts of A * (mean over tokens of log p). Its derivative with respect to
      // each log p follows.
      const size = minibatch.length;
      const slopes = rows.map(({ at }, i) => -minibatch[i]!.advantage / at.length / size);
      const cotangents = rows.map(({ at }, i) => ({ logprobs: at.map(() => slopes[i]!) }));
      const { temperature } = config.algo;
      return takeStep(engine, rows, cotangents, { step, temperature });
    });
    if (updates.length === 0)
      return { ...NOTHING_LEARNED, metrics: { "train/updates": 0, ...metrics } };
    const updateMetrics = { "train/updates": updates.length, ...gradientNormMetric(updates) };
    return { kept: elite.length, metrics: { ...updateMetrics, ...metrics }, ratios: [] };
  },
});
