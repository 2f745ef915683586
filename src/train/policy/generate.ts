/**
 * Adds one answer to a conversation: it renders the messages in the model's own template, samples, and decodes.
 *
 * A sampled token depends only on the weights, the tokens before it, the stream and its position. So an answer that is
 * sampled piece by piece, to show it while it grows, has the same tokens as one sampled in one go. Each piece continues
 * from the cached keys and values of the one before.
 */
import {
  BowlineError,
  formatValue,
  randomStreamId,
  requireInteger,
  requireKnownFields,
  requireOneOf,
  requireSeed,
  requireText,
} from "../../core/index.ts";
import type { Engine, Message, Renderer, Sample } from "../../spec/index.ts";

/** The options of `generate()`. */
export interface GenerateOptions {
  /** The maximum number of tokens in the answer; 256 by default, and fewer if the context ends earlier. */
  readonly maxTokens?: number;
  /** The sampling temperature; 0 is greedy. The default is 0, or that of a model's `generation_config.json`. */
  readonly temperature?: number;
  /** The seed; 0 by default. The same messages, seed and weights give the same answer. */
  readonly seed?: number;
  /** When this signal is aborted, the tokens sampled so far are returned with `stop: "cancelled"`. */
  readonly signal?: AbortSignal;
  /** Called with each new piece of the answer's text while the answer grows. */
  readonly onText?: (text: string) => void;
}

/** An answer, as text and as tokens. */
export interface Generation {
  readonly text: string;
  /** The sampled ids. If `stop` is "stop", the last one is the stop token, which is not part of the text. */
  readonly ids: readonly number[];
  /** The log-probability of every id, in nats. */
  readonly logprobs: readonly number[];
  /** The reason why the answer ended: its stop token, the limit on tokens, or the aborted signal. */
  readonly stop: "stop" | "length" | "cancelled";
  /** The number of tokens of the conversation before the answer. */
  readonly promptTokens: number;
}

const ROLES = ["system", "user", "assistant", "environment"] as const;
const OPTION_NAMES = ["maxTokens", "temperature", "seed", "signal", "onText"] as const;
/** The number of tokens between two calls of `onText`. */
const TOKENS_PER_PIECE = 4;

/**
 * Returns a function that answers conversations. After each answer, the engine keeps the conversation's keys and values
 * for the next turn.
 */
export function createGenerator(
  engine: Pick<Engine, "sample" | "release" | "info">,
  renderer: Renderer,
  standard: { readonly temperature: number; readonly contextLength: number },
) {
  let calls = 0;
  /** The cache key of the newest answer. The next turn of the conversation continues from it. */
  let kept: string | undefined;
  return async (
    messages: readonly Message[],
    options: GenerateOptions = {},
  ): Promise<Generation> => {
    requireOptions(options);
    const { maxTokens = 256, temperature = standard.temperature, seed = 0 } = options;
    const prompt = renderer.start(markEnvironmentMessages(messages));
    const room = standard.contextLength - prompt.length;
    if (room < 1) {
      throw new BowlineError(
        "config",
        `generate: the messages are ${prompt.length} tokens, and the context of ${standard.contextLength} leaves no room for an answer`,
      );
    }
    const cacheKey = kept ?? `generate-${calls++}`;
    kept = undefined;
    const request = {
      tokens: [...prompt],
      stream: randomStreamId(seed, "generate"),
      maxTokens: Math.min(maxTokens, room),
      temperature,
      stopIds: renderer.stopIds,
      cacheKey,
    };
    try {
      const { tokens, logprobs, stop } = await sampleInPieces(engine, request, renderer, options);
      const said = stop === "stop" ? tokens.slice(0, -1) : tokens;
      const text = renderer.text(said);
      return { text, ids: tokens, logprobs, stop, promptTokens: prompt.length };
    } finally {
      if (kept === undefined) kept = cacheKey;
      else engine.release(cacheKey);
    }
  };
}

type Request = Parameters<Engine["sample"]>[0][number];

async function sampleInPieces(
  engine: Pick<Engine, "sample">,
  request: Request,
  renderer: Renderer,
  { signal, onText }: GenerateOptions,
): Promise<Omit<Sample, "policyVersion">> {
  const tokens: number[] = [];
  const logprobs: number[] = [];
  let told = "";
  for (;;) {
    const left = request.maxTokens - tokens.length;
    const piece = {
      ...request,
      tokens: [...request.tokens, ...tokens],
      maxTokens: onText ? Math.min(TOKENS_PER_PIECE, left) : left,
    };
    const [sample] = await engine.sample([piece], signal);
    const { stop } = sample!;
    tokens.push(...sample!.tokens);
    logprobs.push(...sample!.logprobs);
    const isLast = stop !== "length" || tokens.length >= request.maxTokens;
    if (onText) {
      const text = renderer.text(stop === "stop" ? tokens.slice(0, -1) : tokens);
      // The last character may be incomplete so far, since its bytes can be several tokens.
      const whole = isLast ? text : text.replace(/\uFFFD+$/, "");
      if (whole.length > told.length) onText(whole.slice(told.length));
      told = whole;
    }
    if (isLast) return { tokens, logprobs, stop };
  }
}

/** Gives user messages that follow an answer the role of the environment. This matters for scaffolds with markers. */
function markEnvironmentMessages(messages: readonly Message[]): readonly Message[] {
  requireMessages(messages);
  return messages.map((message, i) =>
    message.role === "user" && messages[i - 1]?.role === "assistant"
      ? { ...message, role: "environment" }
      : message,
  );
}

function requireMessages(messages: readonly Message[]): void {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new BowlineError(
      "config",
      `generate: expected a list of messages, such as [{ role: "user", content: "..." }], got ${formatValue(messages)}`,
    );
  }
  for (const [i, message] of messages.entries()) {
    requireOneOf(`messages.${i}.role`, message?.role, ROLES);
    requireText(`messages.${i}.content`, message.content);
  }
  if (messages.at(-1)!.role !== "assistant") return;
  throw new BowlineError(
    "config",
    "generate: the last message is the assistant's, so there is nothing to answer",
  );
}

function requireOptions(options: GenerateOptions): void {
  requireKnownFields("the options of generate()", options, OPTION_NAMES);
  const { maxTokens = 1, temperature = 0, seed = 0 } = options;
  requireInteger("maxTokens", maxTokens, 1, 2 ** 31);
  requireTemperature(temperature);
  requireSeed("seed", seed);
}

export function requireTemperature(temperature: number): void {
  if (Number.isFinite(temperature) && temperature >= 0) return;
  throw new BowlineError(
    "config",
    `temperature: expected a number of at least 0, got ${formatValue(temperature)}`,
  );
}
