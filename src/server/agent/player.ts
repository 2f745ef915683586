/**
 * One episode of an agent that is not ours, to its record: a session is opened for it, its owner's function runs, and
 * what was sampled meanwhile becomes rows.
 *
 *   returns a reward          finished, and worth that
 *   throws                    failed at the boundary `agent`, with the reason: it has no return and teaches nothing
 *   gives no reward           the same
 *   the sampler fails         failed at the boundary `policy`, whatever the agent made of it
 *   takes too long            failed at the boundary `agent`; time is not the policy's doing
 *   the policy spends its turns or tokens, and the agent gives up over it    `turn-limit` or `token-limit`, worth 0, as
 *                                                                            every episode that does not come to its end
 */
import {
  failureOf,
  openInterim,
  type Play,
  type RolloutOptions,
  SessionError,
} from "../../agent/index.ts";
import { anySignal, BowlineError } from "../../core/index.ts";
import type {
  AgentSession,
  Evaluation,
  Failure,
  Outcome,
  Policy,
  Rollout,
  SessionRequest,
  TaskInfo,
  World,
} from "../../spec/index.ts";
import type { ModelText } from "../../text/index.ts";
import type { Config } from "../../train/index.ts";
import { evaluationOf } from "./reward.ts";

/** What an episode may cost. */
export interface EpisodeCeilings {
  readonly seconds: number;
  /** Sampled, over all conversations; null: no ceiling. */
  readonly tokens: number | null;
}

/** What an owner's function is called with in one episode; what it returns is its reward. */
export type RunEpisode = (
  task: TaskInfo,
  world: Pick<World, "open">,
  doors: { readonly session: AgentSession; readonly signal: AbortSignal },
) => Promise<unknown>;

export interface PlayerOptions {
  readonly text: ModelText;
  readonly limits: Config["scaffold"];
  readonly ceilings: EpisodeCeilings;
  /** The least reward that counts as solved. */
  readonly passAt: number;
  readonly run: RunEpisode;
}

/** Plays episodes by the owner's function. */
export function playWith(own: PlayerOptions): Play {
  return async (world, task, options) => {
    const watched = watch(options, own.ceilings);
    const session = openInterim({
      policy: watched.policy,
      template: own.text.chatTemplate(),
      tokenizer: own.text.tokenizer,
      stopIds: own.text.generation.stopIds,
      limits: own.limits,
      maxTurns: options.maxTurns ?? own.limits.maxTurns,
      id: options.id,
      stream: options.stream,
      temperature: options.temperature,
    });
    const guarded = watched.guard(session);
    const ended = await settle(own, watched, () =>
      own.run(task, world, { session: guarded, signal: watched.signal }),
    );
    watched.close();
    const { tokens, turns, policyVersion } = session.record();
    const { id, index, stream, temperature } = options;
    return Object.freeze({
      version: 2 as const,
      ...{ id, task: { ...task }, index, stream, temperature, policyVersion, turns, tokens },
      session: { ...session.counters },
      ...ended,
    }) as Rollout;
  };
}

type Ended = Pick<Rollout, "outcome" | "failure" | "evaluation">;

async function settle(
  { passAt }: PlayerOptions,
  watched: Watched,
  run: () => Promise<unknown>,
): Promise<Ended> {
  let ended: Ended;
  try {
    const said = await Promise.race([run(), watched.aborted]);
    ended = finished(evaluationOf(said, passAt));
  } catch (error) {
    ended = watched.ceiling() ?? failed(failureOf(error));
  }
  if (watched.isCancelled()) return { outcome: "cancelled" };
  const cause = watched.cause();
  return cause === undefined ? ended : failed(cause);
}

const finished = (evaluation: Evaluation): Ended => ({
  outcome: "finished",
  evaluation: { ...evaluation, checks: [...evaluation.checks] } as NonNullable<
    Rollout["evaluation"]
  >,
});
const failed = (failure: Failure): Ended => ({ outcome: "failed", failure });

interface Watched {
  readonly policy: Extract<Policy, { kind: "tokens" }>;
  readonly signal: AbortSignal;
  /** Rejects when the episode is over before the run is. */
  readonly aborted: Promise<never>;
  guard(session: AgentSession): AgentSession;
  /** How an episode ended whose policy spent what it may spend. */
  ceiling(): Ended | undefined;
  isCancelled(): boolean;
  /** What failed underneath the agent, or took its time. */
  cause(): Failure | undefined;
  close(): void;
}

/** Looks after one episode: its time and tokens, and what happens behind the agent's back. */
function watch(options: RolloutOptions, ceilings: EpisodeCeilings): Watched {
  const { policy } = options;
  if (policy.kind !== "tokens") {
    throw new BowlineError("config", "an agent of your own samples tokens, which an engine does");
  }
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ceilings.seconds * 1000);
  const signal = anySignal(late.signal, options.signal)!;
  let sampled = 0;
  let answers = 0;
  let reached: Outcome | undefined;
  let broken: unknown;
  const overspent = () => ceilings.tokens !== null && sampled >= ceilings.tokens;
  return {
    signal,
    aborted: new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("the episode is over")), {
        once: true,
      });
    }),
    policy: {
      kind: "tokens",
      async sample(request, asked) {
        try {
          const most = ceilings.tokens === null ? Infinity : ceilings.tokens - sampled;
          const maxTokens = Math.min(request.maxTokens, most);
          const sample = await policy.sample(
            { ...request, maxTokens },
            anySignal(signal, asked) ?? signal,
          );
          sampled += sample.tokens.length;
          return sample;
        } catch (error) {
          broken ??= error;
          throw error;
        }
      },
      release: (key) => policy.release(key),
    },
    guard: (session) => ({
      id: session.id,
      get counters() {
        return session.counters;
      },
      countTokens: (request) => session.countTokens(request),
      async respond(request: SessionRequest, how) {
        if (overspent()) {
          reached = "token-limit";
          throw new SessionError("ceiling", `the episode's ${ceilings.tokens} tokens are spent`);
        }
        try {
          const answer = await session.respond(request, how);
          answers += 1;
          return answer;
        } catch (error) {
          if (SessionError.is(error) && answers > 0) {
            if (error.reason === "ceiling") reached = "turn-limit";
            if (error.reason === "context") reached = "token-limit";
          }
          throw error;
        }
      },
    }),
    ceiling: () =>
      reached === undefined
        ? undefined
        : {
            outcome: reached,
            evaluation: { passed: false, finished: false, checks: [], reward: 0 },
          },
    isCancelled: () => options.signal?.aborted === true,
    cause() {
      if (broken !== undefined && !late.signal.aborted) {
        return { ...failureOf(broken), boundary: "policy" };
      }
      if (!late.signal.aborted) return undefined;
      const message = `the episode took longer than scaffold.episodeSeconds (${ceilings.seconds})`;
      return { boundary: "agent", code: "time", message, retryable: false };
    },
    close: () => clearTimeout(timer),
  };
}
