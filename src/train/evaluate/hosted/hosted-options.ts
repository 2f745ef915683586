/**
 * `hosted:<model>`: a model that runs elsewhere, scored in the same worlds by the same scaffolds as our own policies.
 * It is named with the address of an OpenAI-compatible server, or handed over as a language model object of the AI SDK.
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

/** How a hosted model is reached, and what it may cost. */
export interface HostedOptions {
  /** Of an OpenAI-compatible server, with the version: `http://127.0.0.1:8080/v1`. Not for a language model object. */
  readonly baseUrl?: string;
  /** Default: none is sent. */
  readonly apiKey?: string;
  /** Rollouts at once. Default 8. */
  readonly concurrency?: number;
  readonly requestsPerMinute?: number;
  /** Answers of the model to a task, at most. Default: those that its scaffold evaluates with. */
  readonly maxTurns?: number;
  /** At one answer, the first included. Default 6. */
  readonly attempts?: number;
  /** For a million tokens of each kind. Without them nothing is said of money. */
  readonly prices?: HostedPrices;
  /** In the prices' currency: reached, the evaluation stops and can go on. */
  readonly ceiling?: number;
  /** A folder that keeps what is finished: the same call goes on there. Default: nothing is kept. */
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

/** As it is told to people and to `eval.json`. */
export function formatHostedName(policy: string | LanguageModelLike): string {
  return typeof policy === "string" ? policy : `${HOSTED_PREFIX}${policy.modelId}`;
}

/** Throws a `config` error for an option that is wrong, contradicts another or is missing. */
export function createHostedModel(
  policy: string | LanguageModelLike,
  options: HostedOptions,
): ChatModel {
  requireHostedOptions(options);
  const { baseUrl, apiKey } = options;
  if (typeof policy !== "string") {
    if (baseUrl === undefined && apiKey === undefined) return createLanguageModelChat(policy);
    throw configError("baseUrl, apiKey: a language model object knows its own address and key");
  }
  const model = policy.slice(HOSTED_PREFIX.length);
  requireNonEmptyText("policy", model, "hosted:<model>, the model as its server names it");
  if (baseUrl !== undefined) return createChatEndpoint({ model, baseUrl, apiKey });
  throw configError(
    `${policy} needs the address of an OpenAI-compatible server (baseUrl, --base-url), such as http://127.0.0.1:8080/v1`,
  );
}

/**
 * Fields of the configuration by which a hosted model plays. A setting's limits are those of a small model: a scaffold
 * of one's `own` has those of react.
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
  throw configError("ceiling: without prices nobody knows what is spent; give those too");
}

const configError = (message: string) => new BowlineError("config", message);
