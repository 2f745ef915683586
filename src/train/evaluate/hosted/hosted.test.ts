import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compactScaffold } from "../../../agent/index.ts";
import type { RolloutLimits } from "../../../spec/index.ts";
import {
  type ChatServerReply,
  type ChatServerRequest,
  startChatServer,
} from "../../../testing/chat-server.ts";
import { fakeMakers } from "../../../testing/fake-makers.ts";
import type { MakeScaffold } from "../../parts/agent.ts";
import { evaluateWith } from "../evaluate.ts";
import type { EvaluateOptions } from "../evaluate-options.ts";
import type { HostedOptions } from "./hosted-options.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "bowline-hosted-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const scoreHosted = (hosted: HostedOptions, extra: Partial<EvaluateOptions> = {}) =>
  evaluateWith(fakeMakers(), {
    policy: "hosted:some-model",
    split: "dev",
    scenarios: 2,
    scaffold: "compact",
    hosted,
    ...extra,
  });
const alwaysAnswer = (word: string) => () => word;
const readInstruction = ({ body }: ChatServerRequest) => body.messages[0]!.content;

describe("a hosted model", () => {
  it("is evaluated like any policy, and its tokens are counted and priced", async () => {
    await using server = await startChatServer(alwaysAnswer("yes"));
    const prices = { input: 2, cached: 1, output: 10 };
    const { score, hosted, policy } = await scoreHosted({
      baseUrl: server.baseUrl,
      apiKey: "secret",
      prices,
    });
    expect([policy, score.tgc, score.tasks]).toEqual(["hosted:some-model", 1, 6]);
    expect(hosted).toEqual({
      requests: 6,
      retries: 0,
      refused: 0,
      input: 600,
      cached: 240,
      output: 60,
      reasoning: 18,
      cost: (360 * 2 + 240 * 1 + 60 * 10) / 1e6,
    });
    expect(server.requests[0]).toMatchObject({
      headers: { authorization: "Bearer secret" },
      body: { model: "some-model", temperature: 0, max_tokens: 96 },
    });
  });

  it("can be evaluated with the user's own scaffold, and then has the limits of react", async () => {
    await using server = await startChatServer(alwaysAnswer("yes"));
    const seen: RolloutLimits[] = [];
    const scaffold: MakeScaffold = (limits) => {
      seen.push(limits);
      return { ...compactScaffold(limits), name: "mine" };
    };
    const result = await scoreHosted({ baseUrl: server.baseUrl }, { scaffold });
    expect(result).toMatchObject({ scaffold: "mine", world: "everyday/starter" });
    expect(seen[0]).toEqual({ maxTurns: 40, maxTurnTokens: 1500, maxTokens: 32_000 });
    expect(server.requests[0]!.body).toMatchObject({ max_tokens: 1500 });
  });

  it("is asked for at most maxTurns answers in each task", async () => {
    await using server = await startChatServer(alwaysAnswer("hm"));
    const { score } = await scoreHosted({ baseUrl: server.baseUrl, maxTurns: 2 });
    expect([score.tgc, server.requests.length]).toEqual([0, 6 * 2]);
  });

  it("gets the output of its code as messages of the user", async () => {
    await using server = await startChatServer(({ body }) =>
      body.messages.length > 1 ? "yes" : "hm",
    );
    const { score } = await scoreHosted({ baseUrl: server.baseUrl });
    expect(score.tgc).toBe(1);
    expect(
      server.requests.at(-1)!.body.messages.map(({ role, content }) => [role, content]),
    ).toEqual([
      ["user", expect.stringMatching(/^Do it \d\.$/)],
      ["assistant", "hm"],
      ["user", "what?"],
    ]);
  });

  it("is asked again when it is busy, after the pause that the server demands", async () => {
    const faults: ChatServerReply[] = [
      { status: 503 },
      { status: 429, headers: { "retry-after-ms": "30" }, body: { error: { message: "slow" } } },
    ];
    await using server = await startChatServer((_, count) => faults[count - 1] ?? "yes");
    const { score, hosted } = await scoreHosted({ baseUrl: server.baseUrl, concurrency: 1 });
    expect([score.tgc, hosted?.requests, hosted?.retries]).toEqual([1, 6, 2]);
  });

  it("stops the evaluation after the configured number of attempts, and reports the server's message", async () => {
    await using server = await startChatServer(() => ({
      status: 500,
      body: { error: "out of memory" },
    }));
    await expect(
      scoreHosted({ baseUrl: server.baseUrl, attempts: 2, concurrency: 1 }),
    ).rejects.toThrow("some-model: status 500: out of memory");
    expect(server.requests).toHaveLength(2);
  });

  it("stops the evaluation at once when every further request would fail too", async () => {
    await using server = await startChatServer(() => ({
      status: 401,
      body: { error: { code: "invalid_api_key", message: "No such key." } },
    }));
    await expect(scoreHosted({ baseUrl: server.baseUrl, concurrency: 1 })).rejects.toThrow(
      "some-model: status 401: invalid_api_key: No such key.",
    );
    expect(server.requests).toHaveLength(1);
  });

  it("does not receive fields that its server rejects as unsupported", async () => {
    const unsupported = (param: string): ChatServerReply => ({
      status: 400,
      body: { error: { message: `Unsupported parameter: '${param}'`, param } },
    });
    await using server = await startChatServer(({ body }) => {
      if ("max_tokens" in body) return unsupported("max_tokens");
      return "temperature" in body ? unsupported("temperature") : "yes";
    });
    const { score, hosted } = await scoreHosted({ baseUrl: server.baseUrl, concurrency: 1 });
    expect([score.tgc, hosted?.requests, server.requests.length]).toEqual([1, 6, 8]);
    expect(server.requests.at(-1)!.body).toMatchObject({ max_completion_tokens: 96 });
  });

  it("a prompt that is too long or refused ends its rollout, whose state is then scored", async () => {
    await using server = await startChatServer((asked) => {
      if (readInstruction(asked) === "Do it 1.") {
        return { status: 400, body: { error: { code: "context_length_exceeded", message: "" } } };
      }
      if (readInstruction(asked) === "Do it 2.") {
        return { status: 400, body: { error: { message: "content policy" } } };
      }
      return "yes";
    });
    const { score, rollouts, hosted } = await scoreHosted({
      baseUrl: server.baseUrl,
      concurrency: 1,
    });
    expect(score.tgc).toBeCloseTo(4 / 6, 12);
    expect(rollouts.map(({ outcome }) => outcome)).toEqual([
      "finished",
      "token-limit",
      "token-limit",
      "finished",
      "finished",
      "finished",
    ]);
    expect(hosted).toMatchObject({ requests: 4, refused: 1 });
  });
});

