/** The main thread's end of the engine's worker: requests become promises, and a dead worker rejects them all. */
import type { ResourceLimits } from "node:worker_threads";
import { BowlineError, errorMessage, spawnWorker } from "../../../core/index.ts";
import type {
  Calls,
  CallType,
  EngineSetup,
  FromWorker,
  ParameterCounts,
  ToWorker,
  WireError,
} from "./protocol.ts";
import { isOutOfMemory, wireError } from "./wire-error.ts";

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

export interface WorkerLink {
  /** Told by the worker when it was ready. */
  readonly counts: ParameterCounts;
  /** `onId` learns the request's id, for `post({ type: "cancel", id })`. */
  call<T extends CallType>(
    type: T,
    args: Calls[T]["args"],
    onId?: (id: number) => void,
  ): Promise<Calls[T]["answer"]>;
  post(message: Extract<ToWorker, { type: "cancel" | "release" }>): void;
  /** Ends the thread; whatever is pending is rejected. */
  terminate(): Promise<void>;
}

const ENTRY = new URL("./engine-worker.ts", import.meta.url);

/** Resolves when the worker is ready (`limits`: of its V8 heap, for tests); rejects with an `engine` error when it cannot start. */
export async function linkWorker(
  setup: EngineSetup,
  entry = ENTRY,
  limits: ResourceLimits = {},
): Promise<WorkerLink> {
  const worker = spawnWorker(entry, { workerData: setup, resourceLimits: limits });
  const pending = new Map<number, Pending>();
  let dead: BowlineError | undefined;
  let nextId = 0;
  let closing = false;

  const die = (reason: string, cause?: unknown) => {
    dead ??= new BowlineError("engine", reason, { cause });
    for (const { reject } of pending.values()) reject(dead);
    pending.clear();
  };
  const settle = (message: FromWorker) => {
    if (message.type === "ready") return;
    const request = pending.get(message.id);
    pending.delete(message.id);
    if (message.type === "answer") request?.resolve(message.value as never);
    else request?.reject(revive(message.error));
  };
  const counts = await new Promise<ParameterCounts>((resolve, reject) => {
    worker.on("message", (message: FromWorker) => {
      if (message.type === "ready") resolve(message);
      else settle(message);
    });
    worker.on("error", (cause) => {
      const { message } = isOutOfMemory(cause)
        ? wireError(cause)
        : { message: errorMessage(cause) };
      die(`the engine's worker died: ${message}`, cause);
      reject(dead);
    });
    worker.on("exit", (code) => {
      die(closing ? "the engine is closed" : `the engine's worker died (exit code ${code})`);
      reject(dead);
    });
  });

  return {
    counts,
    call(type, args, onId) {
      if (dead) return Promise.reject(dead);
      const id = nextId++;
      onId?.(id);
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        worker.postMessage({ type, id, ...args });
      });
    },
    post(message) {
      if (!dead) worker.postMessage(message);
    },
    async terminate() {
      closing = true;
      await worker.terminate();
    },
  };
}

export function revive({ code, message }: WireError): Error {
  return code ? new BowlineError(code, message) : new Error(message);
}
