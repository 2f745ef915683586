/**
 * Tests the rules of a session: which requests continue which answers, what is sampled, and what the record contains.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type {
  ChatPart,
  SampleRequest,
  SessionAnswer,
  SessionMessage,
  SessionRequest,
  TokenPolicy,
  ToolSpec,
} from "../../spec/index.ts";
import { openTextDirectory } from "../../text/index.ts";
import { conversationRenderer } from "../tools/index.ts";
import { openSession, type SessionOptions } from "./index.ts";

const path = fileURLToPath(new URL("../../../tests/golden/hf-qwen2", import.meta.url));
const directory = openTextDirectory(path);
const { tokenizer } = directory;
const renderer = conversationRenderer({
  template: directory.chatTemplate(),
  tokenizer,
  stopIds: directory.generation.stopIds,
});
const END = renderer.forcedEnd[0]!;

const userMessage = (text: string): SessionMessage => ({
  role: "user",
  parts: [{ type: "text", text }],
});
const systemMessage = (text: string): SessionMessage => ({
  role: "system",
  parts: [{ type: "text", text }],
});
const toolResult = (callId: string, text: string): SessionMessage => ({
  role: "tool",
  parts: [{ type: "tool-result", callId, text }],
});
const toAssistantMessage = ({ parts }: SessionAnswer): SessionMessage => ({
  role: "assistant",
  parts,
});
const answerText = (answer: SessionAnswer) =>
  answer.parts.map((part) => (part.type === "text" ? part.text : part.type)).join("|");
const listCalls = ({ parts }: SessionAnswer) =>
  parts.filter(
    (part): part is Extract<ChatPart, { type: "tool-call" }> => part.type === "tool-call",
  );

const TOOLS: readonly ToolSpec[] = [
  { name: "add", parameters: { type: "object", properties: { a: { type: "integer" } } } },
];
const CALL = '<tool_call>\n{"name": "add", "arguments": {"a": 1.0}}\n</tool_call>';

/**
 * Returns a policy that answers with the script's next text, whatever the prompt, and ends its turn where there is
 * room.
 */
function createScriptedPolicy(script: readonly string[]) {
  const requests: SampleRequest[] = [];
  const released: string[] = [];
  const queue = new Map<number, number[]>();
  let next = 0;
  const policy: TokenPolicy = {
    kind: "tokens",
    sample: async (request, signal) => {
      requests.push(request);
      await new Promise((resolve) => setTimeout(resolve, 1));
      const none = { tokens: [], logprobs: [], policyVersion: 3 };
      if (signal?.aborted) return { ...none, stop: "cancelled" };
      const whole = queue.get(request.stream) ?? [
        ...tokenizer.encodeRendered(script[next++] ?? "ok"),
        END,
      ];
      const stopAt = whole.findIndex((id) => request.stopIds.includes(id));
      const tokens = whole.slice(0, Math.min(stopAt + 1, request.maxTokens));
      queue.set(request.stream, whole.slice(tokens.length));
      const stop = request.stopIds.includes(tokens.at(-1)!) ? "stop" : "length";
      if (stop === "stop") queue.delete(request.stream);
      const logprobs = tokens.map((id, i) => -(request.tokens.length + i) / 1024 - id / 65536);
      return { tokens, logprobs, stop, policyVersion: 3 };
    },
    release: (key) => void released.push(key),
  };
  return { policy, requests, released };
}

const sessionOptions = (id: string) => ({
  id,
  renderer,
  limits: { maxTurns: 50, maxTurnTokens: 200, maxTokens: 4000 },
  stream: 5,
  temperature: 1,
  trains: true,
});

function openScriptedSession(script: readonly string[], options: Partial<SessionOptions> = {}) {
  const { policy, requests, released } = createScriptedPolicy(script);
  const session = openSession({ ...sessionOptions("0/0/0"), policy, ...options });
  return { session, requests, released };
}

const createRequest = (
  messages: readonly SessionMessage[],
  more: Partial<SessionRequest> = {},
) => ({
  messages,
  ...more,
});

