/** Tests how each dialect translates a conversation and an answer, with plain values. */
import { describe, expect, test } from "vitest";
import {
  ANSWER,
  METADATA,
  parseEvents,
  streamToText,
  text,
} from "../../../tests/support/dialect-answers.ts";
import { listNamedFields, printExactJson } from "../../core/index.ts";
import type { SessionAnswer } from "../../spec/index.ts";
import { parseJson } from "./answer-call.ts";
import { AnswerMemory } from "./answer-memory.ts";
import { chat } from "./chat/index.ts";
import type { Dialect } from "./dialect.ts";
import { google } from "./google/index.ts";
import { messages } from "./messages/index.ts";
import { responses } from "./responses/index.ts";

describe("chat completions", () => {
  const user = { role: "user", content: "?" };

  test("the different ways in which clients send an answer back are read as the same messages", () => {
    const tool_calls = [
      { id: "c1", type: "function", function: { name: "look", arguments: "{}" } },
    ];
    const { request, body } = chat.parseRequest(
      {
        messages: [
          { role: "developer", content: [{ type: "text", text: "be brief" }] },
          user,
          {
            role: "assistant",
            content: [{ type: "text", text: "I look.", role: "assistant", tool_calls }],
            tool_calls,
            reasoning_content: "hm",
            name: "model",
          },
          {
            role: "tool",
            tool_call_id: "c1",
            name: "look",
            content: [{ type: "text", text: "1" }],
          },
          { role: "tool", tool_call_id: "c2", content: "2" },
        ],
        tool_choice: { type: "function", function: { name: "look" } },
        tools: [{ type: "function", function: { name: "look" } }],
        parallel_tool_calls: false,
        max_tokens: 3,
        stop: "END",
        response_format: { type: "json_object" },
        frequency_penalty: 1,
      },
      new AnswerMemory(),
    );
    expect(request.messages).toEqual([
      { role: "system", parts: text("be brief") },
      { role: "user", parts: text("?") },
      {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "hm" },
          ...text("I look."),
          { type: "tool-call", id: "c1", name: "look", arguments: "{}" },
        ],
      },
      {
        role: "tool",
        parts: [
          { type: "tool-result", callId: "c1", text: "1" },
          { type: "tool-result", callId: "c2", text: "2" },
        ],
      },
    ]);
    expect(request).toMatchObject({ toolChoice: { name: "look" }, parallelToolCalls: false });
    expect(request).toMatchObject({ maxTokens: 3, stop: ["END"], json: {} });
    expect(listNamedFields(body)).toEqual(["frequency_penalty"]);
  });

  test("an answer has its calls and usage and, if requested, its ids and log-probs", () => {
    const asked = chat.parseRequest(
      { messages: [user], logprobs: true, return_token_ids: true },
      new AnswerMemory(),
    );
    expect(chat.buildAnswer(ANSWER, asked, METADATA)).toMatchObject({
      id: "chatcmpl-x",
      choices: [
        {
          message: { content: "I look.", reasoning_content: "hm", tool_calls: [{ id: "c1" }, {}] },
          finish_reason: "tool_calls",
          token_ids: [2, 3],
          logprobs: { content: [{ token: "token_id:2", logprob: -1 }, { logprob: -2 }] },
        },
      ],
      usage: { total_tokens: 15, prompt_tokens_details: { cached_tokens: 4 } },
    });
  });

  test("a stream sends everything once, also when its text was streamed live", () => {
    const body = { messages: [user], stream: true, stream_options: { include_usage: true } };
    for (const pieces of [[], ["I ", "lo"]]) {
      const stream = streamToText(chat, body, pieces);
      const events = parseEvents(stream) as { choices: { delta: { content?: string } }[] }[];
      const said = events.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
      expect(said).toBe("I look.");
      expect(stream.match(/"id":"c1"/g)).toHaveLength(1);
      expect(stream).toMatch(/"usage":\{[^\n]*\n\ndata: \[DONE\]\n\n$/);
    }
  });
});

