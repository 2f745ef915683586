/**
 * A chat model on a server: it receives messages and returns text and token counts. Each kind of failure has its own
 * reaction. When the server is busy, it is asked again later. When the context is full or the prompt is refused, the
 * rollout ends. Any other failure stops the evaluation.
 */
import type { Message } from "../../../spec/index.ts";

/** The token counts of one answer, as the provider reports them. A count that it does not report is 0. */
export interface HostedUsage {
  /** The number of prompt tokens, including cached ones. */
  readonly input: number;
  readonly cached: number;
  /** The number of tokens in the answer, including reasoning. */
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

/**
 * A model that answers messages. `reply` makes one attempt. It rejects with a `ChatFailure`, or with the reason of the
 * aborted signal.
 */
export interface ChatModel {
  readonly name: string;
  reply(request: ChatRequest): Promise<ChatReply>;
}

/**
 * The reason why a model gave no answer. `busy`: the request may succeed later. `full`: the prompt is too long.
 * `refused`: the provider does not accept this prompt. `fatal`: every further request would fail too.
 */
export type FailureKind = "busy" | "full" | "refused" | "fatal";

/** The error that is thrown when a model gives no answer. */
export class ChatFailure extends Error {
  override readonly name = "ChatFailure";
  readonly kind: FailureKind;
  /** The milliseconds that the provider asked to wait; undefined if it did not ask. */
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

/** Converts an HTTP status and the text of the answer to the failure that they mean. */
export function chatFailureOfStatus(status: number, text: string, waitMs?: number): ChatFailure {
  const said = text.trim().replace(/\s+/g, " ").slice(0, 300);
  const message = `status ${status}${said === "" ? "" : `: ${said}`}`;
  if (BUSY_STATUSES.has(status) || status >= 500) return new ChatFailure("busy", message, waitMs);
  if (status === 413 || CONTEXT_FULL_PATTERN.test(text)) return new ChatFailure("full", message);
  if (status === 400 || status === 422) return new ChatFailure("refused", message);
  return new ChatFailure("fatal", message);
}
