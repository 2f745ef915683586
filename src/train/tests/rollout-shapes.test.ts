/** Tests every shape of rollouts with tiny training runs in the fake world. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readJson } from "../../core/index.ts";
import type { ShapeState } from "../../methods/index.ts";
import { type Rollout, rolloutSchema } from "../../spec/index.ts";
import { createMemoryFolder, fakeMakers } from "../../testing/fake-makers.ts";
import { fakeWorld } from "../../testing/fake-world.ts";
import type { Overrides } from "../config/overrides.ts";
import { evaluateWith } from "../evaluate/evaluate.ts";
import { readRollouts } from "../run/run-store.ts";
import type { TrainerState } from "../run/trainer-state.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

let root: string;
beforeAll(() => {
  root = createMemoryFolder("bowline-shapes-");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const TINY = {
  "tokenizer.vocabularySize": 280,
  "tokenizer.minimumCount": 5,
  "warm.demonstrations": 48,
  "warm.rows": 8,
  "warm.learningRate": 0.8,
  "warm.hastyShare": 0.6,
  "world.trainScenarios": 4,
  "algo.iterations": 2,
  "algo.tasksPerIteration": 4,
  "algo.groupSize": 4,
  "algo.minibatch": 0,
  "optimizer.learningRate": 0.1,
  "scaffold.maxTurns": 4,
  "scaffold.maxTurnTokens": 6,
  "scaffold.maxTokens": 160,
  "evaluation.scenarios": 1,
  "evaluation.every": 0,
  "evaluation.scores": ["dev", "test-normal"],
};

interface ShapedRun {
  readonly rollouts: readonly Rollout[];
  readonly state: ShapeState;
  readonly reward: { readonly first: number; readonly last: number };
  readonly evaluated: readonly Rollout[];
  readonly out: string;
}

let runs = 0;
const runsByFields = new Map<string, Promise<ShapedRun>>();

/** Trains with these fields, but only once for each set of fields. */
function runOnce(fields: Record<string, unknown>): Promise<ShapedRun> {
  const key = JSON.stringify(fields);
  const run = runsByFields.get(key) ?? trainShaped(fields, join(root, String(runs++)));
  runsByFields.set(key, run);
  return run;
}

async function trainShaped(
  fields: Record<string, unknown>,
  out: string,
  makers = fakeMakers(),
): Promise<ShapedRun> {
  const config = resolveConfig({ recipe: "smoke/on-policy", overrides: { ...TINY, ...fields } });
  const { reward } = await trainWith(makers, config, { out });
  const iterations = Array.from({ length: config.algo.iterations }, (_, i) => `train-000${i + 1}`);
  const rollouts = iterations.flatMap((name) => readRollouts(out, name));
  for (const rollout of rollouts) expect(rolloutSchema.parse(rollout)).toEqual(rollout);
  const { state } = readJson(join(out, "checkpoints", "latest", "trainer.json")) as {
    state: TrainerState;
  };
  return {
    rollouts,
    state: state.method,
    reward,
    evaluated: readRollouts(out, "eval-after-dev-greedy"),
    out,
  };
}

const listRows = ({ tokens, segments = [] }: Rollout) => [tokens!, ...segments];
const countActions = (rollout: Rollout) =>
  listRows(rollout).reduce((sum, { mask }) => sum + mask.filter(Boolean).length, 0);
const isOfIteration = (iteration: number) => (rollout: Rollout) =>
  rollout.id.startsWith(`${iteration}/`);

