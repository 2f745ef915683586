/**
 * The main thread's side of the engine's worker: requests become promises, and when the worker dies all are rejected.
 */
import type { ResourceLimits } from "node:worker_threads";
import { BowlineError, errorMessage, spawnWorker } from "../../../core/index.ts";
import { endTurnOfThread } from "../graph/index.ts";
import type {
  EngineCalls,
  EngineCallType,
  EngineSetup,
  MessageFromWorker,
  MessageToWorker,
  ParameterCounts,
  WireError,
} from "./protocol.ts";
import { isOutOfMemory, toWireError } from "./wire-error.ts";

interface PendingCall {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** The connection to a worker. */
export interface WorkerLink {
  /** The numbers of weights that the worker reported when it was ready. */
  readonly counts: ParameterCounts;
  /** Sends a request and resolves with its answer. `onId` receives the request's id, for a `cancel` message. */
  call<T extends EngineCallType>(
    type: T,
    args: EngineCalls[T]["args"],
    onId?: (id: number) => void,
  ): Promise<EngineCalls[T]["answer"]>;
  post(message: Extract<MessageToWorker, { type: "cancel" | "release" }>): void;
  /** Ends the thread and rejects all pending calls. */
  terminate(): Promise<void>;
}

const WORKER_ENTRY = new URL("./engine-worker.ts", import.meta.url);

/** Starts a worker and resolves when it is ready, or rejects with an `engine` error. `limits` bounds its V8 heap. */
export async function startWorker(
  setup: EngineSetup,
  entry = WORKER_ENTRY,
  limits: ResourceLimits = {},
): Promise<WorkerLink> {
  const worker = spawnWorker(entry, { workerData: setup, resourceLimits: limits });
  const { threadId } = worker;
  const pending = new Map<number, PendingCall>();
  let deathError: BowlineError | undefined;
  let nextId = 0;
  let isClosing = false;

  const rejectAll = (reason: string, cause?: unknown) => {
    deathError ??= new BowlineError("engine", reason, { cause });
    for (const { reject } of pending.values()) reject(deathError);
    pending.clear();
  };
  const settleCall = (message: MessageFromWorker) => {
    if (message.type === "ready") return;
    const request = pending.get(message.id);
    pending.delete(message.id);
    if (message.type === "answer") request?.resolve(message.value as never);
    else request?.reject(toError(message.error));
  };
  const counts = await new Promise<ParameterCounts>((resolve, reject) => {
    worker.on("message", (message: MessageFromWorker) => {
      if (message.type === "ready") resolve(message);
      else settleCall(message);
    });
    worker.on("error", (cause) => {
      const { message } = isOutOfMemory(cause)
        ? toWireError(cause)
        : { message: errorMessage(cause) };
      rejectAll(`the engine's worker died: ${message}`, cause);
      reject(deathError);
    });
    worker.on("exit", (code) => {
      endTurnOfThread(threadId);
      rejectAll(
        isClosing ? "the engine is closed" : `the engine's worker died (exit code ${code})`,
      );
      reject(deathError);
    });
  });

  return {
    counts,
    call(type, args, onId) {
      if (deathError) return Promise.reject(deathError);
      const id = nextId++;
      onId?.(id);
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        worker.postMessage({ type, id, ...args });
      });
    },
    post(message) {
      if (!deathError) worker.postMessage(message);
    },
    async terminate() {
      isClosing = true;
      await worker.terminate();
    },
  };
}

export function toError({ code, message }: WireError): Error {
  return code ? new BowlineError(code, message) : new Error(message);
}
