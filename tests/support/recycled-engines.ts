/**
 * Engines that are used again after they were closed. Starting a worker from TypeScript source takes about a second,
 * reading a tiny model milliseconds: a test that makes many engines of few shapes starts few workers.
 */
import {
  createOnnxEngine,
  type OnnxEngine,
  type OnnxEngineOptions,
} from "../../src/engine/index.ts";

export interface RecycledEngines {
  /** `createOnnxEngine`, but the engine may have been another's. Its options must name a folder of weights. */
  readonly create: (options: OnnxEngineOptions) => Promise<OnnxEngine>;
  /** Ends all workers. */
  close(): Promise<void>;
}

export function recycledEngines(): RecycledEngines {
  const idle = new Map<string, OnnxEngine[]>();
  const all = new Set<OnnxEngine>();
  const create = async (options: OnnxEngineOptions): Promise<OnnxEngine> => {
    const key = JSON.stringify(options);
    const free = idle.get(key)?.pop();
    const engine = free ?? (await createOnnxEngine(options));
    all.add(engine);
    // A folder that is a model puts an engine back to its beginning: weights, moments, gradient, adapter.
    if (free) await free.load(options.weights!);
    let closed = false;
    return {
      ...engine,
      async close() {
        if (closed) return;
        closed = true;
        idle.set(key, [...(idle.get(key) ?? []), engine]);
      },
    };
  };
  return {
    create,
    async close() {
      await Promise.all([...all].map((engine) => engine.close()));
    },
  };
}
