/** Turns a configuration into a request for an engine. */
import type { ModelConfig } from "../../engine/index.ts";
import type { LoraOptions } from "../../spec/index.ts";
import { type Config, readStaleness } from "../config/config.ts";
import { toLoraOptions } from "../config/lora.ts";
import { countEpisodesAtOnce } from "../config/memory-plan.ts";
import { type ConfigAndMethod, listConfigsAndMethods } from "../config/stages.ts";
import { type ModelSource, requestedModelShape } from "./model-source.ts";

/** Everything from which an engine is created. A function of a user's engine module receives it as its argument. */
export interface EngineRequest {
  readonly model: ModelConfig;
  readonly seed: number;
  readonly threads: number;
  readonly provider: EngineProvider;
  /** LoRA options; undefined if all weights are trained. */
  readonly lora: LoraOptions | undefined;
  /** How the frozen weights under LoRA are stored. */
  readonly base: EngineBase;
  /** An empty object if the engine needs a value head for a critic; undefined otherwise. */
  readonly valueHead?: Record<string, never> | undefined;
  /** The folder of the weights; undefined if the weights are random and made from the seed. */
  readonly weights?: string | undefined;
  /** The server of a remote engine; undefined if the engine runs in this process. */
  readonly remote?:
    | {
        readonly url: string;
        readonly baseModel: string | null;
        readonly dialect: TinkerDialect;
        /** The most requests for samples that the server gets at once. */
        readonly maxSamples: number;
      }
    | undefined;
  /**
   * A folder for the engine's own files, which survives restarts of the run; undefined if the engine keeps no files.
   */
  readonly directory?: string | undefined;
  /** The number of published versions from which the engine must be able to sample; undefined for only the newest. */
  readonly heldVersions?: number | undefined;
  /** The value of the field `engine.options`, for a user's own engine. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

type EngineConfig = Config["engine"];
type TinkerDialect = Extract<EngineConfig, { name: "tinker" }>["dialect"];
type EngineBase = Extract<EngineConfig, { name: "onnx" }>["base"];
type EngineProvider = Extract<EngineConfig, { name: "onnx" }>["provider"];

/** Returns the engine request of a configuration. */
export function createEngineRequest(
  { config, method }: ConfigAndMethod,
  vocabularySize: number,
  source: ModelSource = { from: "scratch" },
): EngineRequest {
  const { engine } = config;
  const hasCritic = listConfigsAndMethods({ config, method }).some((phase) =>
    phase.method.needs(phase.config).some(({ capability }) => capability === "value"),
  );
  const staleness = readStaleness(config);
  return {
    model: requestedModelShape(source, config, vocabularySize),
    seed: config.run.seed,
    threads: "threads" in engine ? engine.threads : 2,
    provider: "provider" in engine ? engine.provider : "cpu",
    base: "base" in engine ? engine.base : "f32",
    lora: "lora" in engine ? toLoraOptions(engine.lora) : undefined,
    ...(hasCritic && { valueHead: {} }),
    ...(staleness > 0 && { heldVersions: staleness + 1 }),
    weights: source.from === "directory" ? source.directory.path : undefined,
    ...("url" in engine &&
      engine.url !== null && {
        remote: {
          url: engine.url,
          baseModel: engine.baseModel,
          dialect: engine.dialect,
          maxSamples: countEpisodesAtOnce(config),
        },
      }),
    ...("options" in engine && { options: engine.options }),
  };
}
