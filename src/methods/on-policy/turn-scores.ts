/**
 * Computes the rewards that need a model: what the policy believes, how far it is from a reference, and what a small
 * head has learned from earlier rollouts. Each gives a number for every turn, before anything is graded.
 */
import {
  buildActionRow,
  groupBy,
  informationGain,
  isScored,
  klRewardPerTurn,
  redistributeOutcome,
  rewardOf,
} from "../../algo/index.ts";
import type { Engine, Rollout, Row } from "../../spec/index.ts";
import { meanOrZero, rewardOptions } from "../learning/metrics.ts";
import type { ReferencePolicy } from "../reference.ts";
import { asShapedConfig } from "../rollouts/shape-config.ts";
import { scoreSkills } from "../rollouts/skills.ts";
import type { TermEntry } from "../sections/credit.ts";
import { DEFAULT_HEAD_RATE, type RewardTermsConfig } from "./config.ts";
import { scoreDecisions } from "./decisions.ts";
import {
  fitContributions,
  fitRanking,
  predictContributions,
  rolloutScore,
  type TurnHead,
  ZERO_HEAD,
} from "./turn-head.ts";
import type { ScoredTerm, TurnScores } from "./turn-rewards.ts";

/** The linear heads, by the reward term that uses them. They are stored in the checkpoint. */
export type TurnHeads = { readonly [T in "contribution" | "ranking"]?: TurnHead };

/** What is needed, besides the rollouts, to score turns. */
export interface ScoringContext {
  readonly engine: Pick<Engine, "evaluate" | "info">;
  readonly config: RewardTermsConfig;
  readonly reference?: ReferencePolicy | undefined;
  /** Solutions of the iteration's tasks. The last turn of a solution is the known answer. */
  readonly solutions: readonly Rollout[];
  readonly heads: TurnHeads;
}

const HEAD_STEPS = 100;

/** Computes the scores that the configured reward terms pay, and returns them with the heads after these rollouts. */
export async function scoreTurns(
  rollouts: readonly Rollout[],
  context: ScoringContext,
): Promise<{ readonly scores: TurnScores; readonly heads: TurnHeads }> {
  const { terms } = context.config.rewards;
  const collect = asShapedConfig(context.config)?.collect;
  const findEntry = (name: ScoredTerm) => terms.find(({ term }) => term === name);
  const scored = rollouts.filter(isScored);
  const heads = fitHeads(scored, context, (name) => findEntry(name));
  const kl = findEntry("kl");
  const scores: TurnScores = {
    ...(findEntry("information-gain") && {
      "information-gain": await scoreInformationGain(scored, context),
    }),
    ...(kl && { kl: await scoreKl(scored, kl.estimator ?? "k1", context) }),
    ...(heads.contribution && {
      contribution: scoreContributions(scored, heads.contribution, context),
    }),
    ...(heads.ranking && { ranking: scoreRankings(scored, heads.ranking) }),
    ...(findEntry("decision") && { decision: scoreDecisions(scored, context.solutions) }),
    ...(collect?.kind === "chains" &&
      findEntry("skill") && { skill: scoreSkills(scored, collect.characters) }),
  };
  return { scores, heads };
}

/**
 * Scores information gain: the change of the policy's belief in the known answer at each turn. To measure the belief
 * after a turn, the answer's tokens are appended to the row up to that turn, and the policy computes their probability.
 * The gain of the last turn is 0, because the outcome pays for it. If the answer does not fit into the context, the
 * last known belief is used.
 */
async function scoreInformationGain(
  rollouts: readonly Rollout[],
  { engine, solutions }: ScoringContext,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const answers = new Map(solutions.map((solution) => [solution.task.id, answerTokens(solution)]));
  const rolloutsWithAnswer = rollouts.flatMap((rollout) => {
    const answer = answers.get(rollout.task.id);
    return answer === undefined ? [] : [{ rollout, rows: buildBeliefRows(rollout, answer) }];
  });
  const hasRoom = ({ tokens }: Row) => tokens.length <= engine.info.contextLength;
  const outputs = await engine.evaluate(
    rolloutsWithAnswer.flatMap(({ rows }) => rows).filter(hasRoom),
  );
  let next = 0;
  const paid = rolloutsWithAnswer.map(({ rollout, rows }) => {
    const beliefs = fillUnknownBeliefs(
      rows.map((row) => (hasRoom(row) ? meanOrZero(outputs[next++]!.logprobs) : undefined)),
    );
    return [rollout.id, informationGain([...beliefs, beliefs.at(-1) ?? 0])] as const;
  });
  return new Map(paid);
}

