/** Tests loaded policies: the policy of a fake run with markers, and a published model with its chat template. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createInlineEngine } from "../../../tests/support/inline-engine.ts";
import { writeInstructModel } from "../../../tests/support/instruct-model.ts";
import { compactRenderer } from "../../agent/index.ts";
import type { OnnxEngineOptions } from "../../engine/index.ts";
import type { Engine, Message, SampleRequest, SessionRequest } from "../../spec/index.ts";
import { byteTokenizer } from "../../testing/byte-tokenizer.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import { fakeWorld } from "../../testing/fake-world.ts";
import { evaluateWith } from "../evaluate/evaluate.ts";
import type { Makers } from "../parts/makers.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";
import { createGenerator } from "./generate.ts";
import { loadPolicyWith } from "./load-policy.ts";

let root: string;
let run: string;
let folder: string;
beforeAll(async () => {
  root = createMemoryFolder("bowline-policy-");
  run = join(root, "run");
  folder = writeInstructModel(join(root, "instruct"));
  const overrides = { ...FAKE_RUN, "warm.hastyShare": 0, "algo.iterations": 0 };
  const config = resolveConfig({
    recipe: "smoke",
    overrides: { ...overrides, "evaluation.scenarios": 1, "tokenizer.vocabularySize": 270 },
  });
  await trainWith(fakeMakers(), config, { out: run });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The requests that the embedded engine received. */
const requests: SampleRequest[] = [];
const released: string[] = [];
const makersWithRealEngine: Makers = {
  ...fakeMakers(),
  createEngine: async (_, request) => {
    const { model, seed, weights } = request;
    const options = { model, seed, threads: 1, weights } as OnnxEngineOptions;
    const engine = await createInlineEngine(options);
    return {
      ...engine,
      sample: (asked: readonly SampleRequest[], signal?: AbortSignal) => {
        requests.push(...asked);
        return engine.sample(asked, signal);
      },
      release: (key: string) => {
        released.push(key);
        engine.release(key);
      },
    };
  },
};

const HELLO: Message[] = [{ role: "user", content: "Hello, who are you?" }];

