/**
 * A Tinker server in this process, around a tiny random model: the shipped one, with whatever departures from honesty a
 * test names (`tinker-behaviours.ts`, `tinker-faults.ts`). It trains for real, listens on 127.0.0.1, and can be restarted:
 * models and sessions are then gone, checkpoints and results stay.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ModelConfig, parseModelConfig } from "../../src/engine/index.ts";
import {
  type Backend,
  type BaseModel,
  type Behaviour,
  EmbeddedBackend,
  startTinkerServer,
  type TinkerServer,
} from "../../src/server/index.ts";
import { combined } from "./tinker-behaviours.ts";
import { type TestEngines, testEngines } from "./tinker-engines.ts";

export const TINY: ModelConfig = parseModelConfig({
  vocabularySize: 48,
  hiddenSize: 16,
  layers: 1,
  heads: 2,
  kvHeads: 1,
  headSize: 8,
  intermediateSize: 32,
  contextLength: 64,
  tieEmbeddings: false,
});

export interface TestServerOptions {
  /** Default `TINY`. */
  readonly model?: ModelConfig;
  /** Of the base's weights, and of sampling. */
  readonly seed?: number;
  readonly behaviours?: readonly Behaviour[];
  /** Ends every sample. Default none. */
  readonly stopIds?: readonly number[];
  readonly tokenizer?: BaseModel["tokenizer"];
  /** How long `retrieve_future` is held; default 10 s. */
  readonly pollMs?: number;
  readonly maxModels?: number;
  readonly samplerEngines?: number;
  readonly keptSamplers?: number;
  readonly bodyLimitBytes?: number;
  /** Seconds since 1970; default the clock's. */
  readonly now?: () => number;
  /** Shared by several servers; whoever made them closes them. */
  readonly engines?: TestEngines;
  /** In place of the embedded engine; for tests of the protocol alone. */
  readonly backend?: Backend;
}

export interface TestServer {
  /** Stays the same over restarts. */
  readonly url: string;
  readonly baseModel: string;
  readonly model: ModelConfig;
  /** A folder with the base's weights, for an engine to compare with. */
  readonly directory: string;
  /** Ends the server at once and starts it on the same state and address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const BASE_MODEL = "tiny";

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const root = mkdtempSync(join(tmpdir(), "bowline-tinker-"));
  const { model = TINY, seed = 1 } = options;
  const engines = options.engines ?? testEngines();
  const directory = options.backend ? root : await engines.base(model, seed);
  const behaviour = combined(...(options.behaviours ?? []));
  let sessions = 0;
  const start = (port: number) => {
    const backend = options.backend ?? embedded({ ...options, model, seed }, directory, engines);
    return startTinkerServer({
      backend,
      behaviour,
      stateDirectory: join(root, "state"),
      port,
      seed,
      pollMs: options.pollMs ?? 10_000,
      newSessionId: () => `session-${++sessions}`,
      ...(options.now && { now: options.now }),
      ...(options.keptSamplers && { keptSamplers: options.keptSamplers }),
      ...(options.bodyLimitBytes && { bodyLimitBytes: options.bodyLimitBytes }),
    });
  };
  let server: TinkerServer = await start(0);
  const { url, port } = server;
  return {
    url,
    baseModel: BASE_MODEL,
    model,
    directory,
    async restart() {
      await server.close();
      server = await start(port);
    },
    async close() {
      await server.close();
      if (!options.engines) await engines.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function embedded(
  options: TestServerOptions & { readonly model: ModelConfig; readonly seed: number },
  directory: string,
  engines: TestEngines,
): Backend {
  const { model, seed } = options;
  const { vocabularySize, contextLength } = model;
  const { stopIds = [], tokenizer, maxModels = 4, samplerEngines = 2 } = options;
  return new EmbeddedBackend({
    base: { name: BASE_MODEL, vocabularySize, contextLength, stopIds, tokenizer },
    model,
    directory,
    createEngine: engines.create,
    threads: 1,
    seed,
    maxModels,
    samplerEngines,
  });
}