describe("continuing a conversation", () => {
  it("a continued conversation is one row: the sampled ids, then the new messages", async () => {
    const { session, requests } = openScriptedSession([`I add.\n${CALL}`, "It is 2."]);
    const first = [systemMessage("You count."), userMessage("1 + 1?")];
    const one = await session.respond(createRequest(first, { tools: TOOLS, temperature: 0 }));
    expect(one.end).toBe("tool-calls");
    const [call] = listCalls(one);
    expect(call).toMatchObject({ name: "add", arguments: '{"a": 1.0}' });
    // The client sends the answer back in another form: arguments printed again, text split into parts.
    const echoed: SessionMessage = {
      role: "assistant",
      parts: [
        { type: "text", text: "I " },
        { type: "text", text: "add." },
        { ...call!, arguments: '{"a":1}' },
      ],
    };
    const then = [...first, echoed, toolResult(call!.id, "2")];
    expect(session.countTokens({ messages: then, tools: TOOLS })).toBeGreaterThan(
      one.usage.promptTokens + one.usage.completionTokens,
    );
    const two = await session.respond(createRequest(then, { tools: TOOLS }));
    expect(two.tokens.prompt.slice(0, one.tokens.prompt.length + one.tokens.ids.length)).toEqual([
      ...one.tokens.prompt,
      ...one.tokens.ids,
    ]);
    expect(two.usage.promptTokens).toBe(session.countTokens({ messages: then, tools: TOOLS }));
    expect(two.usage.cachedTokens).toBe(one.tokens.prompt.length + one.tokens.ids.length);
    expect(session.counters).toEqual({
      answers: 2,
      retries: 0,
      roots: 1,
      branches: 0,
      edits: 0,
      illFormed: 0,
    });
    expect(requests.map(({ temperature }) => temperature)).toEqual([1, 1]);
    expect(requests.map(({ cacheKey }) => cacheKey)).toEqual(["0/0/0", "0/0/0"]);
    const record = session.record();
    expect(record.requestedSampling).toEqual([{ temperature: 0 }, {}]);
    expect(record.segments).toEqual([]);
    expect(record.tokens!.ids).toEqual([...two.tokens.prompt, ...two.tokens.ids]);
    const trained = record.tokens!.ids.filter((_, i) => record.tokens!.mask[i] === 1);
    expect(trained).toEqual([...one.tokens.ids, ...two.tokens.ids]);
    expect(record.turns).toMatchObject([
      {
        message: `I add.\n${CALL}`,
        code: 'add({"a": 1.0})',
        observation: "2",
        calls: [{ app: "tools", api: "add", args: { a: 1 }, status: 200 }],
      },
      { message: "It is 2.", code: "", observation: "", calls: [], part: "speech" },
    ]);
  });

  it("a conversation continued from an earlier answer is a branch, and the shared answers are trained once", async () => {
    const { session, requests } = openScriptedSession(["one", "two", "three"]);
    const first = [userMessage("Count.")];
    const one = await session.respond(createRequest(first));
    const two = await session.respond(
      createRequest([...first, toAssistantMessage(one), userMessage("On.")]),
    );
    const three = await session.respond(
      createRequest([...first, toAssistantMessage(one), userMessage("Back.")]),
    );
    const sampled = [one, two, three];
    expect(session.counters).toMatchObject({ roots: 1, branches: 1, edits: 0 });
    const { tokens, segments, turns } = session.record();
    expect(segments).toHaveLength(1);
    expect(segments[0]!.ids).toEqual([...three.tokens.prompt, ...three.tokens.ids]);
    expect(
      turns.map(({ message, segment }) => [message.replace("<|im_end|>", ""), segment]),
    ).toEqual([
      ["one", undefined],
      ["two", undefined],
      ["three", 1],
    ]);
    const learned = [tokens!, ...segments].flatMap(({ ids, mask }) =>
      ids.filter((_, i) => mask[i] === 1),
    );
    expect(learned).toEqual(sampled.flatMap(({ tokens }) => tokens.ids));
    expect(new Set(requests.map(({ stream }) => stream)).size).toBe(3);
    expect(requests.map(({ cacheKey }) => cacheKey)).toEqual(["0/0/0", "0/0/0", "0/0/0#1"]);
  });

  it("a conversation with an edited answer continues from the client's text", async () => {
    const { session } = openScriptedSession(["one", "two", "three"]);
    const first = [userMessage("Count.")];
    const one = await session.respond(createRequest(first));
    const two = await session.respond(
      createRequest([...first, toAssistantMessage(one), userMessage("On.")]),
    );
    const edited: SessionMessage = {
      role: "assistant",
      parts: [{ type: "text", text: "deux" }],
      ids: [two.id],
    };
    const asked = [
      ...first,
      toAssistantMessage(one),
      userMessage("On."),
      edited,
      userMessage("On!"),
    ];
    const three = await session.respond(createRequest(asked));
    expect(session.counters).toMatchObject({ roots: 1, branches: 1, edits: 1 });
    expect(tokenizer.decode(three.tokens.prompt)).toContain("deux");
    expect(three.tokens.prompt.slice(0, one.tokens.prompt.length)).toEqual(one.tokens.prompt);
    const again = await session.respond(
      createRequest([...asked, toAssistantMessage(three), userMessage("More.")]),
    );
    expect(again.usage.cachedTokens).toBe(three.tokens.prompt.length + three.tokens.ids.length);
    expect(session.counters.edits).toBe(1);
  });
});

