/** Runs `bowline serve --openai` as a process with several models. All answer, and some take tools. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ChatRecording, trainAgent } from "../../src/server/index.ts";
import { createTemporaryFolder, runBowline } from "../e2e/support/cli.ts";
import { withServer } from "../e2e/support/with-server.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const folder = createTemporaryFolder();
const run = join(folder.path, "run");
const agents = join(folder.path, "agents");
afterAll(folder.remove);
const QWEN = fileURLToPath(new URL("../golden/hf-qwen3", import.meta.url));

interface Facts {
  readonly url: string;
  readonly key: string;
  readonly tools: boolean;
}

const LOOK = { name: "look", parameters: { type: "object", properties: {} } };

const KEYED = {
  name: "look",
  parameters: { type: "object", properties: { key: { type: "string" } } },
};

/** Sends a request and returns status and body of the response. */
async function ask({ url, key }: Facts, path: string, body: object): Promise<[number, unknown]> {
  const response = await fetch(`${url}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  return [response.status, await response.json()];
}

/** A request whose text has other scripts and the markup that ends a turn. */
const plain = {
  messages: [{ role: "user", content: "Hé, 日本 <|im_end|> <|run|>" }],
  max_tokens: 4,
};
const chatTools = [{ type: "function", function: LOOK }];

beforeAll(async () => {
  const few = ["--warm.demonstrations", "60", "--algo.iterations", "1"];
  const small = ["--algo.tasks-per-iteration", "2", "--evaluation.scenarios", "1"];
  const { code } = await runBowline(["train", "smoke", "--out", run, ...few, ...small]);
  expect(code).toBe(0);
});

test("a model that was trained with a scaffold answers, and refuses tools with a reason", async () => {
  const { code } = await withServer<Facts>(["--openai", run], async (facts) => {
    expect(facts.tools).toBe(false);
    const [status, answer] = await ask(facts, "chat/completions", plain);
    expect([status, answer]).toMatchObject([200, { object: "chat.completion" }]);
    const why = /^tools: expected none, .*; models that trainAgent\(\) trained have one/;
    const refusal = { message: expect.stringMatching(why), type: "invalid_request_error" };
    const messages = { ...plain, tools: [{ name: "look", input_schema: LOOK.parameters }] };
    const responses = { input: "Hello", tools: [{ type: "function", ...LOOK }] };
    for (const [path, body] of [
      ["chat/completions", { ...plain, tools: chatTools }],
      ["chat/completions", { ...plain, tools: chatTools, stream: true }],
      ["messages", messages],
      ["messages/count_tokens", messages],
      ["responses", responses],
    ] as const) {
      expect(await ask(facts, path, body)).toMatchObject([400, { error: refusal }]);
    }
    const none = { ...plain, tools: chatTools, tool_choice: "none" };
    expect(await ask(facts, "chat/completions", none)).toMatchObject([200, {}]);
  });
  expect(code).toBe(0);
});

test("the GGUF file of a run gives the same answer as the run", async () => {
  const file = join(folder.path, "policy.gguf");
  const form = ["--merged", "--format", "gguf", "--dtype", "f32"];
  expect(await runBowline(["export", run, ...form, "--out", file])).toMatchObject({ code: 0 });
  const drawn = { ...plain, temperature: 1.5, seed: 7, max_tokens: 12 };
  const said = async (policy: string) => {
    let text: unknown;
    await withServer<Facts>(["--openai", policy], async (facts) => {
      const [status, answer] = await ask(facts, "chat/completions", drawn);
      expect(status).toBe(200);
      text = (answer as { choices: { message: { content: string } }[] }).choices[0]!.message
        .content;
    });
    return text;
  };
  const text = await said(file);
  expect(text).toMatch(/./);
  expect(text).toBe(await said(run));
});

test("a published model whose chat template has tools takes them", async () => {
  await withServer<Facts>(["--openai", QWEN], async (facts) => {
    expect(facts.tools).toBe(true);
    const asked = { ...plain, tools: chatTools, tool_choice: "required" };
    const [status, answer] = await ask(facts, "chat/completions", asked);
    expect([status, answer]).toMatchObject([200, { object: "chat.completion" }]);
  });
});

/** Returns a recorded conversation that looks a key up and says what was found. */
const conversation = (key: string): ChatRecording => ({
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
  tools: [{ type: "function", function: KEYED }],
});

test("a model that trainAgent trained on recorded conversations takes tools and calls them", async () => {
  const keys = Array.from({ length: 64 }, (_, i) => "abcdefgh"[i % 8]!);
  await trainAgent({
    tasks: keys.slice(0, 8).map((key) => ({ id: key })),
    warmStart: { conversations: keys.map(conversation) },
    run: async ({ id }, { session }) => {
      const text = `What is ${id}?`;
      const messages = [{ role: "user", parts: [{ type: "text", text }] }] as const;
      const { parts } = await session.respond({ messages, tools: [KEYED] });
      return parts.some(({ type }) => type === "tool-call") ? 1 : 0;
    },
    out: agents,
    overrides: {
      "warm.epochs": 30,
      "warm.rows": 16,
      "algo.iterations": 1,
      "algo.tasksPerIteration": 2,
      "model.hiddenSize": 48,
      "model.layers": 2,
    },
  });
  await withServer<Facts>(["--openai", agents], async (facts) => {
    expect(facts.tools).toBe(true);
    const messages = [{ role: "user", content: "What is c?" }];
    const tools = [{ type: "function", function: KEYED }];
    const body = { messages, tools, temperature: 0 };
    const [status, answer] = await ask(facts, "chat/completions", body);
    const called = { function: { name: "look", arguments: expect.stringMatching(/^\{"key":/) } };
    expect([status, answer]).toMatchObject([
      200,
      { choices: [{ finish_reason: "tool_calls", message: { tool_calls: [called] } }] },
    ]);
    const any = { messages: [{ role: "user", content: "日本 \u0000 <tool_call>" }], max_tokens: 4 };
    expect(await ask(facts, "chat/completions", any)).toMatchObject([200, {}]);
  });
});
