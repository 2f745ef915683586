/**
 * How each mechanism that changes gradients is switched off, and how it stays on but says nothing. Both learn from the
 * rollouts that were collected with the mechanism on.
 */
import { type GradedRollout, scheduledValue } from "../../../src/algo/index.ts";
import { readField } from "../../../src/methods/index.ts";
import type { OnPolicyState } from "../../../src/methods/on-policy/on-policy-state.ts";
import { buildRewardTerm, buildWeightedTerm } from "../../../src/methods/on-policy/turn-rewards.ts";
import { scoreSkills } from "../../../src/methods/rollouts/skills.ts";
import type { TermEntry } from "../../../src/methods/sections/credit.ts";
import type { Change, ChangeContext, Counterfactual, Fields } from "./change.ts";
import {
  flattenValues,
  shuffleEntropies,
  shuffleTargets,
  shuffleTexts,
  shuffleValues,
} from "./dead-engines.ts";
import {
  forgetSuccesses,
  levelMarks,
  payOthers,
  shuffleAdvantages,
  shuffleBaselines,
  shuffleMarks,
  shuffleOutcomes,
  shufflePairs,
  shuffleReward,
  shuffleSolutions,
  shuffleTurnAdvantages,
} from "./shuffled-rollouts.ts";

const setFields = (fields: Fields): Change => ({ fields: () => fields });
const readTerms = ({ config }: Pick<ChangeContext, "config">) =>
  (readField(config, "rewards.terms") ?? []) as readonly TermEntry[];
const methodState = (state: { readonly method: object }) => state.method as OnPolicyState;

/** Compares gradients. When the dead mechanism is the same as none, `dead` is left out. */
function onGradients(off: Change, deadness: string, dead: Change = off): Counterfactual {
  return { compares: "gradients", off, dead, deadness };
}

// // --- reward terms ---

const mapTerms =
  (change: (terms: readonly TermEntry[]) => readonly object[]) => (context: ChangeContext) => ({
    "rewards.terms": change(readTerms(context)),
  });
const withoutTerms = (drops: (entry: TermEntry) => boolean) =>
  mapTerms((terms) => {
    const left = terms.filter((entry) => !drops(entry));
    return left.some(({ how }) => how === "add") ? left : [{ term: "outcome" }, ...left];
  });
const isShaping = ({ term, how }: TermEntry) => term !== "outcome" && how === "add";
const paysMarks = ({ term }: TermEntry) => term === "judge";

/** Takes these terms away, and pays the same amounts to turns, or to rollouts, that did not earn them. */
function payAtRandom(drops: (entry: TermEntry) => boolean): Change {
  return {
    fields: withoutTerms(drops),
    reward: (context) => {
      const { config, number, rollouts, rng } = context;
      const terms = readTerms(context).filter(drops);
      const paid = buildRewardTerm({ ...config, rewards: { terms } } as never);
      return shuffleReward(paid, rollouts.rollouts, number - 1, rng);
    },
  };
}

/** Opens gates, or charges penalties, at as many rollouts as before, but at other ones. */
function payOtherRollouts(drops: (entry: TermEntry) => boolean): Change {
  return {
    fields: withoutTerms(drops),
    reward: (context) => {
      const { config, number, rollouts, rng } = context;
      const terms = readTerms(context).filter(drops);
      const paid = (rollout: never, iteration: number) =>
        terms
          .map((entry) => {
            const values = buildWeightedTerm(entry, config as never, {})(rollout, iteration);
            return entry.how === "add" ? values : values.map((value) => -value);
          })
          .reduce((sum, values) => sum.map((value, j) => value + values[j]!));
      return payOthers(paid as never, rollouts.rollouts, number - 1, rng);
    },
  };
}

const paysSkills = ({ term }: TermEntry) => term === "skill";