describe("branches", () => {
  const fields = {
    "collect.kind": "branches",
    "collect.count": 2,
    "algo.groupSize": 6,
    "scaffold.maxTurns": 6,
  };

  test.each(["entropy", "logprob", "every", "random"] as const)(
    "branches at %s share every token before the fork with their parent, and learn only from their own tokens",
    async (branchAt) => {
      const { rollouts } = await runOnce({ ...fields, "collect.at": branchAt });
      const branched = rollouts.filter(({ branch }) => branch !== undefined);
      expect(branched.length).toBeGreaterThan(0);
      for (const rollout of branched) {
        const { parent: id, turn } = rollout.branch!;
        const parent = rollouts.find((other) => other.id === id)!;
        expect(parent.task.id).toBe(rollout.task.id);
        const shared = parent.turns[turn]!.span![0];
        expect(rollout.tokens!.ids.slice(0, shared)).toEqual(parent.tokens!.ids.slice(0, shared));
        expect(rollout.turns.slice(0, turn).map(({ code }) => code)).toEqual(
          parent.turns.slice(0, turn).map(({ code }) => code),
        );
        expect(rollout.turns.slice(0, turn).map(({ observation }) => observation)).toEqual(
          parent.turns.slice(0, turn).map(({ observation }) => observation),
        );
        expect(rollout.tokens!.mask.slice(0, shared).some(Boolean)).toBe(false);
        expect(countActions(rollout)).toBeGreaterThan(0);
        if (branchAt === "every") expect(turn % 2).toBe(0);
      }
    },
  );

  test("with sharedPrefix attributed, branches keep the shared tokens as actions of their own", async () => {
    const { rollouts } = await runOnce({ ...fields, "collect.sharedPrefix": "attributed" });
    const branched = rollouts.filter(({ branch }) => branch !== undefined);
    expect(branched.length).toBeGreaterThan(0);
    for (const { tokens, turns } of branched) {
      expect(turns.every(({ span }) => tokens!.mask.slice(...span!).every(Boolean))).toBe(true);
    }
  });

  test("branches at logprob fork the turn with the lowest probability", async () => {
    const { rollouts } = await runOnce({
      ...fields,
      "collect.kind": "branches",
      "collect.count": 1,
      "collect.at": "logprob",
    });
    const branched = rollouts.filter(({ branch }) => branch !== undefined);
    for (const { branch } of branched) {
      const parent = rollouts.find(({ id }) => id === branch!.parent)!;
      const likelihoods = parent.turns.map(({ span }) =>
        parent.tokens!.logprobs.slice(...span!).reduce((sum, value) => sum + value, 0),
      );
      expect(likelihoods[branch!.turn]).toBe(Math.min(...likelihoods.slice(1)));
    }
  });

  test("a world in which a fork gives other results than its parent is rejected", async () => {
    const honest = fakeWorld();
    let forked = 0;
    type Episode = Awaited<ReturnType<typeof honest.open>>;
    const withChangingForks = (episode: Episode): Episode => ({
      ...episode,
      fork: async () => {
        const fork = await episode.fork();
        const salt = forked++;
        return withChangingForks({
          ...fork,
          step: async (code, signal) => {
            const result = await fork.step(code, signal);
            return { ...result, text: `${result.text} ${salt}` };
          },
        });
      },
    });
    const makers = fakeMakers({
      ...honest,
      open: async (id) => withChangingForks(await honest.open(id)),
    });
    await expect(trainShaped(fields, join(root, "lying"), makers)).rejects.toThrow(
      /a fork of train.* gives another result/,
    );
  });

  test("branching leaves no episode open", async () => {
    const honest = fakeWorld();
    let live = 0;
    type Episode = Awaited<ReturnType<typeof honest.open>>;
    const countOpenEpisodes = (episode: Episode): Episode => {
      live += 1;
      let open = true;
      return {
        ...episode,
        fork: async () => countOpenEpisodes(await episode.fork()),
        close: async () => {
          live -= Number(open);
          open = false;
          await episode.close();
        },
      };
    };
    const makers = fakeMakers({
      ...honest,
      open: async (id) => countOpenEpisodes(await honest.open(id)),
    });
    await trainShaped(fields, join(root, "counted"), makers);
    expect(live).toBe(0);
  });
});

describe("restarts", () => {
  test("a later group continues after stored first turns, whose tokens are not trained on", async () => {
    const { rollouts, state } = await runOnce({
      "collect.kind": "restarts",
      "collect.share": 0.5,
      "scaffold.maxTurns": 6,
    });
    const restarted = rollouts.filter(({ prefix }) => prefix !== undefined);
    expect(restarted.length).toBeGreaterThan(0);
    for (const rollout of restarted) {
      expect(isOfIteration(2)(rollout)).toBe(true);
      const { from, turns } = rollout.prefix!;
      const origin = rollouts.find(({ id }) => id === from)!;
      expect(origin.task.id).toBe(rollout.task.id);
      const shared = origin.turns[turns - 1]!.span![1];
      expect(rollout.tokens!.ids.slice(0, shared)).toEqual(origin.tokens!.ids.slice(0, shared));
      expect(rollout.tokens!.mask.slice(0, shared).some(Boolean)).toBe(false);
      expect(rollout.policyVersion).toBeGreaterThan(origin.policyVersion);
    }
    expect(state.prefixes!.length).toBeGreaterThan(0);
  });

  test("restarts are rejected in a world that answers differently the second time", async () => {
    const honest = fakeWorld();
    let opened = 0;
    const moody = {
      ...honest,
      open: async (id: string) => {
        const episode = await honest.open(id);
        const mood = opened++;
        return {
          ...episode,
          step: async (code: string) => {
            const result = await episode.step(code);
            return { ...result, text: `${result.text} ${mood}` };
          },
        };
      },
    };
    const fields = { "collect.kind": "restarts", "collect.share": 0.5, "scaffold.maxTurns": 6 };
    await expect(trainShaped(fields, join(root, "moody"), fakeMakers(moody))).rejects.toThrow(
      /gave another result when it ran again/,
    );
  });
});

