/** What an engine is made from, as a configuration asks for it. */
import type { ModelConfig } from "../../engine/index.ts";
import type { LoraOptions } from "../../spec/index.ts";
import { type Config, readStaleness } from "../config/config.ts";
import { toLoraOptions } from "../config/lora.ts";
import { listPhases, type Phase } from "../config/stages.ts";
import { type ModelSource, requestedModel } from "./model-source.ts";

/** What an engine is made from; also what the default export of a user's engine module is called with. */
export interface EngineRequest {
  readonly model: ModelConfig;
  readonly seed: number;
  readonly threads: number;
  readonly provider: EngineProvider;
  /** Undefined: all weights are trained. */
  readonly lora: LoraOptions | undefined;
  /** A critic's value head, in the engine's own sizes; undefined: none. */
  readonly valueHead?: Record<string, never> | undefined;
  /** The folder that weights are read from; undefined: they are made from the seed. */
  readonly weights?: string | undefined;
  /** Where a remote engine's server is; undefined: the engine is in this process. */
  readonly remote?:
    | { readonly url: string; readonly baseModel: string | null; readonly dialect: TinkerDialect }
    | undefined;
  /** A folder of the engine's own, kept over restarts of the run; undefined: it keeps nothing. */
  readonly directory?: string | undefined;
  /** Published versions that can still be sampled; undefined: the newest is enough. */
  readonly heldVersions?: number | undefined;
  /** `engine.options`: a user's own words to a user's own engine. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

type EngineConfig = Config["engine"];
type TinkerDialect = Extract<EngineConfig, { name: "tinker" }>["dialect"];
type EngineProvider = Extract<EngineConfig, { name: "onnx" }>["provider"];

/** What the configuration says about an engine. */
export function createEngineRequest(
  { config, method }: Phase,
  vocabularySize: number,
  source: ModelSource = { from: "scratch" },
): EngineRequest {
  const { engine } = config;
  const hasCritic = listPhases({ config, method }).some((phase) =>
    phase.method.needs(phase.config).some(({ capability }) => capability === "value"),
  );
  const staleness = readStaleness(config);
  return {
    model: requestedModel(source, config, vocabularySize),
    seed: config.run.seed,
    threads: "threads" in engine ? engine.threads : 2,
    provider: "provider" in engine ? engine.provider : "cpu",
    lora: "lora" in engine ? toLoraOptions(engine.lora) : undefined,
    ...(hasCritic && { valueHead: {} }),
    ...(staleness > 0 && { heldVersions: staleness + 1 }),
    weights: source.from === "directory" ? source.directory.path : undefined,
    ...("url" in engine &&
      engine.url !== null && {
        remote: { url: engine.url, baseModel: engine.baseModel, dialect: engine.dialect },
      }),
    ...("options" in engine && { options: engine.options }),
  };
}
