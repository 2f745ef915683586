/**
 * Looks after one episode of an agent: its time, what it costs, and what fails underneath the agent, which may catch
 * every error and still return a reward.
 */
import { failureFromError, SessionError } from "../../agent/index.ts";
import { combineSignals } from "../../core/index.ts";
import type { AgentSession, Evaluation, Failure, Policy, Rollout } from "../../spec/index.ts";
import { addUsage, costOf, NO_USAGE, type TokenPrices } from "../../train/index.ts";

/** What an episode may cost; null: no ceiling. */
export interface EpisodeCeilings {
  readonly seconds: number;
  /** Sampled, over all conversations. */
  readonly tokens: number | null;
  readonly cost: { readonly most: number; readonly prices: TokenPrices } | null;
}

/** The same, and how many answers an episode may have. */
export type Ceilings = EpisodeCeilings & { readonly answers: number };

/** How an episode ended. */
export type Ended = Pick<Rollout, "outcome" | "failure" | "evaluation">;
type TokenPolicy = Extract<Policy, { kind: "tokens" }>;

export interface Watched {
  /** Aborts with the run, and when the episode has taken its time. */
  readonly signal: AbortSignal;
  /** The policy, whose failures are remembered. */
  policy(policy: TokenPolicy): TokenPolicy;
  /** The session, whose refusals are remembered. */
  session(session: AgentSession): AgentSession;
  /** Runs the episode to its end. Never rejects. */
  end(run: () => Promise<Evaluation>): Promise<Ended>;
}

/** `cancelled`: the run's own signal. */
export function watchEpisode(cancelled: AbortSignal | undefined, ceilings: Ceilings): Watched {
  const late = new AbortController();
  const signal = combineSignals(late.signal, cancelled) ?? late.signal;
  let usage = NO_USAGE;
  let limit: "turn-limit" | "token-limit" | undefined;
  let broken: Failure | undefined;

  const requireMoney = () => {
    const { cost } = ceilings;
    if (cost === null || costOf(usage, cost.prices) < cost.most) return;
    limit = "token-limit";
    throw new SessionError(
      "ceiling",
      `the episode has cost its scaffold.episodeCost (${cost.most})`,
    );
  };
  const remember = (error: unknown, { answers }: AgentSession["counters"]) => {
    // A first request that does not fit is the agent's doing, not the policy's.
    if (!SessionError.is(error) || answers === 0) return;
    if (error.reason === "context") limit = "token-limit";
    if (error.reason === "ceiling")
      limit ??= answers < ceilings.answers ? "token-limit" : "turn-limit";
  };

  return {
    signal,
    policy: (policy) => ({
      kind: "tokens",
      release: (key) => policy.release(key),
      async sample(request, asked) {
        try {
          return await policy.sample(request, combineSignals(signal, asked));
        } catch (error) {
          if (!signal.aborted) broken ??= { ...failureFromError(error), boundary: "policy" };
          throw error;
        }
      },
    }),
    session: (session) => ({
      id: session.id,
      get counters() {
        return session.counters;
      },
      countTokens: (request) => session.countTokens(request),
      async respond(request, how) {
        try {
          requireMoney();
          const answer = await session.respond(request, how);
          const { promptTokens, cachedTokens, completionTokens } = answer.usage;
          usage = addUsage(usage, {
            prefill: promptTokens - cachedTokens,
            cached: cachedTokens,
            sampled: completionTokens,
          });
          return answer;
        } catch (error) {
          remember(error, session.counters);
          throw error;
        }
      },
    }),
    async end(run) {
      const timer = setTimeout(() => late.abort(), ceilings.seconds * 1000);
      const ended = await settled(run, signal, () => limit);
      clearTimeout(timer);
      if (cancelled?.aborted) return { outcome: "cancelled" };
      if (broken) return failed(broken);
      return late.signal.aborted ? failed(tookTooLong(ceilings.seconds)) : ended;
    },
  };
}

async function settled(
  run: () => Promise<Evaluation>,
  signal: AbortSignal,
  limit: () => "turn-limit" | "token-limit" | undefined,
): Promise<Ended> {
  try {
    const { checks, ...rest } = await Promise.race([run(), over(signal)]);
    return { outcome: "finished", evaluation: { ...rest, checks: [...checks] } as Verdict };
  } catch (error) {
    const outcome = limit();
    if (outcome === undefined) return failed(failureFromError(error));
    return { outcome, evaluation: { passed: false, finished: false, checks: [], reward: 0 } };
  }
}

type Verdict = NonNullable<Rollout["evaluation"]>;

/** Rejects when the signal aborts: an agent need not listen to it. */
function over(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(new Error("the episode is over"));
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });
}

const failed = (failure: Failure): Ended => ({ outcome: "failed", failure });

function tookTooLong(seconds: number): Failure {
  const message = `the episode took longer than scaffold.episodeSeconds (${seconds})`;
  return { boundary: "agent", code: "time", message, retryable: false };
}
