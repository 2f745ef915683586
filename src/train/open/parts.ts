/**
 * What training is made of and does not make itself: worlds and engines. Tests bring their own.
 * Both are imported when first needed, so that a wrong option is told before the native kernels load.
 */
import { assert } from "../core/index.ts";
import type { ModelConfig } from "../engine/index.ts";
import type { Dials, Engine, LoraOptions, World } from "../spec/index.ts";
import type { Config } from "./config.ts";
import { loraOf } from "./lora.ts";
import { stageConfigs } from "./mechanisms/stages.ts";
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
  /** Where a remote engine's server is; undefined: the engine is in this process. */
  readonly remote?:
    | { readonly url: string; readonly baseModel: string | null; readonly dialect: Dialect }
    | undefined;
  /** A folder of the engine's own, kept over restarts of the run; undefined: it keeps nothing. */
  readonly directory?: string | undefined;
  /** Published versions that can still be sampled; undefined: the newest is enough. */
  readonly heldVersions?: number | undefined;
}

type Dialect = Config["engine"]["dialect"];

/** What the configuration says about an engine. */
export function engineRequest(
  config: Config,
  vocabularySize: number,
  source: ModelSource = { from: "scratch" },
): EngineRequest {
  const { threads, provider, lora, url, baseModel, dialect } = config.engine;
  return {
    model: modelOf(source, config, vocabularySize),
    seed: config.run.seed,
    threads,
    provider,
    lora: loraOf(lora),
    ...(stageConfigs(config).some(({ algo }) => algo.baseline === "value") && { valueHead: {} }),
    ...(config.algo.staleness > 0 && { heldVersions: config.algo.staleness + 1 }),
    weights: source.from === "directory" ? source.directory.path : undefined,
    ...(url !== null && { remote: { url, baseModel, dialect } }),
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
  async checkEngine({ name, provider }) {
    if (name !== "onnx" || provider === "cpu") return;
    const { requireProvider } = await import("../engine/index.ts");
    await requireProvider(provider);
  },
  async createEngine(name, request) {
    const engines = await import("../engine/index.ts");
    if (name === "onnx") return engines.createOnnxEngine(request);
    const { remote, lora, seed, model, directory, heldVersions } = request;
    assert(remote, "a tinker engine's configuration has a url");
    const { vocabularySize, contextLength } = model;
    return engines.createTinkerEngine({
      url: remote.url,
      apiKey: process.env["TINKER_API_KEY"],
      baseModel: remote.baseModel ?? undefined,
      dialect: remote.dialect,
      rank: lora?.rank ?? 0,
      seed,
      vocabularySize,
      contextLength,
      directory,
      ...(heldVersions !== undefined && { heldVersions }),
    });
  },
};
