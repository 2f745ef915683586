/** States the rules of a rollout as numbered tests. A change here changes what a stored rollout means. */
import { describe, expect, test } from "vitest";
import { BowlineError } from "../core/index.ts";
import { type Policy, type Rollout, rolloutSchema, type StepResult } from "../spec/index.ts";
import { byteTokenizer } from "../testing/byte-tokenizer.ts";
import {
  type FakeEpisodeOptions,
  fakeEpisode,
  fakeStepResult,
  fakeTask,
} from "../testing/fake-episode.ts";
import {
  scriptedLogprob,
  scriptedPolicy,
  scriptedTokenPolicy,
} from "../testing/scripted-policy.ts";
import {
  type CompactLimits,
  compactRenderer,
  compactScaffold,
  type RolloutOptions,
  runRollout,
  runTask,
} from "./index.ts";

const tokenizer = byteTokenizer();
const renderer = compactRenderer(tokenizer);
const [TASK, CODE, RUN] = ["<|task|>", "<|code|>", "<|run|>"].map((name) =>
  tokenizer.special(name),
) as [number, number, number];
const encodeBytes = (text: string) => [...tokenizer.encode(text)];

interface Setup extends FakeEpisodeOptions {
  readonly script?: readonly string[];
  readonly limits?: Partial<CompactLimits>;
  readonly options?: Partial<RolloutOptions>;
}

/** Runs a rollout of a scripted token policy. */
async function runScripted({
  script = ["a", "finish"],
  limits = {},
  options = {},
  ...rest
}: Setup = {}) {
  const scripted = scriptedTokenPolicy(script, renderer);
  const episode = fakeEpisode(rest);
  const rollout = await runRollout({
    policy: scripted.policy,
    episode,
    scaffold: compactScaffold(limits),
    renderer,
    id: "3/1/2",
    index: 2,
    stream: 77,
    temperature: 1,
    ...options,
  });
  return { ...scripted, episode, rollout };
}

function decodeSampledTurns({ tokens, turns }: Rollout): string[] {
  return turns.map(({ span }) => tokenizer.decode(tokens!.ids.slice(...span!)));
}

describe("the token row", () => {
  test("1. a row is prompt, sampled turn, observation, sampled turn, ... and ends with a sampled token", async () => {
    const { rollout } = await runScripted();
    const expected = [
      [0, TASK, ...encodeBytes("Finish."), CODE],
      [1, ...encodeBytes("a"), RUN],
      [0, ...encodeBytes("ran a\n"), CODE],
      [1, ...encodeBytes("finish"), RUN],
    ] as const;
    expect(rollout.tokens!.ids).toEqual(expected.flatMap(([, ...ids]) => ids));
    expect(rollout.tokens!.mask).toEqual(expected.flatMap(([m, ...ids]) => ids.map(() => m)));
  });

  test("2. the mask is 1 exactly on sampled tokens, which the spans of the turns name", async () => {
    const { rollout } = await runScripted();
    const spans = rollout.turns.map(({ span }) => span!);
    expect(spans).toEqual([
      [9, 11],
      [18, 25],
    ]);
    const inSpan = rollout.tokens!.ids.map((_, i) => spans.some(([a, b]) => i >= a && i < b));
    expect(rollout.tokens!.mask).toEqual(inSpan.map(Number));
    expect(decodeSampledTurns(rollout)).toEqual(["a<|run|>", "finish<|run|>"]);
  });

  test("3. log-probs are the sampler's on sampled tokens, aligned by position, and 0 elsewhere", async () => {
    const { rollout } = await runScripted();
    const { mask, logprobs } = rollout.tokens!;
    expect(logprobs).toEqual(mask.map((sampled, p) => (sampled ? scriptedLogprob(p) : 0)));
  });

  test("4. sampled ids are kept unchanged, even when decoding and encoding would change them", async () => {
    const halfOfAPair = [0xc3 + 4, CODE, 0xff + 4, RUN];
    const policy: Policy = {
      kind: "tokens",
      sample: async () => ({
        tokens: halfOfAPair,
        logprobs: [0, 0, 0, 0],
        stop: "stop",
        policyVersion: 1,
      }),
      release: () => {},
    };
    const { rollout } = await runScripted({ options: { policy, maxTurns: 1 } });
    expect(rollout.tokens!.ids.slice(...rollout.turns[0]!.span!)).toEqual(halfOfAPair);
    expect(rollout.turns[0]!.code).toBe("\ufffd\ufffd");
  });

  test("5. the code of a turn cut by its token budget runs, and the appended end token is masked", async () => {
    const { rollout, episode } = await runScripted({
      script: ["abcdef", "finish"],
      limits: { maxTurnTokens: 4, maxTurns: 2 },
    });
    expect(episode.cells).toEqual(["abcd", "fini"]);
    const [first, second] = rollout.turns.map(({ span }) => span!);
    const between = rollout.tokens!.ids.slice(first![1], second![0]);
    expect(between).toEqual([RUN, ...encodeBytes("ran abcd\n"), CODE]);
    expect(rollout.tokens!.mask.slice(first![1], second![0])).not.toContain(1);
    expect(rollout.tokens!.ids.length).toBe(second![1]);
  });
});

