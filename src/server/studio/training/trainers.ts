/**
 * Processes that train runs. Each has its own process group and prints into its own file, so it does not depend on the
 * studio: Ctrl-C there does not reach it, and it continues when the studio ends. Its progress is read from its run
 * directory, as for any run. It is stopped as with Ctrl-C, after which the run can be resumed.
 *
 * Only processes that this studio started are signalled, and by their handle. So a process id that was reused by
 * another program is never signalled.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Trainer } from "../../../spec/studio/index.ts";
import { findRunOwner } from "../../../train/index.ts";
import { StudioError } from "../studio-error.ts";
import { findErrorLine, readLastLines } from "./process-output.ts";

/** Each run takes all cores and the memory of a policy. */
const MAX_CONCURRENT_RUNS = 3;
const POLL_MS = 50;

/** A run that is training now. */
export interface ActiveTraining {
  /** The id of the run. */
  readonly run: string;
  readonly pid: number;
}

export interface Trainers extends Disposable {
  /**
   * Starts a process. Resolves when it holds the run's lock or has ended without error. Throws with the command's error
   * message, and throws 409 if the run is training already or too many runs are training.
   */
  start(run: string, directory: string, words: readonly string[]): Promise<void>;
  /**
   * Stops as Ctrl-C does: cleanly the first time, at once the second time. Throws 409 if this studio did not start the
   * run.
   */
  stop(run: string): Trainer;
  status(run: string): Trainer;
  listActive(): readonly ActiveTraining[];
}

interface TrainerProcess {
  readonly child: ChildProcess;
  /** Path of the file with its output. */
  readonly log: string;
  isStopping: boolean;
}

const isAlive = ({ child }: TrainerProcess) => child.exitCode === null && child.signalCode === null;

/** `command` is the command line of `bowline`. It is run without a shell. */
export function createTrainers(command: readonly string[]): Trainers {
  const processes = new Map<string, TrainerProcess>();
  let folder: string | undefined;
  const logPathOf = (run: string) => {
    folder ??= mkdtempSync(join(tmpdir(), "bowline-studio-"));
    return join(folder, `${run.replaceAll(/[^\w.-]/g, "_")}.log`);
  };
  const listAliveProcesses = () => [...processes].filter(([, one]) => isAlive(one));
  const requireFreeSlot = (run: string) => {
    const names = listAliveProcesses().map(([name]) => name);
    if (names.includes(run)) throw new StudioError(409, `run ${run} is training already`);
    if (names.length < MAX_CONCURRENT_RUNS) return;
    throw new StudioError(
      409,
      `${names.length} runs that were started here are training (${names.join(", ")}): wait for one to end, or stop one`,
    );
  };
  return {
    async start(run, directory, words) {
      const before = processes.get(run);
      if (before?.isStopping && isAlive(before)) await once(before.child, "exit");
      requireFreeSlot(run);
      const log = logPathOf(run);
      const trainer: TrainerProcess = {
        child: spawnTrainer([...command, ...words], log),
        log,
        isStopping: false,
      };
      processes.set(run, trainer);
      try {
        await waitUntilTraining(trainer, directory);
      } catch (error) {
        if (processes.get(run) === trainer) processes.delete(run);
        throw error;
      }
    },
    stop(run) {
      const trainer = processes.get(run);
      if (trainer === undefined || !isAlive(trainer)) {
        throw new StudioError(
          409,
          `this studio did not start run ${run}: stop it where it was started`,
        );
      }
      trainer.isStopping = true;
      trainer.child.kill("SIGINT");
      return describeTrainer(trainer);
    },
    status(run) {
      const trainer = processes.get(run);
      return trainer === undefined ? { state: "none", output: [] } : describeTrainer(trainer);
    },
    listActive: () =>
      listAliveProcesses().flatMap(([run, { child }]) =>
        child.pid ? [{ run, pid: child.pid }] : [],
      ),
    /** Removes the output files, unless a process still prints into one. */
    [Symbol.dispose]() {
      if (folder !== undefined && listAliveProcesses().length === 0)
        rmSync(folder, { recursive: true });
    },
  };
}

function describeTrainer(trainer: TrainerProcess): Trainer {
  const output = readLastLines(trainer.log);
  if (isAlive(trainer)) return { state: trainer.isStopping ? "stopping" : "running", output };
  return { state: "ended", code: trainer.child.exitCode, output };
}

function spawnTrainer([program = "", ...words]: readonly string[], log: string): ChildProcess {
  const printed = openSync(log, "w", 0o600);
  try {
    const child = spawn(program, words, { detached: true, stdio: ["ignore", printed, printed] });
    // Without a listener an error would end the studio. `waitUntilTraining` reports it.
    child.on("error", () => {});
    child.unref();
    return child;
  } finally {
    closeSync(printed);
  }
}

/** A run whose demonstrations take longer than this is shown before it has its record. */
const BEGIN_MS = 3000;

/** Waits until the process trains in its directory. Throws the command's error message if it ends before. */
async function waitUntilTraining(trainer: TrainerProcess, directory: string): Promise<void> {
  const { child, log } = trainer;
  if (child.pid === undefined) {
    const [error] = (await once(child, "error")) as [Error];
    throw new StudioError(500, `bowline train cannot be started: ${error.message}`);
  }
  const lateMs = performance.now() + BEGIN_MS;
  while (isAlive(trainer)) {
    if (findRunOwner(directory)?.pid === child.pid) {
      if (existsSync(join(directory, "run.json"))) return;
      // Demonstrations can take minutes. The page of the run shows how far they are.
      if (performance.now() > lateMs && existsSync(join(directory, "progress.json"))) return;
    }
    await setTimeout(POLL_MS);
  }
  if (child.exitCode === 0) return;
  const status = child.exitCode === 2 ? 400 : child.exitCode === 1 ? 409 : 500;
  const end = child.signalCode ?? `code ${child.exitCode}`;
  throw new StudioError(status, findErrorLine(log) ?? `bowline train ended with ${end}`);
}
