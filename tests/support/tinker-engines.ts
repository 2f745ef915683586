/**
 * Engines for test servers, used again after they were closed, and the folders of the base models that they start from.
 * Starting a worker from TypeScript source takes about a second, reading a tiny model milliseconds: tests that make many
 * engines of few shapes start few workers.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createOnnxEngine,
  type ModelConfig,
  type OnnxEngine,
  type OnnxEngineOptions,
} from "../../src/engine/index.ts";

export interface TestEngines {
  /** A folder with a random model of this shape, written once. */
  base(model: ModelConfig, seed: number): Promise<string>;
  /** `createOnnxEngine`, but the engine may have been another's. Its options must name a folder of weights. */
  readonly create: (options: OnnxEngineOptions) => Promise<OnnxEngine>;
  /** Ends all workers and removes the folders. */
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
    async base(model, seed) {
      const key = JSON.stringify([model, seed]);
      if (!folders.includes(key)) folders.push(key);
      const directory = join(root, `${folders.indexOf(key)}`);
      if (existsSync(directory)) return directory;
      const engine = await createOnnxEngine({ model, seed, threads: 1, maxLiveRows: 1 });
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
