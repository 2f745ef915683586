/**
 * A conversation continued by one message: rendered in the model's own template, sampled, read back.
 *
 * A sampled token depends on the weights, the tokens before it, the stream and its position alone. So an answer that is
 * asked for in pieces, to be shown while it is made, has the tokens of one that is asked for at once; each piece goes
 * on from the keys and values that the last one left.
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

/** How an answer is sampled, and who watches. */
export interface GenerateOptions {
  /** Default 256; fewer where the context ends. */
  readonly maxTokens?: number;
  /** 0 is greedy. Default: 0, of a model's folder what its `generation_config.json` asks for. */
  readonly temperature?: number;
  /** Default 0. The same messages, seed and weights give the same answer. */
  readonly seed?: number;
  /** Aborted: what was sampled so far comes back, with `stop: "cancelled"`. */
  readonly signal?: AbortSignal;
  /** Is told the text of the answer as it grows, piece by piece; the pieces together are the text. */
  readonly onText?: (text: string) => void;
}

/** An answer, as text and as tokens. */
export interface Generation {
  readonly text: string;
  /** Sampled ids; the last one ends the turn where `stop` is "stop", and is no text. */
  readonly ids: readonly number[];
  /** Of every id, in nats. */
  readonly logprobs: readonly number[];
  /** The model ended its turn; `maxTokens` or the context did; the signal did. */
  readonly stop: "stop" | "length" | "cancelled";
  /** Tokens of the conversation before the answer. */
  readonly promptTokens: number;
}

const ROLES = ["system", "user", "assistant", "environment"] as const;
const OPTION_NAMES = ["maxTokens", "temperature", "seed", "signal", "onText"] as const;
/** Tokens between two calls of `onText`. */
const TOKENS_PER_PIECE = 4;

/** Answers conversations with an engine's weights, each call with a prefix of its own to keep or give back. */
export function createGenerator(
  engine: Pick<Engine, "sample" | "release" | "info">,
  renderer: Renderer,
  standard: { readonly temperature: number; readonly contextLength: number },
) {
  let calls = 0;
  /** The newest answer's, which the next turn of the conversation goes on from. */
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
      // A character whose bytes are several tokens is not whole yet.
      const whole = isLast ? text : text.replace(/\uFFFD+$/, "");
      if (whole.length > told.length) onText(whole.slice(told.length));
      told = whole;
    }
    if (isLast) return { tokens, logprobs, stop };
  }
}

/** What is said to a model after an answer of its own is what came back to it: in markers that makes a difference. */
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