describe("context", () => {
  test.each([
    ["window", { "context.kind": "window", "context.turns": 1 }],
    ["summary", { "context.kind": "summary", "context.tokens": 24 }],
    ["state", { "context.kind": "state", "context.chunkCharacters": 3 }],
  ])(
    "with context %s, a rollout has several rows, and the policy learns from them",
    async (_, fields) => {
      const { rollouts, reward, evaluated } = await runOnce({
        ...fields,
        "algo.iterations": 5,
        "algo.tasksPerIteration": 8,
        "algo.groupSize": 8,
        "scaffold.maxTurns": 3,
      });
      expect(rollouts.some(({ segments }) => (segments?.length ?? 0) > 0)).toBe(true);
      expect(evaluated.length).toBeGreaterThan(0);
      expect(reward.last).toBeGreaterThan(reward.first);
    },
  );
});

describe("chains", () => {
  const fields = { "collect.kind": "chains", "collect.length": 2 };

  test("the prompt of a chain's second task has the note on the first, and groups compare rollouts at the same position", async () => {
    const { rollouts, out } = await runOnce(fields);
    expect(rollouts.every(({ chain }) => chain !== undefined)).toBe(true);
    const first = rollouts.filter(({ chain }) => chain!.position === 0);
    const second = rollouts.filter(({ chain }) => chain!.position === 1);
    expect(first).toHaveLength(second.length);
    const notes = first.filter(({ turns }) => turns.at(-1)!.part === "note");
    expect(notes.length).toBeGreaterThan(0);
    expect(second.some(({ turns }) => turns.some(({ part }) => part === "note"))).toBe(false);
    const names = new Map<string, Set<string>>();
    for (const { chain, task } of rollouts) {
      const key = `${chain!.name} ${chain!.position}`;
      names.set(key, (names.get(key) ?? new Set()).add(task.id));
    }
    expect([...names.values()].every((tasks) => tasks.size === 1)).toBe(true);
    const longer = second.filter((link) => {
      const alone = first.find(({ task }) => task.id === link.task.id);
      return alone && link.turns[0]!.span![0] > alone.turns[0]!.span![0];
    });
    expect(longer.length).toBeGreaterThan(0);
    expect(existsSync(out)).toBe(true);
  });

  test("with collect.carry skills, a chain passes the programs of passed tasks on instead of notes", async () => {
    const { rollouts } = await runOnce({ ...fields, "collect.carry": "skills" });
    expect(rollouts.some(({ turns }) => turns.some(({ part }) => part === "note"))).toBe(false);
    expect(rollouts.filter(({ chain }) => chain!.position === 1).length).toBeGreaterThan(0);
  });
});

describe("attempts", () => {
  test("after a failed attempt, a rollout makes another one and records a grade for each", async () => {
    const { rollouts, evaluated } = await runOnce({ "collect.attempts.most": 2 });
    const graded = rollouts.map(({ turns }) =>
      turns.flatMap(({ grades }) => grades?.attempt ?? []),
    );
    expect(graded.some((marks) => marks.length === 2)).toBe(true);
    for (const marks of graded.filter(({ length }) => length === 2))
      expect(marks[0]).toBeLessThan(1);
    expect(evaluated.every(({ turns }) => turns.every(({ grades }) => grades === undefined))).toBe(
      true,
    );
  });
});