/** Takes the pay for skills away, and pays it to as many other rollouts. */
const paySkillsOfOthers: Change = {
  fields: withoutTerms(paysSkills),
  reward: (context) => {
    const { config, number, rollouts, rng } = context;
    const characters = Number(readField(config, "collect.characters"));
    const skill = scoreSkills(rollouts.rollouts, characters);
    const terms = readTerms(context).filter(paysSkills);
    const paid = buildRewardTerm({ ...config, rewards: { terms } } as never, { skill });
    return payOthers(paid, rollouts.rollouts, number - 1, rng);
  },
};

const constantWeights = (context: ChangeContext, at: number): Fields => {
  const replay = readField(context.config, "buffer.replay.weight");
  const fix = (weight: TermEntry["weight"]) => scheduledValue(weight, at - 1);
  return {
    "rewards.terms": readTerms(context).map((e) => ({ ...e, weight: fix(e.weight) })),
    ...(replay !== undefined && { "buffer.replay.weight": fix(replay as never) }),
  };
};
const reverseIteration = (number: number) => 4 - number;
const LAST_STAGE: Change = { stage: () => 3 };
const REVERSED_STAGES: Change = { stage: reverseIteration };

const forgetHeads: Change = {
  fields: mapTerms((terms) =>
    terms.map((entry) =>
      entry.term === "contribution" || entry.term === "ranking" ? { ...entry, rate: 1e-6 } : entry,
    ),
  ),
  state: (state) => {
    delete methodState(state).heads;
  },
};

const REWARDS: Readonly<Record<string, Counterfactual>> = {
  "reward terms": onGradients(
    { fields: withoutTerms((entry) => isShaping(entry) && !paysMarks(entry)) },
    "the same payments go to other turns",
    payAtRandom((entry) => isShaping(entry) && !paysMarks(entry)),
  ),
  "rewards to a critic": onGradients(
    { fields: withoutTerms(isShaping) },
    "the same payments go to other turns",
    payAtRandom(isShaping),
  ),
  gate: onGradients(
    { fields: mapTerms((terms) => terms.map((entry) => ({ ...entry, gate: null }))) },
    "the gate opens for as many rollouts, but for others",
    payOtherRollouts(({ gate }) => gate !== null),
  ),
  decay: onGradients(
    { fields: mapTerms((terms) => terms.map((entry) => ({ ...entry, decay: 1 }))) },
    "the decayed reward of another rollout is paid",
    payOtherRollouts(({ decay }) => decay < 1),
  ),
  "schedule of a weight": onGradients(
    { fields: (context) => constantWeights(context, 1) },
    "the schedule runs backwards",
    { fields: (context) => constantWeights(context, reverseIteration(context.number)) },
  ),
  penalty: onGradients(
    { fields: withoutTerms(({ how }) => how !== "add") },
    "other rollouts are charged",
    payOtherRollouts(({ how }) => how !== "add"),
  ),
  "information gain": onGradients(
    { fields: withoutTerms(({ term }) => term === "information-gain") },
    "the belief is in the answer of another task",
    { collected: shuffleSolutions },
  ),
  "right decisions": onGradients(
    { fields: withoutTerms(({ term }) => term === "decision") },
    "the right decisions are those of another task",
    { collected: shuffleSolutions },
  ),
  contributions: onGradients(
    { fields: withoutTerms(({ term }) => term === "contribution") },
    "the head is zero and never fitted",
    forgetHeads,
  ),
  "ranking head": onGradients(
    { fields: withoutTerms(({ term }) => term === "ranking") },
    "the head is zero and never fitted",
    forgetHeads,
  ),
  "pay for attempts": onGradients(
    { fields: withoutTerms(({ term }) => term === "attempt" || term === "improvement") },
    "scores of attempts are shuffled among attempts",
    { collected: (collected, { rng }) => shuffleMarks(collected, "attempt", rng) },
  ),
  "pay for marks": onGradients(
    { fields: withoutTerms(paysMarks) },
    "marks are shuffled among turns",
    { collected: (collected, { rng }) => shuffleMarks(collected, "judge", rng) },
  ),
  "skill reward": onGradients(
    { fields: withoutTerms(paysSkills) },
    "as many rollouts are paid, but other ones",
    paySkillsOfOthers,
  ),
  judge: onGradients({ fields: withoutTerms(paysMarks) }, "the judge always says its mean mark", {
    collected: (collected) => levelMarks(collected, "judge"),
  }),
};