describe("the folder of a hosted evaluation", () => {
  it("keeps the finished rollouts when a ceiling stops the evaluation, and repeats none of them", async () => {
    await using server = await startChatServer(alwaysAnswer("yes"));
    const out = join(root, "ceiling");
    const prices = { input: 0, output: 100_000 };
    const hosted = { baseUrl: server.baseUrl, out, prices, concurrency: 1 };
    await expect(scoreHosted({ ...hosted, ceiling: 3 })).rejects.toMatchObject({
      code: "budget",
      message: expect.stringMatching(/^3 of the ceiling of 3 has been spent; .* continues/),
    });
    expect(server.requests).toHaveLength(3);
    const whole = await scoreHosted({ ...hosted, ceiling: 100 });
    expect([whole.score.tgc, whole.score.tasks, server.requests.length]).toEqual([1, 6, 6]);
    expect(whole.hosted).toMatchObject({ requests: 6, output: 60 });
    expect(JSON.parse(readFileSync(join(out, "score.json"), "utf8"))).toMatchObject({ tgc: 1 });
    expect((await scoreHosted(hosted)).score.tgc).toBe(1);
    expect(server.requests).toHaveLength(6);
  });

  it("is rejected, with the fields that differ, if it holds another evaluation or other files", async () => {
    await using server = await startChatServer(alwaysAnswer("yes"));
    const out = join(root, "other");
    const hosted = { baseUrl: server.baseUrl, out };
    await scoreHosted(hosted);
    await expect(scoreHosted(hosted, { seed: 7 })).rejects.toThrow(
      /worldSeed \(there 1, now 7\)|seed \(there 1, now 7\)/,
    );
    await expect(scoreHosted({ ...hosted, out: root })).rejects.toThrow("holds no evaluation");
    expect(existsSync(join(root, "eval.json"))).toBe(false);
  });
});