describe("settings of a request", () => {
  it("an answer ends at a stop text, after the token that completes it", async () => {
    const { session } = openScriptedSession(["Stop here. No more words at all."]);
    const told: string[] = [];
    const answer = await session.respond(createRequest([userMessage("Go.")], { stop: ["ere."] }), {
      onText: (text) => told.push(text),
    });
    expect(answerText(answer)).toBe("Stop h");
    expect(told.join("")).toBe("Stop h");
    expect(answer).toMatchObject({ end: "stop", stopText: "ere." });
    expect(tokenizer.decode(answer.tokens.ids)).toMatch(/^Stop here\. ?$/);
    const next = await session.respond(
      createRequest([userMessage("Go."), toAssistantMessage(answer), userMessage("On.")]),
    );
    const seen = next.tokens.prompt.slice(answer.tokens.prompt.length + answer.tokens.ids.length);
    expect(seen[0]).toBe(END);
  });

  it("an answer's text is streamed while it grows, without its calls", async () => {
    const { session } = openScriptedSession([`A longer text with several words.\n\n${CALL}`]);
    const told: string[] = [];
    const answer = await session.respond(createRequest([userMessage("Go.")], { tools: TOOLS }), {
      onText: (text) => told.push(text),
    });
    expect(told.length).toBeGreaterThan(1);
    expect(told.join("")).toBe("A longer text with several words.");
    expect(answerText(answer)).toBe("A longer text with several words.|tool-call");
  });

  it("a request can limit an answer to one call, require a named call, or forbid calls", async () => {
    const { session, requests } = openScriptedSession([
      `${CALL}\n${CALL}`,
      '{"a": 2}}\n</tool_call>',
      CALL,
    ]);
    const single = await session.respond(
      createRequest([userMessage("Go.")], { tools: TOOLS, parallelToolCalls: false }),
    );
    expect(listCalls(single)).toHaveLength(1);
    expect(single.end).toBe("tool-calls");
    const named = await session.respond(
      createRequest([userMessage("Named.")], { tools: TOOLS, toolChoice: { name: "add" } }),
    );
    expect(listCalls(named)).toMatchObject([{ name: "add", arguments: '{"a": 2}' }]);
    const none = await session.respond(
      createRequest([userMessage("None.")], { tools: TOOLS, toolChoice: "none" }),
    );
    expect(none).toMatchObject({ end: "stop", illFormed: 1, parts: [{ text: CALL }] });
    expect(tokenizer.decode(requests[2]!.tokens)).not.toContain("add");
    const turn = session.record().turns[1]!;
    expect(turn.message).toContain('<tool_call>\n{"name": "add", "arguments":{"a": 2}}');
  });

  it("an invalid request is refused with a message of one line", async () => {
    const { session } = openScriptedSession([]);
    const expectRefused = (
      messages: readonly SessionMessage[],
      more: Partial<SessionRequest> = {},
    ) => expect(session.respond(createRequest(messages, more))).rejects;
    await expectRefused([]).toMatchObject({ reason: "invalid" });
    await expectRefused([userMessage("?"), { role: "assistant", parts: [] }]).toThrow(
      /nothing to answer/,
    );
    await expectRefused([userMessage("?")], { tools: TOOLS, toolChoice: { name: "ad" } }).toThrow(
      /no tool "ad" \(did you mean add\?\)/,
    );
    await expectRefused([userMessage("?")], { toolChoice: "required" }).toThrow(
      /the request has no tools/,
    );
    await expectRefused([userMessage("x".repeat(9000))]).toMatchObject({ reason: "context" });
    session.close();
    await expectRefused([userMessage("?")]).toMatchObject({ reason: "closed" });
  });
});

