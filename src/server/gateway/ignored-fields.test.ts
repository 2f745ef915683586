/**
 * Tests that nothing in a request is ignored in silence. Every field is obeyed, changes nothing, is refused with its
 * name, or is named in the header `x-bowline-ignored`.
 */
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { conversationRenderer, openSession } from "../../agent/index.ts";
import type { FormatTable } from "../../core/index.ts";
import type { SampleRequest, SessionRequest } from "../../spec/index.ts";
import { openTextDirectory } from "../../text/index.ts";
import { chatFormats } from "./chat/format.ts";
import { type Gateway, openGateway } from "./gateway.ts";
import { messagesFormats } from "./messages/format.ts";
import { responsesFormats } from "./responses/format.ts";

const folder = fileURLToPath(new URL("../../../tests/golden/hf-qwen3", import.meta.url));
const model = openTextDirectory(folder);
const { tokenizer } = model;
const renderer = conversationRenderer({
  template: model.chatTemplate(),
  tokenizer,
  stopIds: model.generation.stopIds,
});

const opened: Gateway[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

interface SessionKind {
  readonly trains?: boolean;
  readonly filtersSamples?: boolean;
}

/** Opens a gateway for a session of a model that always answers "ok", and returns a function that sends it requests. */
async function openAsking({ trains = false, filtersSamples = true }: SessionKind = {}) {
  const gateway = await openGateway();
  opened.push(gateway);
  const samples: SampleRequest[] = [];
  const requests: SessionRequest[] = [];
  const tokens = [...tokenizer.encodeRendered("ok"), renderer.forcedEnd[0]!];
  const session = openSession({
    ...{ id: "one", renderer, stream: 0, temperature: 1, trains },
    limits: { maxTurns: 1000, maxTurnTokens: 50, maxTokens: 4000 },
    policy: {
      kind: "tokens",
      filtersSamples,
      release: () => {},
      async sample(request) {
        samples.push(request);
        return { tokens, logprobs: tokens.map(() => -1), stop: "stop", policyVersion: 0 };
      },
    },
  });
  const { key, openaiBaseURL, anthropicBaseURL } = gateway.open({
    ...session,
    id: "one",
    get counters() {
      return session.counters;
    },
    countTokens: (request) => session.countTokens(request),
    listIgnoredSettings: (request) => session.listIgnoredSettings(request),
    respond(request, options) {
      requests.push(request);
      return session.respond(request, options);
    },
  });
  const urls: Readonly<Record<string, string>> = {
    chat: `${openaiBaseURL}/chat/completions`,
    responses: `${openaiBaseURL}/responses`,
    messages: `${anthropicBaseURL}/v1/messages`,
    count: `${anthropicBaseURL}/v1/messages/count_tokens`,
  };
  return async (dialect: string, body: object) => {
    const response = await fetch(urls[dialect]!, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    const json = (await response.json()) as { readonly error?: { readonly message: string } };
    return {
      named: response.headers.get("x-bowline-ignored")?.split(", ") ?? [],
      error: json.error?.message,
      request: requests.at(-1),
      sample: samples.at(-1),
    };
  };
}

/** What happens to a body: nothing is named, fields are named, it is refused, or the request has something. */
type Fate =
  | "harmless"
  | { readonly named: readonly string[] }
  | { readonly refused: RegExp }
  | { readonly request: object; readonly named?: readonly string[] }
  | { readonly sample: object };

const tool = { type: "function", function: { name: "look", parameters: {} } };
const assistant = (more: object) => ({
  messages: [
    { role: "user", content: "?" },
    { role: "assistant", content: "!", ...more },
    { role: "user", content: "??" },
  ],
});
const userPart = (part: object) => ({ messages: [{ role: "user", content: [part] }] });

const CHAT: readonly (readonly [object, Fate])[] = [
  [{ temperature: 1.5, top_p: 0.0001 }, { sample: { temperature: 1.5, filter: { topP: 0.0001 } } }],
  [{ top_k: 4, min_p: 0.1 }, { sample: { filter: { topK: 4, minP: 0.1 } } }],
  [{ top_k: -1, top_p: 1, min_p: 0 }, { sample: { filter: { topP: 1, minP: 0 } } }],
  [{ top_p: 1.1 }, { refused: /^top_p: / }],
  [{ top_k: 2.5 }, { refused: /^top_k: / }],
  [{ min_p: -0.1 }, { refused: /^min_p: / }],
  [{ seed: 7 }, { request: { seed: 7 } }],
  [{ repetition_penalty: 1.2 }, { named: ["repetition_penalty"] }],
  [{ repetition_penalty: 1 }, "harmless"],
  [{ frequency_penalty: 0, presence_penalty: 0 }, "harmless"],
  [
    { frequency_penalty: 0.5, presence_penalty: -1 },
    { named: ["frequency_penalty", "presence_penalty"] },
  ],
  [{ logit_bias: { 50256: -100 } }, { named: ["logit_bias"] }],
  [{ logit_bias: {} }, "harmless"],
  [{ reasoning_effort: "low" }, { named: ["reasoning_effort"] }],
  [{ reasoning_effort: "none" }, { request: { templateVariables: { enable_thinking: false } } }],
  [
    { chat_template_kwargs: { enable_thinking: false } },
    { request: { templateVariables: { enable_thinking: false } } },
  ],
  [{ chat_template_kwargs: { mood: "calm" } }, { named: ["chat_template_kwargs.mood"] }],
  [{ response_format: { type: "text" } }, "harmless"],
  [
    {
      response_format: {
        type: "json_schema",
        json_schema: { name: "a", strict: true, schema: { type: "object" } },
      },
    },
    { request: { json: { schema: { type: "object" } } }, named: ["response_format"] },
  ],
  [
    { response_format: { type: "json_object" } },
    { request: { json: {} }, named: ["response_format"] },
  ],
  [{ response_format: { type: "grammar" } }, { refused: /^response_format.type: / }],
  [{ logprobs: true, top_logprobs: 5 }, { named: ["top_logprobs"] }],
  [{ top_logprobs: 0, n: 1 }, "harmless"],
  [{ n: 3 }, { refused: /^n: only one choice/ }],
  [{ stop: "END" }, { request: { stop: ["END"] } }],
  [{ stop: "" }, { refused: /^stop: expected a text that is not empty/ }],
  [{ tools: [tool], tool_choice: "none" }, { request: { toolChoice: "none" } }],
  [
    { tools: [{ type: "function", function: { name: "look", strict: true } }] },
    { named: ["tools.*.function.strict"] },
  ],
  [{ tools: [{ type: "custom", custom: { name: "look" } }] }, { refused: /only function tools/ }],
  [
    { tools: [tool], tool_choice: { type: "allowed_tools", allowed_tools: {} } },
    { refused: /^tool_choice: / },
  ],
  [{ functions: [{ name: "look" }] }, { refused: /^functions: use tools/ }],
  [{ web_search_options: {} }, { refused: /^web_search_options: / }],
  [{ modalities: ["text", "audio"] }, { refused: /^modalities: expected \["text"\]/ }],
  [{ modalities: ["text"] }, "harmless"],
  [{ stream_options: { include_usage: true, include_obfuscation: false } }, "harmless"],
  [{ user: "u", metadata: { a: "b" }, store: true, prompt_cache_key: "k" }, "harmless"],
  [{ service_tier: "flex", model: "gpt-9", prediction: {} }, "harmless"],
  [{ verbosity: "low" }, { named: ["verbosity"] }],
  [{ ignore_eos: true, min_tokens: 3 }, { named: ["ignore_eos", "min_tokens"] }],
  [{ guided_json: {} }, { named: ["guided_json"] }],
  [{ messages: [{ role: "user", content: "?", name: "Ada" }] }, { named: ["messages.*.name"] }],
  [
    assistant({ reasoning_content: "hm" }),
    { request: { messages: [{}, { parts: [{ type: "reasoning", text: "hm" }, {}] }, {}] } },
  ],
  [
    assistant({ content: null, refusal: "no" }),
    { request: { messages: [{}, { parts: [{ type: "text", text: "no" }] }, {}] } },
  ],
  [assistant({ weight: 0 }), { named: ["messages.*.weight"] }],
  [assistant({ annotations: [], audio: null, name: "me" }), "harmless"],
  [assistant({ function_call: {} }), { refused: /^messages.1.function_call: use tool_calls/ }],
  [
    userPart({ type: "image_url", image_url: {} }),
    { refused: /^messages.0.content.0.type: expected a text part, got a part of type image_url/ },
  ],
  [userPart({ type: "text", text: "a", cache_control: {} }), "harmless"],
  [userPart({ type: "text", text: "a", lang: "en" }), { named: ["messages.*.content.*.lang"] }],
  [
    { messages: [{ role: "function", name: "look", content: "1" }] },
    { refused: /^messages.0.role/ },
  ],
];

const RESPONSES: readonly (readonly [object, Fate])[] = [
  [{ temperature: 0.5, top_p: 0.9 }, { sample: { temperature: 0.5, filter: { topP: 0.9 } } }],
  [{ top_k: 3 }, { sample: { filter: { topK: 3 } } }],
  [{ top_p: 2 }, { refused: /^top_p: / }],
  [{ reasoning: { effort: "high" } }, { named: ["reasoning.effort"] }],
  [
    { reasoning: { effort: "none", summary: "auto" } },
    { request: { templateVariables: { enable_thinking: false } } },
  ],
  [{ reasoning: { mode: "pro" } }, { named: ["reasoning.mode"] }],
  [
    { chat_template_kwargs: { enable_thinking: false, x: 1 } },
    { named: ["chat_template_kwargs.x"] },
  ],
  [{ text: { format: { type: "text" }, verbosity: "medium" } }, "harmless"],
  [
    {
      text: {
        format: { type: "json_schema", name: "a", strict: true, schema: { type: "object" } },
      },
    },
    { request: { json: { schema: { type: "object" } } }, named: ["text.format"] },
  ],
  [{ text: { format: { type: "json_object" } } }, { named: ["text.format"] }],
  [{ text: { verbosity: "high" } }, { named: ["text.verbosity"] }],
  [{ instructions: "be brief" }, { request: { messages: [{ role: "system" }, {}] } }],
  [{ max_output_tokens: 5 }, { sample: { maxTokens: 5 } }],
  [{ max_output_tokens: 0 }, { refused: /^max_output_tokens: / }],
  [{ max_tool_calls: 2, store: false, metadata: { a: "b" } }, "harmless"],
  [{ user: "u", safety_identifier: "s", prompt_cache_retention: "24h" }, "harmless"],
  [{ truncation: "auto" }, { named: ["truncation"] }],
  [{ truncation: "disabled", background: false, include: [] }, "harmless"],
  [{ include: ["reasoning.encrypted_content"] }, { named: ["include"] }],
  [{ background: true }, { refused: /^background: expected false, got true/ }],
  [{ conversation: "c" }, { refused: /^conversation: not supported/ }],
  [{ prompt: { id: "p" } }, { refused: /^prompt: stored prompts/ }],
  [{ previous_response_id: "resp_x" }, { refused: /^previous_response_id: / }],
  [{ top_logprobs: 2 }, { named: ["top_logprobs"] }],
  [{ moderation: {} }, { named: ["moderation"] }],
  [{ context_management: [{}] }, { named: ["context_management"] }],
  [{ tools: [{ type: "web_search" }] }, { refused: /^tools.0.type: only function tools/ }],
  [
    { tools: [{ type: "function", name: "look", parameters: {}, strict: true }] },
    { named: ["tools.*.strict"] },
  ],
  [
    { tools: [{ type: "function", name: "look", parameters: null, strict: null }] },
    { request: { tools: [{ name: "look" }] } },
  ],
  [{ tool_choice: { type: "web_search" } }, { refused: /^tool_choice: / }],
  [{ parallel_tool_calls: false }, { request: { parallelToolCalls: false } }],
  [{ stream_options: { include_obfuscation: false } }, "harmless"],
  [{ stop: ["END"] }, { named: ["stop"] }],
  [{ seed: 3 }, { named: ["seed"] }],
  [{ input: [{ role: "user", content: "?", phase: null }] }, "harmless"],
  [{ input: [{ role: "user", content: "?", mood: 1 }] }, { named: ["input.*.mood"] }],
  [
    { input: [{ role: "user", content: [{ type: "input_image" }] }] },
    { refused: /^input.0.content.0.type: expected a text part, got a part of type input_image/ },
  ],
  [
    {
      input: [
        { type: "reasoning", summary: [], encrypted_content: "x" },
        { role: "user", content: "?" },
      ],
    },
    { named: ["input.*.encrypted_content"] },
  ],
  [{ input: [{ type: "mcp_call" }] }, { refused: /^input.0.type: expected a message/ }],
];

const MESSAGES: readonly (readonly [object, Fate])[] = [
  [
    { temperature: 0.5, top_p: 0.9, top_k: 3 },
    { sample: { temperature: 0.5, filter: { topP: 0.9, topK: 3 } } },
  ],
  [{ top_k: 0 }, "harmless"],
  [{ top_p: -1 }, { refused: /^top_p: / }],
  [{ min_p: 0.1 }, { named: ["min_p"] }],
  [{ stop_sequences: ["END"] }, { request: { stop: ["END"] } }],
  [{ stop_sequences: [""] }, { refused: /^stop_sequences.0: / }],
  [
    { thinking: { type: "disabled" } },
    { request: { templateVariables: { enable_thinking: false } } },
  ],
  [
    { thinking: { type: "adaptive" } },
    { request: { templateVariables: { enable_thinking: true } } },
  ],
  [
    { thinking: { type: "enabled", budget_tokens: 1024 } },
    {
      request: { templateVariables: { enable_thinking: true } },
      named: ["thinking.budget_tokens"],
    },
  ],
  [{ thinking: { type: "between_tools" } }, { named: ["thinking"] }],
  [{ thinking: { type: "sometimes" } }, { refused: /^thinking.type: / }],
  [{ output_config: { effort: "max" } }, { named: ["output_config.effort"] }],
  [
    { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
    { request: { json: { schema: { type: "object" } } }, named: ["output_config.format"] },
  ],
  [{ output_format: { type: "json_schema", schema: {} } }, { named: ["output_format"] }],
  [{ output_config: { task_budget: {} } }, { named: ["output_config.task_budget"] }],
  [{ metadata: { user_id: "u" }, service_tier: "auto", model: "claude" }, "harmless"],
  [{ cache_control: { type: "ephemeral" }, inference_geo: "eu", speed: "fast" }, "harmless"],
  [{ context_management: {} }, { named: ["context_management"] }],
  [{ container: "c" }, { named: ["container"] }],
  [{ container: null }, "harmless"],
  [{ mcp_servers: [{}] }, { refused: /^mcp_servers: tools that a provider runs/ }],
  [{ thread: {} }, { refused: /^thread: conversations are not stored/ }],
  [{ max_tokens: 0 }, { refused: /^max_tokens: / }],
  [{ system: [{ type: "text", text: "be brief", cache_control: {} }] }, "harmless"],
  [{ system: [{ type: "image" }] }, { refused: /^system.0.type: / }],
  [
    { tools: [{ name: "look", input_schema: {}, strict: true, cache_control: {} }] },
    { named: ["tools.*.strict"] },
  ],
  [
    { tools: [{ name: "look", input_schema: {}, input_examples: [{}], defer_loading: true }] },
    { named: ["tools.*.input_examples", "tools.*.defer_loading"] },
  ],
  [
    { tools: [{ type: "bash_20250124", name: "bash" }] },
    { refused: /^tools.0.type: tools that the/ },
  ],
  [{ tool_choice: { type: "tool" } }, { refused: /^tool_choice.name: / }],
  [
    { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    { request: { parallelToolCalls: false } },
  ],
  [{ seed: 3, n: 2 }, { named: ["seed", "n"] }],
  [
    userPart({ type: "image", source: {} }),
    { refused: /^messages.0.content.0.type: expected a text/ },
  ],
  [userPart({ type: "text", text: "a", citations: null, cache_control: {} }), "harmless"],
  [userPart({ type: "text", text: "a", mood: 1 }), { named: ["messages.*.content.*.mood"] }],
  [
    userPart({ type: "tool_result", tool_use_id: "c", content: [{ type: "image" }] }),
    { refused: /^messages.0.content.0.content.0.type: expected a text block/ },
  ],
  [
    assistant({
      content: [
        { type: "redacted_thinking", data: "x" },
        { type: "text", text: "!" },
      ],
    }),
    { named: ["messages.*.content.*.data"] },
  ],
];

const VALID: Readonly<Record<string, object>> = {
  chat: { messages: [{ role: "user", content: "?" }] },
  responses: { input: "?" },
  messages: { messages: [{ role: "user", content: "?" }], max_tokens: 9 },
};

describe.each([
  ["chat", CHAT],
  ["responses", RESPONSES],
  ["messages", MESSAGES],
] as const)("a request in the dialect %s", (dialect, cases) => {
  test.each(cases)("with %j", async (more, fate) => {
    const ask = await openAsking();
    const { named, error, request, sample } = await ask(dialect, { ...VALID[dialect], ...more });
    if (fate !== "harmless" && "refused" in fate) {
      expect(error).toMatch(fate.refused);
      return;
    }
    expect(error).toBeUndefined();
    if (fate === "harmless") expect(named).toEqual([]);
    else if ("sample" in fate) expect([sample, named]).toMatchObject([fate.sample, []]);
    else {
      expect(named).toEqual(fate.named ?? []);
      if ("request" in fate) expect(request).toMatchObject(fate.request);
    }
  });
});

test("a session that trains names the sampling settings that it only records, in every dialect", async () => {
  const ask = await openAsking({ trains: true });
  const settings = { temperature: 0.5, top_p: 0.9, top_k: 3 };
  const named = ["temperature", "top_p", "top_k"];
  const seeded = { ...settings, min_p: 0.1, seed: 4 };
  expect((await ask("chat", { ...VALID["chat"], ...seeded })).named).toEqual([
    ...named,
    "min_p",
    "seed",
  ]);
  for (const dialect of ["responses", "messages"]) {
    const asked = await ask(dialect, { ...VALID[dialect], ...settings });
    expect(asked).toMatchObject({ named, sample: { temperature: 1 } });
    expect(asked.sample!.filter).toBeUndefined();
  }
});

test("an engine without filters is named for, and nothing is named that changes nothing", async () => {
  const ask = await openAsking({ filtersSamples: false });
  const filters = { top_p: 0.9, top_k: 3, min_p: 0.1 };
  const named = async (more: object) => (await ask("chat", { ...VALID["chat"], ...more })).named;
  expect(await named(filters)).toEqual(["top_p", "top_k", "min_p"]);
  expect(await named({ ...filters, temperature: 0 })).toEqual([]);
  expect(await named({ top_p: 1, top_k: -1, min_p: 0 })).toEqual([]);
});

test("a request to count tokens names its fields too, and counts the prompt that the request would have", async () => {
  const ask = await openAsking();
  const { messages } = VALID["messages"] as { messages: object[] };
  expect((await ask("count", { messages, max_tokens: 9, mood: 1 })).named).toEqual(["mood"]);
  expect((await ask("count", { messages, thinking: { type: "disabled" } })).named).toEqual([]);
});

test("names are written so that a header can hold them, each once, and not too many", async () => {
  const ask = await openAsking();
  const strange = { "größe, \n\u0000": 1, "\ud800": 1, ["x".repeat(200)]: 1 };
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, 1]));
  const { named } = await ask("chat", { ...VALID["chat"], ...strange });
  expect(named).toEqual(["gr%C3%B6%C3%9Fe%2C%20%0A%00", "%EF%BF%BD", `${"x".repeat(80)}...`]);
  const all = (await ask("chat", { ...VALID["chat"], ...many })).named;
  expect([all.length, all.at(-1)]).toEqual([61, "and 40 more"]);
});

/** Bodies with an object of every table. */
const RICH: Readonly<Record<string, object>> = {
  chat: {
    messages: [
      { role: "system", content: [{ type: "text", text: "a" }] },
      { role: "user", content: [{ type: "text", text: "?" }] },
      {
        role: "assistant",
        content: [{ type: "refusal", refusal: "no" }],
        tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "1" }] },
    ],
    tools: [{ type: "function", function: { name: "look" } }],
    tool_choice: { type: "function", function: { name: "look" } },
    response_format: { type: "json_schema", json_schema: { name: "a" } },
    stream_options: { include_usage: true },
  },
  responses: {
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: "?" }] },
      { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
      { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "1" }] },
    ],
    tools: [{ type: "function", name: "look" }],
    tool_choice: { type: "function", name: "look" },
    text: { format: { type: "json_schema", name: "a" } },
    reasoning: { summary: "auto" },
    stream_options: {},
  },
  messages: {
    max_tokens: 9,
    system: [{ type: "text", text: "a" }],
    messages: [
      { role: "user", content: [{ type: "text", text: "?" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "redacted_thinking" },
          { type: "tool_use", id: "c", name: "look", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: "1" }] },
        ],
      },
    ],
    tools: [{ name: "look" }],
    tool_choice: { type: "tool", name: "look" },
    thinking: { type: "adaptive" },
    output_config: { format: { type: "json_schema" } },
  },
};