describe("the requests to the policy", () => {
  test("6. each request contains the whole row so far, with the rollout's stream and cache key", async () => {
    const { rollout, requests } = await runScripted();
    expect(requests).toHaveLength(2);
    requests.forEach((request, i) => {
      expect(request).toMatchObject({
        tokens: rollout.tokens!.ids.slice(0, rollout.turns[i]!.span![0]),
        stream: 77,
        temperature: 1,
        stopIds: [RUN],
        cacheKey: "3/1/2",
      });
    });
  });

  test("7. a request allows the tokens of one turn, or fewer when less room remains in the row", async () => {
    const { requests } = await runScripted({ limits: { maxTurnTokens: 10, maxTokens: 22 } });
    expect(requests.map(({ maxTokens }) => maxTokens)).toEqual([10, 4]);
  });

  test("8. the policy's prefix is released exactly once, however the rollout ends", async () => {
    const throwReleaseError = () => Promise.reject(new Error("down"));
    const controller = new AbortController();
    controller.abort();
    const ends = [{}, { run: throwReleaseError }, { options: { signal: controller.signal } }];
    for (const setup of ends) {
      const { released } = await runScripted(setup);
      expect(released).toEqual(["3/1/2"]);
    }
  });
});

describe("how a rollout ends", () => {
  test("9. finished: the agent finished the task, and nothing follows its last turn", async () => {
    const { rollout, episode } = await runScripted({ script: ["a", "finish", "b"] });
    expect(rollout.outcome).toBe("finished");
    expect(episode.cells).toEqual(["a", "finish"]);
    expect(rollout.evaluation).toMatchObject({ passed: true, finished: true });
  });

  test("10. turn-limit: the scaffold's limit or the caller's was reached, and the episode counts as unfinished", async () => {
    const long = ["a", "b", "c", "d"];
    const scaffolds = await runScripted({ script: long, limits: { maxTurns: 2 } });
    expect(scaffolds.rollout).toMatchObject({ outcome: "turn-limit" });
    expect(scaffolds.episode.cells).toHaveLength(2);
    const callers = await runScripted({
      script: long,
      limits: { maxTurns: 2 },
      options: { maxTurns: 3 },
    });
    expect(callers.episode.cells).toHaveLength(3);
    expect(callers.rollout.evaluation).toMatchObject({ passed: false, finished: false });
  });

  test("11. token-limit: after the observation no token of the agent would fit, so it is left out", async () => {
    // The prompt has 9 tokens, the turn 2, observation and header 7, so the next turn's first token would be the 19th.
    const full = await runScripted({ limits: { maxTokens: 18 } });
    expect(full.rollout).toMatchObject({ outcome: "token-limit", turns: { length: 1 } });
    expect(full.rollout.tokens!.ids).toHaveLength(11);
    expect(full.rollout.evaluation).toMatchObject({ finished: false });
    const oneLeft = await runScripted({ limits: { maxTokens: 19 } });
    expect(oneLeft.rollout.tokens!.ids).toHaveLength(19);
    expect(oneLeft.episode.cells).toEqual(["a", "f"]);
  });

  test("12. a rollout whose prompt leaves no room for a turn ends at once, without a row", async () => {
    const { rollout, requests } = await runScripted({ limits: { maxTokens: 9 } });
    expect(rollout).toMatchObject({ outcome: "token-limit", turns: [], tokens: { ids: [] } });
    expect(requests).toEqual([]);
    expect(rollout.evaluation).toMatchObject({ finished: false });
  });

  test("13. a cancelled rollout keeps complete turns, drops the interrupted one, and has no evaluation", async () => {
    const controller = new AbortController();
    const { rollout } = await runScripted({
      script: ["a", "b", "finish"],
      options: { signal: controller.signal, onTurn: () => controller.abort() },
    });
    expect(rollout).toMatchObject({ outcome: "cancelled", turns: { length: 1 } });
    expect(rollout).not.toHaveProperty("failure");
    expect(rollout).not.toHaveProperty("evaluation");
    expect(rollout.tokens!.ids).toHaveLength(18);
  });

  test("14. an abort during sampling or during a step also gives the outcome cancelled", async () => {
    const whileSampling = new AbortController();
    const policy: Policy = {
      kind: "tokens",
      sample: async () => {
        whileSampling.abort();
        return { tokens: [9], logprobs: [-1], stop: "cancelled", policyVersion: 1 };
      },
      release: () => {},
    };
    const sampling = await runScripted({ options: { policy, signal: whileSampling.signal } });
    expect(sampling.rollout).toMatchObject({ outcome: "cancelled", turns: [] });
    expect(sampling.rollout.tokens!.mask).not.toContain(1);
    const whileStepping = new AbortController();
    const abortDuringStep = async (_code: string, _turn: number, signal?: AbortSignal) => {
      whileStepping.abort();
      signal!.throwIfAborted();
      return fakeStepResult();
    };
    const stepping = await runScripted({
      run: abortDuringStep,
      options: { signal: whileStepping.signal },
    });
    expect(stepping.rollout.outcome).toBe("cancelled");
  });

  test("15. after an abort between turns the rollout ends without sampling again", async () => {
    const controller = new AbortController();
    let asked = 0;
    const deaf = scriptedPolicy(() => {
      asked++;
      return "a";
    });
    const { rollout } = await runScripted({
      options: { policy: deaf, signal: controller.signal, onTurn: () => controller.abort() },
    });
    expect(rollout).toMatchObject({ outcome: "cancelled", turns: { length: 1 } });
    expect(asked).toBe(1);
  });

  test("16. an abort after the agent has finished changes nothing", async () => {
    const controller = new AbortController();
    const { rollout } = await runScripted({
      script: ["finish"],
      options: { signal: controller.signal, onTurn: () => controller.abort() },
    });
    expect(rollout).toMatchObject({ outcome: "finished", evaluation: { passed: true } });
  });
});

