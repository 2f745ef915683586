/**
 * A hosted model as the policy of an evaluation. Every request is counted and priced; a ceiling on the money, or an
 * endpoint that answers nobody, stops the whole evaluation, and what is finished is kept.
 */
import { PolicyUnableToContinue } from "../../../agent/index.ts";
import { BowlineError } from "../../../core/index.ts";
import type { Policy } from "../../../spec/index.ts";
import { costOf } from "../../run/budget/index.ts";
import { ChatFailure, type ChatModel, type HostedUsage } from "./chat-model.ts";
import { type RetryOptions, withRetries } from "./retries.ts";

/** For one million tokens of each kind, in any currency. */
export interface HostedPrices {
  readonly input: number;
  /** Of the prompt, what the provider had already read. Default: as `input`. */
  readonly cached?: number;
  readonly output: number;
}

/** Tokens and requests of an evaluation, those of work that a crash lost among them. */
export interface HostedTotals extends HostedUsage {
  readonly requests: number;
  /** Attempts that were made again. */
  readonly retries: number;
  /** Prompts that the provider refused; their rollouts ended there. */
  readonly refused: number;
  /** Where there are prices. */
  readonly cost?: number;
}

export const ZERO_TOTALS: HostedTotals = {
  requests: 0,
  retries: 0,
  refused: 0,
  input: 0,
  cached: 0,
  output: 0,
  reasoning: 0,
};

export function addTotals(a: HostedTotals, b: Partial<HostedTotals>): HostedTotals {
  const names = Object.keys(ZERO_TOTALS) as (keyof typeof ZERO_TOTALS)[];
  const sums = names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]);
  return Object.fromEntries(sums) as unknown as HostedTotals;
}

/** Tokens of hosted models are priced as those of a run's budget are: read, read again, sampled. */
function costOfTotals(totals: HostedUsage, { input, cached, output }: HostedPrices): number {
  return costOf(
    {
      prefill: totals.input - totals.cached,
      cached: totals.cached,
      sampled: totals.output,
      trained: 0,
    },
    { prefillPrice: input, cachedPrice: cached ?? null, samplePrice: output, trainPrice: 0 },
  );
}

export interface HostedPolicyOptions {
  readonly model: ChatModel;
  readonly patience: Omit<RetryOptions, "onRetry">;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly prices?: HostedPrices | undefined;
  /** In the prices' currency. */
  readonly ceiling?: number | undefined;
  /** What earlier lives of this evaluation used. */
  readonly before?: HostedTotals;
  /** After each request, what it added. */
  readonly onUse?: (added: Partial<HostedTotals>) => void;
}

export interface HostedPolicy {
  readonly policy: Policy;
  readonly totals: () => HostedTotals;
  /** Aborts with a BowlineError when going on makes no sense. */
  readonly signal: AbortSignal;
}

const HOW_TO_CONTINUE = "; with a folder (--out) the same command goes on from what is finished";

export function createHostedPolicy(options: HostedPolicyOptions): HostedPolicy {
  const { maxTokens, temperature, prices, ceiling, onUse } = options;
  const controller = new AbortController();
  let totals = options.before ?? ZERO_TOTALS;
  const cost = () => (prices ? costOfTotals(totals, prices) : 0);
  const use = (added: Partial<HostedTotals>) => {
    totals = addTotals(totals, added);
    onUse?.(added);
  };
  const patience = { ...options.patience, onRetry: () => use({ retries: 1 }) };
  const model = withRetries(options.model, patience);
  const checkCeiling = () => {
    if (ceiling === undefined || cost() < ceiling) return;
    const spent = Number(cost().toPrecision(4));
    const error = new BowlineError(
      "budget",
      `${spent} of the ceiling of ${ceiling} is spent${HOW_TO_CONTINUE}`,
    );
    controller.abort(error);
    throw error;
  };
  const failed = (failure: ChatFailure): Error => {
    if (failure.kind === "full") return new PolicyUnableToContinue(failure.message);
    // One prompt that is refused may be that prompt's fault; the very first one is a wrong request.
    if (failure.kind === "refused" && totals.requests > 0) {
      use({ refused: 1 });
      return new PolicyUnableToContinue(failure.message);
    }
    const error = new BowlineError("engine", `${model.name}: ${failure.message}${HOW_TO_CONTINUE}`);
    controller.abort(error);
    return error;
  };
  return {
    policy: {
      kind: "messages",
      async complete(messages, _task, signal) {
        controller.signal.throwIfAborted();
        checkCeiling();
        try {
          const request = { messages, maxTokens, temperature, ...(signal && { signal }) };
          const { text, usage } = await model.reply(request);
          use({ requests: 1, ...usage });
          return text;
        } catch (error) {
          throw error instanceof ChatFailure ? failed(error) : error;
        }
      },
    },
    totals: () => ({ ...totals, ...(prices && { cost: cost() }) }),
    signal: controller.signal,
  };
}
