/**
 * A hosted model (`hosted:<model>`) runs on a server, and is evaluated in the same worlds with the same scaffolds as
 * our own policies. The user gives the address of an OpenAI-compatible server, or a language model object of the AI
 * SDK.
 */
import { REACT_LIMITS } from "../../../agent/index.ts";
import {
  BowlineError,
  formatValue,
  requireInteger,
  requireKnownFields,
  requireNonEmptyText,
} from "../../../core/index.ts";
import type { ChatModel } from "./chat-model.ts";
import { createChatEndpoint } from "./endpoint.ts";
import type { HostedPrices } from "./hosted-policy.ts";
import {
  createLanguageModelChat,
  isLanguageModel,
  type LanguageModelLike,
} from "./language-model.ts";

/** The options of a hosted model: its address, limits and prices. */
export interface HostedOptions {
  /**
   * The address of an OpenAI-compatible server, such as `http://127.0.0.1:8080/v1`. A language model object has its own
   * address instead.
   */
  readonly baseUrl?: string;
  /** The key for the server; by default no key is sent. */
  readonly apiKey?: string;
  /** The number of rollouts at the same time; 8 by default. */
  readonly concurrency?: number;
  readonly requestsPerMinute?: number;
  /**
   * The largest number of answers that the model may give for a task. The default is the scaffold's limit on turns in
   * evaluation.
   */
  readonly maxTurns?: number;
  /** The number of attempts at one answer, including the first; 6 by default. */
  readonly attempts?: number;
  /** Prices of a million tokens of each kind. Without prices, no cost is reported. */
  readonly prices?: HostedPrices;
  /**
   * The maximum cost of the evaluation, in the currency of the prices. An evaluation that reaches it stops and can be
   * continued.
   */
  readonly ceiling?: number;
  /**
   * A folder for finished rollouts. With it, a repeated call continues where the last one stopped. By default nothing
   * is kept.
   */
  readonly out?: string;
}

const HOSTED_PREFIX = "hosted:";
const OPTION_NAMES = [
  "baseUrl",
  "apiKey",
  "concurrency",
  "requestsPerMinute",
  "maxTurns",
  "attempts",
  "prices",
  "ceiling",
  "out",
] as const satisfies (keyof HostedOptions)[];

export function isHosted(policy: unknown): policy is string | LanguageModelLike {
  return (
    isLanguageModel(policy) || (typeof policy === "string" && policy.startsWith(HOSTED_PREFIX))
  );
}

/** Returns the name of a hosted model that people and `eval.json` see. */
export function formatHostedName(policy: string | LanguageModelLike): string {
  return typeof policy === "string" ? policy : `${HOSTED_PREFIX}${policy.modelId}`;
}

/** Creates the model. Throws a `config` error for an option that is wrong, missing, or contradicts another. */
export function createHostedModel(
  policy: string | LanguageModelLike,
  options: HostedOptions,
): ChatModel {
  requireHostedOptions(options);
  const { baseUrl, apiKey } = options;
  if (typeof policy !== "string") {
    if (baseUrl === undefined && apiKey === undefined) return createLanguageModelChat(policy);
    throw configError(
      "baseUrl, apiKey: expected neither, because a language model object has its own address and key",
    );
  }
  const model = policy.slice(HOSTED_PREFIX.length);
  requireNonEmptyText("policy", model, "hosted:<model>, the model as its server names it");
  if (baseUrl !== undefined) return createChatEndpoint({ model, baseUrl, apiKey });
  throw configError(
    `${policy} needs the address of an OpenAI-compatible server (baseUrl, --base-url), such as http://127.0.0.1:8080/v1`,
  );
}

/**
 * Returns configuration overrides for a hosted model. The limits of a setting are for small models, so a user's own
 * scaffold (`own`) gets the limits of react.
 */
export function hostedOverrides(options: HostedOptions = {}, own: boolean) {
  const { maxTurns } = options;
  return {
    ...(own && LIMITS_OF_OWN_SCAFFOLD),
    ...(maxTurns !== undefined && { "scaffold.evaluationTurns": maxTurns }),
  };
}

const LIMITS_OF_OWN_SCAFFOLD = {
  "scaffold.maxTurns": REACT_LIMITS.maxTurns,
  "scaffold.evaluationTurns": 50,
  "scaffold.maxTurnTokens": REACT_LIMITS.maxTurnTokens,
  "scaffold.maxTokens": REACT_LIMITS.maxTokens,
  "model.contextLength": REACT_LIMITS.maxTokens,
};

function requireHostedOptions(options: HostedOptions): void {
  requireKnownFields("the options of a hosted model", options, OPTION_NAMES);
  const { concurrency = 8, attempts = 6, maxTurns = 1 } = options;
  const { requestsPerMinute = 1, prices, ceiling } = options;
  requireInteger("concurrency", concurrency, 1, 1000);
  requireInteger("attempts", attempts, 1, 100);
  requireInteger("maxTurns", maxTurns, 1, 1000);
  for (const [name, value] of Object.entries({ requestsPerMinute, ...prices, ceiling })) {
    if (
      value === undefined ||
      (Number.isFinite(value) && value >= 0 && name !== "requestsPerMinute")
    )
      continue;
    if (name === "requestsPerMinute" && Number.isFinite(value) && value > 0) continue;
    throw configError(`${name}: expected a positive number, got ${formatValue(value)}`);
  }
  if (ceiling === undefined || prices !== undefined) return;
  throw configError("ceiling: expected prices too, because the cost is unknown without prices");
}

const configError = (message: string) => new BowlineError("config", message);
