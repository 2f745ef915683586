/** An answer of a session, and what turns it into text, for the tests of the gateway's dialects. */
import { AnswerMemory } from "../../src/server/gateway/answer-memory.ts";
import type { AnswerMetadata, Dialect } from "../../src/server/gateway/dialect.ts";
import type { SessionAnswer } from "../../src/spec/index.ts";

export const METADATA: AnswerMetadata = { id: "x", model: "m", createdSeconds: 1 };
export const ANSWER: SessionAnswer = {
  id: "a1",
  parts: [
    { type: "reasoning", text: "hm" },
    { type: "text", text: "I look." },
    { type: "tool-call", id: "c1", name: "look", arguments: '{"b": 1.0}' },
    { type: "tool-call", id: "c2", name: "look", arguments: "{}" },
  ],
  end: "tool-calls",
  illFormed: 0,
  usage: { promptTokens: 10, cachedTokens: 4, completionTokens: 5, reasoningTokens: 1 },
  tokens: { prompt: [1], ids: [2, 3], logprobs: [-1, -2] },
  policyVersion: 0,
};
export const text = (said: string) => [{ type: "text", text: said }];

/** Returns the data of a stream's events. */
export function parseEvents(stream: string): Record<string, unknown>[] {
  return stream
    .split("\n\n")
    .flatMap((event) => /^data: (\{.*)$/m.exec(event)?.[1] ?? [])
    .map((json) => JSON.parse(json) as Record<string, unknown>);
}

export function streamToText(dialect: Dialect, body: object, pieces: readonly string[]): string {
  const asked = dialect.parseRequest(body, new AnswerMemory());
  const stream = dialect.streamAnswer(asked, METADATA);
  return pieces.map((piece) => stream.writeText(piece)).join("") + stream.finish(ANSWER);
}
