import { describe, expect, test } from "vitest";
import {
  type Episode,
  type Policy,
  type Rollout,
  rolloutSchema,
  type Sample,
  type StepResult,
} from "../spec/index.ts";
import { byteTokenizer } from "../testing/byte-tokenizer.ts";
import { fakeEpisode, fakeStepResult, fakeTask } from "../testing/fake-episode.ts";
import { scriptedPolicy } from "../testing/scripted-policy.ts";
import { compactRenderer } from "./compact-renderer.ts";
import { compactScaffold } from "./compact-scaffold.ts";
import { WRITING_REQUESTS } from "./context.ts";
import {
  createRolloutHooks,
  failedCodeReminder,
  instructionReminder,
  type RolloutHookOptions,
} from "./participants.ts";
import {
  askPolicyOnce,
  parseJudgeMark,
  policyParticipant,
  userRolePrompt,
} from "./policy-participant.ts";
import { maskFirstTurns, replayThenContinue, requireSameResultInFork } from "./replay.ts";
import { retryingEpisode } from "./retrying-episode.ts";
import { runRollout } from "./rollout.ts";

const tokenizer = byteTokenizer();
const renderer = compactRenderer(tokenizer);
const scaffold = compactScaffold({ maxTurns: 8, maxTurnTokens: 40, maxTokens: 400 });

function createScriptedPolicy(
  script: readonly string[],
  prompts: string[] = [],
): Extract<Policy, { kind: "tokens" }> {
  let next = 0;
  return {
    kind: "tokens",
    release: () => {},
    sample: async ({ tokens }): Promise<Sample> => {
      prompts.push(tokenizer.decode(tokens));
      const said = renderer.turn(script[next++] ?? "finish");
      return { tokens: said, logprobs: said.map(() => -1), stop: "stop", policyVersion: 1 };
    },
  };
}

const runWithHooks = (
  script: readonly string[],
  hooks: Partial<RolloutHookOptions>,
  episode: Episode = fakeEpisode(),
) =>
  runRollout({
    policy: createScriptedPolicy(script),
    renderer,
    scaffold,
    id: "1/0/0",
    index: 0,
    stream: 5,
    temperature: 1,
    episode,
    hooks: createRolloutHooks({ context: { context: "growing" }, ...hooks }),
  });

/** Returns the messages of the trained turns, in order. */
const listTrainedMessages = ({ tokens, turns }: Rollout) =>
  turns.flatMap(({ span, message }) => (tokens!.mask[span![0]] === 1 ? [message] : []));

describe("participants", () => {
  test("a participant's words follow the observation, are recorded, and are not trained", async () => {
    const rollout = await runWithHooks(["a", "finish"], { participants: [instructionReminder()] });
    const text = tokenizer.decode(rollout.tokens!.ids);
    expect(text).toContain("ran a\nreminder: Finish.<|code|>finish");
    expect(rollout.turns[0]).toMatchObject({
      observation: "ran a\n",
      heard: [{ from: "reminder", text: "Finish." }],
    });
    expect(listTrainedMessages(rollout)).toEqual(["a", "finish"]);
    expect(rolloutSchema.parse(rollout)).toEqual(rollout);
    expect(rollout.version).toBe(2);
    expect(rolloutSchema.safeParse({ ...rollout, version: 1 }).success).toBe(false);
  });

  test("failedCodeReminder lists each failed code once, and only after a failed turn", async () => {
    const episode = fakeEpisode({
      run: (code) =>
        fakeStepResult({
          text: "",
          status: code.startsWith("bad") ? "error" : "ok",
          finished: code === "finish",
        }),
    });
    const rollout = await runWithHooks(
      ["bad1", "bad2", "fine", "bad1", "finish"],
      { participants: [failedCodeReminder()] },
      episode,
    );
    const heard = rollout.turns.map((turn) => turn.heard?.[0]?.text);
    expect(heard).toEqual(["bad1", "bad1; bad2", undefined, "bad1; bad2", undefined]);
  });

  test("an error of a participant fails only its rollout", async () => {
    const broken = { name: "user", speak: async () => Promise.reject(new Error("gone")) };
    const rollout = await runWithHooks(["a"], { participants: [broken] });
    expect(rollout).toMatchObject({
      outcome: "failed",
      failure: { boundary: "policy", message: "gone" },
    });
  });
});

