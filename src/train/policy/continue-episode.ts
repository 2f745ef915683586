/**
 * Continues an episode that somebody else began: the policy takes over after turns that were recorded or written by
 * hand.
 *
 * Recorded turns keep their tokens, so the policy sees exactly what was sampled then. If the tokens before a turn
 * differ now, that is an error. Code that no policy wrote is encoded as imitation encodes it. The episode has already
 * run these turns, so they are not run again.
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

/** A turn that the policy continues after: either its sampled tokens and the tokens before them, or its code. */
export type EarlierTurn =
  | {
      readonly row: readonly number[];
      readonly tokens: readonly number[];
      readonly logprobs: readonly number[];
    }
  | { readonly code: string };

/** The turns of an episode so far, in order. */
export interface EpisodeStart {
  readonly turns: readonly EarlierTurn[];
  /** The results of the turns that ran code. */
  readonly results: readonly StepResult[];
}

/** Options for continuing an episode. */
export interface ResumeOptions {
  /** An id that no other rollout has at the same time. */
  readonly id: string;
  /** The index among the rollouts that continue from the same point. */
  readonly index: number;
  /** The seed of sampling. Each `index` draws other random numbers. */
  readonly seed: number;
  /** The sampling temperature; 0 is greedy. */
  readonly temperature: number;
  /** The maximum number of turns of the episode, including the earlier ones. */
  readonly maxTurns: number;
  readonly signal?: AbortSignal;
  /** Called after every new turn. */
  readonly onTurn?: (turn: Turn) => void;
}

type PolicyWithWeights = { readonly subject: EvaluatedPolicy; readonly weights: OpenedWeights };

/** Continues an episode after its earlier turns and returns the whole rollout. The episode stays open. */
export type ContinueEpisode = (episode: Episode, options: ResumeOptions) => Promise<Act>;

/** Prepares to continue after these turns. Throws a `config` error if the policy could not have produced them. */
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

/** Plays one rollout, in the same shape as an evaluation of this policy does. */
async function playEpisode(
  episode: Episode,
  { task, ...identity }: Assignment,
  { config, origin, memory: store }: EvaluatedPolicy,
  plan: RolloutPlan,
): Promise<Rollout> {
  const shapes = asShapedConfig(config);
  const participants = shapes ? await loadParticipants(shapes, origin) : NOBODY;
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

/** A placeholder for a world. The episode is open already, and no rollout shape of an evaluation opens another one. */
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
      `scaffold ${scaffold.name}: a policy with this scaffold cannot have written the code ${JSON.stringify(code.slice(0, 80))}, so it cannot continue after that code`,
    );
  }
  const { maxTurnTokens } = scaffold.limits;
  if (tokens.length > maxTurnTokens) {
    throw new BowlineError(
      "config",
      `code of ${tokens.length} tokens is longer than a turn of this policy may be (${maxTurnTokens}), so the policy cannot continue after it`,
    );
  }
  return { tokens, logprobs: tokens.map(() => 0), stop: "stop", policyVersion: -1 };
}

/** Throws when the policy writes other texts between its code, because turns written by hand lack these texts. */
function requireLinearRollouts({ turns }: EpisodeStart, { config }: EvaluatedPolicy): void {
  const shapes = asShapedConfig(config);
  if (!shapes || hasLinearRollouts(shapes) || !turns.some((turn) => "code" in turn)) return;
  throw new BowlineError(
    "config",
    "this policy was trained in rollouts that are not linear (a context that is rewritten, a planner, other participants or memory), so it cannot continue after code that it did not write",
  );
}

/**
 * Returns a policy that throws a `world` error when the tokens before a recorded turn differ from the recorded ones.
 */
function checkRecordedRows(policy: TokenPolicy, { turns }: EpisodeStart): TokenPolicy {
  let sampledTurns = 0;
  return {
    ...policy,
    sample: async (request, signal) => {
      const turn = turns[sampledTurns++];
      if (turn && "row" in turn && turn.row.join() !== request.tokens.join()) {
        throw new BowlineError(
          "world",
          `the tokens before turn ${sampledTurns} differ from those when the rollout was recorded, so the policy cannot continue from there`,
        );
      }
      return policy.sample(request, signal);
    },
  };
}
