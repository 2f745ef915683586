/**
 * A chat model that runs elsewhere: messages in, text and counts of tokens out. What goes wrong is sorted into four
 * kinds, because each is met by something else: a busy endpoint by waiting, a full context by the end of that rollout,
 * a prompt that the provider refuses likewise, and all else by stopping.
 */
import type { Message } from "../../../spec/index.ts";

/** Tokens of one answer as the provider counts them; what it does not tell is 0. */
export interface HostedUsage {
  /** Of the prompt, cached ones among them. */
  readonly input: number;
  readonly cached: number;
  /** Of the answer, reasoning among them. */
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

/** One attempt at an answer. Rejects with a `ChatFailure`, or with the signal's reason. */
export interface ChatModel {
  readonly name: string;
  reply(request: ChatRequest): Promise<ChatReply>;
}

/**
 * `busy`: again later. `full`: the prompt is too long. `refused`: this prompt is. `fatal`: the next one would fail too.
 */
export type FailureKind = "busy" | "full" | "refused" | "fatal";

export class ChatFailure extends Error {
  override readonly name = "ChatFailure";
  readonly kind: FailureKind;
  /** Milliseconds that the provider asked to wait. */
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

/** What an answer of this status and text means. */
export function chatFailureOfStatus(status: number, text: string, waitMs?: number): ChatFailure {
  const said = text.trim().replace(/\s+/g, " ").slice(0, 300);
  const message = `status ${status}${said === "" ? "" : `: ${said}`}`;
  if (BUSY_STATUSES.has(status) || status >= 500) return new ChatFailure("busy", message, waitMs);
  if (status === 413 || CONTEXT_FULL_PATTERN.test(text)) return new ChatFailure("full", message);
  if (status === 400 || status === 422) return new ChatFailure("refused", message);
  return new ChatFailure("fatal", message);
}
