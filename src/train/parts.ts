/**
 * What training is made of and does not make itself: worlds and engines. Tests bring their own.
 * Both are imported when first needed, so that a wrong option is told before the native kernels load.
 */
import type { ModelConfig } from "../engine/index.ts";
import type { Dials, Engine, LoraOptions, World } from "../spec/index.ts";
import type { Config } from "./config.ts";
import { loraOf } from "./lora.ts";
import { type ModelSource, modelOf } from "./model-source.ts";

export interface EngineRequest {
  readonly model: ModelConfig;
  readonly seed: number;
  readonly threads: number;
  readonly provider: Config["engine"]["provider"];
  /** Undefined: all weights are trained. */
  readonly lora: LoraOptions | undefined;
  /** A critic's value head, in the engine's own sizes; undefined: none. */
  readonly valueHead?: Record<string, never> | undefined;
  /** The folder that weights are read from; undefined: they are made from the seed. */
  readonly weights?: string | undefined;
}

/** What the configuration says about an engine. */
export function engineRequest(
  config: Config,
  vocabularySize: number,
  source: ModelSource = { from: "scratch" },
): EngineRequest {
  const { threads, provider, lora } = config.engine;
  return {
    model: modelOf(source, config, vocabularySize),
    seed: config.run.seed,
    threads,
    provider,
    lora: loraOf(lora),
    ...(config.algo.baseline === "value" && { valueHead: {} }),
    weights: source.from === "directory" ? source.directory.path : undefined,
  };
}

export interface Parts {
  openWorld(url: string, options: { seed: number; workers: number; dials: Dials }): Promise<World>;
  /** Throws a `config` error when engines of this kind cannot run here. */
  checkEngine?(engine: Config["engine"]): Promise<void>;
  createEngine(name: Config["engine"]["name"], request: EngineRequest): Promise<Engine>;
}

export const realParts: Parts = {
  async openWorld(url, options) {
    const { openWorld } = await import("../world/index.ts");
    return openWorld(url, options);
  },
  async checkEngine({ provider }) {
    if (provider === "cpu") return;
    const { requireProvider } = await import("../engine/index.ts");
    await requireProvider(provider);
  },
  async createEngine(_name, request) {
    const { createOnnxEngine } = await import("../engine/index.ts");
    return createOnnxEngine(request);
  },
};