describe("participants", () => {
  test("a trained user has rows with a role of its own, and they are learned from", async () => {
    const fields = {
      "participants.user": "policy",
      "participants.trainedUser": true,
      "participants.trainedUser.opposed": true,
      "credit.key": "role",
    };
    const { rollouts, out } = await runOnce(fields);
    const cast = rollouts.flatMap((rollout) => rollout.cast ?? []);
    expect(cast.length).toBeGreaterThan(0);
    expect(
      cast.every(
        ({ role, opposed, turns }) =>
          role === "user" && opposed && turns.every(({ part }) => part === "speech"),
      ),
    ).toBe(true);
    const notes = readFileSync(join(out, "rollouts", "notes-0001.jsonl"), "utf8");
    expect(notes).toContain("/user");
  });

  test("training rollouts have the judge's mark on each turn, and evaluations have none", async () => {
    const path = join(root, "judge.mjs");
    writeFileSync(
      path,
      `export default () => ({ name: "judge", speak: async ({ turns }) => (turns.at(-1).status === "ok" ? "0.5" : "0") });`,
    );
    const { rollouts, evaluated } = await runOnce({ "participants.judge": path });
    expect(rollouts.every(({ turns }) => turns.every(({ grades }) => grades?.judge === 0.5))).toBe(
      true,
    );
    expect(evaluated.every(({ turns }) => turns.every(({ grades }) => grades === undefined))).toBe(
      true,
    );
  });

  test("with planner.trained planner, only the tokens of the plan are trained on", async () => {
    const { rollouts, evaluated } = await runOnce({
      "participants.planner": true,
      "participants.planner.trained": "planner",
    });
    for (const { turns, tokens } of [...rollouts, ...evaluated]) {
      expect(turns[0]!.part).toBe("plan");
      for (const { part, span } of turns) {
        expect(tokens!.mask.slice(...span!).every((bit) => bit === Number(part === "plan"))).toBe(
          true,
        );
      }
    }
  });
});

describe("memory", () => {
  test.each(["q-values", "success-counts"])(
    "with memory %s, prompts of later iterations contain items from earlier ones",
    async (kind) => {
      const { rollouts, state, evaluated } = await runOnce({
        "memory.kind": kind,
        ...(kind === "success-counts" && { "memory.minimumShare": 0 }),
      });
      expect(rollouts.filter(isOfIteration(1)).every(({ memory }) => memory === undefined)).toBe(
        true,
      );
      const later = rollouts.filter(isOfIteration(2)).filter(({ memory }) => memory !== undefined);
      expect(later.length).toBeGreaterThan(0);
      expect(evaluated.some(({ memory }) => memory !== undefined)).toBe(true);
      expect(state.memory!.items.items.some(({ uses }) => uses > 0)).toBe(true);
      const groups = new Map<string, Set<string>>();
      for (const { task, memory } of later) {
        groups.set(task.id, (groups.get(task.id) ?? new Set()).add(JSON.stringify(memory)));
      }
      expect([...groups.values()].every(({ size }) => size === 1)).toBe(true);
    },
  );

  test("with memory.author policy, the items are notes that the policy wrote", async () => {
    const { rollouts, state } = await runOnce({
      "memory.kind": "q-values",
      "memory.author": "policy",
    });
    const notes = rollouts.flatMap(({ turns }) => turns.filter(({ part }) => part === "note"));
    expect(notes.length).toBeGreaterThan(0);
    const texts = new Set(notes.map(({ message }) => message.trim()));
    expect(state.memory!.items.items.every(({ text }) => texts.has(text))).toBe(true);
  });

  test("with memory texts, the policy writes two texts, and every later prompt contains them", async () => {
    const { state, rollouts } = await runOnce({ "memory.kind": "texts" });
    expect(state.memory!.texts.rules.length + state.memory!.texts.playbook.length).toBeGreaterThan(
      0,
    );
    const firstPromptLength = (iteration: number) =>
      Math.min(...rollouts.filter(isOfIteration(iteration)).map(({ turns }) => turns[0]!.span![0]));
    expect(firstPromptLength(2)).toBeGreaterThan(firstPromptLength(1));
  });

  test("a checkpoint is evaluated with its memory, and with the kind of context that it was trained with", async () => {
    const { out, evaluated } = await runOnce({
      "memory.kind": "q-values",
      "context.kind": "state",
    });
    const { rollouts } = await evaluateWith(fakeMakers(), {
      policy: out,
      split: "dev",
      scenarios: 1,
    });
    const withoutIds = (list: readonly Rollout[]) =>
      list.map(({ memory, turns, tokens, segments }) => ({ memory, turns, tokens, segments }));
    expect(withoutIds(rollouts)).toEqual(withoutIds(evaluated));
    expect(rollouts.some(({ memory }) => memory !== undefined)).toBe(true);
  });

  test("an interrupted run continues with the same memory and produces the same rollouts", async () => {
    const fields: Overrides = { "memory.kind": "q-values", "algo.iterations": 3 };
    const whole = await runOnce(fields);
    const out = join(root, "interrupted");
    const config = resolveConfig({ recipe: "smoke/on-policy", overrides: { ...TINY, ...fields } });
    const stop = new AbortController();
    const stopping = trainWith(fakeMakers(), config, {
      out,
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === "progress" && event.phase === "loop" && event.step === 2) stop.abort();
      },
    });
    await expect(stopping).rejects.toThrow();
    const again = await trainShaped(fields, out);
    expect(again.state.memory).toEqual(whole.state.memory);
    expect(again.rollouts).toEqual(whole.rollouts);
  });
});
