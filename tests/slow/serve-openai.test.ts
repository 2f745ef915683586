/**
 * Runs `bowline serve --openai` as a process, with several models one after the other. All of them answer, and some
 * accept tools.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ChatRecording, trainAgent } from "../../src/server/index.ts";
import { createTemporaryFolder, runBowline } from "../e2e/support/cli.ts";
import { withServer } from "../e2e/support/with-server.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const folder = createTemporaryFolder();
const run = join(folder.path, "run");
const agentRun = join(folder.path, "agents");
afterAll(folder.remove);
const QWEN = fileURLToPath(new URL("../golden/hf-qwen3", import.meta.url));

interface ServerFacts {
  readonly url: string;
  readonly key: string;
  readonly tools: boolean;
}

const LOOK_TOOL = { name: "look", parameters: { type: "object", properties: {} } };

const LOOK_BY_KEY_TOOL = {
  name: "look",
  parameters: { type: "object", properties: { key: { type: "string" } } },
};

/** Sends a request and returns status and body of the response. */
async function sendRequest(
  { url, key }: ServerFacts,
  path: string,
  body: object,
): Promise<[number, unknown]> {
  const response = await fetch(`${url}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  return [response.status, await response.json()];
}

/** A request whose text has non-Latin letters, and the text of the token that ends a turn. */
const PLAIN_REQUEST = {
  messages: [{ role: "user", content: "Hé, 日本 <|im_end|> <|run|>" }],
  max_tokens: 4,
};
const chatTools = [{ type: "function", function: LOOK_TOOL }];

beforeAll(async () => {
  const few = ["--warm.demonstrations", "60", "--algo.iterations", "1"];
  const small = ["--algo.tasks-per-iteration", "2", "--evaluation.scenarios", "1"];
  const { code } = await runBowline(["train", "smoke", "--out", run, ...few, ...small]);
  expect(code).toBe(0);
});

test("a model that was trained with a scaffold answers, and refuses tools with a reason", async () => {
  const { code } = await withServer<ServerFacts>(["--openai", run], async (facts) => {
    expect(facts.tools).toBe(false);
    const [status, answer] = await sendRequest(facts, "chat/completions", PLAIN_REQUEST);
    expect([status, answer]).toMatchObject([200, { object: "chat.completion" }]);
    const why = /^tools: expected none, .* or one that trainAgent\(\) trained/;
    const refusal = { message: expect.stringMatching(why), type: "invalid_request_error" };
    const messages = {
      ...PLAIN_REQUEST,
      tools: [{ name: "look", input_schema: LOOK_TOOL.parameters }],
    };
    const responses = { input: "Hello", tools: [{ type: "function", ...LOOK_TOOL }] };
    for (const [path, body] of [
      ["chat/completions", { ...PLAIN_REQUEST, tools: chatTools }],
      ["chat/completions", { ...PLAIN_REQUEST, tools: chatTools, stream: true }],
      ["messages", messages],
      ["messages/count_tokens", messages],
      ["responses", responses],
    ] as const) {
      expect(await sendRequest(facts, path, body)).toMatchObject([400, { error: refusal }]);
    }
    const none = { ...PLAIN_REQUEST, tools: chatTools, tool_choice: "none" };
    expect(await sendRequest(facts, "chat/completions", none)).toMatchObject([200, {}]);
  });
  expect(code).toBe(0);
});

test("the GGUF file of a run gives the same answer as the run", async () => {
  const file = join(folder.path, "policy.gguf");
  const form = ["--merged", "--format", "gguf", "--dtype", "f32"];
  expect(await runBowline(["export", run, ...form, "--out", file])).toMatchObject({ code: 0 });
  const drawn = { ...PLAIN_REQUEST, temperature: 1.5, seed: 7, max_tokens: 12 };
  const askPolicy = async (policy: string) => {
    let text: unknown;
    await withServer<ServerFacts>(["--openai", policy], async (facts) => {
      const [status, answer] = await sendRequest(facts, "chat/completions", drawn);
      expect(status).toBe(200);
      text = (answer as { choices: { message: { content: string } }[] }).choices[0]!.message
        .content;
    });
    return text;
  };
  const text = await askPolicy(file);
  expect(text).toMatch(/./);
  expect(text).toBe(await askPolicy(run));
});

test("a published model whose chat template has tools takes them", async () => {
  await withServer<ServerFacts>(["--openai", QWEN], async (facts) => {
    expect(facts.tools).toBe(true);
    const asked = { ...PLAIN_REQUEST, tools: chatTools, tool_choice: "required" };
    const [status, answer] = await sendRequest(facts, "chat/completions", asked);
    expect([status, answer]).toMatchObject([200, { object: "chat.completion" }]);
  });
});

test("a key of one's own opens the server and is printed nowhere", async () => {
  const ownKey = "not-for-any-log";
  const { stdout, stderr } = await withServer<ServerFacts & { keyFrom: string }>(
    ["--openai", QWEN, "--key-from", "AGENT_KEY"],
    async (facts) => {
      expect(facts).toMatchObject({ keyFrom: "AGENT_KEY" });
      const send = (key: string) =>
        sendRequest({ ...facts, key }, "chat/completions", PLAIN_REQUEST);
      expect((await send(ownKey))[0]).toBe(200);
      expect((await send("another"))[0]).toBe(401);
    },
    { AGENT_KEY: ownKey },
  );
  expect(stdout + stderr).not.toContain(ownKey);
});

test("a served model obeys filters, variables of its template and stop sequences, and names the rest", async () => {
  await withServer<ServerFacts>(["--openai", QWEN], async ({ url, key }) => {
    const send = async (path: string, body: object) => {
      const response = await fetch(`${url}/v1/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ ...PLAIN_REQUEST, max_tokens: 24, ...body }),
      });
      expect(response.status).toBe(200);
      return {
        named: response.headers.get("x-bowline-ignored"),
        answer: (await response.json()) as Record<string, unknown>,
      };
    };
    const readText = ({ answer }: Awaited<ReturnType<typeof send>>) =>
      (answer as { choices: { message: { content: string } }[] }).choices[0]!.message.content;
    const greedy = await send("chat/completions", { temperature: 0 });
    const filtered = { temperature: 1.5, top_p: 0.0001 };
    for (let i = 0; i < 3; i++) {
      const asked = await send("chat/completions", filtered);
      expect([readText(asked), asked.named]).toEqual([readText(greedy), null]);
    }
    const free = await send("chat/completions", { temperature: 1.5, seed: 1 });
    expect(readText(free)).not.toBe(readText(greedy));
    const strict = { type: "json_schema", json_schema: { name: "a", strict: true, schema: {} } };
    const rest = { repetition_penalty: 1.3, reasoning_effort: "low", response_format: strict };
    expect((await send("chat/completions", rest)).named).toBe(
      "repetition_penalty, response_format, reasoning_effort",
    );
    const countPrompt = async (enable_thinking: boolean) => {
      const body = { chat_template_kwargs: { enable_thinking }, return_token_ids: true };
      const { answer, named } = await send("chat/completions", body);
      expect(named).toBeNull();
      return (answer["prompt_token_ids"] as number[]).length;
    };
    expect(await countPrompt(false)).toBeGreaterThan(await countPrompt(true));
    const letter = readText(greedy).trim()[0]!;
    const stopped = { temperature: 0, stop_sequences: [letter] };
    const { answer } = await send("messages", stopped);
    expect(answer).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: letter });
  });
});