// // --- credit ---

const shuffleTurns: Change = { graded: (graded, { rng }) => shuffleTurnAdvantages(graded, rng) };

const CREDIT: Readonly<Record<string, Counterfactual>> = {
  "group advantage": onGradients(
    setFields({ "algo.baseline": "leave-one-out", "algo.scale": "none" }),
    "each group is compared with the mean and the spread of another group",
    { graded: (graded, { rng }) => shuffleBaselines(graded, rng) },
  ),
  "credit of turns": onGradients(
    setFields({ "credit.unit": "rollout", "credit.key": "task" }),
    "advantages are shuffled among the turns of a rollout",
    shuffleTurns,
  ),
  "episode and turn": onGradients(
    setFields({ "credit.unit": "rollout", "credit.key": "task" }),
    "advantages are shuffled among the turns of a rollout",
    shuffleTurns,
  ),
  "credit in trees": onGradients(
    setFields({ "credit.branches": "own" }),
    "advantages are shuffled among the turns of a rollout",
    shuffleTurns,
  ),
  "running baseline": onGradients(
    setFields({ "algo.baseline": "mean" }),
    "the running average is 0",
    {
      state: (state) => {
        delete methodState(state).running;
      },
    },
  ),
  "batch gain": onGradients(setFields({ "credit.batchGain": false }), "the gain is 1"),
  "entropy factor": onGradients(
    setFields({ "credit.entropyFactor": 0 }),
    "entropies are shuffled among tokens",
    { engine: (engine, { rng }) => shuffleEntropies(engine, rng) },
  ),
  "trained user": onGradients(
    setFields({ "participants.trainedUser": null, "credit.key": "task" }),
    "advantages of the user's rollouts are shuffled",
    {
      graded: (graded, { rng }) =>
        shuffleAdvantages(graded, rng, ({ rollout }) => rollout.role !== undefined),
    },
  ),
  critic: onGradients(
    { engine: (engine) => flattenValues(engine) },
    "values are shuffled among tokens",
    { engine: (engine, { rng }) => shuffleValues(engine, rng) },
  ),
  "critic of turns": onGradients(
    setFields({ "critic.unit": "token" }),
    "values are shuffled among tokens",
    { engine: (engine, { rng }) => shuffleValues(engine, rng) },
  ),
  "lambda by length": onGradients(
    setFields({ "critic.lambdaBy": "constant" }),
    "lambda is the same for all lengths",
  ),
};

// // --- objective and filters ---

const dropAtRandom =
  (share: (context: ChangeContext) => number) =>
  (graded: readonly GradedRollout[], context: ChangeContext) =>
    graded.filter(() => context.rng.uniform() >= share(context));
const shareFiltered = ({ config, rollouts: { rollouts } }: ChangeContext) => {
  const isOn = (name: string) => readField(config, `filter.${name}`) === true;
  const dropped = rollouts.filter(
    ({ outcome, turns }) =>
      (isOn("voidTurns") && turns.some(({ code, part }) => part === undefined && code === "")) ||
      (isOn("overTurn") && outcome === "turn-limit") ||
      (isOn("overLong") && outcome === "token-limit"),
  );
  return dropped.length / Math.max(rollouts.length, 1);
};
const NO_FILTERS = {
  "filter.voidTurns": false,
  "filter.overTurn": false,
  "filter.overLong": false,
};
const liveReference: Change = { livesAsReference: true };
const shuffledEntropies: Change = { engine: (engine, { rng }) => shuffleEntropies(engine, rng) };