describe("a repeated request", () => {
  it("a repeated request joins the running call, and later gets the same answer", async () => {
    const { session, requests } = openScriptedSession(["one", "two"]);
    const asked = createRequest([userMessage("Count.")], { retryKey: "k" });
    const [one, same] = await Promise.all([session.respond(asked), session.respond(asked)]);
    expect(same).toEqual(one);
    const told: string[] = [];
    expect(await session.respond(asked, { onText: (text) => told.push(text) })).toEqual(one);
    expect(told.join("")).toBe("one");
    expect(requests).toHaveLength(1);
    expect(session.counters).toMatchObject({ answers: 1, retries: 2, roots: 1, branches: 0 });
  });

  it("a repeated request is still answered after the first caller has left", async () => {
    const { session } = openScriptedSession(["one"]);
    const asked = createRequest([userMessage("Count.")], { retryKey: "k" });
    const leaving = new AbortController();
    const first = session.respond(asked, { signal: leaving.signal });
    const second = session.respond(asked);
    leaving.abort();
    expect((await first).end).toBe("cancelled");
    expect(answerText(await second)).toBe("one");
    expect(session.counters).toMatchObject({ answers: 1, retries: 1 });
  });

  it("a repeated request without a retry key is sampled again with other random numbers", async () => {
    const { session, requests } = openScriptedSession(["one", "two"]);
    const asked = createRequest([userMessage("Count.")]);
    await Promise.all([session.respond(asked), session.respond(asked)]);
    expect(requests[0]!.stream).not.toBe(requests[1]!.stream);
    expect(requests[0]!.cacheKey).not.toBe(requests[1]!.cacheKey);
    expect(session.counters).toMatchObject({ answers: 2, roots: 1, branches: 1 });
    expect(session.record().segments).toHaveLength(1);
  });
});

