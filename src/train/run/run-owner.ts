/**
 * Describes the process that trains in a run directory, and checks whether it is still alive. The system may give a
 * process id to another process later, so start times are compared too. Ids are compared only within one host and one
 * process namespace, because containers may share the name of a host but not its processes.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";

export const ownerSchema = z.object({
  pid: z.number(),
  host: z.string(),
  /** The time at which the process began to train in the directory, in ISO format and UTC. */
  since: z.string(),
  /** The start time of the process in the system's own unit; absent if the system does not report it. */
  start: z.string().optional(),
  /** The process namespace to which `pid` belongs; absent if the system does not report it. */
  pids: z.string().optional(),
});

/** The process that holds the lock of a run. */
export type RunOwner = Readonly<z.infer<typeof ownerSchema>>;

/** Returns the description of this process. */
export function describeThisProcess(): RunOwner {
  const [start, pids] = [readProcessStart(process.pid), readProcessNamespace()];
  return {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    ...(start !== undefined && { start }),
    ...(pids !== undefined && { pids }),
  };
}

/** Returns true if this process can check whether the owner's process is alive. */
export function isOnThisHost({ host, pids }: RunOwner): boolean {
  return host === hostname() && pids === readProcessNamespace();
}

/** Returns true if the process of an owner on this host is alive. */
export function isProcessAlive({ pid, start }: RunOwner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = readProcessStart(pid);
  return start === undefined || now === undefined || now === start;
}

/** Returns a text such as `process 4711 on host since 2026-08-01 11:02:33 UTC`. */
export function describeOwner({ pid, host, since }: RunOwner): string {
  return `process ${pid} on ${host} since ${since.slice(0, 19).replace("T", " ")} UTC`;
}

/**
 * Reads field 22 of Linux' `/proc/<pid>/stat`, the start time. The name of the command before it may contain spaces and
 * brackets.
 */
function readProcessStart(pid: number): string | undefined {
  const stat = tryToRead(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

function readProcessNamespace(): string | undefined {
  return tryToRead(() => readlinkSync("/proc/self/ns/pid"));
}

function tryToRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
