/**
 * One episode of an agent that is not ours, to its record: a session is opened for it, its owner's function runs, and
 * what was sampled meanwhile becomes rows.
 *
 *   returns a reward          finished, and worth that
 *   throws                    failed at the boundary `agent`, with the reason: it has no return and teaches nothing
 *   gives no reward           the same
 *   the sampler fails         failed at the boundary `policy`, whatever the agent made of it
 *   takes too long            failed at the boundary `agent`; time is not the policy's doing
 *   the policy spends its answers or tokens, and the agent gives up over it    `turn-limit` or `token-limit`, worth 0, as
 *                                                                              every episode that comes to no end
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

/** What an owner's function comes to in one episode: its evaluation. Rejects with what it throws. */
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

/** Plays episodes by the owner's function. */
export function createPlay({ renderer, limits, ceilings, run }: PlayerOptions): Play {
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
    // A turn is told when it is over: what counts turns counts those of sessions behind them.
    const steps = countDecodeSteps(rollout);
    for (const turn of rollout.turns) options.onTurn?.(turn, steps);
    return rollout;
  };
}

function requireTokenPolicy({ policy }: RolloutOptions) {
  if (policy.kind === "tokens") return policy;
  throw new BowlineError(
    "config",
    "an agent of your own is trained by an engine, whose policy samples tokens",
  );
}
