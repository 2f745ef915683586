/**
 * Types of a session: one episode of an external agent, which is a program of its own that calls a model. Each of its
 * requests contains a whole conversation. The policy samples the answer, and the session keeps the exact token ids.
 *
 * An adapter (a language model object in process, an HTTP dialect) translates its client's format into a
 * `SessionRequest`, and a `SessionAnswer` back into that format. It knows nothing of tokens or training.
 */

/** A part of a message. */
export type ChatPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | {
      readonly type: "tool-call";
      /** An id that the session creates for every tool call. Clients send it back unchanged. */
      readonly id: string;
      readonly name: string;
      /**
       * The arguments as JSON text. In an answer they are as the policy sampled them, and in a request as the client
       * writes them.
       */
      readonly arguments: string;
    }
  | {
      readonly type: "tool-result";
      readonly callId: string;
      readonly name?: string;
      readonly text: string;
      readonly isError?: boolean;
    };

/** One message of a conversation that an agent sends. */
export interface SessionMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly parts: readonly ChatPart[];
  /**
   * Ids of this session's answers that the client sent back with the message. The ids of tool calls are in the parts.
   */
  readonly ids?: readonly string[];
}

/** A function that the agent offers to the model. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * The same schema as JSON text, where JavaScript cannot hold all of it: numbers such as 1.0, or the order of keys
   * that look like integers. The chat template writes this text.
   */
  readonly parametersJson?: string;
}

/** Says whether a tool must be called, and which. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** A conversation that one answer is to continue, with the agent's options. */
export interface SessionRequest {
  readonly messages: readonly SessionMessage[];
  readonly tools?: readonly ToolSpec[];
  readonly toolChoice?: ToolChoice;
  /** If false, an answer has at most one tool call. */
  readonly parallelToolCalls?: boolean;
  /** The largest number of tokens in the answer. The session's own limit applies too. */
  readonly maxTokens?: number;
  /** Texts at which the answer ends. Such a text and everything after it are cut off. */
  readonly stop?: readonly string[];
  /** The temperature. It is recorded, but a session that trains uses the method's temperature instead. */
  readonly temperature?: number;
  /**
   * Filters of the distribution, as in `SampleFilter`. They are recorded, but a session that trains samples without
   * them, because its rows would otherwise be biased. So does a session whose policy has no filters.
   */
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  /** The seed of sampling. It is recorded, but a session that trains ignores it. */
  readonly seed?: number;
  /** Variables of the model's chat template, such as `enable_thinking`. Only those that the template reads matter. */
  readonly templateVariables?: Readonly<Record<string, unknown>>;
  /** If present, asks for an answer in JSON. The model sees the schema, but the schema is not enforced. */
  readonly json?: { readonly schema?: Readonly<Record<string, unknown>> };
  /** The sub-agent whose conversation this is, if the agent names its sub-agents. */
  readonly role?: string;
  /**
   * A key that is the same for a request and its repetitions, which a client sends when it got no answer. A repetition
   * gets the same answer as the first request and adds no turn.
   */
  readonly retryKey?: string;
}

/** The part of a request that decides the prompt. */
export type PromptRequest = Pick<SessionRequest, "messages" | "tools" | "templateVariables">;

/**
 * The reason why an answer ended. `cancelled` means that the caller's signal stopped it, and nothing of the turn is
 * kept.
 */
export type AnswerEndReason = "stop" | "length" | "tool-calls" | "cancelled";

/** The tokens of a prompt, and how many of them an earlier request of the session also contained. */
export type PromptUsage = Pick<SessionAnswer["usage"], "promptTokens" | "cachedTokens">;

/** An answer of the policy. */
export interface SessionAnswer {
  /** A new id for every answer. */
  readonly id: string;
  /** Text, reasoning and tool calls, in the order in which the policy wrote them. */
  readonly parts: readonly ChatPart[];
  readonly end: AnswerEndReason;
  /** The stop text at which the answer was cut, if one was found. */
  readonly stopText?: string;
  /** The number of tool calls that could not be parsed. They are in `parts` as text. */
  readonly illFormed: number;
  readonly usage: {
    readonly promptTokens: number;
    /** The number of prompt tokens that an earlier request of the session already contained. */
    readonly cachedTokens: number;
    readonly completionTokens: number;
    readonly reasoningTokens: number;
  };
  /** The exact token ids of the prompt and the answer, and the sampler's log-probs of the answer's tokens in nats. */
  readonly tokens: {
    readonly prompt: readonly number[];
    readonly ids: readonly number[];
    readonly logprobs: readonly number[];
  };
  readonly policyVersion: number;
}

/** Counts of what happened to the conversations of a session. */
export interface SessionCounters {
  /** The number of requests that were answered, not counting repetitions. */
  readonly answers: number;
  /** The number of repeated requests that were answered without a new turn. */
  readonly retries: number;
  /**
   * The number of requests that extend no earlier one, such as the first of a conversation, or one whose first answer
   * was edited.
   */
  readonly roots: number;
  /** The number of requests that continue a conversation from an earlier point than its newest answer. */
  readonly branches: number;
  /**
   * The number of answers that the client sent back with changes. The same change counts once, however often it is
   * sent.
   */
  readonly edits: number;
  /** The number of tool calls that could not be parsed. */
  readonly illFormed: number;
}

/** Options of a request: a signal that cancels it, and callbacks while it is answered. */
export interface AnswerOptions {
  readonly signal?: AbortSignal;
  /** Called once before the first token is sampled, with what is already known of the usage. */
  readonly onStart?: (usage: PromptUsage) => void;
  /** Called with each new piece of the answer's text. Tool calls are not streamed; they are in the answer. */
  readonly onText?: (text: string) => void;
}

/** One episode of an external agent. Calls may run at the same time. */
export interface AgentSession {
  readonly id: string;
  /**
   * Answers a conversation. Rejects with a `SessionError`: `invalid` if the request contradicts itself, `context` if
   * the prompt leaves no room for an answer, `ceiling` if the tokens or turns of the episode are used up, `closed` if
   * the session has ended. Errors of the sampler are passed on unchanged.
   */
  respond(request: SessionRequest, options?: AnswerOptions): Promise<SessionAnswer>;
  /** Counts the tokens of the prompt that this request would have. */
  countTokens(request: PromptRequest): number;
  /** Counts the same, and encodes long texts in another thread. Servers call it where a session has it. */
  countTokensInBackground?(request: PromptRequest): Promise<number>;
  /**
   * Returns the settings of a request that the session does not obey, or obeys in part, as paths in `SessionRequest`:
   * "topP", "json", "templateVariables.enable_thinking". Adapters name them to their client.
   */
  listIgnoredSettings(request: SessionRequest): readonly string[];
  readonly counters: SessionCounters;
}

/** Why a session rejects a request. */
export type SessionRefusal = "invalid" | "context" | "ceiling" | "closed";

/** A message of a recorded conversation. */
export interface RecordedMessage extends SessionMessage {
  /** False for an answer that is context and not imitated, such as a rejected one. The default is true. */
  readonly isImitated?: boolean;
}

/** A conversation that a warm start imitates. It ends with an answer. */
export interface RecordedConversation {
  readonly messages: readonly RecordedMessage[];
  readonly tools?: readonly ToolSpec[];
  /** The outcome from 0 to 1; undefined if nobody said how the conversation ended. */
  readonly reward?: number;
}
