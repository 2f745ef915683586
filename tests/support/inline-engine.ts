/**
 * Runs the embedded engine in the caller's thread. Starting it takes milliseconds, while a worker takes most of a
 * second. Messages are copied as between threads, so caller and engine share no memory.
 */
import { BowlineError } from "../../src/core/index.ts";
import { setProvider } from "../../src/engine/onnx/graph/index.ts";
import { EngineHost } from "../../src/engine/onnx/worker/engine-host.ts";
import {
  createOnnxEngine,
  type OnnxEngine,
  type OnnxEngineOptions,
} from "../../src/engine/onnx/worker/onnx-engine.ts";
import type {
  EngineSetup,
  MessageFromWorker,
  MessageToWorker,
  ParameterCounts,
} from "../../src/engine/onnx/worker/protocol.ts";
import { toError, type WorkerLink } from "../../src/engine/onnx/worker/worker-link.ts";

/** Creates an engine like `createOnnxEngine` does, but its kernels block the calling thread. */
export function createInlineEngine(options: OnnxEngineOptions): Promise<OnnxEngine> {
  return createOnnxEngine(options, async (setup) => createInlineLink(setup));
}

interface PendingRequest {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

function createInlineLink(setup: EngineSetup): WorkerLink {
  const pending = new Map<number, PendingRequest>();
  let counts: ParameterCounts = { parameters: 0, trainableParameters: 0 };
  let nextId = 0;
  let closed = false;
  setProvider(setup.provider);
  const host = new EngineHost(structuredClone(setup), (message: MessageFromWorker) => {
    const copy = structuredClone(message);
    if (copy.type === "ready") {
      counts = copy;
      return;
    }
    const request = pending.get(copy.id);
    pending.delete(copy.id);
    if (copy.type === "answer") request?.resolve(copy.value as never);
    else request?.reject(toError(copy.error));
  });
  const post = (message: MessageToWorker) => {
    const copy = structuredClone(message);
    // A message between threads arrives later, so this function also delivers its message later.
    setImmediate(() => host.receive(copy));
  };
  const closedError = () => new BowlineError("engine", "the engine is closed");
  return {
    counts,
    call(type, args, onId) {
      if (closed) return Promise.reject(closedError());
      const id = nextId++;
      onId?.(id);
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        post({ type, id, ...args } as MessageToWorker);
      });
    },
    post(message) {
      if (!closed) post(message);
    },
    async terminate() {
      closed = true;
      for (const { reject } of pending.values()) reject(closedError());
      pending.clear();
    },
  };
}