describe("responses", () => {
  const ask = (body: object, kept = new AnswerMemory()) => responses.parseRequest(body, kept);

  test("items, references and a previous response are read as the same conversation with its answers' ids", () => {
    const kept = new AnswerMemory();
    const first = ask({ input: "?", instructions: "be brief" }, kept);
    responses.rememberAnswer!(ANSWER, first, METADATA, { memory: kept, streamedText: "" });
    const output = { type: "function_call_output", call_id: "c1", output: "1" };
    const by = [
      {
        input: [
          { role: "user", content: "?" },
          { type: "item_reference", id: "rs_x_0" },
          { type: "item_reference", id: "msg_x_1" },
          {
            type: "function_call",
            id: "fc_x_2",
            call_id: "c1",
            name: "look",
            arguments: '{"b":1}',
          },
          { type: "function_call", call_id: "c2", name: "look", arguments: "{}" },
          output,
        ],
      },
      { previous_response_id: "resp_x", input: [output] },
    ].map((body) => ask({ instructions: "be brief", ...body }, kept).request.messages);
    for (const conversation of by) {
      expect(conversation.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
      expect(conversation[2]!.ids).toEqual(["a1"]);
      expect(conversation[2]!.parts.map(({ type }) => type)).toEqual([
        "reasoning",
        "text",
        "tool-call",
        "tool-call",
      ]);
    }
  });

  test("a stream begins with response.created and numbers its events, also when its text was streamed live", () => {
    for (const pieces of [[], ["I ", "lo"]]) {
      const events = parseEvents(streamToText(responses, { input: "?", stream: true }, pieces));
      expect(events[0]!["type"]).toBe("response.created");
      expect(events.map((event) => event["sequence_number"])).toEqual(events.map((_, i) => i));
      const deltas = events.filter(({ type }) => type === "response.output_text.delta");
      expect(deltas.map(({ delta }) => delta).join("")).toBe("I look.");
      const { type, response } = events.at(-1) as { type: string; response: { output: object[] } };
      expect(type).toBe("response.completed");
      const done = events.filter((event) => event["type"] === "response.output_item.done");
      expect(done.map(({ item }) => item)).toEqual(response.output);
    }
  });
});

describe("messages", () => {
  const body = { max_tokens: 9, messages: [{ role: "user", content: "?" }] };

  test("tool results come before the user's text, and a thinking block's signature names its answer", () => {
    const asked = messages.parseRequest(body, new AnswerMemory());
    const { content } = messages.buildAnswer(ANSWER, asked, METADATA) as { content: object[] };
    expect(printExactJson(content[2])).toBe(
      '{"type":"tool_use","id":"c1","name":"look","input":{"b":1.0}}',
    );
    const back = messages.parseRequest(
      {
        ...body,
        system: [{ type: "text", text: "be brief", cache_control: { type: "ephemeral" } }],
        tool_choice: { type: "any", disable_parallel_tool_use: true },
        tools: [{ name: "look", input_schema: { type: "object" } }],
        messages: [
          ...body.messages,
          { role: "assistant", content },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "c1", is_error: true, content: text("no") },
              { type: "text", text: "go on" },
            ],
          },
        ],
      },
      new AnswerMemory(),
    );
    expect(back.request).toMatchObject({ toolChoice: "required", parallelToolCalls: false });
    expect(back.request.messages).toMatchObject([
      { role: "system", parts: text("be brief") },
      { role: "user" },
      { role: "assistant", ids: ["a1"] },
      { role: "tool", parts: [{ callId: "c1", text: "no", isError: true }] },
      { role: "user", parts: text("go on") },
    ]);
  });

  test("a stream opens and closes each block, also when its text was streamed live", () => {
    for (const pieces of [[], ["I ", "lo"]]) {
      const events = parseEvents(streamToText(messages, { ...body, stream: true }, pieces));
      const types = events.map(({ type }) => type);
      expect([types[0], types.at(-1)]).toEqual(["message_start", "message_stop"]);
      for (const type of ["content_block_start", "content_block_stop"]) {
        const found = events.filter((event) => event["type"] === type);
        expect(found.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
      }
      const deltas = events.map(
        ({ delta }) => (delta as { text?: string } | undefined)?.text ?? "",
      );
      expect(deltas.join("")).toBe("I look.");
    }
  });
});

