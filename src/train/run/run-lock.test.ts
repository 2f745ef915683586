import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NODE_LOADER_OPTIONS, packageModuleUrl } from "../../../tests/support/package-module.ts";
import { createMemoryFolder } from "../../testing/fake-makers.ts";
import { lockRun, type RunLock, requireUnlocked } from "./run-lock.ts";
import { describeThisProcess } from "./run-owner.ts";

let directory: string;
const takenLocks: RunLock[] = [];
const children: ChildProcess[] = [];
beforeEach(() => {
  directory = createMemoryFolder("bowline-lock-");
});
afterEach(() => {
  for (const lock of takenLocks.splice(0)) lock.release();
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

const lockFile = () => join(directory, "run.lock");
const takeLock = () => {
  const lock = lockRun(directory);
  takenLocks.push(lock);
  return lock;
};
const { pids } = describeThisProcess();
const writeLockOf = (owner: object, folder = directory) => {
  const since = "2026-08-01T11:02:33.123Z";
  writeFileSync(
    join(folder, "run.lock"),
    JSON.stringify({ host: hostname(), since, ...(pids && { pids }), ...owner }),
  );
};
const makeLockOld = () => utimesSync(lockFile(), new Date(), new Date(Date.now() - 61_000));

/** Starts a process that does nothing until it is killed. */
async function startSleepingProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  children.push(child);
  await once(child, "spawn");
  return child;
}
async function killProcess(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("the lock of a run", () => {
  test("names its owner, is held by only one process at a time, and is removed on release", () => {
    const lock = takeLock();
    const { pid } = process;
    expect(JSON.parse(readFileSync(lockFile(), "utf8"))).toMatchObject({ pid, host: hostname() });
    const says = new RegExp(
      `in use by process ${pid} on ${hostname()} since 20.* UTC, .*--out DIR`,
    );
    expect(() => lockRun(directory)).toThrow(says);
    expect(() => requireUnlocked(directory)).toThrow(says);
    expect(() => lock.check()).not.toThrow();
    lock.release();
    lock.release();
    expect(readdirSync(directory)).toEqual([]);
    expect(takeLock().takenFrom).toBeUndefined();
  });

  test("is respected while its owner's process lives, and taken over when that process was killed", async () => {
    const child = await startSleepingProcess();
    writeLockOf({ pid: child.pid });
    makeLockOld();
    expect(() => lockRun(directory)).toThrow(`process ${child.pid} on`);
    expect(() => requireUnlocked(directory)).toThrow(`since 2026-08-01 11:02:33 UTC`);
    await killProcess(child);
    requireUnlocked(directory);
    expect(takeLock().takenFrom).toMatchObject({ pid: child.pid });
    expect(readdirSync(directory)).toEqual(["run.lock"]);
  });

  test.runIf(existsSync("/proc/self/stat"))(
    "is taken over when another process now has the owner's process id",
    async () => {
      const child = await startSleepingProcess();
      writeLockOf({ pid: child.pid, start: "1" });
      expect(takeLock().takenFrom).toMatchObject({ start: "1" });
      writeLockOf({ pid: process.pid, start: "1" });
      expect(lockRun(directory).takenFrom).toMatchObject({ pid: process.pid });
    },
  );

  test("is respected for a minute after the last heartbeat of an owner on another host", () => {
    writeLockOf({ pid: 1, host: "far-away" });
    expect(() => lockRun(directory)).toThrow(
      /process 1 on far-away .*ends 60 s after its last heartbeat/,
    );
    makeLockOld();
    expect(takeLock().takenFrom).toMatchObject({ host: "far-away" });
    expect(readdirSync(directory)).toEqual(["run.lock"]);
  });

  test("is taken over when its heartbeat is more than a minute in the future", () => {
    writeLockOf({ pid: 1, host: "far-away" });
    utimesSync(lockFile(), new Date(), new Date(Date.now() + 3_600_000));
    expect(takeLock().takenFrom).toMatchObject({ host: "far-away" });
  });

  test("is released without an error even if its file cannot be reached", () => {
    const lock = takeLock();
    rmSync(directory, { recursive: true });
    // A link to itself: every look at a file in the folder is an error.
    symlinkSync(directory, directory);
    expect(() => lock.release()).not.toThrow();
  });

  test("is respected for a minute even if its file is incomplete", () => {
    writeFileSync(lockFile(), '{"pid": 4');
    expect(() => lockRun(directory)).toThrow(/in use by an unknown process/);
    makeLockOld();
    takeLock();
  });

  test("stops its former owner when another process has taken it, and stays with that process", () => {
    const lock = takeLock();
    rmSync(lockFile());
    writeLockOf({ pid: 1, host: "far-away" });
    expect(() => lock.check()).toThrow(
      /this run no longer has the lock of .*process 1 on far-away/,
    );
    expect(lock.lost.aborted).toBe(true);
    expect(() => lock.lost.throwIfAborted()).toThrow(/no longer has the lock/);
    lock.release();
    expect(readFileSync(lockFile(), "utf8")).toContain("far-away");
  });

  test("cannot be taken in a folder that does not exist", () => {
    expect(() => lockRun(join(directory, "nowhere"))).toThrow(/cannot write .*nowhere.run\.lock/);
  });
});

const ROUNDS = 100;
const roundFolder = (round: number) => join(directory, String(round));

/**
 * Returns the script of a process that tries to take the lock in each round, prints the outcomes, and keeps its locks.
 */
const contenderScript = (at: number) => `
  const { lockRun } = await import(${JSON.stringify(packageModuleUrl("train/run/run-lock.ts"))});
  await new Promise((done) => setTimeout(done, ${at} - Date.now() - 20));
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  const answers = Array.from({ length: ${ROUNDS} }, (_, round) => {
    Atomics.wait(asleep, 0, 0, Math.max(0, ${at} + 10 * round - Date.now()));
    try {
      lockRun(${JSON.stringify(directory)} + "/" + round);
      return "took";
    } catch (error) { return error.message.includes("is in use by") ? "held" : error.message; }
  });
  console.log(JSON.stringify(answers));
  setInterval(() => {}, 1000);`;

test("when several processes take over a lock at the same time, exactly one succeeds", async () => {
  const gone = await startSleepingProcess();
  for (let round = 0; round < ROUNDS; round++) {
    mkdirSync(roundFolder(round));
    writeLockOf({ pid: gone.pid }, roundFolder(round));
  }
  await killProcess(gone);
  const at = Date.now() + 3000;
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const child = spawn(process.execPath, [
        ...NODE_LOADER_OPTIONS,
        "--input-type=module",
        "-e",
        contenderScript(at),
      ]);
      children.push(child);
      const [answer] = await once(child.stdout!, "data");
      return JSON.parse(String(answer)) as string[];
    }),
  );
  for (let round = 0; round < ROUNDS; round++) {
    const inRound = answers.map((of) => of[round]).sort();
    expect(inRound, `round ${round}`).toEqual(["held", "held", "held", "held", "took"]);
    expect(readdirSync(roundFolder(round))).toEqual(["run.lock"]);
  }
});

