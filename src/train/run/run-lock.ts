/**
 * Lets one process at a time train in a run directory. The file `run.lock` names its owner, and the time of the file's
 * last change is the owner's heartbeat. Reading a run needs no lock.
 *
 * An exclusive create decides who gets the lock. The file appears with its content, so a process that is killed at any
 * moment leaves no lock without an owner. A local owner is gone when its process is, whatever its heartbeat. An
 * owner on another host is gone when its heartbeat is older than a minute by the file system's clock. To take over the
 * lock of an owner that is gone, a process takes a second lock and looks again, so only one of several can succeed. An
 * owner stops when it finds that its lock was taken, which can happen after its host slept.
 */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { BowlineError, errorMessage } from "../../core/index.ts";
import {
  describeOwner,
  describeThisProcess,
  isOnThisHost,
  isProcessAlive,
  ownerSchema,
  type RunOwner,
} from "./run-owner.ts";

const HEARTBEAT_MS = 5000;
const STALE_MS = 60_000;
/** How long a process tries to take a lock that nobody holds while others try the same. */
const TAKING_MS = 3000;
const PAUSE_MS = 10;

/** The lock of a run directory that this process holds. */
export interface RunLock {
  /** The former owner of the lock, if its process was gone and this process took the lock over; undefined otherwise. */
  readonly takenFrom: RunOwner | undefined;
  /** Aborted with a `store` error as soon as this process notices that another process has the lock. */
  readonly lost: AbortSignal;
  /** Throws a `store` error if another process has the lock now. It is called before a checkpoint is written. */
  check(): void;
  /** Releases the lock. Further calls do nothing. */
  release(): void;
}

interface FoundLock {
  readonly stats: Stats;
  /** Undefined if the file has no owner: on a file system without links it may be incomplete. */
  readonly owner: RunOwner | undefined;
}

const lockPath = (directory: string) => join(resolve(directory), "run.lock");

/** The paths of the locks that this process holds. Two runs in the same process cannot share a lock. */
const pathsHeldHere = new Set<string>();

/**
 * Throws a `store` error that names the owner when a process of this host trains in `directory`. No file is written.
 */
export function requireUnlocked(directory: string): void {
  const found = readLock(lockPath(directory));
  if (
    found?.owner !== undefined &&
    isOnThisHost(found.owner) &&
    !isOwnerGone(found, lockPath(directory))
  ) {
    throw lockedError(found, directory);
  }
}

/**
 * Returns the process that trains in `directory`; undefined if there is none or its lock cannot be read. No file is
 * written. A process on another host counts while its heartbeat is at most a minute old by this host's clock.
 */
export function findRunOwner(directory: string): RunOwner | undefined {
  const found = readLock(lockPath(directory));
  if (found?.owner === undefined) return undefined;
  const { owner, stats } = found;
  if (isOnThisHost(owner)) return isProcessAlive(owner) ? owner : undefined;
  return Date.now() - stats.mtimeMs > STALE_MS ? undefined : owner;
}

/**
 * Takes the lock of an existing directory. Throws a `store` error that names the owner when another process holds it,
 * or when the directory cannot be written.
 */
export function lockRun(directory: string): RunLock {
  const path = lockPath(directory);
  try {
    return takeLock(directory, path);
  } catch (cause) {
    if (BowlineError.is(cause)) throw cause;
    throw new BowlineError("store", `cannot lock ${path}: ${errorMessage(cause)}`, { cause });
  }
}

function takeLock(directory: string, path: string): RunLock {
  let takenFrom: RunOwner | undefined;
  const endMs = performance.now() + TAKING_MS;
  while (performance.now() < endMs) {
    const fd = createLockFile(path);
    if (fd !== undefined) {
      const lock = keepLock(directory, fd, takenFrom);
      removeLeftovers(path);
      return lock;
    }
    const found = readLock(path);
    if (found === undefined) continue;
    if (!isOwnerGone(found, path)) throw lockedError(found, directory);
    takenFrom = removeAbandonedLock(path) ?? takenFrom;
  }
  throw new BowlineError(
    "store",
    `${path} cannot be locked, because other processes keep locking it`,
  );
}

/** Keeps the lock alive by a heartbeat, notices when it is lost, and releases it when the process exits. */
function keepLock(directory: string, fd: number, takenFrom: RunOwner | undefined): RunLock {
  const path = lockPath(directory);
  const lost = new AbortController();
  let open = true;
  const check = () => {
    lost.signal.throwIfAborted();
    if (!open || isLockHeld(path, fd)) return;
    lost.abort(lockLostError(directory));
    lost.signal.throwIfAborted();
  };
  const timer = setInterval(() => {
    try {
      check();
      // Writing the first byte again updates the file's time of change and leaves its text complete.
      writeSync(fd, "{", 0);
    } catch {
      // The signal reports a lost lock. If the heartbeat cannot be written, the next write of the run fails and reports
      // the reason.
    }
  }, HEARTBEAT_MS).unref();
  const release = () => {
    if (!open) return;
    open = false;
    clearInterval(timer);
    process.off("exit", release);
    pathsHeldHere.delete(path);
    try {
      if (isSameFile(path, fd)) rmSync(path, { force: true });
      closeSync(fd);
    } catch {
      // The next process sees that this one is gone, and takes the lock. An error here would hide the one that ended
      // the run, such as that of a disk.
    }
  };
  // A process that exits at once, for example after a second Ctrl-C, releases the lock too.
  process.on("exit", release);
  pathsHeldHere.add(path);
  return { takenFrom, lost: lost.signal, check, release };
}

const DRAFT = ".draft";
const PROBE = ".now";
const TAKEOVER = ".takeover";