describe("the end of an answer", () => {
  const text = (more: Partial<SessionAnswer>): SessionAnswer => ({
    ...ANSWER,
    parts: [{ type: "text", text: "I look." }],
    end: "stop",
    ...more,
  });
  const calls = { ...ANSWER, parts: ANSWER.parts.slice(2) };
  const BODIES = [
    { dialect: chat, body: { messages: [{ role: "user", content: "?" }] } },
    { dialect: responses, body: { input: "?" } },
    { dialect: messages, body: { max_tokens: 9, messages: [{ role: "user", content: "?" }] } },
  ];
  const cases: readonly [string, SessionAnswer, readonly object[]][] = [
    [
      "its own",
      text({}),
      [
        { finish_reason: "stop" },
        { status: "completed", incomplete_details: null },
        { stop_reason: "end_turn", stop_sequence: null },
      ],
    ],
    [
      "a stop text",
      text({ stopText: "END" }),
      [
        { finish_reason: "stop" },
        { status: "completed", incomplete_details: null },
        { stop_reason: "stop_sequence", stop_sequence: "END" },
      ],
    ],
    [
      "the limit of its tokens",
      text({ end: "length" }),
      [
        { finish_reason: "length" },
        { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
        { stop_reason: "max_tokens", stop_sequence: null },
      ],
    ],
    [
      "calls",
      calls,
      [
        { finish_reason: "tool_calls" },
        { status: "completed", incomplete_details: null },
        { stop_reason: "tool_use", stop_sequence: null },
      ],
    ],
  ];
  /** Returns what an answer says about its end and its usage, streamed or not. */
  const readEnd = ({ dialect, body }: (typeof BODIES)[number], answer: SessionAnswer) => {
    const whole = dialect.buildAnswer(
      answer,
      dialect.parseRequest(body, new AnswerMemory()),
      METADATA,
    );
    const streaming = { ...body, stream: true, stream_options: { include_usage: true } };
    const parsed = dialect.parseRequest(streaming, new AnswerMemory());
    const stream = dialect.streamAnswer(parsed, METADATA);
    stream.start?.(answer.usage);
    const events = parseEvents(stream.writeText("I ") + stream.finish(answer));
    return { whole: whole as Record<string, unknown>, events };
  };

  test.each(cases)("by %s is said in every dialect, in streams too", (_, answer, expected) => {
    const [inChat, inResponses, inMessages] = BODIES.map((asked) => readEnd(asked, answer));
    expect(inChat!.whole["choices"]).toMatchObject([expected[0]]);
    expect(inChat!.events.at(-2)).toMatchObject({ choices: [expected[0]] });
    expect(inResponses!.whole).toMatchObject(expected[1]!);
    expect(inResponses!.events.at(-1)!["response"]).toMatchObject(expected[1]!);
    expect(inMessages!.whole).toMatchObject(expected[2]!);
    expect(inMessages!.events.at(-2)).toMatchObject({ type: "message_delta", delta: expected[2] });
  });

  test("comes with the usage, of which a stream of messages says the prompt's part at its beginning", () => {
    const [inChat, inResponses, inMessages] = BODIES.map((asked) => readEnd(asked, text({})));
    const chatUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    expect(inChat!.whole["usage"]).toMatchObject(chatUsage);
    expect(inChat!.events.map(({ usage }) => usage).slice(0, -1)).toEqual(
      inChat!.events.slice(1).map(() => null),
    );
    expect(inChat!.events.at(-1)).toMatchObject({ choices: [], usage: chatUsage });
    const responseUsage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    expect(inResponses!.whole["usage"]).toMatchObject(responseUsage);
    expect(inResponses!.events.at(-1)!["response"]).toMatchObject({ usage: responseUsage });
    const messageUsage = { input_tokens: 6, cache_read_input_tokens: 4 };
    expect(inMessages!.whole["usage"]).toMatchObject({ ...messageUsage, output_tokens: 5 });
    expect(inMessages!.events[0]!["message"]).toMatchObject({
      usage: { ...messageUsage, output_tokens: 0 },
    });
    expect(inMessages!.events.at(-2)!["usage"]).toMatchObject({
      ...messageUsage,
      output_tokens: 5,
    });
  });
});

describe("numbers and keys that JavaScript would change", () => {
  const EXACT = '{"id":12345678901234567890,"10":1.0,"2":[1e22,-0],"__proto__":{"a":0.50}}';
  const user = '{"role":"user","content":"?"}';
  const parse = (dialect: Dialect, body: string) =>
    dialect.parseRequest(parseJson(Buffer.from(body)), new AnswerMemory()).request;

  test("reach the session as a client of Anthropic's messages wrote them", () => {
    const call = `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":${EXACT}}]}`;
    const request = parse(messages, `{"max_tokens":9,"messages":[${user},${call}]}`);
    expect(request.messages[1]!.parts).toMatchObject([{ type: "tool-call", arguments: EXACT }]);
  });

  test("reach the session as a client of Google's API wrote them", () => {
    const call = `{"role":"model","parts":[{"functionCall":{"name":"f","args":${EXACT}}}]}`;
    const back = `{"parts":[{"functionResponse":{"name":"f","response":${EXACT}}}]}`;
    const first = '{"parts":[{"text":"?"}]}';
    const request = parse(google.whole, `{"contents":[${first},${call},${back}]}`);
    expect(request.messages[1]!.parts).toMatchObject([{ type: "tool-call", arguments: EXACT }]);
    expect(request.messages[2]!.parts).toMatchObject([{ type: "tool-result", text: EXACT }]);
  });

  test("reach the session as a client of OpenAI wrote them in a text", () => {
    const spelled = EXACT.replaceAll(",", " , ");
    const call = `{"id":"c","type":"function","function":{"name":"f","arguments":${JSON.stringify(spelled)}}}`;
    const answer = `{"role":"assistant","content":null,"tool_calls":[${call}]}`;
    const request = parse(chat, `{"messages":[${user},${answer}]}`);
    expect(request.messages[1]!.parts).toMatchObject([{ type: "tool-call", arguments: spelled }]);
    const item = `{"type":"function_call","call_id":"c","name":"f","arguments":${JSON.stringify(spelled)}}`;
    const other = parse(responses, `{"input":[${user},${item}]}`);
    expect(other.messages[1]!.parts).toMatchObject([{ type: "tool-call", arguments: spelled }]);
  });

  test.each([
    [
      "chat",
      chat,
      `{"messages":[${user}],"tools":[{"type":"function","function":{"name":"f","parameters":SCHEMA}}]}`,
    ],
    [
      "messages",
      messages,
      `{"max_tokens":9,"messages":[${user}],"tools":[{"name":"f","input_schema":SCHEMA}]}`,
    ],
    [
      "responses",
      responses,
      `{"input":"?","tools":[{"type":"function","name":"f","parameters":SCHEMA}]}`,
    ],
    [
      "google",
      google.whole,
      '{"contents":[{"parts":[{"text":"?"}]}],"tools":[{"function_declarations":[{"name":"f","parametersJsonSchema":SCHEMA}]}]}',
    ],
    [
      "google, in its own form",
      google.whole,
      '{"contents":[{"parts":[{"text":"?"}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":SCHEMA}]}]}',
    ],
  ])("reach the template in the schemas of tools (%s)", (_, dialect, body) => {
    const schema = `{"type":"object","properties":{"n":{"minimum":1.0,"enum":${EXACT}}}}`;
    const exact = parse(dialect, body.replace("SCHEMA", schema)).tools![0]!;
    expect(exact.parametersJson).toBe(schema);
    expect(exact.parameters).toEqual(JSON.parse(schema));
    const plain = parse(dialect, body.replace("SCHEMA", '{"type":"object"}')).tools![0]!;
    expect(plain).toEqual({ name: "f", parameters: { type: "object" } });
  });

  test("are sent to clients of Anthropic's messages as they were sampled", () => {
    const call = { type: "tool-call", id: "c", name: "f", arguments: EXACT } as const;
    const asked = messages.parseRequest(
      { max_tokens: 9, messages: [{ role: "user", content: "?" }] },
      new AnswerMemory(),
    );
    const answer = messages.buildAnswer({ ...ANSWER, parts: [call] }, asked, METADATA);
    expect(printExactJson(answer)).toContain(`"input":${EXACT}`);
  });
});
