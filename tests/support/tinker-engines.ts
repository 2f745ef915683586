/**
 * Engines for test servers, used again after they were closed, and the folders of the base models that they start from.
 * They run in this thread: starting a worker from TypeScript source takes most of a second, reading a tiny model
 * milliseconds.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelConfig, OnnxEngine, OnnxEngineOptions } from "../../src/engine/index.ts";
import { createInlineEngine } from "./inline-engine.ts";

export interface TestEngines {
  /** A folder with a random model of this shape, written once. */
  base(model: ModelConfig, seed: number): Promise<string>;
  /** `createInlineEngine`, but the engine may have been another's. Its options must name a folder of weights. */
  readonly create: (options: OnnxEngineOptions) => Promise<OnnxEngine>;
  /** Ends all engines and removes the folders. */
  close(): Promise<void>;
}

export function testEngines(): TestEngines {
  const root = mkdtempSync(join(tmpdir(), "bowline-tinker-base-"));
  const folders: string[] = [];
  const idle = new Map<string, OnnxEngine[]>();
  const all = new Set<OnnxEngine>();
  const create = async (options: OnnxEngineOptions): Promise<OnnxEngine> => {
    const key = JSON.stringify(options);
    const free = idle.get(key)?.pop();
    const engine = free ?? (await createInlineEngine(options));
    all.add(engine);
    // A folder that is a model puts an engine back to its beginning: weights, moments, gradient, adapter.
    if (free) await free.load(options.weights!);
    let closed = false;
    return {
      ...engine,
      async close() {
        if (closed) return;
        closed = true;
        await engine.discard(); // After all that it was asked to do.
        idle.set(key, [...(idle.get(key) ?? []), engine]);
      },
    };
  };
  return {
    create,
    async base(model, seed) {
      const key = JSON.stringify([model, seed]);
      if (!folders.includes(key)) folders.push(key);
      const directory = join(root, `${folders.indexOf(key)}`);
      if (existsSync(directory)) return directory;
      const engine = await createInlineEngine({ model, seed, threads: 1, maxLiveRows: 1 });
      await engine.exportMerged(directory);
      await engine.close();
      return directory;
    },
    async close() {
      await Promise.all([...all].map((engine) => engine.close()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}
