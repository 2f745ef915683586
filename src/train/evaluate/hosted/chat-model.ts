/**
 * A chat model on a server: it gets messages and returns text and counts of tokens. There are four kinds of failure,
 * each with its own reaction: a busy server is asked again later; a full context or a refused prompt ends the rollout;
 * any other failure stops the evaluation.
 */
import type { Message } from "../../../spec/index.ts";

/** The tokens of one answer as the provider counts them. Counts that it does not report are 0. */
export interface HostedUsage {
  /** Tokens of the prompt, including cached ones. */
  readonly input: number;
  readonly cached: number;
  /** Tokens of the answer, including reasoning. */
  readonly output: number;
  readonly reasoning: number;
}

export interface ChatReply {
  readonly text: string;
  readonly usage: HostedUsage;
}

export interface ChatRequest {
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  readonly temperature: number;
  readonly signal?: AbortSignal;
}

/** A model that answers messages. `reply` makes one attempt; it rejects with a `ChatFailure` or the signal's reason. */
export interface ChatModel {
  readonly name: string;
  reply(request: ChatRequest): Promise<ChatReply>;
}

/**
 * The reason why a model gave no answer. `busy`: ask again later. `full`: the prompt is too long. `refused`: the
 * provider does not accept this prompt. `fatal`: the next request would fail too.
 */
export type FailureKind = "busy" | "full" | "refused" | "fatal";

/** The error of a model that gave no answer. */
export class ChatFailure extends Error {
  override readonly name = "ChatFailure";
  readonly kind: FailureKind;
  /** The time that the provider asked to wait; undefined if it did not. */
  readonly waitMs: number | undefined;

  constructor(kind: FailureKind, message: string, waitMs?: number) {
    super(message);
    this.kind = kind;
    this.waitMs = waitMs;
  }
}

const BUSY_STATUSES = new Set([408, 409, 425, 429]);
const CONTEXT_FULL_PATTERN =
  /context.{0,20}(length|window|size)|maximum context|too many (input )?tokens|prompt is too long|exceed.{0,30}context/i;

/** Returns the failure that an HTTP status and the text of the answer mean. */
export function chatFailureOfStatus(status: number, text: string, waitMs?: number): ChatFailure {
  const said = text.trim().replace(/\s+/g, " ").slice(0, 300);
  const message = `status ${status}${said === "" ? "" : `: ${said}`}`;
  if (BUSY_STATUSES.has(status) || status >= 500) return new ChatFailure("busy", message, waitMs);
  if (status === 413 || CONTEXT_FULL_PATTERN.test(text)) return new ChatFailure("full", message);
  if (status === 400 || status === 422) return new ChatFailure("refused", message);
  return new ChatFailure("fatal", message);
}
