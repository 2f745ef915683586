/**
 * A dialect is one provider's format of a conversation, an answer, a streamed answer and an error. It only translates
 * and knows neither sockets nor tokens, so it can be tested with plain values.
 */
import type {
  PromptRequest,
  PromptUsage,
  SessionAnswer,
  SessionRequest,
} from "../../spec/index.ts";
import type { AnswerMemory } from "./answer-memory.ts";
import type { GatewayError } from "./gateway-error.ts";
import type { SettingFields } from "./request-settings.ts";

/** The parsed body of a call. */
export interface ParsedCall {
  readonly request: SessionRequest;
  readonly isStream: boolean;
  /** Which field asked for which setting of the request, where the two have different names. */
  readonly settingFields: SettingFields;
  /** The body as its table read it. It knows which of its fields are not obeyed, and an answer repeats some of them. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The parsed body of a request to count tokens. */
export type ParsedPrompt = Pick<ParsedCall, "settingFields" | "body"> & {
  readonly request: PromptRequest;
};

/** An answer's id, model and time of creation. */
export interface AnswerMetadata {
  /**
   * A new id for every connection. All ids in the answer contain it, except those of tool calls, which the session
   * makes.
   */
  readonly id: string;
  readonly model: string;
  /** The time of creation in seconds since 1970. */
  readonly createdSeconds: number;
}

/**
 * Writes an answer as the text of a stream. Callers call `start` at most once, then `writeText` any number of times,
 * then `finish` or `writeError`.
 */
export interface AnswerStream {
  /** Tells the stream what is known before the first token. It writes nothing. */
  start?(usage: PromptUsage): void;
  /** Returns the events of a piece of text while the answer is sampled. */
  writeText(delta: string): string;
  /** Returns the events of everything that has not been streamed yet. */
  finish(answer: SessionAnswer): string;
  writeError(error: GatewayError): string;
}

export interface RememberOptions {
  readonly memory: AnswerMemory;
  /** The text that was streamed while the answer was sampled. If there is any, it is the first item. */
  readonly streamedText: string;
}

export interface Dialect {
  readonly name: string;
  /** Parses a body. Throws a 400 that names the wrong field. */
  parseRequest(body: unknown, memory: AnswerMemory): ParsedCall;
  /** Builds the body of an answer that is not streamed. */
  buildAnswer(answer: SessionAnswer, parsed: ParsedCall, metadata: AnswerMetadata): object;
  streamAnswer(parsed: ParsedCall, metadata: AnswerMetadata): AnswerStream;
  /** Called before a complete answer is sent: remembers what later calls may refer to. */
  rememberAnswer?(
    answer: SessionAnswer,
    parsed: ParsedCall,
    metadata: AnswerMetadata,
    how: RememberOptions,
  ): void;
  buildError(error: GatewayError): object;
  /** The text that keeps a stream alive while there is nothing to send. */
  readonly keepAliveText: string;
  /** The media type of a stream; by default that of server-sent events. */
  readonly streamType?: string;
}

/** Formats one event of a stream. */
export function formatEvent(data: object, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
