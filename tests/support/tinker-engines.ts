/**
 * Engines for test servers, which are reused after they were closed, and the folders of their base models. The engines
 * run in this thread, because starting a worker from TypeScript source takes most of a second.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelConfig, OnnxEngine, OnnxEngineOptions } from "../../src/engine/index.ts";
import { createInlineEngine } from "./inline-engine.ts";

export interface TestEngines {
  /** Returns a folder with a random model of this shape. The folder is written at the first call. */
  createBaseFolder(model: ModelConfig, seed: number): Promise<string>;
  /** Creates an inline engine or reuses a closed one with the same options, which must name a folder of weights. */
  readonly create: (options: OnnxEngineOptions) => Promise<OnnxEngine>;
  /** Ends all engines and removes the folders. */
  close(): Promise<void>;
}

export function createTestEngines(): TestEngines {
  const root = mkdtempSync(join(tmpdir(), "bowline-tinker-base-"));
  const folders: string[] = [];
  const idle = new Map<string, OnnxEngine[]>();
  const all = new Set<OnnxEngine>();
  const create = async (options: OnnxEngineOptions): Promise<OnnxEngine> => {
    const key = JSON.stringify(options);
    const idleEngine = idle.get(key)?.pop();
    const engine = idleEngine ?? (await createInlineEngine(options));
    all.add(engine);
    // Loading the base model resets a reused engine: weights, moments, gradient and adapter.
    if (idleEngine) await idleEngine.load(options.weights!);
    let closed = false;
    return {
      ...engine,
      async close() {
        if (closed) return;
        closed = true;
        await engine.discard(); // This also waits for the engine's earlier work.
        idle.set(key, [...(idle.get(key) ?? []), engine]);
      },
    };
  };
  return {
    create,
    async createBaseFolder(model, seed) {
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
