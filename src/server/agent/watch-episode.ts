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
  readonly cost: { readonly maxCost: number; readonly prices: TokenPrices } | null;
}

/** The same, and how many answers an episode may have. */
export type Ceilings = EpisodeCeilings & { readonly answers: number };

/** How an episode ended. */
export type EpisodeEnd = Pick<Rollout, "outcome" | "failure" | "evaluation">;
type TokenPolicy = Extract<Policy, { kind: "tokens" }>;

export interface EpisodeWatch {
  /** Aborts with the run, and when the episode has taken its time. */
  readonly signal: AbortSignal;
  /** The policy, whose failures are remembered. */
  watchPolicy(policy: TokenPolicy): TokenPolicy;
  /** The session, whose refusals are remembered. */
  watchSession(session: AgentSession): AgentSession;
  /** Runs the episode to its end. Never rejects. */
  runToEnd(run: () => Promise<Evaluation>): Promise<EpisodeEnd>;
}

/** `cancelled`: the run's own signal. */
export function watchEpisode(cancelled: AbortSignal | undefined, ceilings: Ceilings): EpisodeWatch {
  const timeLimit = new AbortController();
  const signal = combineSignals(timeLimit.signal, cancelled) ?? timeLimit.signal;
  let usage = NO_USAGE;
  let limit: "turn-limit" | "token-limit" | undefined;
  let policyFailure: Failure | undefined;

  const requireCostLeft = () => {
    const { cost } = ceilings;
    if (cost === null || costOf(usage, cost.prices) < cost.maxCost) return;
    limit = "token-limit";
    throw new SessionError(
      "ceiling",
      `the episode has cost its scaffold.episodeCost (${cost.maxCost})`,
    );
  };
  const noteLimit = (error: unknown, { answers }: AgentSession["counters"]) => {
    // A first request that does not fit is the agent's doing, not the policy's.
    if (!SessionError.is(error) || answers === 0) return;
    if (error.reason === "context") limit = "token-limit";
    if (error.reason === "ceiling")
      limit ??= answers < ceilings.answers ? "token-limit" : "turn-limit";
  };

  return {
    signal,
    watchPolicy: (policy) => ({
      kind: "tokens",
      release: (key) => policy.release(key),
      async sample(request, callerSignal) {
        try {
          return await policy.sample(request, combineSignals(signal, callerSignal));
        } catch (error) {
          if (!signal.aborted) policyFailure ??= { ...failureFromError(error), boundary: "policy" };
          throw error;
        }
      },
    }),
    watchSession: (session) => ({
      id: session.id,
      get counters() {
        return session.counters;
      },
      countTokens: (request) => session.countTokens(request),
      async respond(request, options) {
        try {
          requireCostLeft();
          const answer = await session.respond(request, options);
          const { promptTokens, cachedTokens, completionTokens } = answer.usage;
          usage = addUsage(usage, {
            prefill: promptTokens - cachedTokens,
            cached: cachedTokens,
            sampled: completionTokens,
          });
          return answer;
        } catch (error) {
          noteLimit(error, session.counters);
          throw error;
        }
      },
    }),
    async runToEnd(run) {
      const timer = setTimeout(() => timeLimit.abort(), ceilings.seconds * 1000);
      const ended = await settleEpisode(run, signal, () => limit);
      clearTimeout(timer);
      if (cancelled?.aborted) return { outcome: "cancelled" };
      if (policyFailure) return createFailedEnd(policyFailure);
      return timeLimit.signal.aborted
        ? createFailedEnd(createTimeoutFailure(ceilings.seconds))
        : ended;
    },
  };
}

async function settleEpisode(
  run: () => Promise<Evaluation>,
  signal: AbortSignal,
  limit: () => "turn-limit" | "token-limit" | undefined,
): Promise<EpisodeEnd> {
  try {
    const { checks, ...rest } = await Promise.race([run(), rejectOnAbort(signal)]);
    return { outcome: "finished", evaluation: { ...rest, checks: [...checks] } as Verdict };
  } catch (error) {
    const outcome = limit();
    if (outcome === undefined) return createFailedEnd(failureFromError(error));
    return { outcome, evaluation: { passed: false, finished: false, checks: [], reward: 0 } };
  }
}

type Verdict = NonNullable<Rollout["evaluation"]>;

/** Rejects when the signal aborts: an agent need not listen to it. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(new Error("the episode is over"));
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });
}

const createFailedEnd = (failure: Failure): EpisodeEnd => ({ outcome: "failed", failure });

function createTimeoutFailure(seconds: number): Failure {
  const message = `the episode took longer than scaffold.episodeSeconds (${seconds})`;
  return { boundary: "agent", code: "time", message, retryable: false };
}