describe("failures", () => {
  const throwBoom = () => {
    throw new BowlineError("engine", "out of memory");
  };

  test("17. an error of the policy, the world or the agent is a failure that names the boundary", async () => {
    const policy: Policy = { kind: "tokens", sample: async () => throwBoom(), release: () => {} };
    const scaffold = { ...compactScaffold(), extractCode: throwBoom };
    const setups = [
      [{ options: { policy } }, "policy", true],
      [{ run: throwBoom }, "world", true],
      [{ evaluate: throwBoom }, "world", true],
      [{ options: { scaffold } }, "agent", false],
      [{ options: { renderer: { ...renderer, text: throwBoom } } }, "agent", false],
    ] as const;
    for (const [setup, boundary, retryable] of setups) {
      const { rollout } = await runScripted(setup);
      const failure = { boundary, code: "engine", message: "out of memory", retryable };
      expect(rollout).toMatchObject({ outcome: "failed", failure });
      expect(rollout).not.toHaveProperty("evaluation");
    }
  });

  test("17a. a reward and metrics of the world's own are recorded, in a record that can be read again", async () => {
    const own = { reward: 0.25, metrics: { steps: 3 } };
    const evaluate = () => ({ passed: false, finished: true, checks: [], ...own });
    const { rollout } = await runScripted({ evaluate });
    expect(rolloutSchema.parse(JSON.parse(JSON.stringify(rollout)))).toMatchObject({
      version: 2,
      evaluation: own,
    });
  });

  test("17b. an evaluation with an unusable number is a failure of the world, and is not recorded", async () => {
    const evaluate = () => ({ passed: true, finished: true, checks: [], reward: 1.5 });
    const { rollout } = await runScripted({ evaluate });
    expect(rollout.failure).toMatchObject({ boundary: "world", code: "world" });
    expect(rollout).not.toHaveProperty("evaluation");
  });

  test("18. a wrong configuration would fail again, so its failure is not retryable", async () => {
    const failWithConfigError = () => {
      throw new BowlineError("config", "no such app");
    };
    const { rollout } = await runScripted({ run: failWithConfigError });
    expect(rollout.failure).toMatchObject({ boundary: "world", code: "config", retryable: false });
  });

  test("19. turns before a failure stay in the record, with ids and mask aligned", async () => {
    const failOnSecondTurn = (code: string, turn: number): StepResult => {
      if (turn === 1) throw new TypeError("worker gone");
      return fakeStepResult({ text: code });
    };
    const { rollout } = await runScripted({ run: failOnSecondTurn, script: ["a", "b", "c"] });
    expect(rollout.failure).toMatchObject({ code: "TypeError", message: "worker gone" });
    expect(rollout.turns).toHaveLength(1);
    const { ids, mask, logprobs } = rollout.tokens!;
    expect([mask.length, logprobs.length]).toEqual([ids.length, ids.length]);
  });

  test("20. a failed rollout does not affect other rollouts", async () => {
    const good = runScripted();
    const bad = runScripted({ run: throwBoom });
    const [first, second] = await Promise.all([good, bad]);
    expect([first.rollout.outcome, second.rollout.outcome]).toEqual(["finished", "failed"]);
  });

  test.each([
    [{ tokens: [9, RUN], logprobs: [-1], stop: "stop" }, /2 tokens with 1 log-probs/],
    [{ tokens: [9], logprobs: [Number.NaN], stop: "length" }, /not finite/],
    [{ tokens: [9], logprobs: [-1], stop: "stop" }, /without a stop token \(last token: 9\)/],
    [{ tokens: [], logprobs: [], stop: "stop" }, /without a stop token/],
    [{ tokens: [9, 9, 9], logprobs: [-1, -1, -1], stop: "length" }, /at most 2/],
  ] as const)(
    "21. a sample that would misalign the row fails the rollout: %j",
    async (sample, message) => {
      const policy: Policy = {
        kind: "tokens",
        sample: async () => ({ ...sample, policyVersion: 1 }),
        release: () => {},
      };
      const { rollout } = await runScripted({ limits: { maxTurnTokens: 2 }, options: { policy } });
      expect(rollout.failure).toMatchObject({ boundary: "policy" });
      expect(rollout.failure!.message).toMatch(message);
    },
  );

  test("22. a token policy without a renderer rejects instead of giving a failed record", async () => {
    const { policy } = scriptedTokenPolicy([], renderer);
    const head = { id: "x", index: 0, stream: 0, temperature: 1, scaffold: compactScaffold() };
    const run = runRollout({ ...head, policy, episode: fakeEpisode() });
    await expect(run).rejects.toThrow("rollout x: a token policy needs a renderer, got none");
  });
});