describe("a language model object", () => {
  const usage = {
    inputTokens: { total: 9, cacheRead: 4 },
    outputTokens: { total: 2, reasoning: 1 },
  };

  it("can be evaluated as a hosted model", async () => {
    const prompts: unknown[] = [];
    const model = {
      specificationVersion: "v3",
      modelId: "mine",
      doGenerate: async ({ prompt }: { prompt: readonly unknown[] }) => {
        prompts.push(prompt);
        return {
          content: [
            { type: "reasoning", text: "?" },
            { type: "text", text: "yes" },
          ],
          usage,
        };
      },
    };
    const { policy, score, hosted } = await scoreHosted({}, { policy: model });
    expect([policy, score.tgc]).toEqual(["hosted:mine", 1]);
    expect(hosted).toMatchObject({ requests: 6, input: 54, cached: 24, output: 12, reasoning: 6 });
    expect(prompts[0]).toEqual([
      { role: "user", content: [{ type: "text", text: expect.stringMatching(/^Do it/) }] },
    ]);
  });

  it("is asked again when its error says that it is busy", async () => {
    let calls = 0;
    const model = {
      specificationVersion: "v2",
      modelId: "mine",
      doGenerate: async () => {
        if (++calls === 1) throw Object.assign(new Error("busy"), { statusCode: 529 });
        return { content: [{ type: "text", text: "yes" }], usage: { inputTokens: 5 } };
      },
    };
    const { hosted } = await scoreHosted({ concurrency: 1 }, { policy: model });
    expect(hosted).toMatchObject({ requests: 6, retries: 1, input: 30 });
  });
});

describe("wrong options of a hosted model are rejected before any request:", () => {
  const scoreWithWrongOptions = (hosted: object, extra?: object) =>
    scoreHosted(hosted as HostedOptions, extra);

  it.each([
    [{}, /hosted:some-model needs the address of an OpenAI-compatible server/],
    [{ baseUrl: "localhost:8080" }, /baseUrl: expected the address/],
    [{ baseUrl: "http://127.0.0.1:1/v1", ceiling: 3 }, /ceiling: expected prices too/],
    [{ baseUrl: "http://127.0.0.1:1/v1", concurrency: 0 }, /concurrency: expected a whole number/],
    [{ baseUrl: "http://127.0.0.1:1/v1", maxTurns: 0 }, /^maxTurns: expected a whole number/],
    [
      { baseUrl: "http://127.0.0.1:1/v1", requestsPerMinute: 0 },
      /requestsPerMinute: expected a positive number, got 0/,
    ],
    [{ baseURL: "http://127.0.0.1:1/v1" }, /baseURL.*baseUrl/],
  ])("%j", async (hosted, message) => {
    await expect(scoreWithWrongOptions(hosted)).rejects.toThrow(message);
  });

  it("options of a hosted model, given with another policy", async () => {
    await expect(
      scoreWithWrongOptions({ baseUrl: "http://x/v1" }, { policy: "noop" }),
    ).rejects.toThrow("hosted.baseUrl: noop is not a hosted model");
  });
});