/** Replaces each unknown belief by the last known one before it, or by the first known one. */
function fillUnknownBeliefs(beliefs: readonly (number | undefined)[]): number[] {
  let known = beliefs.find((belief) => belief !== undefined) ?? 0;
  return beliefs.map((belief) => {
    known = belief ?? known;
    return known;
  });
}

/** Returns the tokens of a solution's last turn. */
function answerTokens({ turns, tokens }: Rollout): readonly number[] {
  const span = turns.at(-1)?.span;
  return span && tokens ? tokens.ids.slice(...span) : [];
}

/**
 * Builds a row for each turn: the rollout's row before that turn, followed by the answer. The action tokens are those
 * of the answer.
 */
function buildBeliefRows(
  { turns, tokens, segments = [] }: Rollout,
  answer: readonly number[],
): Row[] {
  return turns.map(({ span, segment = 0 }) => {
    const row = segment === 0 ? tokens : segments[segment - 1];
    const before = row && span ? row.ids.slice(0, span[0]) : [];
    return {
      tokens: [...before, ...answer],
      at: answer.map((_, i) => before.length + i).filter((position) => position > 0),
    };
  });
}

async function scoreKl(
  rollouts: readonly Rollout[],
  estimator: "k1" | "k2" | "k3",
  { config, reference }: ScoringContext,
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (reference === undefined)
    throw new Error("invariant violated: a KL reward needs a reference policy");
  const rows = rollouts.map(buildActionRow);
  const frozen = await reference.evaluate(rows, config.algo.temperature);
  return new Map(
    rollouts.map(({ id }, i) => {
      const { sampled, turnLengths } = rows[i]!;
      return [id, klRewardPerTurn([sampled, frozen[i]!.logprobs], turnLengths, estimator)];
    }),
  );
}

function fitHeads(
  rollouts: readonly Rollout[],
  { config, heads }: ScoringContext,
  findEntry: (name: "contribution" | "ranking") => TermEntry | undefined,
): TurnHeads {
  const outcomes = rollouts.map((rollout) => rewardOf(rollout, rewardOptions(config)));
  const samples = rollouts.map((rollout, i) => ({ rollout, outcome: outcomes[i]! }));
  const [contribution, ranking] = [findEntry("contribution"), findEntry("ranking")];
  const readFitOptions = ({ rate = DEFAULT_HEAD_RATE }: TermEntry) => ({ rate, steps: HEAD_STEPS });
  return {
    ...heads,
    ...(contribution && {
      contribution: fitContributions(
        heads.contribution ?? ZERO_HEAD,
        samples,
        readFitOptions(contribution),
      ),
    }),
    ...(ranking && {
      ranking: fitRanking(heads.ranking ?? ZERO_HEAD, samples, readFitOptions(ranking)),
    }),
  };
}

/** Scores contributions: distributes each rollout's outcome over its turns as the head predicts. */
function scoreContributions(
  rollouts: readonly Rollout[],
  head: TurnHead,
  { config }: ScoringContext,
) {
  return new Map(
    rollouts.map((rollout) => [
      rollout.id,
      redistributeOutcome(
        predictContributions(head, rollout),
        rewardOf(rollout, rewardOptions(config)),
      ),
    ]),
  );
}

/**
 * Scores rankings: the last turn gets the probability, by the head's scores, that the rollout is better than the mean
 * of its task. Only differences within a task have a meaning.
 */
function scoreRankings(rollouts: readonly Rollout[], head: TurnHead) {
  const groups = groupBy(rollouts, ({ task }) => task.id);
  return new Map(
    [...groups.values()].flatMap((group) => {
      const scores = group.map((rollout) => rolloutScore(head, rollout));
      const mean = meanOrZero(scores);
      return group.map(({ id, turns }, i) => {
        const better = 1 / (1 + Math.exp(mean - scores[i]!));
        return [id, turns.map((_, j) => (j === turns.length - 1 ? better : 0))] as const;
      });
    }),
  );
}
