/**
 * Going on in an episode that others began: the policy takes over behind turns that were recorded, or written by hand.
 *
 * Recorded turns keep their tokens: what was sampled then is what the policy sees before its first new token, and a row
 * that would differ is an error. Code that no policy wrote is put into the row as imitation would write it. The state
 * is not touched by either: the episode that is handed over stands there already.
 */
import { enginePolicy, replayThenContinue, runRollout } from "../../agent/index.ts";
import { BowlineError, randomStreamId, requireSeed } from "../../core/index.ts";
import {
  type Assignment,
  asShapedConfig,
  createRolloutShaper,
  hasLinearRollouts,
  loadParticipants,
  NOBODY,
  type RolloutPlan,
  type RolloutShape,
} from "../../methods/index.ts";
import type { Episode, Rollout, Sample, StepResult, TokenPolicy, Turn } from "../../spec/index.ts";
import type { EvaluatedPolicy } from "../evaluate/find-policy.ts";
import type { OpenedWeights } from "../evaluate/open-weights.ts";
import { type Act, createAct } from "./act.ts";
import { requireTemperature } from "./generate.ts";

/** A turn before those of the policy: as it was sampled behind this row, or its code. */
export type EarlierTurn =
  | {
      readonly row: readonly number[];
      readonly tokens: readonly number[];
      readonly logprobs: readonly number[];
    }
  | { readonly code: string };

/** What was done before, in order. */
export interface EpisodeStart {
  readonly turns: readonly EarlierTurn[];
  /** What the cells among them did. */
  readonly results: readonly StepResult[];
}

/** How the policy goes on, and who watches. */
export interface ResumeOptions {
  /** Unlike that of any other rollout at the same time. */
  readonly id: string;
  /** Position among the rollouts that go on from here. */
  readonly index: number;
  /** Of sampling; another index draws other numbers. */
  readonly seed: number;
  /** 0 is greedy. */
  readonly temperature: number;
  /** Turns in the world that the episode may have in all. */
  readonly maxTurns: number;
  readonly signal?: AbortSignal;
  /** After every new turn. */
  readonly onTurn?: (turn: Turn) => void;
}

type PolicyWithWeights = { readonly subject: EvaluatedPolicy; readonly weights: OpenedWeights };

/** Goes on in an episode that stands where a beginning left it, to the whole rollout; the episode stays open. */
export type ContinueEpisode = (episode: Episode, options: ResumeOptions) => Promise<Act>;

/**
 * Throws a `config` error where the policy cannot have begun like that, such as with code that its scaffold cannot say.
 */
export function prepareToContinue(
  beginning: EpisodeStart,
  { subject, weights }: PolicyWithWeights,
): ContinueEpisode {
  const samples = beginning.turns.map((turn) => toSample(turn, weights));
  requireLinearRollouts(beginning, subject);
  return async (episode, options) => {
    const { index, seed, temperature, onTurn } = options;
    requireSeed("seed", seed);
    requireTemperature(temperature);
    const repeated = replayThenContinue(
      { policy: enginePolicy(weights.engine), episode },
      { samples, results: beginning.results },
    );
    const assignment: Assignment = {
      task: episode.task,
      id: options.id,
      index,
      stream: randomStreamId(seed, "resume", episode.task.id, index),
    };
    let turns = 0;
    const policy = checkRecordedRows(repeated.policy, beginning);
    const plan = { ...options, world: NO_WORLD, policy, agent: weights.agent, episodes: 1 };
    const rollout = await playEpisode(repeated.episode, assignment, subject, {
      ...plan,
      onTurn: (_, turn) => {
        if (++turns > beginning.turns.length) onTurn?.(turn);
      },
    });
    return createAct(rollout, subject.config);
  };
}

/** One rollout in the shape that an evaluation of this policy has. */
async function playEpisode(
  episode: Episode,
  { task, ...identity }: Assignment,
  { config, memory: store }: EvaluatedPolicy,
  plan: RolloutPlan,
): Promise<Rollout> {
  const shapes = asShapedConfig(config);
  const participants = shapes ? await loadParticipants(shapes) : NOBODY;
  const shaper = shapes && createRolloutShaper(shapes, { participants, mode: "evaluation", store });
  const shape: RolloutShape = shaper?.({ task, ...identity }, plan) ?? plan;
  const { policy, temperature, maxTurns, signal, onTurn } = plan;
  const rollout = await runRollout({
    ...identity,
    ...shape.agent,
    ...(shape.hooks && { hooks: shape.hooks }),
    episode,
    policy,
    temperature,
    maxTurns,
    ...(signal && { signal }),
    onTurn: (turn) => onTurn?.(task, turn),
  });
  return shape.finish ? shape.finish(rollout) : rollout;
}

/** The episode is there; no shape of an evaluation opens another. */
const NO_WORLD = {
  open: () => Promise.reject(new BowlineError("world", "a resumed episode is not opened again")),
};

function toSample(turn: EarlierTurn, { agent }: OpenedWeights): Sample {
  const { scaffold, renderer } = agent;
  if (!("code" in turn)) {
    const { tokens, logprobs } = turn;
    const stops = renderer.stopIds.includes(tokens.at(-1) ?? -1);
    return { tokens, logprobs, stop: stops ? "stop" : "length", policyVersion: -1 };
  }
  const { code } = turn;
  const tokens = renderer.turn(scaffold.messageOf?.(code) ?? code);
  const said = scaffold.extractCode(renderer.text(tokens.slice(0, -1)));
  if (said.trim() !== code.trim()) {
    throw new BowlineError(
      "config",
      `scaffold ${scaffold.name}: a policy that speaks in it cannot have written the cell ${JSON.stringify(code.slice(0, 80))}, so it cannot go on behind it`,
    );
  }
  const { maxTurnTokens } = scaffold.limits;
  if (tokens.length > maxTurnTokens) {
    throw new BowlineError(
      "config",
      `a cell of ${tokens.length} tokens is longer than a turn of this policy may be (${maxTurnTokens}), so it cannot go on behind it`,
    );
  }
  return { tokens, logprobs: tokens.map(() => 0), stop: "stop", policyVersion: -1 };
}

/** Between cells of such a policy stand texts of its own, which nobody wrote for cells by hand. */
function requireLinearRollouts({ turns }: EpisodeStart, { config }: EvaluatedPolicy): void {
  const shapes = asShapedConfig(config);
  if (!shapes || hasLinearRollouts(shapes) || !turns.some((turn) => "code" in turn)) return;
  throw new BowlineError(
    "config",
    "this policy was trained in rollouts that are not linear (a context that is rewritten, a planner, other participants or memory), so it cannot go on behind cells that it did not write",
  );
}

/** Throws a `world` error where a recorded turn would stand behind another row than it was sampled behind. */
function checkRecordedRows(policy: TokenPolicy, { turns }: EpisodeStart): TokenPolicy {
  let sampledTurns = 0;
  return {
    ...policy,
    sample: async (request, signal) => {
      const turn = turns[sampledTurns++];
      if (turn && "row" in turn && turn.row.join() !== request.tokens.join()) {
        throw new BowlineError(
          "world",
          `what the policy sees before turn ${sampledTurns} is not what it saw when the rollout was recorded, so it cannot go on from there`,
        );
      }
      return policy.sample(request, signal);
    },
  };
}