test("a takeover file whose process died is itself taken over", async () => {
  const gone = await startSleepingProcess();
  writeLockOf({ pid: gone.pid });
  renameSync(lockFile(), `${lockFile()}.takeover`);
  writeLockOf({ pid: gone.pid });
  await killProcess(gone);
  expect(takeLock().takenFrom?.pid).toBe(gone.pid);
  expect(readdirSync(directory)).toEqual(["run.lock"]);
});

test("a takeover by another live process is left alone", async () => {
  const [gone, busy] = [await startSleepingProcess(), await startSleepingProcess()];
  writeLockOf({ pid: busy.pid });
  renameSync(lockFile(), `${lockFile()}.takeover`);
  writeLockOf({ pid: gone.pid });
  await killProcess(gone);
  expect(takeLock).toThrow(/other processes keep locking it/);
  expect(readdirSync(directory).sort()).toEqual(["run.lock", "run.lock.takeover"]);
  await killProcess(busy);
  expect(takeLock().takenFrom?.pid).toBe(gone.pid);
});

test("what processes left that were killed while they took the lock is removed, also when the lock itself is gone", async () => {
  const gone = await startSleepingProcess();
  writeLockOf({ pid: gone.pid });
  for (const name of ["run.lock.takeover", "run.lock.takeover.takeover"]) {
    copyFileSync(lockFile(), join(directory, name));
  }
  for (const name of ["run.lock.1.draft", "run.lock.77.now", "run.lock.takeover.77.now"]) {
    writeFileSync(join(directory, name), "");
  }
  rmSync(lockFile());
  await killProcess(gone);
  takeLock();
  expect(readdirSync(directory)).toEqual(["run.lock"]);
});

/** A script that takes and releases the lock until it is killed. */
const lockingScript = (folder: string) => `
  const { lockRun } = await import(${JSON.stringify(packageModuleUrl("train/run/run-lock.ts"))});
  lockRun(${JSON.stringify(folder)}).release();
  console.log("ready");
  for (;;) lockRun(${JSON.stringify(folder)}).release();`;

test("a process that is killed while it takes the lock never leaves a lock without an owner", async () => {
  const rounds = Array.from({ length: 12 }, async (_, round) => {
    const folder = roundFolder(round);
    mkdirSync(folder);
    const args = [...NODE_LOADER_OPTIONS, "--input-type=module", "-e", lockingScript(folder)];
    const child = spawn(process.execPath, args);
    children.push(child);
    await once(child.stdout!, "data");
    await new Promise((done) => setTimeout(done, 3 * round));
    await killProcess(child);
    const lock = lockRun(folder);
    expect(readdirSync(folder)).toEqual(["run.lock"]);
    lock.release();
  });
  await Promise.all(rounds);
});
