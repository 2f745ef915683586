import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OWN_LOADER, ownModule } from "../../../tests/support/own-module.ts";
import { createMemoryFolder } from "../../testing/fake-makers.ts";
import { lockRun, type RunLock, refuseHeld } from "./run-lock.ts";
import { thisOwner } from "./run-owner.ts";

let directory: string;
const taken: RunLock[] = [];
const children: ChildProcess[] = [];
beforeEach(() => {
  directory = createMemoryFolder("bowline-lock-");
});
afterEach(() => {
  for (const lock of taken.splice(0)) lock.release();
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

const path = () => join(directory, "run.lock");
const take = () => {
  const lock = lockRun(directory);
  taken.push(lock);
  return lock;
};
const { pids } = thisOwner();
const lockBy = (owner: object, folder = directory) => {
  const since = "2026-08-01T11:02:33.123Z";
  writeFileSync(
    join(folder, "run.lock"),
    JSON.stringify({ host: hostname(), since, ...(pids && { pids }), ...owner }),
  );
};
const grownOld = () => utimesSync(path(), new Date(), new Date(Date.now() - 61_000));

/** A process that does nothing until it is killed. */
async function sleeper(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  children.push(child);
  await once(child, "spawn");
  return child;
}
async function killed(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("the lock of a run", () => {
  test("names its owner, is one at a time, and is gone when it is released", () => {
    const lock = take();
    const { pid } = process;
    expect(JSON.parse(readFileSync(path(), "utf8"))).toMatchObject({ pid, host: hostname() });
    const says = new RegExp(
      `being trained in by process ${pid} on ${hostname()} since 20.* UTC: .*--out DIR`,
    );
    expect(() => lockRun(directory)).toThrow(says);
    expect(() => refuseHeld(directory)).toThrow(says);
    expect(() => lock.check()).not.toThrow();
    lock.release();
    lock.release();
    expect(readdirSync(directory)).toEqual([]);
    expect(take().takenFrom).toBeUndefined();
  });

  test("of a live process holds; of a killed one it is taken over", async () => {
    const child = await sleeper();
    lockBy({ pid: child.pid });
    grownOld();
    expect(() => lockRun(directory)).toThrow(`process ${child.pid} on`);
    expect(() => refuseHeld(directory)).toThrow(`since 2026-08-01 11:02:33 UTC`);
    await killed(child);
    refuseHeld(directory);
    expect(take().takenFrom).toMatchObject({ pid: child.pid });
    expect(readdirSync(directory)).toEqual(["run.lock"]);
  });

  test.runIf(existsSync("/proc/self/stat"))(
    "knows a later process of the same number",
    async () => {
      const child = await sleeper();
      lockBy({ pid: child.pid, start: "1" });
      expect(take().takenFrom).toMatchObject({ start: "1" });
      lockBy({ pid: process.pid, start: "1" });
      expect(lockRun(directory).takenFrom).toMatchObject({ pid: process.pid });
    },
  );

  test("of another host holds for a minute after its last heartbeat", () => {
    lockBy({ pid: 1, host: "far-away" });
    expect(() => lockRun(directory)).toThrow(
      /process 1 on far-away .*ends 60 s after its last heartbeat/,
    );
    grownOld();
    expect(take().takenFrom).toMatchObject({ host: "far-away" });
    expect(readdirSync(directory)).toEqual(["run.lock"]);
  });

  test("that is torn holds for a minute too", () => {
    writeFileSync(path(), '{"pid": 4');
    expect(() => lockRun(directory)).toThrow(/a process that has not said its name yet/);
    grownOld();
    take();
  });

  test("that was taken away stops its owner, and is left to the other", () => {
    const lock = take();
    rmSync(path());
    lockBy({ pid: 1, host: "far-away" });
    expect(() => lock.check()).toThrow(/no longer held by this run.*process 1 on far-away/);
    expect(lock.lost.aborted).toBe(true);
    expect(() => lock.lost.throwIfAborted()).toThrow(/no longer held/);
    lock.release();
    expect(readFileSync(path(), "utf8")).toContain("far-away");
  });

  test("cannot be made where there is no folder", () => {
    expect(() => lockRun(join(directory, "nowhere"))).toThrow(/cannot write .*nowhere.run\.lock/);
  });
});

const ROUNDS = 100;
const folderOf = (round: number) => join(directory, String(round));

/** Tries once a round at its moment, says at the end how each went, and keeps what it got. */
const contender = (at: number) => `
  const { lockRun } = await import(${JSON.stringify(ownModule("train/run/run-lock.ts"))});
  await new Promise((done) => setTimeout(done, ${at} - Date.now() - 20));
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  const answers = Array.from({ length: ${ROUNDS} }, (_, round) => {
    Atomics.wait(asleep, 0, 0, Math.max(0, ${at} + 10 * round - Date.now()));
    try {
      lockRun(${JSON.stringify(directory)} + "/" + round);
      return "took";
    } catch (error) { return error.message.includes("being trained in by") ? "held" : error.message; }
  });
  console.log(JSON.stringify(answers));
  setInterval(() => {}, 1000);`;

test("of many that take over at once, one succeeds, in every round", async () => {
  const gone = await sleeper();
  for (let round = 0; round < ROUNDS; round++) {
    mkdirSync(folderOf(round));
    lockBy({ pid: gone.pid }, folderOf(round));
  }
  await killed(gone);
  const at = Date.now() + 3000;
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const child = spawn(process.execPath, [
        ...OWN_LOADER,
        "--input-type=module",
        "-e",
        contender(at),
      ]);
      children.push(child);
      const [answer] = await once(child.stdout!, "data");
      return JSON.parse(String(answer)) as string[];
    }),
  );
  for (let round = 0; round < ROUNDS; round++) {
    const inRound = answers.map((of) => of[round]).sort();
    expect(inRound, `round ${round}`).toEqual(["held", "held", "held", "held", "took"]);
    expect(readdirSync(folderOf(round))).toEqual(["run.lock"]);
  }
});

test("a takeover whose process died in the middle is taken over too", async () => {
  const gone = await sleeper();
  lockBy({ pid: gone.pid });
  renameSync(path(), `${path()}.takeover`);
  lockBy({ pid: gone.pid });
  await killed(gone);
  expect(take().takenFrom?.pid).toBe(gone.pid);
  expect(readdirSync(directory)).toEqual(["run.lock"]);
});

test("a takeover that another is busy with is not disturbed", async () => {
  const [gone, busy] = [await sleeper(), await sleeper()];
  lockBy({ pid: busy.pid });
  renameSync(path(), `${path()}.takeover`);
  lockBy({ pid: gone.pid });
  await killed(gone);
  expect(take).toThrow(/others keep taking it/);
  expect(readdirSync(directory).sort()).toEqual(["run.lock", "run.lock.takeover"]);
  await killed(busy);
  expect(take().takenFrom?.pid).toBe(gone.pid);
});