describe("a run's policy", () => {
  it("acts with the same tokens as in an evaluation, and returns reward and checks", async () => {
    await using policy = await loadPolicyWith(fakeMakers(), run);
    expect([policy.scaffold, policy.world, policy.notes]).toEqual(["compact", "toy", []]);
    const { rollouts } = await evaluateWith(fakeMakers(), {
      policy: run,
      split: "dev",
      scenarios: 1,
    });
    const turns: string[] = [];
    for (const world of ["toy", fakeWorld()]) {
      const act = await policy.act(world, rollouts[1]!.task, {
        onTurn: ({ code }) => void turns.push(code),
      });
      expect(act.rollout.tokens).toEqual(rollouts[1]!.tokens);
      expect(act).toMatchObject({ reward: 1, passed: true });
      expect(act.checks).toEqual(rollouts[1]!.evaluation!.checks);
      expect(turns.splice(0)).toEqual(act.rollout.turns.map(({ code }) => code));
    }
  });

  it("answers between its markers, and reads a message after an answer as the output of its code", async () => {
    await using policy = await loadPolicyWith(fakeMakers(), run);
    const { rollout } = await policy.act("toy", "dev/0/1");
    const task: Message = { role: "user", content: rollout.task.instruction };
    const first = await policy.generate([task]);
    expect([first.text, first.stop]).toEqual([rollout.turns[0]!.message, "stop"]);
    expect(first.ids).toEqual(rollout.tokens!.ids.slice(...rollout.turns[0]!.span!));
    const later = await policy.generate([
      task,
      { role: "assistant", content: first.text },
      { role: "user", content: rollout.turns[0]!.observation },
    ]);
    expect(later.promptTokens).toBeGreaterThan(first.promptTokens);
  });

  it("can be loaded from a checkpoint, and a folder without one is rejected", async () => {
    const policy = await loadPolicyWith(fakeMakers(), join(run, "checkpoints", "final"));
    await policy.close();
    await policy.close();
    await expect(loadPolicyWith(fakeMakers(), root)).rejects.toThrow(/holds no checkpoint/);
    await expect(loadPolicyWith(fakeMakers(), join(root, "none"))).rejects.toThrow(
      /unknown policy .*none: expected a run directory, a checkpoint of a run, .*a PEFT folder/,
    );
    await expect(loadPolicyWith(fakeMakers(), "noop")).rejects.toThrow(
      /noop is a script without weights: expected a run directory/,
    );
  });

  it("cannot be loaded with a scaffold that needs a chat template, or with an unknown scaffold", async () => {
    await expect(loadPolicyWith(fakeMakers(), run, { scaffold: "fenced" })).rejects.toThrow(
      /scaffold.name: fenced needs the tokenizer and the chat template of a published model/,
    );
    await expect(loadPolicyWith(fakeMakers(), run, { scaffold: "fence" })).rejects.toThrow(
      /scaffold.name: expected compact, compact-tools, fenced, react, tools, agent .* \(did you mean fenced\?\)/,
    );
  });

  it("names an unknown task or world, or a wrong option, in an error", async () => {
    await using policy = await loadPolicyWith(fakeMakers(), run);
    await expect(policy.act("toy", "dev/x/1")).rejects.toMatchObject({ code: "config" });
    await expect(policy.act("toi", "dev/0/1")).rejects.toThrow(/did you mean toy/);
    await expect(policy.act("toy", "dev/0/1", { seed: -1 })).rejects.toThrow(/seed: expected/);
    const wrong: [readonly unknown[], object, RegExp][] = [
      [[], {}, /generate: expected a list of messages/],
      [[{ role: "person", content: "" }], {}, /messages.0.role: expected system, user/],
      [[{ role: "user", content: 5 }], {}, /messages.0.content: expected a string, got 5/],
      [[{ role: "assistant", content: "I" }], {}, /the last message is the assistant's/],
      [HELLO, { maxTokens: 0 }, /maxTokens: expected a whole number from 1/],
      [HELLO, { temperature: -1 }, /temperature: expected a number of at least 0/],
      [HELLO, { tokens: 5 }, /options of generate\(\): expected .* got "tokens"/],
    ];
    for (const [messages, options, message] of wrong) {
      await expect(policy.generate(messages as Message[], options)).rejects.toThrow(message);
    }
  });

  it("opens sessions with its markers, in which there are no tools", async () => {
    await using policy = await loadPolicyWith(fakeMakers(), run);
    const session = policy.session();
    const messages = [{ role: "user", parts: [{ type: "text", text: "Say it." }] }] as const;
    const { parts, tokens } = await session.respond({ messages, maxTokens: 4 });
    expect([parts.length <= 1, tokens.ids.length > 0]).toEqual([true, true]);
    const tools = [{ name: "look", parameters: {} }];
    await expect(session.respond({ messages, tools })).rejects.toThrow(/no known form for tools/);
    session.close();
  });

  it("returns a cancelled rollout without a reward when its signal is aborted", async () => {
    await using policy = await loadPolicyWith(fakeMakers(), run);
    const act = await policy.act("toy", "dev/0/1", { signal: AbortSignal.abort() });
    expect([act.rollout.outcome, act.reward, act.passed]).toEqual(["cancelled", undefined, false]);
  });
});

describe("a published model", () => {
  it("notes which scaffold was chosen, and acts with it in its own chat template", async () => {
    const short = writeInstructModel(join(root, "short"), 1000);
    await using policy = await loadPolicyWith(makersWithRealEngine, short);
    expect(policy.scaffold).toBe("fenced");
    expect(policy.notes[0]).toMatch(
      /^using scaffold fenced, because the model has a chat template, 27k par/,
    );
    expect(policy.info.contextLength).toBe(1000);
    const { rollout, reward } = await policy.act("toy", "dev/0/1", { temperature: 1, seed: 3 });
    expect(rollout.turns.length).toBeGreaterThan(0);
    expect(rollout.turns[0]!.observation).not.toBe("");
    expect(reward).toBe(0);
  });

  it("answers the user's agent in sessions, with the temperature and seed of its requests", async () => {
    await using policy = await loadPolicyWith(makersWithRealEngine, folder);
    const messages = [{ role: "user", parts: [{ type: "text", text: "Hello, who are you?" }] }];
    const sampleAnswer = async (temperature: number) => {
      const session = policy.session();
      const request = { messages, maxTokens: 12, seed: 5, temperature };
      const { tokens } = await session.respond(request as SessionRequest);
      session.close();
      return tokens;
    };
    const greedy = await sampleAnswer(0);
    const said = await policy.generate(HELLO, { maxTokens: 12, temperature: 0 });
    expect(greedy.ids).toEqual(said.ids);
    const drawn = await sampleAnswer(1);
    expect(drawn.ids).not.toEqual(greedy.ids);
    expect(await sampleAnswer(1)).toEqual(drawn);
  });

  it("generates the same answer for the same seed, in one go or piece by piece", async () => {
    await using policy = await loadPolicyWith(makersWithRealEngine, folder);
    const options = { maxTokens: 30, temperature: 1, seed: 5 };
    requests.length = 0;
    const whole = await policy.generate(HELLO, options);
    expect(requests.length).toBe(1);
    expect(whole.ids.length).toBe(whole.logprobs.length);
    expect(whole.promptTokens).toBe(requests[0]!.tokens.length);
    let text = "";
    const pieces = await policy.generate(HELLO, {
      ...options,
      onText: (more) => {
        text += more;
      },
    });
    expect(requests.length).toBeGreaterThan(4);
    expect(pieces).toEqual(whole);
    expect(text).toBe(whole.text);
    expect((await policy.generate(HELLO, { ...options, seed: 6 })).ids).not.toEqual(whole.ids);
  });

  it("keeps the cached prefix of one conversation in the engine and releases the others", async () => {
    await using policy = await loadPolicyWith(makersWithRealEngine, folder);
    requests.length = 0;
    released.length = 0;
    const options = { maxTokens: 4 };
    const { text } = await policy.generate(HELLO, options);
    const next: Message[] = [
      ...HELLO,
      { role: "assistant", content: text },
      { role: "user", content: "Why?" },
    ];
    await policy.generate(next, options);
    expect(new Set(requests.map(({ cacheKey }) => cacheKey)).size).toBe(1);
    await Promise.all([policy.generate(HELLO, options), policy.generate(next, options)]);
    expect(new Set(requests.map(({ cacheKey }) => cacheKey)).size).toBe(2);
    expect(released.length).toBe(1);
  });

  it("ends an answer where its context ends, and rejects messages that do not fit into the context", async () => {
    const small = writeInstructModel(join(root, "small"), 64);
    await using policy = await loadPolicyWith(makersWithRealEngine, small);
    const { ids, promptTokens, stop } = await policy.generate([{ role: "user", content: "Hi" }], {
      maxTokens: 1000,
      temperature: 1,
    });
    if (stop === "length") expect(promptTokens + ids.length).toBe(64);
    const long: Message = { role: "user", content: "word ".repeat(100) };
    await expect(policy.generate([long])).rejects.toThrow(
      /generate: the messages are \d+ tokens, and the context of 64 leaves no room/,
    );
  });

  it("returns what was sampled so far when it is cancelled", async () => {
    await using policy = await loadPolicyWith(makersWithRealEngine, folder);
    const signal = AbortSignal.abort();
    expect(await policy.generate(HELLO, { signal })).toMatchObject({ stop: "cancelled" });
  });
});

it("passes a character to onText only when all its bytes are sampled", async () => {
  const tokenizer = byteTokenizer();
  const answer = [...tokenizer.encode("aé\u{1f600}!")];
  const left = [...answer];
  const engine: Pick<Engine, "sample" | "release" | "info"> = {
    info: {} as Engine["info"],
    sample: async ([request]) => [
      {
        tokens: left.splice(0, request!.maxTokens),
        logprobs: Array.from({ length: Math.min(request!.maxTokens, 4) }, () => -1),
        stop: "length",
        policyVersion: 0,
      },
    ],
    release: () => {},
  };
  const renderer = compactRenderer(tokenizer);
  const generate = createGenerator(engine, renderer, { temperature: 0, contextLength: 100 });
  const pieces: string[] = [];
  const { text } = await generate(HELLO, {
    maxTokens: answer.length,
    onText: (more) => void pieces.push(more),
  });
  expect(text).toBe("aé\u{1f600}!");
  expect(pieces).toEqual(["aé", "\u{1f600}!"]);
});