describe("the planner", () => {
  test("the planner writes a plan before the first turn, and the plan's tokens are trained", async () => {
    const rollout = await runWithHooks(["do it", "a", "finish"], { planner: { every: 0 } });
    expect(rollout.turns.map(({ part }) => part)).toEqual(["plan", undefined, undefined]);
    expect(tokenizer.decode(rollout.tokens!.ids)).toBe(
      `<|task|>Finish.\n${WRITING_REQUESTS.plan}<|code|>do it<|run|>${WRITING_REQUESTS.act}<|code|>a<|run|>ran a\n<|code|>finish<|run|>`,
    );
    expect(listTrainedMessages(rollout)).toEqual(["do it", "a", "finish"]);
  });

  test.each([
    ["actor", ["a", "finish"]],
    ["planner", ["do it"]],
  ] as const)(
    "when only the %s is trained, the other's tokens are context",
    async (trained, expected) => {
      const rollout = await runWithHooks(["do it", "a", "finish"], {
        planner: { every: 0 },
        trained,
      });
      expect(listTrainedMessages(rollout)).toEqual(expected);
      const { mask, logprobs } = rollout.tokens!;
      expect(logprobs.every((value, i) => (mask[i] === 1 ? value === -1 : value === 0))).toBe(true);
    },
  );

  test("the planner plans again after the configured number of turns", async () => {
    const rollout = await runWithHooks(["p1", "a", "b", "p2", "c", "finish"], {
      planner: { every: 2 },
    });
    expect(rollout.turns.map(({ part, message }) => part ?? message)).toEqual([
      "plan",
      "a",
      "b",
      "plan",
      "c",
      "finish",
    ]);
  });

  test("the plan stays in every prompt when the context rule drops turns", async () => {
    const prompts: string[] = [];
    await runRollout({
      policy: createScriptedPolicy(["do it", "a", "b", "finish"], prompts),
      renderer,
      scaffold,
      id: "1/0/0",
      index: 0,
      stream: 5,
      temperature: 1,
      episode: fakeEpisode(),
      hooks: createRolloutHooks({
        context: { context: "window", turns: 1, drops: "turns" },
        planner: { every: 0 },
      }),
    });
    expect(prompts.at(-1)).toBe("<|task|>Finish.\nPlan: do it<|code|>b<|run|>ran b\n<|code|>");
  });
});

test("a note is written after the episode ended, and plans and notes do not count as turns", async () => {
  const rollout = await runWithHooks(["a", "finish", "remember a"], { note: true });
  expect(rollout.turns.at(-1)).toMatchObject({ part: "note", message: "remember a" });
  expect(rollout.outcome).toBe("finished");
  const limited = await runRollout({
    policy: createScriptedPolicy(["p", "a", "b", "note"]),
    renderer,
    scaffold,
    id: "1/0/0",
    index: 0,
    stream: 5,
    temperature: 1,
    maxTurns: 2,
    episode: fakeEpisode(),
    hooks: createRolloutHooks({
      context: { context: "growing" },
      planner: { every: 0 },
      note: true,
    }),
  });
  expect(limited.outcome).toBe("turn-limit");
  expect(limited.turns.map(({ part, message }) => part ?? message)).toEqual([
    "plan",
    "a",
    "b",
    "note",
  ]);
});

describe("a participant that a policy plays", () => {
  const options = {
    name: "user",
    renderer,
    limits: scaffold.limits,
    id: "u",
    stream: 1,
    temperature: 1,
    prompt: userRolePrompt,
  };

  test("a participant played by a policy has its own row, in which its words are trained", async () => {
    const user = policyParticipant({ ...options, policy: createScriptedPolicy(["more", ""]) });
    const rollout = await runWithHooks(["a", "b", "finish"], { participants: [user] });
    expect(rollout.turns.map((turn) => turn.heard?.[0]?.text)).toEqual([
      "more",
      undefined,
      undefined,
    ]);
    const { tokens, turns, role } = user.record()!;
    expect(role).toBe("user");
    expect(turns.map(({ part, message }) => [part, message])).toEqual([
      ["speech", "more"],
      ["speech", ""],
    ]);
    expect(tokenizer.decode(tokens.ids)).toContain(
      "Answer your helper.\na\nran a<|code|>more<|run|>b\nran b<|code|>",
    );
    expect(tokens.ids.filter((_, i) => tokens.mask[i] === 1)).toEqual([
      ...renderer.turn("more"),
      ...renderer.turn(""),
    ]);
    // The agent's row contains the user's words but not the user's prompt.
    expect(tokenizer.decode(rollout.tokens!.ids)).not.toContain("Answer your helper");
  });

  test("a participant played by a message policy has no row", async () => {
    const user = policyParticipant({ ...options, policy: scriptedPolicy(() => "go on") });
    const rollout = await runWithHooks(["a", "finish"], { participants: [user] });
    expect(rollout.turns[0]!.heard).toEqual([{ from: "user", text: "go on" }]);
    expect(user.record()).toBeUndefined();
  });

  test("askPolicyOnce returns a policy's answer outside a rollout", async () => {
    const answer = await askPolicyOnce(
      { ...options, policy: createScriptedPolicy(["42"]) },
      [{ role: "user", content: "?" }],
      fakeTask(),
    );
    expect(answer).toBe("42");
  });

  test.each([
    ["0.5", 0.5],
    ["I say 1.", 1],
    ["mark: 0, since", 0],
    ["7 of 10", undefined],
    ["-1", undefined],
    ["good", undefined],
  ])("a judge's answer %j gives the mark %s", (text, mark) => {
    expect(parseJudgeMark(text)).toBe(mark);
  });
});

