/**
 * Makes a hosted model the policy of an evaluation. Every request is counted and priced. A ceiling on the cost, or a
 * server that does not answer, stops the whole evaluation. Finished rollouts are kept.
 */
import { PolicyUnableToContinue } from "../../../agent/index.ts";
import { BowlineError } from "../../../core/index.ts";
import type { Policy } from "../../../spec/index.ts";
import { costOf } from "../../run/budget/index.ts";
import { ChatFailure, type ChatModel, type HostedUsage } from "./chat-model.ts";
import { type RetryOptions, withRetries } from "./retries.ts";

/** Prices of one million tokens of each kind, in any currency. */
export interface HostedPrices {
  readonly input: number;
  /**
   * The price of prompt tokens that the provider had in its cache. The default is the price of other prompt tokens
   * (`input`).
   */
  readonly cached?: number;
  readonly output: number;
}

/** The tokens and requests of an evaluation, including those of rollouts that were lost in a crash. */
export interface HostedTotals extends HostedUsage {
  readonly requests: number;
  /** The number of attempts that repeated a failed one. */
  readonly retries: number;
  /** The number of prompts that the provider refused, which ended their rollouts. */
  readonly refused: number;
  /** The cost of all requests; absent if no prices are given. */
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

/** Returns the cost of the tokens. Prompt tokens from the cache have their own price. */
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

/** What a hosted policy is made from. */
export interface HostedPolicyOptions {
  readonly model: ChatModel;
  readonly patience: Omit<RetryOptions, "onRetry">;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly prices?: HostedPrices | undefined;
  /** The maximum cost of the evaluation, in the currency of the prices. */
  readonly ceiling?: number | undefined;
  /** The tokens and requests that earlier processes spent on this evaluation. */
  readonly before?: HostedTotals;
  /** Called after each request, with the tokens and requests that it added. */
  readonly onUse?: (added: Partial<HostedTotals>) => void;
}

/** A hosted policy, with counts of its requests and tokens. */
export interface HostedPolicy {
  readonly policy: Policy;
  readonly totals: () => HostedTotals;
  /** Aborted with a BowlineError when the evaluation has to stop. */
  readonly signal: AbortSignal;
}

const HOW_TO_CONTINUE =
  "; if you name a folder (--out), the same command continues after the finished rollouts";

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
      `${spent} of the ceiling of ${ceiling} has been spent${HOW_TO_CONTINUE}`,
    );
    controller.abort(error);
    throw error;
  };
  const failed = (failure: ChatFailure): Error => {
    if (failure.kind === "full") return new PolicyUnableToContinue(failure.message);
    // A refused prompt ends its rollout. But if the provider refuses the very first prompt, it would refuse all others
    // too.
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