describe("the rollout record", () => {
  test("23. the record names rollout, task and policy version, and passes its schema", async () => {
    const { rollout } = await runScripted({ task: fakeTask({ instruction: "Pay Ana." }) });
    expect(rollout).toMatchObject({ id: "3/1/2", index: 2, stream: 77, temperature: 1 });
    expect(rollout.policyVersion).toBe(7);
    expect(rollout.task).toEqual(fakeTask({ instruction: "Pay Ana." }));
    expect(rolloutSchema.parse(rollout)).toEqual(rollout);
    expect(rolloutSchema.parse(JSON.parse(JSON.stringify(rollout)))).toEqual(rollout);
  });

  test("24. a turn records message, code, the observation as shown, status and calls", async () => {
    const calls = [{ app: "pay", api: "send", args: { to: 1 }, status: 200, wrote: true }];
    const runCell = () =>
      fakeStepResult({
        status: "limit",
        limit: "fuel",
        text: "x".repeat(50),
        calls,
        finished: true,
      });
    const { rollout } = await runScripted({
      run: runCell,
      script: ["loop()"],
      limits: { maxObservationCharacters: 10 },
    });
    expect(rollout.turns).toEqual([
      {
        message: "loop()",
        code: "loop()",
        observation: "xxxxxxxxxx\n[40 more characters]",
        status: "limit",
        limit: "fuel",
        calls,
        span: [9, 16],
      },
    ]);
  });

  test("25. decode steps are reported after every turn", async () => {
    const steps: [string, number][] = [];
    await runScripted({ options: { onTurn: ({ code }, count) => steps.push([code, count]) } });
    expect(steps).toEqual([
      ["a", 2],
      ["finish", 9],
    ]);
  });

  test("26. equal inputs give equal records", async () => {
    const [a, b] = [await runScripted(), await runScripted()];
    expect(JSON.stringify(a.rollout)).toBe(JSON.stringify(b.rollout));
  });

  test("27. the policy version is that of the first turn", async () => {
    let version = 3;
    const { policy: inner } = scriptedTokenPolicy(["a", "finish"], renderer);
    if (inner.kind !== "tokens") throw new Error("a token policy was scripted");
    const { sample } = inner;
    const policy: Policy = {
      ...inner,
      sample: async (request) => ({ ...(await sample(request)), policyVersion: version++ }),
    };
    const { rollout } = await runScripted({ options: { policy } });
    expect(rollout).toMatchObject({ outcome: "finished", policyVersion: 3 });
  });
});

