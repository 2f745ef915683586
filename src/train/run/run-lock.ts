/**
 * One process at a time in a run directory: `run.lock` names its owner, and the file's time of change is the owner's
 * heartbeat. Whoever only reads a run does not need it.
 *
 * The lock is made by an exclusive create, the one moment that decides. An owner that can be looked for is gone when
 * its process is, however old its heartbeat; one of another host when its heart has not beaten for a minute by the file
 * system's clock. The lock of an owner that is gone is removed under a lock of its own and after another look, so of
 * two that take over at once one succeeds. An owner whose lock was taken from it all the same (its host slept) stops.
 */
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { isAlive, isLocal, ownerSchema, ownerText, type RunOwner, thisOwner } from "./run-owner.ts";

const BEAT_MS = 5000;
const STALE_MS = 60_000;
const TRIES = 100;
const PAUSE_MS = 10;

export interface RunLock {
  /** The owner that is gone, whose lock this was. */
  readonly takenFrom: RunOwner | undefined;
  /** Aborted with a `store` error as soon as it is seen that another process has the lock. */
  readonly lost: AbortSignal;
  /** Looks now, and throws that error. Before anything is written that must be written once. */
  check(): void;
  /** May be called again. */
  release(): void;
}

interface Found {
  readonly stats: Stats;
  /** Undefined: it is being written, or it is torn. */
  readonly owner: RunOwner | undefined;
}

const lockOf = (directory: string) => join(resolve(directory), "run.lock");

/** Locks of this process, for two runs in it are two owners. */
const held = new Set<string>();

/** Throws a `store` error that names the owner, where another process trains in `directory`. Writes nothing there. */
export function refuseHeld(directory: string): void {
  const found = readLock(lockOf(directory));
  if (found?.owner !== undefined && isLocal(found.owner) && !isGone(found, lockOf(directory))) {
    throw heldBy(found, directory);
  }
}

/**
 * Who trains in `directory`, for whoever only looks: nothing is written. An owner that cannot be looked for from here
 * counts as long as its heart beats by this host's clock. Undefined: nobody does, or the lock cannot be read.
 */
export function trainerOf(directory: string): RunOwner | undefined {
  const found = readLock(lockOf(directory));
  if (found?.owner === undefined) return undefined;
  const { owner, stats } = found;
  if (isLocal(owner)) return isAlive(owner) ? owner : undefined;
  return Date.now() - stats.mtimeMs > STALE_MS ? undefined : owner;
}

/**
 * Takes the lock of a directory that is there. Throws a `store` error: held, naming the owner, or not to be written.
 */
export function lockRun(directory: string): RunLock {
  const path = lockOf(directory);
  let takenFrom: RunOwner | undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const fd = created(path);
    if (fd !== undefined) {
      writeSync(fd, JSON.stringify(thisOwner()));
      return heldLock(directory, fd, takenFrom);
    }
    const found = readLock(path);
    if (found === undefined) continue;
    if (!isGone(found, path)) throw heldBy(found, directory);
    takenFrom = removeGone(path) ?? takenFrom;
  }
  throw new BowlineError("store", `${path} cannot be taken: others keep taking it`);
}

/** A lock of one's own: beats, notices its loss, ends with the process at the latest. */
function heldLock(directory: string, fd: number, takenFrom: RunOwner | undefined): RunLock {
  const path = lockOf(directory);
  const lost = new AbortController();
  let open = true;
  const check = () => {
    lost.signal.throwIfAborted();
    if (!open || isOpenAt(path, fd)) return;
    lost.abort(takenAway(directory));
    lost.signal.throwIfAborted();
  };
  const timer = setInterval(() => {
    try {
      check();
      // The same byte again: nobody ever reads half a lock.
      writeSync(fd, "{", 0);
    } catch {
      // Lost is told by the signal; a beat that cannot be written, by the run's own next write.
    }
  }, BEAT_MS).unref();
  const release = () => {
    if (!open) return;
    open = false;
    clearInterval(timer);
    process.off("exit", release);
    held.delete(path);
    if (isOpenAt(path, fd)) rmSync(path, { force: true });
    closeSync(fd);
  };
  // Whoever leaves at once, such as at a second Ctrl-C, still says so.
  process.on("exit", release);
  held.add(path);
  return { takenFrom, lost: lost.signal, check, release };
}

/** Undefined: there is a lock. */
function created(path: string): number | undefined {
  try {
    return openSync(path, "wx");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw new BowlineError("store", `cannot write ${path}: ${errorMessage(cause)}`, { cause });
  }
}

function readLock(path: string): Found | undefined {
  try {
    const fd = openSync(path, "r");
    try {
      return { stats: fstatSync(fd), owner: ownerIn(readFileSync(fd, "utf8")) };
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function ownerIn(text: string): RunOwner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function isGone({ owner, stats }: Found, path: string): boolean {
  if (owner === undefined || !isLocal(owner)) {
    return timeAt(path) - stats.mtimeMs > STALE_MS;
  }
  const isOwn = owner.pid === process.pid && owner.start === thisOwner().start;
  return isOwn ? !held.has(path) : !isAlive(owner);
}

/** What the file system takes for now: hosts' clocks differ. */
function timeAt(path: string): number {
  const probe = `${path}.${process.pid}.now`;
  closeSync(openSync(probe, "w"));
  const { mtimeMs } = statSync(probe);
  rmSync(probe, { force: true });
  return mtimeMs;
}

/**
 * Removes a lock whose owner is gone, and says whose it was. Whoever removes holds `<lock>.takeover` and looks again:
 * what another has made since is not removed. A takeover whose process died is a lock whose owner is gone.
 */
function removeGone(path: string): RunOwner | undefined {
  const takeover = `${path}.takeover`;
  const fd = created(takeover);
  if (fd === undefined) {
    const found = readLock(takeover);
    if (found !== undefined && isGone(found, takeover)) removeGone(takeover);
    else pause();
    return undefined;
  }
  try {
    writeSync(fd, JSON.stringify(thisOwner()));
    const found = readLock(path);
    if (found === undefined || !isGone(found, path)) return undefined;
    rmSync(path, { force: true });
    return found.owner;
  } finally {
    if (isOpenAt(takeover, fd)) rmSync(takeover, { force: true });
    closeSync(fd);
  }
}

/** Long enough for another's takeover. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

function isOpenAt(path: string, fd: number): boolean {
  const [here, there] = [fstatSync(fd), statSync(path, { throwIfNoEntry: false })];
  return there !== undefined && there.ino === here.ino && there.dev === here.dev;
}

function heldBy({ owner }: Found, directory: string): BowlineError {
  const who = owner ? ownerText(owner) : "a process that has not said its name yet";
  const until =
    owner && isLocal(owner)
      ? "wait for it, stop it"
      : `wait for it, stop it (its lock ends ${STALE_MS / 1000} s after its last heartbeat)`;
  return new BowlineError(
    "store",
    `${directory} is being trained in by ${who}: ${until}, or choose another folder (--out DIR)`,
  );
}

function takenAway(directory: string): BowlineError {
  const owner = readLock(lockOf(directory))?.owner;
  const why = owner ? `${ownerText(owner)} trains in it` : "its run.lock is gone";
  return new BowlineError(
    "store",
    `${directory} is no longer held by this run, which stops: ${why}`,
  );
}
