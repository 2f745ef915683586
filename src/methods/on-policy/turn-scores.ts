/**
 * Rewards that take a model to score: what the policy itself believes, how far it is from a reference, what a small head
 * has learned of the rollouts so far. Each gives a number for every turn, before anything is graded.
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
import type { TermEntry } from "../sections/credit.ts";
import { DEFAULT_HEAD_RATE, type RewardTermsConfig } from "./config.ts";
import {
  fitContributions,
  fitRanking,
  predictContributions,
  rolloutScore,
  type TurnHead,
  ZERO_HEAD,
} from "./turn-head.ts";
import type { ScoredTerm, TurnScores } from "./turn-rewards.ts";

/** The linear heads, by the term that they stand behind. A part of the checkpoint. */
export type TurnHeads = { readonly [T in "contribution" | "ranking"]?: TurnHead };

export interface ScoringContext {
  readonly engine: Pick<Engine, "evaluate" | "info">;
  readonly config: RewardTermsConfig;
  readonly reference?: ReferencePolicy | undefined;
  /** The solutions of the iteration's tasks; their last turn is the known answer. */
  readonly solutions: readonly Rollout[];
  readonly heads: TurnHeads;
}

const HEAD_STEPS = 100;

/** Scores for the terms that the configuration pays, and the heads as they are after these rollouts. */
export async function scoreTurns(
  rollouts: readonly Rollout[],
  context: ScoringContext,
): Promise<{ readonly scores: TurnScores; readonly heads: TurnHeads }> {
  const { terms } = context.config.rewards;
  const entryOf = (name: ScoredTerm) => terms.find(({ term }) => term === name);
  const scored = rollouts.filter(isScored);
  const heads = fitHeads(scored, context, (name) => entryOf(name));
  const kl = entryOf("kl");
  const scores: TurnScores = {
    ...(entryOf("information-gain") && {
      "information-gain": await scoreInformationGain(scored, context),
    }),
    ...(kl && { kl: await scoreKl(scored, kl.estimator ?? "k1", context) }),
    ...(heads.contribution && {
      contribution: scoreContributions(scored, heads.contribution, context),
    }),
    ...(heads.ranking && { ranking: scoreRankings(scored, heads.ranking) }),
  };
  return { scores, heads };
}

/**
 * Belief in the known answer after each turn: its tokens are put behind the row up to there, and the policy says how
 * likely they are. What the last turn brought is the outcome's to pay, so its gain is 0; a belief is kept where the
 * context has no room to ask again.
 */
async function scoreInformationGain(
  rollouts: readonly Rollout[],
  { engine, solutions }: ScoringContext,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const answers = new Map(solutions.map((solution) => [solution.task.id, answerTokens(solution)]));
  const asked = rollouts.flatMap((rollout) => {
    const answer = answers.get(rollout.task.id);
    return answer === undefined ? [] : [{ rollout, rows: buildBeliefRows(rollout, answer) }];
  });
  const hasRoom = ({ tokens }: Row) => tokens.length <= engine.info.contextLength;
  const outputs = await engine.evaluate(asked.flatMap(({ rows }) => rows).filter(hasRoom));
  let next = 0;
  const paid = asked.map(({ rollout, rows }) => {
    const beliefs = fillUnknownBeliefs(
      rows.map((row) => (hasRoom(row) ? meanOrZero(outputs[next++]!.logprobs) : undefined)),
    );
    return [rollout.id, informationGain([...beliefs, beliefs.at(-1) ?? 0])] as const;
  });
  return new Map(paid);
}

/** Each unknown as the last known before it, or else as the first. */
function fillUnknownBeliefs(beliefs: readonly (number | undefined)[]): number[] {
  let known = beliefs.find((belief) => belief !== undefined) ?? 0;
  return beliefs.map((belief) => {
    known = belief ?? known;
    return known;
  });
}

/** The tokens of a solution's last turn. */
function answerTokens({ turns, tokens }: Rollout): readonly number[] {
  const span = turns.at(-1)?.span;
  return span && tokens ? tokens.ids.slice(...span) : [];
}

/** Before each turn of the rollout: its row up to there, the answer behind it, asked at the answer. */
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
  if (reference === undefined) throw new Error("invariant violated: a KL reward has a reference");
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
  entryOf: (name: "contribution" | "ranking") => TermEntry | undefined,
): TurnHeads {
  const outcomes = rollouts.map((rollout) => rewardOf(rollout, rewardOptions(config)));
  const samples = rollouts.map((rollout, i) => ({ rollout, outcome: outcomes[i]! }));
  const [contribution, ranking] = [entryOf("contribution"), entryOf("ranking")];
  const fitting = ({ rate = DEFAULT_HEAD_RATE }: TermEntry) => ({ rate, steps: HEAD_STEPS });
  return {
    ...heads,
    ...(contribution && {
      contribution: fitContributions(
        heads.contribution ?? ZERO_HEAD,
        samples,
        fitting(contribution),
      ),
    }),
    ...(ranking && { ranking: fitRanking(heads.ranking ?? ZERO_HEAD, samples, fitting(ranking)) }),
  };
}

/** The outcome, spread over the turns as the head sees their part in it. */
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
 * At the last turn, how likely a rollout is better than the mean of its task's by the head's scores: pairs tell nothing
 * but differences within a task.
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
