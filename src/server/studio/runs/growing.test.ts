/** Tests what indexes and listeners see of a run that grows, is truncated, and is trained by a live process. */
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
import { PAPER_REWARD } from "../../../algo/index.ts";
import type { RunEvent } from "../../../spec/studio/index.ts";
import { createMemoryFolder } from "../../../testing/fake-makers.ts";
import { fakeRollout, fakeTokens } from "../../../testing/fake-rollout.ts";
import { lockRun } from "../../../train/run/run-lock.ts";
import { createGridReader } from "./grid.ts";
import { createMetricReader } from "./metric-tables.ts";
import { createRolloutIndexStore } from "./rollout-index-store.ts";
import { buildRunDetail } from "./run-detail.ts";
import { createRunEventHub } from "./run-events.ts";
import { openRuns, type Runs } from "./runs.ts";

let root: string;
let runs: Runs;
beforeEach(() => {
  root = createMemoryFolder("bowline-studio-growing-");
  for (const name of ["rollouts", "journal"]) mkdirSync(join(root, name));
  writeFileSync(join(root, "run.json"), JSON.stringify({ config: { algo: { iterations: 4 } } }));
  runs = openRuns(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const rolloutLine = (task: number, index: number, passed = true) =>
  `${JSON.stringify(
    fakeRollout({
      taskId: `train/${task}/1`,
      id: `1/${task}/${index}`,
      index,
      checks: [passed, true],
      tokens: fakeTokens([0, 1, 1, 0]),
    }),
  )}\n`;
const journalPath = () => join(root, "journal", "train-0001.jsonl");

describe("what a process reports", () => {
  const report = (folder: string, more: object) =>
    writeFileSync(
      join(folder, "progress.json"),
      JSON.stringify({ phase: "world", detail: "running demonstrations", ...more }),
    );

  it("shows a run that makes its demonstrations, before it has a record", async () => {
    const folder = join(root, "beginning");
    mkdirSync(folder);
    rmSync(join(root, "run.json"));
    report(folder, { step: 3, steps: 48, rolloutsPerSecond: 2, secondsLeft: 20 });
    expect(await runs.listRows()).toEqual([]);
    const lock = lockRun(folder);
    const now = { phase: "world", step: 3, steps: 48, rolloutsPerSecond: 2, secondsLeft: 20 };
    expect(await runs.listRows()).toEqual([
      {
        id: "beginning",
        status: "running",
        now: { ...now, detail: "running demonstrations" },
      },
    ]);
    const location = await runs.locate("beginning");
    expect(await buildRunDetail(runs, location, new Map())).toMatchObject(now);
    lock.release();
    expect(await runs.listRows()).toEqual([]);
  });

  it("is shown in place of what other files say, and only while the run is trained", async () => {
    const location = await runs.locate(basename(root));
    const detail = () => buildRunDetail(runs, location, new Map());
    report(root, { phase: "eval", detail: "before", step: 7, steps: 60 });
    expect(await detail()).toMatchObject({ status: "stopped" });
    expect(await detail()).not.toHaveProperty("phase");
    const lock = lockRun(root);
    expect(await detail()).toMatchObject({ status: "running", phase: "eval", step: 7, steps: 60 });
    report(root, { phase: "loop", detail: "", step: 9, steps: 9 });
    expect(await detail()).toMatchObject({ phase: "world" });
    for (const wrong of [{ phase: "sleep" }, { step: -1 }, { detail: "x".repeat(2000) }]) {
      report(root, wrong);
      expect((await detail()).now, JSON.stringify(wrong)).toBeUndefined();
    }
    lock.release();
  });
});

describe("a journal", () => {
  it("is read on from where the last read ended, also after it became a whole file", async () => {
    const grids = createGridReader(runs);
    const location = await runs.locate(basename(root));
    const cells = async () => (await grids.readGrid(location)).iterations;
    appendFileSync(
      journalPath(),
      rolloutLine(0, 0) + rolloutLine(1, 0, false) + rolloutLine(0, 1).slice(0, 40),
    );
    expect(await cells()).toEqual([
      {
        ...{ file: "train-0001", iteration: 1, whole: false },
        groups: [
          { task: "train/0/1", size: 1, passed: 1 },
          { task: "train/1/1", size: 1, passed: 0 },
        ],
      },
    ]);
    const file = await runs.findFile(location, "train-0001");
    const index = await runs.indexes.load(file);
    appendFileSync(journalPath(), rolloutLine(0, 1).slice(40) + rolloutLine(2, 0));
    expect((await cells())[0]!.groups.map(({ size }) => size)).toEqual([2, 1, 1]);
    expect(await runs.indexes.load(file)).toBe(index);
    expect(index.foreignLines).toBe(0);
    expect(index.rowAt(2)).toMatchObject({ id: "1/0/1", index: 1, reward: 1, sampled: 2 });
    expect((await runs.readRollout(file, "1/2/0", { tokens: false })).rollout.task.id).toBe(
      "train/2/1",
    );
    renameSync(journalPath(), join(root, "rollouts", "train-0001.jsonl"));
    expect((await cells())[0]).toMatchObject({ whole: true });
  });

  it("is read again from the start after it was truncated", async () => {
    appendFileSync(journalPath(), rolloutLine(0, 0) + rolloutLine(1, 0));
    const file = await runs.findFile(await runs.locate(basename(root)), "train-0001");
    expect((await runs.indexes.load(file)).size).toBe(2);
    truncateSync(journalPath(), statSync(journalPath()).size - rolloutLine(1, 0).length);
    expect((await runs.indexes.load(file)).ids).toEqual(["1/0/0"]);
  });
});

describe("indexes of rollout files", () => {
  it("are dropped above a memory limit, the least recently used first", async () => {
    const store = createRolloutIndexStore(runs.folder, 1800);
    const paths = [1, 2, 3].map((n) => join(root, "rollouts", `train-000${n}.jsonl`));
    for (const path of paths) writeFileSync(path, rolloutLine(0, 0));
    const [first, second] = [
      await store.load({ reward: PAPER_REWARD, path: paths[0]! }),
      await store.load({ reward: PAPER_REWARD, path: paths[1]! }),
    ];
    expect(await store.load({ reward: PAPER_REWARD, path: paths[0]! })).toBe(first);
    await store.load({ reward: PAPER_REWARD, path: paths[2]! });
    expect(await store.load({ reward: PAPER_REWARD, path: paths[0]! })).toBe(first);
    expect(await store.load({ reward: PAPER_REWARD, path: paths[1]! })).not.toBe(second);
  });

  it("are built once for simultaneous requests", async () => {
    const path = join(root, "rollouts", "train-0001.jsonl");
    writeFileSync(path, rolloutLine(0, 0).repeat(2000));
    const [a, b] = await Promise.all([
      runs.indexes.load({ path, reward: PAPER_REWARD }),
      runs.indexes.load({ path, reward: PAPER_REWARD }),
    ]);
    expect(a).toBe(b);
    expect(a!.size).toBe(2000);
  });

  it("hold lines that are longer than a chunk as a whole", async () => {
    const path = join(root, "rollouts", "train-0001.jsonl");
    const long = fakeRollout({ id: "long", tokens: fakeTokens(new Array<1>(300_000).fill(1)) });
    writeFileSync(path, `${rolloutLine(0, 0)}${JSON.stringify(long)}\n${rolloutLine(1, 0)}`);
    const index = await runs.indexes.load({ path, reward: PAPER_REWARD });
    expect(index.ids).toEqual(["1/0/0", "long", "1/1/0"]);
    expect(index.rowAt(1).sampled).toBe(300_000);
  });
});

describe("metric tables", () => {
  const metricsPath = () => join(root, "metrics.jsonl");
  const metricsLine = (n: number, reward: number) =>
    `${JSON.stringify({ phase: "loop", step: n, "reward/mean": reward })}\n`;
  const readRewards = async (store: ReturnType<typeof createMetricReader>) =>
    (await store.readTables(await runs.locate(basename(root))))
      .get("loop")
      ?.columns.get("reward/mean");

  it("grow line by line, and are rebuilt after a run was truncated to a checkpoint", async () => {
    const store = createMetricReader(runs.folder);
    appendFileSync(metricsPath(), metricsLine(1, 0.1) + metricsLine(2, 0.2).slice(0, 9));
    expect(await readRewards(store)).toEqual([0.1]);
    appendFileSync(metricsPath(), metricsLine(2, 0.2).slice(9) + metricsLine(3, 0.3));
    expect(await readRewards(store)).toEqual([0.1, 0.2, 0.3]);
    truncateSync(metricsPath(), metricsLine(1, 0.1).length);
    appendFileSync(metricsPath(), metricsLine(2, 0.4) + metricsLine(3, 0.5) + metricsLine(4, 0.6));
    expect(await readRewards(store)).toEqual([0.1, 0.4, 0.5, 0.6]);
  });
});

describe("a run that is training", () => {
  it("has the status running as long as its process holds the lock", async () => {
    const status = async () => (await runs.listRows())[0]!.status;
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

  it("tells listeners what to fetch again", async () => {
    const hub = createRunEventHub(runs, 5);
    const gone = new AbortController();
    const events = hub
      .listen(await runs.locate(basename(root)), gone.signal)
      [Symbol.asyncIterator]();
    const next = async (): Promise<RunEvent> => (await events.next()).value;
    expect(await next()).toEqual({ type: "hello" });
    appendFileSync(join(root, "metrics.jsonl"), "{}\n");
    expect(await next()).toEqual({ type: "metrics" });
    appendFileSync(journalPath(), rolloutLine(0, 0));
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
