/**
 * Who trains in a run directory, and whether that process still lives. A process is told from a later one of the same
 * number by when it started, and numbers are compared only within one host and one space of process numbers: containers
 * may share a host's name and not its processes.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";

export const ownerSchema = z.object({
  pid: z.number(),
  host: z.string(),
  /** When it began to train there: ISO, UTC. */
  since: z.string(),
  /** When the process started, in the system's own count; absent where the system does not say. */
  start: z.string().optional(),
  /** The space of process numbers that `pid` is of; absent likewise. */
  pids: z.string().optional(),
});

/** Who holds a run. */
export type RunOwner = Readonly<z.infer<typeof ownerSchema>>;

/** This process. */
export function thisOwner(): RunOwner {
  const [start, pids] = [processStart(process.pid), processSpace()];
  return {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    ...(start !== undefined && { start }),
    ...(pids !== undefined && { pids }),
  };
}

/** Whether the owner's process can be looked for from here. */
export function isLocal({ host, pids }: RunOwner): boolean {
  return host === hostname() && pids === processSpace();
}

/** Of a local owner. */
export function isAlive({ pid, start }: RunOwner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Not permitted: it is there, and someone else's.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = processStart(pid);
  return start === undefined || now === undefined || now === start;
}

/** `process 4711 on host since 2026-08-01 11:02:33 UTC`. */
export function ownerText({ pid, host, since }: RunOwner): string {
  return `process ${pid} on ${host} since ${since.slice(0, 19).replace("T", " ")} UTC`;
}

/** Field 22 of Linux' `/proc/<pid>/stat`; the second, the command's name, may hold blanks and brackets. */
function processStart(pid: number): string | undefined {
  const stat = quietly(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

function processSpace(): string | undefined {
  return quietly(() => readlinkSync("/proc/self/ns/pid"));
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