const OBJECTIVE: Readonly<Record<string, Counterfactual>> = {
  "KL to the start": onGradients(
    setFields({ "algo.kl": null }),
    "the reference is the policy of the same iteration",
    liveReference,
  ),
  "KL on first turns": onGradients(
    setFields({ "algo.kl": null }),
    "the reference is the policy of the same iteration",
    liveReference,
  ),
  "entropy bonus and band": onGradients(
    setFields({ "algo.entropyCoefficient": 0, "algo.entropyBand": null }),
    "there is neither bonus nor band",
  ),
  "wider upper clip": onGradients(
    setFields({ "algo.upperClip": null }),
    "the upper clip is as wide as the lower one",
  ),
  "gradient above the clip": onGradients(
    setFields({ "algo.keptShare": null }),
    "nothing is kept above the clip",
  ),
  "sampler correction": onGradients(setFields({ "algo.samplerCap": null }), "all weights are 1"),
  "filters of rollouts": onGradients(
    setFields(NO_FILTERS),
    "as many rollouts are left out, but random ones",
    { ...setFields(NO_FILTERS), graded: dropAtRandom(shareFiltered) },
  ),
  "high-entropy turns": onGradients(
    setFields({ "filter.entropyTurnShare": 1 }),
    "entropies are shuffled among tokens",
    shuffledEntropies,
  ),
  "surprise band": onGradients(setFields({ "filter.surprise": null }), "no turn is left out"),
  "format protected": onGradients(
    setFields({ "filter.protectFormat": false }),
    "other tokens count as format",
    { renderer: shuffleTexts },
  ),
  "covariance clip": onGradients(
    setFields({ "filter.covariance": null }),
    "random tokens are clipped",
    setFields({ "filter.covariance.low": -1000, "filter.covariance.high": 1000 }),
  ),
};

// // --- over iterations, imitation and pairs ---

const forget: Change = {
  collected: shuffleSolutions,
  state: (state, { earlier, rng }) => {
    const own = methodState(state);
    if (own.buffer) own.buffer = forgetSuccesses(own.buffer, earlier, rng);
  },
};
const shuffledOutcomes: Change = {
  collected: (collected, { rng }) => shuffleOutcomes(collected, rng),
};

const LEARNING: Readonly<Record<string, Counterfactual>> = {
  injection: onGradients(
    setFields({ "buffer.inject": null, "buffer.replay.weight": 0 }),
    "random earlier rollouts are injected",
    forget,
  ),
  replay: onGradients(
    setFields({ "buffer.replay.weight": 0 }),
    "random earlier rollouts are replayed",
    forget,
  ),
  "imitated again": onGradients(
    setFields({ buffer: null }),
    "random earlier rollouts are imitated",
    forget,
  ),
  stages: onGradients(LAST_STAGE, "the stages come in the opposite order", REVERSED_STAGES),
  "expert iteration": onGradients(
    {
      collected: ({ rollouts, ...rest }) => ({
        ...rest,
        rollouts: rollouts.map((rollout) =>
          rollout.evaluation
            ? { ...rollout, evaluation: { ...rollout.evaluation, passed: true } }
            : rollout,
        ),
      }),
    },
    "outcomes are shuffled among the rollouts of a task",
    shuffledOutcomes,
  ),
  "weights by return": onGradients(
    setFields({ "imitation.temperature": 1000 }),
    "outcomes are shuffled among the rollouts of a task",
    shuffledOutcomes,
  ),
  "world model": onGradients(
    setFields({ "imitation.target": "actions" }),
    "the words of an observation are shuffled",
    { engine: (engine, { rng }) => shuffleTargets(engine, rng) },
  ),
  "segment of a pair": onGradients(
    setFields({ "preference.turns": "all" }),
    "outcomes are shuffled among the rollouts of a task",
    shuffledOutcomes,
  ),
  "squared pairs": onGradients(
    setFields({ "preference.loss": "logistic" }),
    "outcomes are shuffled among the rollouts of a task",
    shuffledOutcomes,
  ),
  "tree search": onGradients(
    { collected: (collected) => ({ ...collected, pairs: [] }) },
    "the better turn of a pair is drawn at random",
    { collected: (collected, { rng }) => shufflePairs(collected, rng) },
  ),
};

/** The counterfactuals of the mechanisms that change gradients, by the mechanism's name. */
export const GRADIENT_COUNTERFACTUALS: Readonly<Record<string, Counterfactual>> = {
  ...REWARDS,
  ...CREDIT,
  ...OBJECTIVE,
  ...LEARNING,
};
