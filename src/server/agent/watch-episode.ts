/**
 * Watches one episode of an agent: its time, its cost, and failures of the policy, which the agent might catch and
 * still return a reward.
 */
import { failureFromError, SessionError } from "../../agent/index.ts";
import { combineSignals } from "../../core/index.ts";
import type { AgentSession, Evaluation, Failure, Policy, Rollout } from "../../spec/index.ts";
import { addUsage, costOf, NO_USAGE, type TokenPrices } from "../../train/index.ts";

/** The most that an episode may take. Null means no limit. */
export interface EpisodeCeilings {
  readonly seconds: number;
  /** The sampled tokens over all conversations of the episode. */
  readonly tokens: number | null;
  readonly cost: { readonly maxCost: number; readonly prices: TokenPrices } | null;
}

/** The ceilings of an episode, with the number of answers. */
export type Ceilings = EpisodeCeilings & { readonly answers: number };

/** The end of an episode: its outcome, and its failure or evaluation. */
export type EpisodeEnd = Pick<Rollout, "outcome" | "failure" | "evaluation">;
type TokenPolicy = Extract<Policy, { kind: "tokens" }>;

export interface EpisodeWatch {
  /** Aborts when the run is cancelled or the episode has taken too long. */
  readonly signal: AbortSignal;
  /** Wraps the policy so that its failures are recorded. */
  watchPolicy(policy: TokenPolicy): TokenPolicy;
  /** Wraps the session so that each request that it refuses is recorded. */
  watchSession(session: AgentSession): AgentSession;
  /** Runs the episode to its end and returns how it ended. Never rejects. */
  runToEnd(run: () => Promise<Evaluation>): Promise<EpisodeEnd>;
}

/** Starts to watch an episode. `cancelled` is the signal of the run. */
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
      `the episode has reached its cost limit, scaffold.episodeCost (${cost.maxCost})`,
    );
  };
  const recordLimit = (error: unknown, { answers }: AgentSession["counters"]) => {
    // When the first request does not fit, that is the agent's fault and not the policy's.
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
      countTokensInBackground: async (request) =>
        session.countTokensInBackground?.(request) ?? session.countTokens(request),
      listIgnoredSettings: (request) => session.listIgnoredSettings(request),
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
          recordLimit(error, session.counters);
          throw error;
        }
      },
    }),
    async runToEnd(run) {
      const timer = setTimeout(() => timeLimit.abort(), ceilings.seconds * 1000);
      const ended = await runUntilEnd(run, signal, () => limit);
      clearTimeout(timer);
      if (cancelled?.aborted) return { outcome: "cancelled" };
      if (policyFailure) return createFailedEnd(policyFailure);
      return timeLimit.signal.aborted
        ? createFailedEnd(createTimeoutFailure(ceilings.seconds))
        : ended;
    },
  };
}

async function runUntilEnd(
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

/** Rejects when the signal aborts, because an agent may ignore the signal. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const rejectNow = () => reject(new Error("the episode is over"));
    if (signal.aborted) rejectNow();
    signal.addEventListener("abort", rejectNow, { once: true });
  });
}

const createFailedEnd = (failure: Failure): EpisodeEnd => ({ outcome: "failed", failure });

function createTimeoutFailure(seconds: number): Failure {
  const message = `the episode took longer than scaffold.episodeSeconds (${seconds})`;
  return { boundary: "agent", code: "time", message, retryable: false };
}
