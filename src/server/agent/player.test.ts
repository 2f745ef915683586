/** Tests how an episode of an agent can end, one test for each row of the table in docs/agents.md. */
import { describe, expect, it } from "vitest";
import { compactScaffold, conversationRenderer, type RolloutOptions } from "../../agent/index.ts";
import type { AgentSession, Policy } from "../../spec/index.ts";
import { fakeTask, fakeWorld } from "../../testing/index.ts";
import {
  CHAT_TOKENS,
  createNewModelText,
  defaultChatFormat,
  trainTokenizer,
} from "../../text/index.ts";
import type { Config } from "../../train/index.ts";
import { createEpisodePlayer, type RunEpisode } from "./player.ts";
import { toEvaluation } from "./reward.ts";
import type { EpisodeCeilings } from "./watch-episode.ts";

const json = trainTokenizer(["yes"], {
  vocabularySize: 300,
  minimumCount: 2,
  specials: CHAT_TOKENS,
});
const text = createNewModelText(json, defaultChatFormat(256));
const renderer = conversationRenderer({
  template: text.chatTemplate(),
  tokenizer: text.tokenizer,
  stopIds: text.generation.stopIds,
});
const yes = renderer.answer({ role: "assistant", parts: [{ type: "text", text: "yes" }] });
const FREE: EpisodeCeilings = { seconds: 10, tokens: null, cost: null };

const createPolicy = (ids: readonly number[] = yes): Policy => ({
  kind: "tokens",
  sample: async ({ maxTokens }) => {
    const tokens = ids.slice(0, maxTokens);
    const stop = tokens.length === ids.length ? "stop" : "length";
    return { tokens, logprobs: tokens.map(() => -0.5), stop, policyVersion: 3 };
  },
  release: () => {},
});
const ask = (session: AgentSession, words = "well?") =>
  session.respond({ messages: [{ role: "user", parts: [{ type: "text", text: words }] }] });

function playEpisode(
  run: RunEpisode,
  {
    ceilings = {},
    ...options
  }: Partial<RolloutOptions> & { ceilings?: Partial<EpisodeCeilings> } = {},
) {
  const limits = { maxTurns: 3, maxTurnTokens: 8, maxTokens: 64 } as Config["scaffold"];
  return createEpisodePlayer({ renderer, limits, ceilings: { ...FREE, ...ceilings }, run })(
    fakeWorld(),
    fakeTask(),
    {
      policy: createPolicy(),
      scaffold: compactScaffold(),
      ...{ id: "1/0/0", index: 0, stream: 7, temperature: 1 },
      ...options,
    },
  );
}
const runForReward =
  (reward: unknown): RunEpisode =>
  async (_, __, session) => {
    await ask(session);
    return toEvaluation(reward);
  };

describe("an episode of an agent", () => {
  it("gets the reward that the agent's function returns, and the sampled tokens as its row", async () => {
    const rollout = await playEpisode(runForReward({ reward: 0.5, metrics: { steps: 2 } }));
    expect(rollout).toMatchObject({
      version: 2,
      outcome: "finished",
      policyVersion: 3,
      evaluation: { passed: false, finished: true, reward: 0.5, metrics: { steps: 2 } },
      session: { answers: 1, roots: 1, retries: 0, branches: 0, edits: 0, illFormed: 0 },
    });
    const { ids, mask } = rollout.tokens!;
    expect(ids.filter((_, i) => mask[i] === 1)).toEqual(yes);
    expect((await playEpisode(runForReward(1))).evaluation!.passed).toBe(true);
  });

  it.each([
    [undefined, "no-reward", /return a number from 0 to 1/],
    [1.5, "bad-reward", /expected a number from 0 to 1, got 1.5/],
    [Number.NaN, "bad-reward", /got NaN/],
    [{ reward: 1, metrics: { x: "1" } }, "bad-reward", /metrics.x: expected a finite number/],
  ])("fails when the reward is %j", async (said, code, message) => {
    const { outcome, failure, evaluation } = await playEpisode(runForReward(said));
    expect(outcome).toBe("failed");
    expect(failure).toMatchObject({ boundary: "agent", code });
    expect(failure!.message).toMatch(message);
    expect(evaluation).toBeUndefined();
  });

  it("fails when the agent throws, and keeps the reason and the turns until then", async () => {
    const rollout = await playEpisode(async (_, __, session) => {
      await ask(session);
      throw new TypeError("no such key");
    });
    const failure = { boundary: "agent", code: "TypeError", message: "no such key" };
    expect(rollout).toMatchObject({ outcome: "failed", failure });
    expect(rollout.turns).toHaveLength(1);
  });

  it("fails at the policy when the sampler fails, even if the agent catches the error", async () => {
    const policy: Policy = {
      kind: "tokens",
      sample: () => Promise.reject(new Error("the engine died")),
      release: () => {},
    };
    const calm: RunEpisode = async (_, __, session) => {
      await ask(session).catch(() => {});
      return toEvaluation(1);
    };
    const { outcome, failure } = await playEpisode(calm, { policy });
    expect(outcome).toBe("failed");
    expect(failure).toMatchObject({ boundary: "policy", message: "the engine died" });
  });

  it("gets reward 0 when the policy uses up its answers or tokens, unless the agent still returns a reward", async () => {
    const endless: RunEpisode = async (_, __, session) => {
      for (let i = 0; ; i++) await ask(session, `again ${i}`);
    };
    const unpaid = { evaluation: { passed: false, finished: false, reward: 0 } };
    expect(await playEpisode(endless)).toMatchObject({ outcome: "turn-limit", ...unpaid });
    const tokens = { ceilings: { tokens: yes.length } };
    expect(await playEpisode(endless, tokens)).toMatchObject({ outcome: "token-limit", ...unpaid });
    const prices = { prefillPrice: 0, cachedPrice: null, samplePrice: 1e6, trainPrice: 0 };
    const cost = { ceilings: { cost: { maxCost: 1, prices } } };
    expect(await playEpisode(endless, cost)).toMatchObject({ outcome: "token-limit", ...unpaid });
    const paid: RunEpisode = async (...given) => {
      await endless(...given).catch(() => {});
      return toEvaluation(1);
    };
    expect((await playEpisode(paid)).evaluation!.reward).toBe(1);
  });

  it("fails at the agent when the first request does not fit into the context", async () => {
    const long: RunEpisode = async (_, __, session) => {
      await ask(session, "x".repeat(300));
      return toEvaluation(1);
    };
    expect(await playEpisode(long)).toMatchObject({
      outcome: "failed",
      failure: { boundary: "agent" },
    });
  });

  it("fails when it takes too long, even if the agent ignores the signal", async () => {
    const slow: RunEpisode = () => new Promise(() => {});
    const { outcome, failure } = await playEpisode(slow, { ceilings: { seconds: 0.05 } });
    expect(outcome).toBe("failed");
    expect(failure).toMatchObject({ boundary: "agent", code: "time" });
  });

  it("is cancelled when the run is cancelled", async () => {
    const stop = new AbortController();
    const waiting: RunEpisode = () => {
      stop.abort();
      return new Promise(() => {});
    };
    const { outcome, failure } = await playEpisode(waiting, { signal: stop.signal });
    expect([outcome, failure]).toEqual(["cancelled", undefined]);
  });
});