describe("message policies", () => {
  const messageRequest = (policy: Policy, options: Partial<RolloutOptions> = {}) => ({
    policy,
    scaffold: compactScaffold({ maxTurns: 3 }),
    id: "eval/0/0",
    index: 0,
    stream: 0,
    temperature: 0,
    ...options,
  });

  test("28. a message policy has no tokens and no version, and sees every message so far", async () => {
    const seen: string[][] = [];
    const policy = scriptedPolicy((messages) => {
      seen.push(messages.map(({ role, content }) => `${role}: ${content}`));
      return messages.length > 1 ? "finish" : "a";
    });
    const rollout = await runRollout({ ...messageRequest(policy), episode: fakeEpisode() });
    expect(seen).toEqual([
      ["user: Finish."],
      ["user: Finish.", "assistant: a", "environment: ran a\n"],
    ]);
    expect(rollout).toMatchObject({ outcome: "finished", policyVersion: -1 });
    expect(rollout).not.toHaveProperty("tokens");
    expect(rollout.turns[0]).not.toHaveProperty("span");
    expect(rolloutSchema.parse(rollout)).toEqual(rollout);
  });

  test("29. a message policy has the same turn limit, failure boundary and cancellation as a token policy", async () => {
    const idle = await runRollout({
      ...messageRequest(scriptedPolicy([])),
      episode: fakeEpisode(),
    });
    expect(idle).toMatchObject({ outcome: "turn-limit", turns: { length: 3 } });
    const down = scriptedPolicy(() => Promise.reject(new Error("overloaded")));
    const failed = await runRollout({ ...messageRequest(down), episode: fakeEpisode() });
    expect(failed.failure).toMatchObject({ boundary: "policy", message: "overloaded" });
    const controller = new AbortController();
    const aborted = scriptedPolicy(() => {
      controller.abort();
      throw controller.signal.reason;
    });
    const cancelled = await runRollout({
      ...messageRequest(aborted, { signal: controller.signal }),
      episode: fakeEpisode(),
    });
    expect(cancelled.outcome).toBe("cancelled");
  });

  test("30. runTask opens the episode and closes it, also after a failure", async () => {
    for (const script of [["finish"], ["throw"]]) {
      const failingRun = (code: string) => {
        if (code === "throw") throw new Error("gone");
        return fakeStepResult({ finished: true });
      };
      const episode = fakeEpisode({ run: failingRun });
      const world = { open: async () => episode };
      const rollout = await runTask(world, fakeTask(), messageRequest(scriptedPolicy(script)));
      expect(rollout.outcome).toBe(script[0] === "finish" ? "finished" : "failed");
      await expect(episode.evaluate()).rejects.toThrow("closed");
    }
  });

  test("31. an episode that cannot be opened is a failed rollout", async () => {
    const world = { open: () => Promise.reject(new BowlineError("world", "no such task")) };
    const rollout = await runTask(world, fakeTask(), messageRequest(scriptedPolicy([])));
    const failure = { boundary: "world", code: "world", message: "no such task", retryable: true };
    expect(rollout).toMatchObject({ outcome: "failed", turns: [], failure });
  });
});
