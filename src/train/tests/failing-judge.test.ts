/** Tests runs whose judge fails now and then, fails for some rollouts, or always fails. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { SMALL_RUN } from "../../../tests/support/watched-run.ts";
import { createMemoryFolder, fakeMakers } from "../../testing/fake-makers.ts";
import { readRollouts } from "../run/run-store.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** The paths of a judge's module and of a run that uses it. After `mend()`, the judge no longer fails. */
interface JudgedRun {
  readonly judge: string;
  readonly out: string;
  mend(): void;
}

/**
 * Writes a judge's module. The judge fails when the source text `fails` returns true for a task and the number of the
 * call.
 */
function createFailingJudge(fails: string): JudgedRun {
  const root = createMemoryFolder("bowline-judge-");
  roots.push(root);
  const judge = join(root, "judge.mjs");
  writeFileSync(
    judge,
    `import { existsSync } from "node:fs";
    const mended = ${JSON.stringify(join(root, "mended"))};
    const fails = ${fails};
    let calls = 0;
    export default () => ({ name: "judge", speak: async ({ task }) => {
      if (!existsSync(mended) && fails(task, calls++)) await fetch("http://127.0.0.1:9/mark");
      return "0.5";
    }});`,
  );
  const mend = () => writeFileSync(join(root, "mended"), "");
  return { judge, out: join(root, "run"), mend };
}

async function trainWithJudge({ judge, out }: JudgedRun) {
  const notes: string[] = [];
  const config = resolveConfig({
    recipe: "starter/on-policy",
    overrides: {
      ...SMALL_RUN,
      "algo.tasksPerIteration": 2,
      "participants.judge": judge,
      "rewards.terms": [{ term: "outcome" }, { term: "judge", weight: 0.1 }],
    },
  });
  await trainWith(fakeMakers(), config, {
    out,
    onEvent: (event) => void (event.type === "note" && notes.push(event.text)),
  });
  const lines = readFileSync(join(out, "metrics.jsonl"), "utf8").trim().split("\n");
  const loop = lines.map((line) => JSON.parse(line)).find(({ phase }) => phase === "loop");
  return { notes, metrics: loop, rollouts: readRollouts(out, "train-0001") };
}

const withMarks = (rollouts: Awaited<ReturnType<typeof trainWithJudge>>["rollouts"]) =>
  rollouts.filter(({ turns }) => turns.every(({ grades }) => grades?.judge === 0.5));

// These tests run concurrently, because most of their time is spent waiting for a judge's next attempt.
describe.concurrent("a judge that fails", () => {
  test("calls that fail now and then are repeated, so that every turn gets a mark", async () => {
    const { metrics, rollouts } = await trainWithJudge(createFailingJudge("(_, call) => call < 3"));
    expect(withMarks(rollouts)).toHaveLength(8);
    expect(metrics).toMatchObject({
      "rollout/unjudged": 0,
      "rollout/failed": 0,
      "rollout/count": 8,
    });
  });

  test("rollouts that the judge could not mark are left out, counted and reported", async () => {
    const { metrics, rollouts, notes } = await trainWithJudge(
      createFailingJudge("({ id }) => globalThis.hurt === id || (globalThis.hurt ??= id) === id"),
    );
    const failed = rollouts.filter(({ outcome }) => outcome === "failed");
    expect(new Set(failed.map(({ task }) => task.id)).size).toBe(1);
    expect(failed).toHaveLength(4);
    for (const { failure, evaluation } of failed) {
      expect(evaluation).toBeUndefined();
      expect(failure).toMatchObject({ boundary: "judge", code: "TypeError" });
    }
    expect(withMarks(rollouts)).toHaveLength(4);
    expect(metrics).toMatchObject({
      "rollout/unjudged": 4,
      "rollout/failed": 0,
      "rollout/count": 4,
    });
    expect(notes).toContainEqual(
      expect.stringMatching(
        /^iteration 1: 4 of 8 rollouts are left out, because they have no mark from the judge; the judge .*judge\.mjs gave no mark in 4 attempts: fetch failed: .*/,
      ),
    );
  });

  test("a judge that never answers ends the run with a one-line error, and the same command continues it", async () => {
    const judged = createFailingJudge("() => true");
    await expect(trainWithJudge(judged)).rejects.toMatchObject({
      code: "tripwire",
      message: expect.stringMatching(/^none of 8 rollouts could be judged: the judge .*judge\.mjs/),
    });
    judged.mend();
    const { metrics, rollouts } = await trainWithJudge(judged);
    expect(withMarks(rollouts)).toHaveLength(8);
    expect(metrics["rollout/unjudged"]).toBe(0);
  });
});
