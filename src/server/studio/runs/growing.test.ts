/** A run that grows, is cut back, and is trained in by a living process: what listeners hear, what indexes hold. */
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunEvent } from "../../../spec/studio/index.ts";
import { memoryFolder } from "../../../testing/fake-makers.ts";
import { fakeRollout, tokensOf } from "../../../testing/fake-rollout.ts";
import { lockRun } from "../../../train/run/run-lock.ts";
import { curveStore } from "./curves.ts";
import { eventHub } from "./events.ts";
import { gridStore } from "./grid.ts";
import { indexStore } from "./index-store.ts";
import { openRuns, type Runs } from "./runs.ts";

let root: string;
let runs: Runs;
beforeEach(() => {
  root = memoryFolder("bowline-studio-growing-");
  for (const name of ["rollouts", "journal"]) mkdirSync(join(root, name));
  writeFileSync(join(root, "run.json"), JSON.stringify({ config: { algo: { iterations: 4 } } }));
  runs = openRuns(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const line = (task: number, index: number, passed = true) =>
  `${JSON.stringify(
    fakeRollout({
      taskId: `train/${task}/1`,
      id: `1/${task}/${index}`,
      index,
      checks: [passed, true],
      tokens: tokensOf([0, 1, 1, 0]),
    }),
  )}\n`;
const journal = () => join(root, "journal", "train-0001.jsonl");

describe("a journal", () => {
  it("is read on from where the last look ended, and becomes a file", async () => {
    const grids = gridStore(runs);
    const place = await runs.place(basename(root));
    const cells = async () => (await grids.of(place)).iterations;
    appendFileSync(journal(), line(0, 0) + line(1, 0, false) + line(0, 1).slice(0, 40));
    expect(await cells()).toEqual([
      {
        ...{ file: "train-0001", iteration: 1, whole: false },
        groups: [
          { task: "train/0/1", size: 1, passed: 1 },
          { task: "train/1/1", size: 1, passed: 0 },
        ],
      },
    ]);
    const file = await runs.file(place, "train-0001");
    const index = await runs.indexes.of(file);
    appendFileSync(journal(), line(0, 1).slice(40) + line(2, 0));
    expect((await cells())[0]!.groups.map(({ size }) => size)).toEqual([2, 1, 1]);
    expect(await runs.indexes.of(file)).toBe(index);
    expect(index.foreign).toBe(0);
    expect(index.row(2)).toMatchObject({ id: "1/0/1", index: 1, reward: 1, sampled: 2 });
    expect((await runs.rollout(file, "1/2/0", { tokens: false })).rollout.task.id).toBe(
      "train/2/1",
    );
    renameSync(journal(), join(root, "rollouts", "train-0001.jsonl"));
    expect((await cells())[0]).toMatchObject({ whole: true });
  });

  it("is read anew where it was cut back", async () => {
    appendFileSync(journal(), line(0, 0) + line(1, 0));
    const file = await runs.file(await runs.place(basename(root)), "train-0001");
    expect((await runs.indexes.of(file)).size).toBe(2);
    truncateSync(journal(), statSync(journal()).size - line(1, 0).length);
    expect((await runs.indexes.of(file)).ids).toEqual(["1/0/0"]);
  });
});

describe("indexes", () => {
  it("are dropped above a bound, the least recently used first", async () => {
    const store = indexStore(runs.inside, 1800);
    const paths = [1, 2, 3].map((n) => join(root, "rollouts", `train-000${n}.jsonl`));
    for (const path of paths) writeFileSync(path, line(0, 0));
    const [first, second] = [
      await store.of({ path: paths[0]! }),
      await store.of({ path: paths[1]! }),
    ];
    expect(await store.of({ path: paths[0]! })).toBe(first);
    await store.of({ path: paths[2]! });
    expect(await store.of({ path: paths[0]! })).toBe(first);
    expect(await store.of({ path: paths[1]! })).not.toBe(second);
  });

  it("are made once for all who ask at the same time", async () => {
    const path = join(root, "rollouts", "train-0001.jsonl");
    writeFileSync(path, line(0, 0).repeat(2000));
    const [a, b] = await Promise.all([runs.indexes.of({ path }), runs.indexes.of({ path })]);
    expect(a).toBe(b);
    expect(a!.size).toBe(2000);
  });

  it("hold no line that is longer than a piece in part only", async () => {
    const path = join(root, "rollouts", "train-0001.jsonl");
    const long = fakeRollout({ id: "long", tokens: tokensOf(new Array<1>(300_000).fill(1)) });
    writeFileSync(path, `${line(0, 0)}${JSON.stringify(long)}\n${line(1, 0)}`);
    const index = await runs.indexes.of({ path });
    expect(index.ids).toEqual(["1/0/0", "long", "1/1/0"]);
    expect(index.row(1).sampled).toBe(300_000);
  });
});

describe("curves", () => {
  const metrics = () => join(root, "metrics.jsonl");
  const step = (n: number, reward: number) =>
    `${JSON.stringify({ phase: "loop", step: n, "reward/mean": reward })}\n`;
  const rewards = async (store: ReturnType<typeof curveStore>) =>
    (await store.tables(await runs.place(basename(root)))).get("loop")?.columns.get("reward/mean");

  it("grow line by line, and begin anew when a run was cut back to a checkpoint", async () => {
    const store = curveStore(runs.inside);
    appendFileSync(metrics(), step(1, 0.1) + step(2, 0.2).slice(0, 9));
    expect(await rewards(store)).toEqual([0.1]);
    appendFileSync(metrics(), step(2, 0.2).slice(9) + step(3, 0.3));
    expect(await rewards(store)).toEqual([0.1, 0.2, 0.3]);
    truncateSync(metrics(), step(1, 0.1).length);
    appendFileSync(metrics(), step(2, 0.4) + step(3, 0.5) + step(4, 0.6));
    expect(await rewards(store)).toEqual([0.1, 0.4, 0.5, 0.6]);
  });
});

describe("a run that is trained in", () => {
  it("is running as long as its process holds the lock", async () => {
    const status = async () => (await runs.rows())[0]!.status;
    expect(await status()).toBe("stopped");
    const lock = lockRun(root);
    expect(await status()).toBe("running");
    lock.release();
    expect(await status()).toBe("stopped");
    writeFileSync(join(root, "run.lock"), JSON.stringify({ pid: 1, host: "away", since: "" }));
    expect(await status()).toBe("running");
    utimesSync(join(root, "run.lock"), 1, 1);
    expect(await status()).toBe("stopped");
  });

  it("tells whoever listens what to fetch again", async () => {
    const hub = eventHub(runs, 5);
    const gone = new AbortController();
    const events = hub
      .listen(await runs.place(basename(root)), gone.signal)
      [Symbol.asyncIterator]();
    const next = async (): Promise<RunEvent> => (await events.next()).value;
    expect(await next()).toEqual({ type: "hello" });
    appendFileSync(join(root, "metrics.jsonl"), "{}\n");
    expect(await next()).toEqual({ type: "metrics" });
    appendFileSync(journal(), line(0, 0));
    expect(await next()).toEqual({ type: "rollouts", file: "train-0001" });
    const lock = lockRun(root);
    expect(await next()).toEqual({ type: "status", status: "running" });
    lock.release();
    expect(await next()).toEqual({ type: "status", status: "stopped" });
    const last = events.next();
    gone.abort();
    expect((await last).done).toBe(true);
  });
});
