/**
 * A session: one episode of an agent that is not ours. Such an agent speaks in requests, each of which holds a whole
 * conversation; what it is answered is sampled by the policy, and the exact ids are kept.
 *
 * These are the words between a door (a language model object in process, an HTTP dialect) and the core behind it. A door
 * translates its client's form into a `SessionRequest` and a `SessionAnswer` back; it knows no tokens and no training.
 */

/** A piece of a message. */
export type ChatPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | {
      readonly type: "tool-call";
      /** Given by the session, fresh for every call; clients send it back unchanged. */
      readonly id: string;
      readonly name: string;
      /** JSON. As it was sampled in an answer; as the client prints it in a request. */
      readonly arguments: string;
    }
  | {
      readonly type: "tool-result";
      readonly callId: string;
      readonly name?: string;
      readonly text: string;
      readonly isError?: boolean;
    };

/** One message of a conversation as an agent sends it. */
export interface SessionMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly parts: readonly ChatPart[];
  /** Ids of answers of this session that the client sent back with the message. Those of tool calls stand in the parts. */
  readonly ids?: readonly string[];
}

/** A function that the agent offers to the model. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Whether, and which, tool has to be called. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** A conversation to be continued by one answer, and what the agent wishes of it. */
export interface SessionRequest {
  readonly messages: readonly SessionMessage[];
  readonly tools?: readonly ToolSpec[];
  readonly toolChoice?: ToolChoice;
  /** False: at most one call in an answer. */
  readonly parallelToolCalls?: boolean;
  /** The smaller of this and the session's own limit counts. */
  readonly maxTokens?: number;
  /** Texts at which an answer ends; they and what follows them are cut off. */
  readonly stop?: readonly string[];
  /** Recorded; obeyed only by a session that does not train, for in training the sampler's temperature is the method's. */
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  /** The answer is to be JSON. A schema is told to the model, not enforced. */
  readonly json?: { readonly schema?: Readonly<Record<string, unknown>> };
  /** Whose conversation it is, where an agent names its sub-agents. */
  readonly role?: string;
  /**
   * Equal for a request and its repetitions by a client that got no answer. The repetition is answered with what the first
   * one was, or will be, answered; it adds no turn.
   */
  readonly retryKey?: string;
}

/** Why an answer ended. `cancelled`: the caller's signal, and nothing of the turn is kept. */
export type AnswerEndReason = "stop" | "length" | "tool-calls" | "cancelled";

/** What the policy answered. */
export interface SessionAnswer {
  /** Fresh for every answer. */
  readonly id: string;
  /** Text, reasoning and tool calls, in the order in which they were written. */
  readonly parts: readonly ChatPart[];
  readonly end: AnswerEndReason;
  /** Tool calls that could not be read: they stand in `parts` as the text that they are. */
  readonly illFormed: number;
  readonly usage: {
    readonly promptTokens: number;
    /** Of the prompt, those that an earlier request of the session had too. */
    readonly cachedTokens: number;
    readonly completionTokens: number;
    readonly reasoningTokens: number;
  };
  /** The exact ids of prompt and answer, and the sampler's log-probs of the answer's, in nats. */
  readonly tokens: {
    readonly prompt: readonly number[];
    readonly ids: readonly number[];
    readonly logprobs: readonly number[];
  };
  readonly policyVersion: number;
}

/** What happened to the conversations of a session, counted. */
export interface SessionCounters {
  /** Requests that were answered; a repetition is no request of its own. */
  readonly answers: number;
  /** Repetitions that were answered without a new turn. */
  readonly retries: number;
  /** Requests that extended no earlier one: the first of each conversation, also of one whose first answer was edited. */
  readonly roots: number;
  /** Requests that left the newest answer of their conversation aside: an earlier point was gone on from. */
  readonly branches: number;
  /** Answers that came back changed; the same change counts once, however often it is sent again. */
  readonly edits: number;
  /** Tool calls that could not be read. */
  readonly illFormed: number;
}

/** Where an answer's text goes while it is made. */
export interface AnswerOptions {
  readonly signal?: AbortSignal;
  /** The text of the answer as it grows, piece by piece: what will stand in its text parts. Tool calls come at the end. */
  readonly onText?: (text: string) => void;
}

/** One episode of an agent that is not ours. Calls may overlap. */
export interface AgentSession {
  readonly id: string;
  /**
   * Answers a conversation. Rejects with a `SessionError`: `invalid` where the request contradicts itself, `context` where
   * no token fits behind it, `ceiling` where the episode's tokens or turns are spent, `closed` when the session is over.
   * What the sampler throws comes through as it is.
   */
  respond(request: SessionRequest, options?: AnswerOptions): Promise<SessionAnswer>;
  /** Tokens of the prompt that this request would have. */
  countTokens(request: Pick<SessionRequest, "messages" | "tools">): number;
  readonly counters: SessionCounters;
}

/** Why a session refuses a request. */
export type SessionRefusal = "invalid" | "context" | "ceiling" | "closed";

/** A conversation as it was, or should have been, held: what a warm start imitates. It ends with an answer. */
export interface RecordedConversation {
  readonly messages: readonly SessionMessage[];
  readonly tools?: readonly ToolSpec[];
}