/**
 * Creates the lock file with this process as its owner, and returns its descriptor; undefined if there is one already.
 * The owner is written to a draft first, and a link gives the draft the name of the lock.
 */
function createLockFile(path: string): number | undefined {
  const draft = `${path}.${randomUUID()}${DRAFT}`;
  const owner = JSON.stringify(describeThisProcess());
  try {
    const fd = openSync(draft, "wx");
    try {
      writeSync(fd, owner);
      // A lock that lost its owner in a power failure would be one of an unknown process, and valid for a while.
      fsyncSync(fd);
      linkSync(draft, path);
      return fd;
    } catch (cause) {
      closeSync(fd);
      if (hasCode(cause, "EEXIST", "ENOENT")) return undefined;
      if (hasCode(cause, ...NO_LINKS)) return createWithoutLink(path, owner);
      throw cause;
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return undefined;
    throw new BowlineError("store", `cannot write ${path}: ${errorMessage(cause)}`, { cause });
  }
}

/** The codes with which file systems refuse links: FAT, some network and user-space file systems. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "EMLINK"];

/**
 * Creates the lock file where there are no links. A process that is killed in between leaves a lock without an owner.
 */
function createWithoutLink(path: string, owner: string): number {
  const fd = openSync(path, "wx");
  writeSync(fd, owner);
  fsyncSync(fd);
  return fd;
}

/**
 * Removes the drafts, probes and takeover files of processes that were killed. A process whose draft goes while it needs
 * it tries again.
 */
function removeLeftovers(path: string): void {
  const prefix = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix)) continue;
    const leftover = join(dirname(path), name);
    const takeover = name.endsWith(TAKEOVER) ? readLock(leftover) : undefined;
    const isAbandoned = takeover
      ? isOwnerGone(takeover, leftover)
      : name.endsWith(DRAFT) || name.endsWith(PROBE);
    if (isAbandoned) rmSync(leftover, { force: true });
  }
}

const hasCode = (error: unknown, ...codes: readonly string[]) =>
  codes.includes((error as NodeJS.ErrnoException).code ?? "");

function readLock(path: string): FoundLock | undefined {
  try {
    const fd = openSync(path, "r");
    try {
      return { stats: fstatSync(fd), owner: parseOwner(readFileSync(fd, "utf8")) };
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function parseOwner(text: string): RunOwner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function isOwnerGone({ owner, stats }: FoundLock, path: string): boolean {
  if (owner === undefined || !isOnThisHost(owner)) {
    // A heartbeat from far in the future is that of a clock that was set back since, and would never get old.
    return Math.abs(fileSystemTimeMs(path) - stats.mtimeMs) > STALE_MS;
  }
  const isOwn = owner.pid === process.pid && owner.start === describeThisProcess().start;
  return isOwn ? !pathsHeldHere.has(path) : !isProcessAlive(owner);
}

/** Returns the current time by the clock of the file system, because the clocks of hosts differ. */
function fileSystemTimeMs(path: string): number {
  const probe = `${path}.${process.pid}${PROBE}`;
  const fd = openSync(probe, "w");
  try {
    return fstatSync(fd).mtimeMs;
  } finally {
    closeSync(fd);
    rmSync(probe, { force: true });
  }
}

/**
 * Removes a lock whose owner is gone, and returns that owner. Meanwhile the process holds the file `<lock>.takeover`
 * and checks the lock again, so that it does not remove a lock that another process has just taken. A takeover file
 * whose process died is removed in the same way.
 */
function removeAbandonedLock(path: string): RunOwner | undefined {
  const takeover = `${path}${TAKEOVER}`;
  const fd = createLockFile(takeover);
  if (fd === undefined) {
    const found = readLock(takeover);
    if (found !== undefined && isOwnerGone(found, takeover)) removeAbandonedLock(takeover);
    else waitForTakeover();
    return undefined;
  }
  try {
    const found = readLock(path);
    if (found === undefined || !isOwnerGone(found, path)) return undefined;
    rmSync(path, { force: true });
    return found.owner;
  } finally {
    if (isSameFile(takeover, fd)) rmSync(takeover, { force: true });
    closeSync(fd);
  }
}

/** Waits long enough for another process to finish its takeover. */
function waitForTakeover(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

/** Returns whether the lock is still this process's. Throws a `store` error when the disk cannot say. */
function isLockHeld(path: string, fd: number): boolean {
  try {
    return isSameFile(path, fd);
  } catch (cause) {
    throw new BowlineError("store", `cannot read ${path}: ${errorMessage(cause)}`, { cause });
  }
}

function isSameFile(path: string, fd: number): boolean {
  const [here, there] = [fstatSync(fd), statSync(path, { throwIfNoEntry: false })];
  return there !== undefined && there.ino === here.ino && there.dev === here.dev;
}

function lockedError({ owner }: FoundLock, directory: string): BowlineError {
  const who = owner ? describeOwner(owner) : "an unknown process";
  const until =
    owner && isOnThisHost(owner)
      ? "wait for it, stop it"
      : `wait for it, stop it (its lock ends ${STALE_MS / 1000} s after its last heartbeat)`;
  return new BowlineError(
    "store",
    `${directory} is in use by ${who}, which is training in it: ${until}, or choose another folder (--out DIR)`,
  );
}

function lockLostError(directory: string): BowlineError {
  const owner = readLock(lockPath(directory))?.owner;
  const why = owner ? `${describeOwner(owner)} is training in it` : "its run.lock is gone";
  return new BowlineError(
    "store",
    `this run no longer has the lock of ${directory} and stops: ${why}`,
  );
}
