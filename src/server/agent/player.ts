/**
 * Plays one episode of a user's agent: opens a session, runs the user's function, and records what was sampled as rows.
 *
 * The outcome of the rollout depends on how the function ends:
 *
 *   it returns a reward       `finished`, with that reward
 *   it throws                 `failed` at the boundary `agent`; the rollout has no return and is not trained on
 *   it returns no reward      `failed` at the boundary `agent`, as above
 *   the sampler fails         `failed` at the boundary `policy`, whatever the agent returns
 *   it takes too long         `failed` at the boundary `agent`, because time is not the policy's fault
 *   the policy has used up its answers or tokens, and the function throws because of that
 *                             `turn-limit` or `token-limit`, with reward 0, as for every episode that does not end
 */
import {
  type ConversationRenderer,
  openSession,
  type Play,
  type RolloutOptions,
  sessionRollout,
} from "../../agent/index.ts";
import { countDecodeSteps } from "../../algo/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { AgentSession, Evaluation, TaskInfo, World } from "../../spec/index.ts";
import type { Config } from "../../train/index.ts";
import { type EpisodeCeilings, watchEpisode } from "./watch-episode.ts";

/** Runs the user's function in one episode and returns the evaluation. Rejects with the function's error. */
export type RunEpisode = (
  task: TaskInfo,
  world: Pick<World, "open">,
  session: AgentSession,
  signal: AbortSignal,
) => Promise<Evaluation>;

export interface PlayerOptions {
  readonly renderer: ConversationRenderer;
  readonly limits: Config["scaffold"];
  readonly ceilings: EpisodeCeilings;
  readonly run: RunEpisode;
}

/** Creates the function that plays episodes with the user's agent. */
export function createEpisodePlayer({ renderer, limits, ceilings, run }: PlayerOptions): Play {
  return async (world, task, options) => {
    const { id, index, stream, temperature } = options;
    const { maxTurnTokens, maxTokens } = limits;
    const { tokens: maxSampledTokens } = ceilings;
    const maxTurns = options.maxTurns ?? limits.maxTurns;
    const watch = watchEpisode(options.signal, { ...ceilings, answers: maxTurns });
    const session = openSession({
      ...{ id, renderer, stream, temperature },
      policy: watch.watchPolicy(requireTokenPolicy(options)),
      limits: {
        ...{ maxTurns, maxTurnTokens, maxTokens },
        ...(maxSampledTokens !== null && { maxSampledTokens }),
      },
      trains: true,
    });
    const ended = await watch.runToEnd(() =>
      run(task, world, watch.watchSession(session), watch.signal),
    );
    const rollout = sessionRollout(session.record(), {
      ...{ id, index, stream, temperature, ...ended },
      task: { ...task },
      session: { ...session.counters },
    });
    session.close();
    // The turns are reported after the episode, because listeners count turns that have ended.
    const steps = countDecodeSteps(rollout);
    for (const turn of rollout.turns) options.onTurn?.(turn, steps);
    return rollout;
  };
}

function requireTokenPolicy({ policy }: RolloutOptions) {
  if (policy.kind === "tokens") return policy;
  throw new BowlineError(
    "config",
    "your own agent can only be trained with an engine, whose policy samples tokens",
  );
}
