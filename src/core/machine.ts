/** Describes the machine on which this process runs. Every measurement records this description. */
import { availableParallelism, cpus, totalmem } from "node:os";

export interface Machine {
  readonly cpu: string;
  /** The number of cores that this process may use. */
  readonly cores: number;
  readonly memoryMb: number;
  readonly node: string;
  readonly platform: string;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryMb: Math.round(totalmem() / 2 ** 20),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
}

/** Returns the memory of the whole process with its worker threads, in MiB. */
export function residentMemoryMb(): number {
  return Math.round(process.memoryUsage().rss / 2 ** 20);
}

/** Returns the memory that this process may use, in MiB: the machine's, or what its container allows if that is less. */
export function usableMemoryMb(): number {
  const allowed = process.constrainedMemory();
  const bytes = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
  return Math.floor(bytes / 2 ** 20);
}
