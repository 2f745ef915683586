/**
 * Tests which settings of a request a session obeys, records and lists, and that template variables change the prompt.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { SampleRequest, SessionMessage, SessionRequest } from "../../spec/index.ts";
import { openTextDirectory } from "../../text/index.ts";
import { conversationRenderer } from "../tools/index.ts";
import { openSession, type SessionOptions } from "./index.ts";

const openModel = (name: string) => {
  const url = new URL(`../../../tests/golden/${name}`, import.meta.url);
  const { tokenizer, generation, chatTemplate } = openTextDirectory(fileURLToPath(url));
  const options = { template: chatTemplate(), tokenizer, stopIds: generation.stopIds };
  return { tokenizer, renderer: conversationRenderer(options) };
};
const qwen2 = openModel("hf-qwen2");
const userMessage = (text: string): SessionMessage => ({
  role: "user",
  parts: [{ type: "text", text }],
});

/** Opens a session of a policy that ends every answer at once. */
function openQuietSession(filtersSamples: boolean, options: Partial<SessionOptions> = {}) {
  const requests: SampleRequest[] = [];
  const session = openSession({
    ...{ id: "s", renderer: qwen2.renderer, stream: 5, temperature: 1, trains: true },
    limits: { maxTurns: 50, maxTurnTokens: 200, maxTokens: 4000 },
    policy: {
      kind: "tokens",
      filtersSamples,
      release: () => {},
      async sample(request) {
        requests.push(request);
        const tokens = [request.stopIds[0]!];
        return { tokens, logprobs: [-1], stop: "stop", policyVersion: 0 };
      },
    },
    ...options,
  });
  return { session, requests };
}

describe("settings that change the distribution", () => {
  const filters = { topP: 0.5, topK: 7, minP: 0.1 };
  const everything = {
    ...{ ...filters, temperature: 0.2, seed: 4, json: {} },
    templateVariables: { enable_thinking: false, mood: "calm" },
  };
  const ask = { messages: [userMessage("Count.")], ...everything };

  it("are obeyed by a session that does not train, if its policy has filters", async () => {
    const { session, requests } = openQuietSession(true, { trains: false });
    await session.respond(ask);
    expect(requests[0]).toMatchObject({ temperature: 0.2, filter: filters });
    expect(session.listIgnoredSettings(ask)).toEqual([
      "json",
      "templateVariables.enable_thinking",
      "templateVariables.mood",
    ]);
  });

  it("are listed by a session whose policy has no filters, unless they change nothing", async () => {
    const { session, requests } = openQuietSession(false, { trains: false });
    await session.respond(ask);
    expect(requests[0]!.filter).toBeUndefined();
    expect(session.listIgnoredSettings(ask).slice(0, 3)).toEqual(["topP", "topK", "minP"]);
    expect(session.listIgnoredSettings({ ...ask, ...filters, topP: 1, minP: 0 })).not.toContain(
      "topP",
    );
    expect(
      session.listIgnoredSettings({ messages: ask.messages, ...filters, temperature: 0 }),
    ).toEqual([]);
  });

  it("are recorded, listed and not obeyed by a session that trains", async () => {
    const { session, requests } = openQuietSession(true);
    await session.respond(ask);
    expect(requests[0]).toMatchObject({ temperature: 1 });
    expect(requests[0]!.filter).toBeUndefined();
    const listed = session.listIgnoredSettings(ask).slice(0, 5);
    expect(listed).toEqual(["temperature", "topP", "topK", "minP", "seed"]);
    const { temperature, seed } = everything;
    expect(session.record().requestedSampling).toEqual([{ ...filters, temperature, seed }]);
    expect(session.listIgnoredSettings({ messages: ask.messages, temperature: 1 })).toEqual([]);
  });

  it("must be numbers that a filter can have", async () => {
    const { session } = openQuietSession(true);
    for (const wrong of [{ topP: 1.5 }, { topK: 0 }, { minP: -1 }]) {
      const asked = session.respond({ messages: ask.messages, ...wrong });
      await expect(asked).rejects.toThrow(/^(topP|topK|minP): expected /);
    }
  });
});

it("template variables that the template reads change the prompt, and other values begin another conversation", async () => {
  const { renderer, tokenizer } = openModel("hf-qwen3");
  const { session } = openQuietSession(true, { renderer });
  const thinks = (enable_thinking: boolean): SessionRequest => ({
    messages: [userMessage("Go.")],
    templateVariables: { enable_thinking },
  });
  const promptOf = async (request: SessionRequest) =>
    tokenizer.decode((await session.respond(request)).tokens.prompt);
  expect(await promptOf(thinks(true))).toMatch(/assistant\n$/);
  expect(await promptOf(thinks(false))).toMatch(/<\/think>\n\n$/);
  expect(session.counters.roots).toBe(2);
  expect(session.listIgnoredSettings(thinks(false))).toEqual([]);
  expect(session.countTokens(thinks(false))).toBeGreaterThan(session.countTokens(thinks(true)));
});