describe("an episode that retries its task", () => {
  const createJudgedEpisode = () => {
    const cells: string[] = [];
    return fakeEpisode({
      run: (code) => {
        cells.push(code);
        return fakeStepResult({ text: "ok", finished: code.startsWith("finish") });
      },
      evaluate: () => {
        const passed = cells.at(-1) === "finish well";
        return {
          passed,
          finished: true,
          checks: [
            { name: "ended well", label: "progress" as const, passed },
            { name: "g", label: "guard" as const, passed: true },
          ],
        };
      },
    });
  };
  const runWithRetries = async (
    script: readonly string[],
    attempts: number,
    feedback: "try-again" | "checks" = "try-again",
  ) => {
    const episode = retryingEpisode(createJudgedEpisode(), async () => createJudgedEpisode(), {
      attempts,
      feedback,
    });
    return { rollout: await runWithHooks(script, {}, episode), episode };
  };

  test("a failed task opens again in the same conversation, with feedback, until it passes", async () => {
    const { rollout, episode } = await runWithRetries(
      ["a", "finish", "b", "finish well", "never"],
      5,
    );
    expect(rollout.turns.map(({ message }) => message)).toEqual([
      "a",
      "finish",
      "b",
      "finish well",
    ]);
    expect(rollout.turns[1]!.observation).toBe("ok\nThat is not right. Try again.");
    expect(rollout.evaluation!.passed).toBe(true);
    expect(episode.attempts).toEqual([
      { cell: 1, passedShare: 0.5 },
      { cell: 3, passedShare: 1 },
    ]);
  });

  test("retrying stops when the attempts are used up, and the feedback can name failed checks", async () => {
    const { rollout, episode } = await runWithRetries(["finish", "finish", "never"], 2, "checks");
    expect(rollout.turns).toHaveLength(2);
    expect(rollout.turns[0]!.observation).toContain("Failed: ended well");
    expect(rollout.evaluation!.passed).toBe(false);
    expect(episode.attempts).toHaveLength(2);
  });
});

describe("replaying the beginning of a rollout", () => {
  const request = { renderer, scaffold, id: "1/0/1", index: 1, stream: 6, temperature: 1 };

  test("a replayed beginning has the same tokens, is not sampled or run again, and continues in the fork", async () => {
    const episode = fakeEpisode();
    const states: Awaited<ReturnType<typeof episode.fork>>[] = [];
    const origin = replayThenContinue(
      { policy: createScriptedPolicy(["a", "b", "finish"]), episode },
      undefined,
      async ({ episode: now, cells }) => {
        if (cells === 1) states.push(await now.fork());
      },
    );
    const parent = await runRollout({ ...request, policy: origin.policy, episode: origin.episode });
    const fork = (await states[0]!.fork()) as ReturnType<typeof fakeEpisode>;
    await requireSameResultInFork(states[0]!, "b", origin.results[1]!);
    const known = { samples: origin.samples.slice(0, 1), results: origin.results.slice(0, 1) };
    const branch = replayThenContinue(
      { policy: createScriptedPolicy(["c", "finish"]), episode: fork },
      known,
    );
    const rollout = await runRollout({
      ...request,
      policy: branch.policy,
      episode: branch.episode,
    });
    expect(rollout.turns.map(({ message }) => message)).toEqual(["a", "c", "finish"]);
    expect(fork.cells).toEqual(["a", "c", "finish"]);
    const shared = parent.turns[1]!.span![0];
    expect(rollout.tokens!.ids.slice(0, shared)).toEqual(parent.tokens!.ids.slice(0, shared));
    expect(listTrainedMessages(maskFirstTurns(rollout, 1))).toEqual(["c", "finish"]);
    expect(listTrainedMessages(rollout)).toEqual(["a", "c", "finish"]);
  });

  test("a fork whose cell gives another result than the original is refused", async () => {
    let runs = 0;
    const episode = fakeEpisode({ run: () => fakeStepResult({ text: `run ${runs++}` }) });
    const first: StepResult = await episode.step("a");
    await expect(requireSameResultInFork(episode, "a", first)).rejects.toThrow(
      /train\/0\/0 gives another result: expected the text "run 0", got "run 1"/,
    );
  });
});
