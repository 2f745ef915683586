/**
 * Starts our Tinker server in this process with a tiny random model and the behaviours that a test chooses
 * (`tinker-behaviours.ts`, `tinker-faults.ts`). It trains for real, listens on 127.0.0.1 and can be restarted. A
 * restart loses models and sessions and keeps checkpoints and results.
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
import { combineBehaviours } from "./tinker-behaviours.ts";
import { createTestEngines, type TestEngines } from "./tinker-engines.ts";

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
  /** The model's shape; default `TINY`. */
  readonly model?: ModelConfig;
  /** The seed of the base model's weights and of sampling. */
  readonly seed?: number;
  readonly behaviours?: readonly Behaviour[];
  /** The tokens that end every sample; default none. */
  readonly stopIds?: readonly number[];
  readonly tokenizer?: BaseModel["tokenizer"];
  /** How long the server holds a `retrieve_future` open; default 10 s. */
  readonly pollMs?: number;
  readonly maxModels?: number;
  readonly samplerEngines?: number;
  readonly keptSamplers?: number;
  readonly bodyLimitBytes?: number;
  /** Returns the time in seconds since 1970; by default the system's. */
  readonly now?: () => number;
  /** Engines that several servers share. The test that created them closes them. */
  readonly engines?: TestEngines;
  /** A backend that replaces the embedded engine, for tests of the protocol alone. */
  readonly backend?: Backend;
}

export interface TestServer {
  /** The server's URL, which stays the same over restarts. */
  readonly url: string;
  readonly baseModel: string;
  readonly model: ModelConfig;
  /** A folder with the base model's weights, for an engine to compare with. */
  readonly directory: string;
  /** Closes the server and starts it again with the same state and URL. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const BASE_MODEL = "tiny";

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const root = mkdtempSync(join(tmpdir(), "bowline-tinker-"));
  const { model = TINY, seed = 1 } = options;
  const engines = options.engines ?? createTestEngines();
  const directory = options.backend ? root : await engines.createBaseFolder(model, seed);
  const behaviour = combineBehaviours(...(options.behaviours ?? []));
  let sessions = 0;
  const start = (port: number) => {
    const backend =
      options.backend ?? createEmbeddedBackend({ ...options, model, seed }, directory, engines);
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

function createEmbeddedBackend(
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