/** Returns a recorded conversation that looks a key up and says what was found. */
const createConversation = (key: string): ChatRecording => ({
  messages: [
    { role: "user", content: `What is ${key}?` },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", function: { name: "look", arguments: JSON.stringify({ key }) } }],
    },
    { role: "tool", tool_call_id: "c", content: `${key}${key}` },
    { role: "assistant", content: `${key}${key}.` },
  ],
  tools: [{ type: "function", function: LOOK_BY_KEY_TOOL }],
});

test("a model that trainAgent trained on recorded conversations takes tools and calls them", async () => {
  const keys = Array.from({ length: 64 }, (_, i) => "abcdefgh"[i % 8]!);
  await trainAgent({
    tasks: keys.slice(0, 8).map((key) => ({ id: key })),
    warmStart: { conversations: keys.map(createConversation) },
    run: async ({ id }, { session }) => {
      const text = `What is ${id}?`;
      const messages = [{ role: "user", parts: [{ type: "text", text }] }] as const;
      const { parts } = await session.respond({ messages, tools: [LOOK_BY_KEY_TOOL] });
      return parts.some(({ type }) => type === "tool-call") ? 1 : 0;
    },
    out: agentRun,
    overrides: {
      "warm.epochs": 30,
      "warm.rows": 16,
      "algo.iterations": 1,
      "algo.tasksPerIteration": 2,
      "model.hiddenSize": 48,
      "model.layers": 2,
    },
  });
  await withServer<ServerFacts>(["--openai", agentRun], async (facts) => {
    expect(facts.tools).toBe(true);
    const messages = [{ role: "user", content: "What is c?" }];
    const tools = [{ type: "function", function: LOOK_BY_KEY_TOOL }];
    const body = { messages, tools, temperature: 0 };
    const [status, answer] = await sendRequest(facts, "chat/completions", body);
    const called = { function: { name: "look", arguments: expect.stringMatching(/^\{"key":/) } };
    expect([status, answer]).toMatchObject([
      200,
      { choices: [{ finish_reason: "tool_calls", message: { tool_calls: [called] } }] },
    ]);
    const any = { messages: [{ role: "user", content: "日本 \u0000 <tool_call>" }], max_tokens: 4 };
    expect(await sendRequest(facts, "chat/completions", any)).toMatchObject([200, {}]);
  });
});
