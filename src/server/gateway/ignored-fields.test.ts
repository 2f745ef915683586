/**
 * Tests that nothing in a request is ignored in silence. Every field is obeyed, changes nothing, is refused with its
 * name, or is named in the header `x-bowline-ignored`.
 */
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import {
  CHAT,
  GOOGLE,
  MESSAGES,
  RESPONSES,
  RICH,
} from "../../../tests/support/gateway-requests.ts";
import { conversationRenderer, openSession } from "../../agent/index.ts";
import type { FormatTable } from "../../core/index.ts";
import type { SampleRequest, SessionRequest } from "../../spec/index.ts";
import { openTextDirectory } from "../../text/index.ts";
import { chatFormats } from "./chat/format.ts";
import { type Gateway, openGateway } from "./gateway.ts";
import { googleFormats } from "./google/format.ts";
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
  const { key, openaiBaseURL, anthropicBaseURL, googleBaseURL } = gateway.open({
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
    google: `${googleBaseURL}/v1beta/models/openai/m:generateContent`,
    count: `${anthropicBaseURL}/v1/messages/count_tokens`,
    googleCount: `${googleBaseURL}/v1beta/models/m:countTokens`,
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

const CONTENTS = [{ role: "user", parts: [{ text: "?" }] }];
const VALID: Readonly<Record<string, object>> = {
  google: { contents: CONTENTS },
  chat: { messages: [{ role: "user", content: "?" }] },
  responses: { input: "?" },
  messages: { messages: [{ role: "user", content: "?" }], max_tokens: 9 },
};

describe.each([
  ["chat", CHAT],
  ["responses", RESPONSES],
  ["messages", MESSAGES],
  ["google", GOOGLE],
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
  const generationConfig = { temperature: 0.5, topP: 0.9, topK: 3, seed: 4 };
  expect((await ask("google", { ...VALID["google"], generationConfig })).named).toEqual(
    Object.keys(generationConfig).map((field) => `generationConfig.${field}`),
  );
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
  const { contents } = VALID["google"] as { contents: object[] };
  expect((await ask("googleCount", { contents, mood: 1 })).named).toEqual(["mood"]);
  const whole = { generateContentRequest: { contents, safetySettings: [] } };
  expect((await ask("googleCount", whole)).named).toEqual([
    "generateContentRequest.safetySettings",
  ]);
  expect((await ask("googleCount", { ...whole, contents })).error).toMatch(/either .* got both/);
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

const FREE = ["input", "args", "response", "parameters"];

/** Returns the paths of all objects in a body. Arguments, results and schemas are free. */
function listObjects(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null || FREE.includes(path.at(-1) ?? "")) {
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
  google: googleFormats,
};

test.each(["chat", "responses", "messages", "google"])(
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
