/** Tests that a gateway goes on answering while it works on one very long message, and that its answers stay the same. */
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { conversationRenderer, openSession } from "../../agent/index.ts";
import type { SampleRequest, TokenPolicy } from "../../spec/index.ts";
import { createBackgroundEncoder, openTextDirectory } from "../../text/index.ts";
import { type Gateway, openGateway } from "./gateway.ts";
import { createStatelessSession } from "./stateless-session.ts";

const opened: Gateway[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

const directory = openTextDirectory(
  fileURLToPath(new URL("../../../tests/golden/hf-qwen2", import.meta.url)),
);

/** A renderer with or without a thread. */
function createRenderer(hasThread: boolean) {
  return conversationRenderer({
    template: directory.chatTemplate(),
    tokenizer: directory.tokenizer,
    stopIds: directory.generation.stopIds,
    ...(hasThread && { encodeInBackground: createBackgroundEncoder(directory.tokenizerJson) }),
  });
}

/** A policy that answers with one stop token, and remembers what it was asked. */
function createStopPolicy(stopId: number) {
  const requests: SampleRequest[] = [];
  const policy = {
    kind: "tokens",
    sample: async (request: SampleRequest) => {
      requests.push(request);
      return { tokens: [stopId], logprobs: [-1], stop: "stop" as const, policyVersion: 0 };
    },
    release: () => {},
  } as unknown as TokenPolicy;
  return { policy, requests };
}

const limits = { maxTurns: Infinity, maxTurnTokens: 2 ** 30, maxTokens: 2 ** 30 };

function createSession(id: string, hasThread: boolean) {
  const renderer = createRenderer(hasThread);
  const { policy, requests } = createStopPolicy(renderer.stopIds[0]!);
  const open = (turn: number) =>
    openSession({
      ...{ id: `${id}-${turn}`, policy, renderer, limits, stream: 1, temperature: 1 },
      trains: false,
    });
  return { open, requests };
}

const userMessage = (text: string) => ({
  role: "user" as const,
  parts: [{ type: "text" as const, text }],
});

/** A million characters that take long, because nothing in them separates pieces. */
const VERY_LONG = "\u00e9ab ".repeat(50_000) + "a".repeat(800_000);
const LONG = VERY_LONG.slice(100_000, 300_000);

describe("a gateway", () => {
  test.each([
    ["v1/chat/completions", "messages", { model: "m" }],
    ["anthropic/v1/messages", "messages", { model: "m", max_tokens: 4 }],
    ["anthropic/v1/messages/count_tokens", "messages", { model: "m" }],
  ])("answers small requests while a large one is worked on: %s", async (path, field, body) => {
    const gateway = await openGateway();
    opened.push(gateway);
    const { open } = createSession("s", true);
    const { key } = gateway.open(createStatelessSession(open));
    const post = async (text: string) => {
      const start = performance.now();
      const response = await fetch(`${gateway.url}/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ ...body, [field]: [{ role: "user", content: text }] }),
      });
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
      return performance.now() - start;
    };
    await post("hello");
    let isRunning = true;
    const large = post(VERY_LONG).finally(() => {
      isRunning = false;
    });
    const times: number[] = [];
    while (isRunning) times.push(await post("hello"));
    const largeMs = await large;
    expect(times.length).toBeGreaterThan(3);
    expect(Math.max(...times)).toBeLessThan(largeMs / 3);
  });
});

describe("a session with a thread", () => {
  test("asks for the same tokens in the same order as one without", async () => {
    const texts = ["one", LONG, LONG, "two", "two", `<|im_end|>${LONG}<|im_start|>`, "three", LONG];
    const ask = async (hasThread: boolean) => {
      const { open, requests } = createSession("same", hasThread);
      const session = open(0);
      await Promise.all(texts.map((text) => session.respond({ messages: [userMessage(text)] })));
      return requests.map(({ tokens, stream, cacheKey }) => {
        const digest = tokens.reduce((sum, id) => (Math.imul(sum, 31) + id) | 0, 7);
        return { length: tokens.length, digest, stream, cacheKey };
      });
    };
    const [plain, threaded] = [await ask(false), await ask(true)];
    expect(threaded).toEqual(plain);
    expect(new Set(plain.map(({ stream }) => stream)).size).toBe(texts.length);
  });

  test("a session that is closed meanwhile refuses the request", async () => {
    const session = createSession("closed", true).open(0);
    const answer = session.respond({ messages: [userMessage(LONG)] });
    session.close();
    await expect(answer).rejects.toMatchObject({ reason: "closed" });
  });

  test("a limit of turns holds for requests that wait", async () => {
    const renderer = createRenderer(true);
    const { policy } = createStopPolicy(renderer.stopIds[0]!);
    const session = openSession({
      ...{ id: "limited", policy, renderer, stream: 1, temperature: 1, trains: true },
      limits: { ...limits, maxTurns: 2 },
    });
    const answers = await Promise.allSettled(
      [LONG, LONG, "short", LONG].map((text) => session.respond({ messages: [userMessage(text)] })),
    );
    expect(answers.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
  });
});
