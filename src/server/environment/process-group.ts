/**
 * A process group: a program and everything that it starts. The group has an id of its own, so that all of it can be
 * ended, and it is ended when the program exits, when the caller aborts, and when this process dies (`group-guard.ts`).
 *
 * A process that leaves the group, such as a container or a daemon, is not ended. Windows has no process groups; there
 * the tree of processes below the program is ended.
 */
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { errorMessage, signalGroup } from "../../core/index.ts";
import type { GroupGuard } from "./group-guard.ts";
import { collectTail } from "./output-tail.ts";

/** A program to start, and how it ends. */
export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the group when it aborts. */
  readonly signal: AbortSignal;
  /** How many milliseconds the group gets between the request to end (SIGTERM) and its end (SIGKILL). */
  readonly graceMs: number;
  /** Ends the group when this process dies. */
  readonly guard: GroupGuard;
}

/** How a program ended, after its whole group has ended. */
export interface ProgramEnd {
  /** The exit code, or null when a signal ended the program. */
  readonly exitCode: number | null;
  readonly killedBy: NodeJS.Signals | null;
  /** The end of what the program wrote, at most 1 MiB. */
  readonly stdout: string;
  /** The end of what the program wrote to stderr, at most 8 KiB. */
  readonly stderr: string;
}

const IS_WINDOWS = process.platform === "win32";
/**
 * A program begins when the guard knows its group. If this process dies before, the pipe ends and the program never
 * begins.
 */
const WAIT_FOR_GUARD = 'read -r go <&3 || exit 125; exec 3<&-; unset go; exec "$@"';
const STDOUT_BYTES = 2 ** 20;
const STDERR_BYTES = 2 ** 13;
/** How long a group that was killed may take to disappear, and how long its output may take to end. */
const KILLED_MS = 2000;
const POLL_MS = 10;

/**
 * Runs a program in a process group of its own. Resolves when all processes of the group have ended. Rejects with an
 * error that is named `not-started` when the program cannot be started.
 */
export async function runProcessGroup(start: ProgramStart): Promise<ProgramEnd> {
  const { signal, graceMs, guard } = start;
  const [file, args] = IS_WINDOWS
    ? [start.file, start.args]
    : ["/bin/sh", ["-c", WAIT_FOR_GUARD, "sh", start.file, ...start.args]];
  const child = spawn(file, args, {
    cwd: start.workingDirectory,
    env: start.env,
    detached: !IS_WINDOWS,
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe", IS_WINDOWS ? "ignore" : "pipe"],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const stdout = collectTail(child.stdout, STDOUT_BYTES);
  const stderr = collectTail(child.stderr, STDERR_BYTES);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const exited = waitForExit(child, start.file);
  const { pid } = child;
  if (pid !== undefined) guard.add(pid);
  const gate = child.stdio[3] as Writable | null;
  gate?.on("error", () => {});
  gate?.end("go\n");
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= pid === undefined ? Promise.resolve() : endGroup(pid, graceMs);
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    const end = await exited;
    stop();
    await stopping;
    await waitAtMost(closed, KILLED_MS);
    return { ...end, stdout: stdout(), stderr: stderr() };
  } finally {
    signal.removeEventListener("abort", stop);
    // A process that left the group may still hold the other end of the output.
    child.stdout.destroy();
    child.stderr.destroy();
    if (pid !== undefined) guard.remove(pid);
  }
}

/** Waits for a promise, but not longer than the limit. It leaves no timer behind. */
async function waitAtMost(promise: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

function waitForExit(
  child: ChildProcess,
  file: string,
): Promise<Pick<ProgramEnd, "exitCode" | "killedBy">> {
  return new Promise((resolve, reject) => {
    child.once("exit", (exitCode, killedBy) => resolve({ exitCode, killedBy }));
    child.once("error", (cause) => {
      const error = new Error(`cannot start ${file}: ${errorMessage(cause)}`, { cause });
      reject(Object.assign(error, { name: "not-started" }));
    });
  });
}

/** Ends a group: asks it to end, and kills it after the grace. Resolves when it has ended. */
async function endGroup(group: number, graceMs: number): Promise<void> {
  if (IS_WINDOWS) return endTree(group);
  if (!signalGroup(group, "SIGTERM")) return;
  if (await waitUntilGone(group, graceMs)) return;
  signalGroup(group, "SIGKILL");
  await waitUntilGone(group, KILLED_MS);
}

async function waitUntilGone(group: number, limitMs: number): Promise<boolean> {
  // A look at all processes takes longer than a pause on a busy machine, so time is measured and not counted.
  const deadline = performance.now() + limitMs;
  while (isGroupAlive(group)) {
    if (performance.now() >= deadline) return false;
    await wait(POLL_MS);
  }
  return true;
}

/**
 * Tells whether a process of the group is alive. A process that has ended stays in its group until its parent asks how.
 * The parent of an orphan is the first process of the machine, which in containers often never asks, so on Linux such
 * processes are told apart.
 */
export function isGroupAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== "linux") return true;
  return readdirSync("/proc").some((name) => /^\d/.test(name) && isLiveMember(name, group));
}

/** Reads the state and the group of a process: `PID (NAME) STATE PARENT GROUP ...`, where the name may be anything. */
function isLiveMember(pid: string, group: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, , itsGroup] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return Number(itsGroup) === group && state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}

function endTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    killer.once("error", () => resolve());
    killer.once("exit", () => resolve());
  });
}
