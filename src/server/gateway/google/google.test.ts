/** Tests how Google's dialect translates a conversation and an answer, with plain values. */
import { describe, expect, test } from "vitest";
import {
  ANSWER,
  METADATA,
  parseEvents,
  streamToText,
  text,
} from "../../../../tests/support/dialect-answers.ts";
import type { SessionAnswer } from "../../../spec/index.ts";
import { AnswerMemory } from "../answer-memory.ts";
import { GatewayError } from "../gateway-error.ts";
import { google } from "./index.ts";

describe("google", () => {
  const contents = [{ role: "user", parts: [{ text: "?" }] }];
  const thinkingConfig = { includeThoughts: true };
  const parse = (body: object) => google.whole.parseRequest(body, new AnswerMemory());
  type Chunk = {
    candidates: [{ content: { parts: { text?: string; functionCall?: object }[] } }];
  };

  test("an answer that comes back is read as it was sampled, with thoughts where they were asked for", () => {
    const asked = parse({ contents, generationConfig: { thinkingConfig } });
    const answer = google.whole.buildAnswer(ANSWER, asked, METADATA) as Chunk;
    const { content } = answer.candidates[0];
    const results = [
      { functionResponse: { id: "c2", name: "look", response: { error: "no" } } },
      { functionResponse: { id: "c1", name: "look", response: { found: 1 } } },
      { text: "go on" },
    ];
    const history = [...contents, content, { role: "user", parts: results }];
    expect(parse({ contents: history, systemInstruction: "be brief" }).request.messages).toEqual([
      { role: "system", parts: text("be brief") },
      { role: "user", parts: text("?") },
      { role: "assistant", ids: ["a1"], parts: ANSWER.parts.map(withoutSpaces) },
      {
        role: "tool",
        parts: [
          { type: "tool-result", callId: "c2", text: "no", isError: true },
          { type: "tool-result", callId: "c1", text: '{"found":1}' },
        ],
      },
      { role: "user", parts: text("go on") },
    ]);
    const plain = google.whole.buildAnswer(ANSWER, parse({ contents }), METADATA) as Chunk;
    expect(plain.candidates[0].content.parts).toHaveLength(3);
  });

  /** A client prints arguments again, without spaces. */
  const withoutSpaces = (part: SessionAnswer["parts"][number]) =>
    part.type === "tool-call" ? { ...part, arguments: part.arguments.replace(" ", "") } : part;

  test("results without ids belong to the calls by name and order, also in a repeated conversation", () => {
    const call = (name: string) => ({ functionCall: { name } });
    const result = (name: string, output: string) => ({
      functionResponse: { name, response: { output } },
    });
    const history = [
      ...contents,
      { role: "model", parts: [call("f"), call("g")] },
      { role: "model", parts: [call("f")] },
      { role: "function", parts: [result("g", "1"), result("f", "2"), result("f", "3")] },
    ];
    const ids = (more: object[]) =>
      parse({ contents: [...history, ...more] })
        .request.messages.filter(({ role }) => role === "tool")
        .map(({ parts }) => parts.map((part) => "callId" in part && part.callId));
    expect(ids([])).toEqual([["call-1-1", "call-1-0", "call-2-0"]]);
    expect(ids([{ role: "model", parts: [{ text: "!" }] }, ...contents])).toEqual(ids([]));
  });

  test("an answer says its end, its usage and, if requested, the ids and log-probs of its tokens", () => {
    const asked = parse({ contents, generationConfig: { responseLogprobs: true } });
    expect(google.whole.buildAnswer({ ...ANSWER, end: "length" }, asked, METADATA)).toMatchObject({
      candidates: [
        {
          finishReason: "MAX_TOKENS",
          avgLogprobs: -1.5,
          logprobsResult: { chosenCandidates: [{ tokenId: 2, logProbability: -1 }, {}] },
        },
      ],
      usageMetadata: {
        ...{ promptTokenCount: 10, cachedContentTokenCount: 4 },
        ...{ candidatesTokenCount: 4, thoughtsTokenCount: 1, totalTokenCount: 15 },
      },
      responseId: "x",
    });
  });

  test("a stream sends everything once, as events or as a JSON list, also when its text was streamed live", () => {
    for (const pieces of [[], ["I ", "lo"], ["I look."]]) {
      const events = parseEvents(streamToText(google.events, { contents }, pieces));
      const list = JSON.parse(streamToText(google.list, { contents }, pieces)) as object[];
      expect(list).toEqual(events);
      const parts = (events as unknown as Chunk[]).flatMap(
        (one) => one.candidates[0].content.parts,
      );
      expect(parts.map((part) => part.text ?? "").join("")).toBe("I look.");
      expect(parts.filter(({ functionCall }) => functionCall)).toHaveLength(2);
      expect(events.map(({ usageMetadata }) => usageMetadata !== undefined)).toEqual(
        events.map((_, i) => i === events.length - 1),
      );
    }
  });

  test("an error in a stream is its last chunk", () => {
    const failure = new GatewayError(500, "engine_error", "broken");
    const stream = google.list.streamAnswer(parse({ contents }) as never, METADATA);
    const written = stream.writeText("I ") + stream.writeError(failure);
    const error = { code: 500, message: "broken", status: "INTERNAL" };
    expect(JSON.parse(written)).toMatchObject([{ candidates: [{}] }, { error }]);
    const events = google.events.streamAnswer(parse({ contents }) as never, METADATA);
    expect(parseEvents(events.writeError(failure))).toMatchObject([{ error }]);
  });

  test("a schema in Google's form becomes a JSON Schema, and all that is no schema stays", () => {
    const parameters = {
      type: "OBJECT",
      properties: {
        type: { type: "STRING", enum: ["OBJECT"], nullable: true, maxLength: "9" },
        list: { type: "ARRAY", minItems: "01", items: { anyOf: [{ type: "NUMBER" }] } },
      },
      required: ["type"],
    };
    const tools = [{ functionDeclarations: [{ name: "f", parameters }] }];
    expect(parse({ contents, tools }).request.tools![0]!.parameters).toEqual({
      type: "object",
      properties: {
        type: { type: ["string", "null"], enum: ["OBJECT"], maxLength: 9 },
        list: { type: "array", minItems: 1, items: { anyOf: [{ type: "number" }] } },
      },
      required: ["type"],
    });
  });
});
