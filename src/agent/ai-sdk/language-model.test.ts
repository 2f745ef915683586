import type { LanguageModelV3 as Published } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { scriptedSession } from "../../testing/index.ts";
import { languageModel } from "./language-model.ts";
import type { V3CallOptions, V3Message, V3StreamPart } from "./language-model-v3.ts";

const userMessage = (text: string): V3Message => ({
  role: "user",
  content: [{ type: "text", text }],
});
const tools: V3CallOptions["tools"] = [
  { type: "function", name: "add", description: "adds", inputSchema: { type: "object" } },
];

async function readStream(stream: ReadableStream<V3StreamPart>): Promise<V3StreamPart[]> {
  const parts: V3StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

test("languageModel returns an object of the interface that the AI SDK publishes", () => {
  const model: Published = languageModel(scriptedSession([]));
  expect(model.specificationVersion).toBe("v3");
});

test("every part of an answer carries the answer's id, which comes back in the next prompt", async () => {
  const session = scriptedSession([
    { reasoning: "hm", text: "let me see", calls: [{ name: "add", arguments: '{"a": 1}' }] },
    "done",
  ]);
  const model = languageModel(session);
  const first = await model.doGenerate({ prompt: [userMessage("1+1")], tools });
  expect(first.content.map(({ type }) => type)).toEqual(["reasoning", "text", "tool-call"]);
  expect(first.finishReason).toEqual({ unified: "tool-calls", raw: "tool-calls" });
  const content = first.content.map((part) =>
    part.type === "tool-call"
      ? { ...part, input: JSON.parse(part.input), providerOptions: part.providerMetadata }
      : { ...part, providerOptions: part.providerMetadata },
  );
  const toolCallId = session.answers[0]!.parts.flatMap((p) =>
    p.type === "tool-call" ? [p.id] : [],
  );
  await model.doGenerate({
    prompt: [
      { role: "system", content: "be brief" },
      userMessage("1+1"),
      { role: "assistant", content },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: toolCallId[0]!,
            toolName: "add",
            output: { type: "error-json", value: { no: 1 } },
          },
        ],
      },
    ],
    tools,
    toolChoice: { type: "tool", toolName: "add" },
    responseFormat: { type: "json", schema: { type: "object" } },
    maxOutputTokens: 9,
    stopSequences: ["END"],
  });
  const { messages, ...asked } = session.requests[1]!;
  expect(messages[0]).toEqual({ role: "system", parts: [{ type: "text", text: "be brief" }] });
  expect(messages[2]!.ids).toEqual([first.response.id]);
  expect(messages[3]!.parts).toEqual([
    { type: "tool-result", callId: toolCallId[0], name: "add", text: '{"no":1}', isError: true },
  ]);
  expect(asked).toEqual({
    tools: [{ name: "add", description: "adds", parameters: { type: "object" } }],
    toolChoice: { name: "add" },
    maxTokens: 9,
    stop: ["END"],
    json: { schema: { type: "object" } },
  });
});

test("each model warns once about a setting that its session does not obey, or that no session has", async () => {
  const scripted = scriptedSession(() => "yes");
  const session = { ...scripted, listIgnoredSettings: () => ["temperature", "json"] };
  const model = languageModel(session);
  const options = { prompt: [userMessage("?")], temperature: 0, topK: 3, presencePenalty: 1 };
  const listWarnedFeatures = async () =>
    (await model.doGenerate(options)).warnings.map(({ feature }) => feature);
  expect([await listWarnedFeatures(), await listWarnedFeatures()]).toEqual([
    ["presencePenalty", "temperature", "responseFormat"],
    [],
  ]);
  expect(scripted.requests[0]).toMatchObject({ temperature: 0, topK: 3 });
  const obedient = languageModel(
    scriptedSession(() => "yes"),
    { training: false },
  );
  const { warnings } = await obedient.doGenerate(options);
  expect(warnings.map(({ feature }) => feature)).toEqual(["presencePenalty"]);
});

test("a stream delivers the answer all at once in training, and piece by piece otherwise", async () => {
  const said = { reasoning: "hm", text: "some words", calls: [{ name: "add", arguments: "{}" }] };
  for (const training of [true, false]) {
    const model = languageModel(scriptedSession([said]), { training });
    const parts = await readStream(
      (await model.doStream({ prompt: [userMessage("?")], tools })).stream,
    );
    const deltas = parts.flatMap((p) => (p.type === "text-delta" ? [p.delta] : []));
    expect(deltas).toEqual(training ? ["some words"] : ["some", " wor", "ds"]);
    expect(parts.filter(({ type }) => type === "tool-call")).toHaveLength(1);
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: { unified: "tool-calls" } });
    const ends = parts.filter(({ type }) => type === "text-end" || type === "reasoning-end");
    expect(ends).toHaveLength(2);
    for (const end of ends) expect(end).toHaveProperty("providerMetadata.bowline.answer");
  }
});

test("an aborted call rejects with the signal's reason, and cancelling a stream stops sampling", async () => {
  const controller = new AbortController();
  let seen: AbortSignal | undefined;
  const session = scriptedSession((_, __, signal) => {
    seen = signal;
    return new Promise((resolve) => signal?.addEventListener("abort", () => resolve("late")));
  });
  const call = languageModel(session).doGenerate({
    prompt: [userMessage("?")],
    abortSignal: controller.signal,
  });
  controller.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  const { stream } = await languageModel(session, { training: false }).doStream({
    prompt: [userMessage("?")],
  });
  await stream.cancel();
  expect(seen?.aborted).toBe(true);
  expect(session.answers).toEqual([]);
});

test("files and tools that a provider runs are refused by name", async () => {
  const model = languageModel(scriptedSession([]));
  const file = [{ role: "user" as const, content: [{ type: "file" as const }] }];
  await expect(model.doGenerate({ prompt: file })).rejects.toThrow("a part of type file");
  const search = { type: "provider" as const, id: "openai.web_search", name: "web_search" };
  await expect(model.doGenerate({ prompt: [userMessage("?")], tools: [search] })).rejects.toThrow(
    "tool web_search: expected a function tool, got a tool that a provider runs (openai.web_search)",
  );
});