describe("the budget of an episode", () => {
  const limits = { maxTurns: 2, maxTurnTokens: 200, maxTokens: 4000 };

  it("requests beyond the limit of answers are refused, counting running calls", async () => {
    const { session } = openScriptedSession(["one", "two", "three"], { limits });
    const answers = [1, 2, 3].map((i) =>
      session.respond(createRequest([userMessage(`Count ${i}.`)])),
    );
    const [one, two, three] = await Promise.allSettled(answers);
    expect([one!.status, two!.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(three).toMatchObject({ reason: { reason: "ceiling" } });
  });

  it("an answer is cut when the episode's sampled tokens are used up", async () => {
    const { session } = openScriptedSession(["one two three four", "five"], {
      limits: { ...limits, maxSampledTokens: 3 },
    });
    const answer = await session.respond(
      createRequest([userMessage("Count.")], { maxTokens: 100 }),
    );
    expect(answer).toMatchObject({ end: "length", usage: { completionTokens: 3 } });
    await expect(session.respond(createRequest([userMessage("On.")]))).rejects.toThrow(
      /limit of 3 sampled tokens/,
    );
  });
});

it("closing a session ends its running calls", async () => {
  const { session } = openScriptedSession(["one"]);
  const asked = session.respond(createRequest([userMessage("Count.")]));
  session.close();
  session.close();
  await expect(asked).rejects.toMatchObject({ reason: "closed" });
  expect(session.record().turns).toEqual([]);
});

it("an error of the sampler reaches the caller, and nothing is kept", async () => {
  const { session, requests } = openScriptedSession(["one"]);
  const failing = openSession({
    ...sessionOptions(session.id),
    policy: { kind: "tokens", sample: () => Promise.reject(new Error("gone")), release: () => {} },
  });
  await expect(
    failing.respond(createRequest([userMessage("Go.")], { retryKey: "k" })),
  ).rejects.toThrow("gone");
  expect(failing.counters.answers).toBe(0);
  expect(failing.record().tokens).toBeUndefined();
  expect(requests).toHaveLength(0);
});

it("the instruction to answer in JSON is added once per row, and messages that come back still match", async () => {
  const { session } = openScriptedSession(['{"a": 1}', '{"a": 2}']);
  const json = { schema: { type: "object" } };
  const one = await session.respond(createRequest([userMessage("A?")], { json }));
  const told = tokenizer.decode(one.tokens.prompt);
  expect(told).toContain('matches this schema, and with nothing else: {"type":"object"}');
  const two = await session.respond(
    createRequest([userMessage("A?"), toAssistantMessage(one), userMessage("B?")], { json }),
  );
  expect(tokenizer.decode(two.tokens.prompt).split("this schema")).toHaveLength(2);
  expect(session.counters).toMatchObject({ roots: 1, branches: 0 });
});

it("a session that does not train uses the temperature and seed that the agent requests", async () => {
  const asks = { temperature: 0.2, seed: 4 };
  const { session, requests } = openScriptedSession(["one", "one", "two"], { trains: false });
  await session.respond(createRequest([userMessage("Count.")], asks));
  await session.respond(createRequest([userMessage("Count.")], asks));
  await session.respond(createRequest([userMessage("Count.")]));
  expect(requests.map(({ temperature }) => temperature)).toEqual([0.2, 0.2, 1]);
  expect(requests[0]!.stream).toBe(requests[1]!.stream);
  expect(requests[0]!.stream).not.toBe(requests[2]!.stream);
});

it("sub-agents with the same messages are distinguished by their roles", async () => {
  const { session } = openScriptedSession(["one", "two", "three"]);
  const [left, right] = await Promise.all([
    session.respond(createRequest([userMessage("Look.")], { role: "left" })),
    session.respond(createRequest([userMessage("Look.")], { role: "right" })),
  ]);
  const on = await session.respond(
    createRequest([userMessage("Look."), toAssistantMessage(right), userMessage("More.")], {
      role: "right",
    }),
  );
  expect(session.counters).toMatchObject({ roots: 2, branches: 0 });
  expect(on.usage.cachedTokens).toBe(right.tokens.prompt.length + right.tokens.ids.length);
  const { roles, segments } = session.record();
  expect(roles).toEqual(["left", "right"]);
  expect(segments[0]!.ids).toEqual([...on.tokens.prompt, ...on.tokens.ids]);
  expect(left.id).not.toBe(right.id);
});

it("a client may leave out an answer without words", async () => {
  const { session } = openScriptedSession(["", "two"]);
  const one = await session.respond(createRequest([userMessage("Go.")]));
  expect(one.parts).toEqual([]);
  await session.respond(createRequest([userMessage("Go."), userMessage("Well?")]));
  expect(session.counters).toMatchObject({ roots: 1, branches: 0 });
  expect(session.record().segments).toEqual([]);
});

it("a cancelled answer leaves nothing in the session", async () => {
  const { session, requests, released } = openScriptedSession(["one", "two"]);
  const leaving = new AbortController();
  const asked = session.respond(createRequest([userMessage("Count.")]), { signal: leaving.signal });
  leaving.abort();
  expect((await asked).end).toBe("cancelled");
  expect(session.counters.answers).toBe(0);
  expect(session.record().tokens).toBeUndefined();
  const again = await session.respond(createRequest([userMessage("Count.")]));
  expect(requests[1]!.stream).toBe(requests[0]!.stream);
  expect(session.record().tokens!.ids).toEqual([...again.tokens.prompt, ...again.tokens.ids]);
  session.close();
  expect(released).toContain("0/0/0");
});