/** Returns the paths of all objects in a body. The arguments of a call are free. */
function listObjects(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null || path.at(-1) === "input") {
    if (!Array.isArray(value)) return [];
  }
  const inside = Object.entries(value as object).flatMap(([key, inner]) =>
    listObjects(inner, [...path, key]),
  );
  return Array.isArray(value) ? inside : [path, ...inside];
}

function addField(body: object, path: readonly string[], name: string, value: unknown): object {
  const copy = structuredClone(body);
  let target = copy as Record<string, unknown>;
  for (const key of path) target = target[key] as Record<string, unknown>;
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

const TABLES: Readonly<Record<string, readonly FormatTable[]>> = {
  chat: chatFormats,
  responses: responsesFormats,
  messages: messagesFormats,
};

test.each(["chat", "responses", "messages"])(
  "any field that is added anywhere in a body of the dialect %s is named, unless a table has it",
  async (dialect) => {
    const ask = await openAsking();
    const body = RICH[dialect]!;
    const before = (await ask(dialect, body)).named;
    const known = new Set(TABLES[dialect]!.flatMap(({ fields }) => Object.keys(fields)));
    const property = fc.asyncProperty(
      fc.constantFrom(...listObjects(body)),
      fc.stringMatching(/^[a-z_]{1,12}$/).filter((name) => !known.has(name)),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant({}), fc.constant([1])),
      async (path, name, value) => {
        const { named, error } = await ask(dialect, addField(body, path, name, value));
        expect(error).toBeUndefined();
        const place = [...path, name].map((key) => (/^\d+$/.test(key) ? "*" : key)).join(".");
        expect(named.filter((field) => !before.includes(field))).toEqual([place]);
      },
    );
    await fc.assert(property, { seed: 2611, numRuns: 150 });
  },
);
