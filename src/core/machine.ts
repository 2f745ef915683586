/** The machine that this runs on; numbers of a measurement say nothing without it. */
import { availableParallelism, cpus, totalmem } from "node:os";

export interface Machine {
  readonly cpu: string;
  /** What this process may use. */
  readonly cores: number;
  readonly memoryMb: number;
  readonly node: string;
  readonly platform: string;
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryMb: Math.round(totalmem() / 2 ** 20),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
}

/** Of the whole process, worker threads included. */
export function residentMb(): number {
  return Math.round(process.memoryUsage().rss / 2 ** 20);
}
