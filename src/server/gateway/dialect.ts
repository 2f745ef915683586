/**
 * A dialect: one provider's way to write a conversation, its answer, the answer as a stream, and an error. Pure translation:
 * a dialect knows neither sockets nor tokens, so each is tested by values alone.
 */
import type { SessionAnswer, SessionRequest } from "../../spec/index.ts";
import type { AnswerMemory } from "./answer-memory.ts";
import type { GatewayError } from "./gateway-error.ts";

/** A call's body, understood. */
export interface ParsedCall {
  readonly request: SessionRequest;
  readonly isStream: boolean;
  /** Settings of the body that change nothing here; the answer's header `x-bowline-ignored` lists them. */
  readonly ignored: readonly string[];
  /** The body as it came, for what an answer repeats of it. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What an answer says of itself. */
export interface AnswerMetadata {
  /** Fresh for every connection: part of all ids on the wire but those of tool calls, which are the session's. */
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly createdSeconds: number;
}

/** An answer as the text of a stream, in the order of the calls: any number of `text`, then `end` or `fail`. */
export interface AnswerStream {
  /** A piece of the answer's text, while it is made. */
  text(delta: string): string;
  /** All that was not told yet. */
  end(answer: SessionAnswer): string;
  fail(error: GatewayError): string;
}

export interface KeepOptions {
  readonly memory: AnswerMemory;
  /** The text that was told while the answer was made: it is the first item then. */
  readonly streamedText: string;
}

export interface Dialect {
  readonly name: string;
  /** Throws a `GatewayError` of status 400 that names the field. */
  parseRequest(body: unknown, kept: AnswerMemory): ParsedCall;
  /** The body of an answer that is not streamed. */
  buildAnswer(answer: SessionAnswer, asked: ParsedCall, stamp: AnswerMetadata): object;
  streamAnswer(asked: ParsedCall, stamp: AnswerMetadata): AnswerStream;
  /** Called when an answer is there, before it is sent: what later calls may refer to. */
  rememberAnswer?(
    answer: SessionAnswer,
    asked: ParsedCall,
    stamp: AnswerMetadata,
    how: KeepOptions,
  ): void;
  buildError(error: GatewayError): object;
  /** What may stand in a stream while there is nothing to tell. */
  readonly keepAliveText: string;
}

/** One event of a stream. */
export function formatEvent(data: object, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
