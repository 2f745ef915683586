/**
 * Whole training runs on a Tinker server in this process whose models are bigram tables. Everything except the model is
 * real (the loop, the journal, the client, HTTP, the server), and a run of a thousand calls takes seconds.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTinkerEngine, type OnnxEngine } from "../../src/engine/index.ts";
import {
  type Behaviour,
  EmbeddedBackend,
  startTinkerServer,
  type TinkerServer,
} from "../../src/server/index.ts";
import type { Engine } from "../../src/spec/index.ts";
import { FAKE_RUN, fakeMakers } from "../../src/testing/fake-makers.ts";
import { tableEngine } from "../../src/testing/table-engine.ts";
import { type Config, type Makers, resolveConfig } from "../../src/train/index.ts";
import { TINY } from "./tinker-server.ts";
import { HONEST_TRAITS } from "./tinker-traits.ts";

export interface TableServer {
  readonly url: string;
  /** Returns how many optimizer steps the server took, over all its restarts. */
  readonly steps: () => number;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startTableServer(
  vocabularySize: number,
  behaviour: Behaviour = {},
): Promise<TableServer> {
  const root = mkdtempSync(join(tmpdir(), "bowline-table-server-"));
  let stepsTaken = 0;
  let sessions = 0;
  const createEngine = async (): Promise<OnnxEngine> => {
    const engine = tableEngine(vocabularySize);
    const update: Engine["update"] = (step) => {
      stepsTaken += 1;
      return engine.update(step);
    };
    const save = engine.save;
    const readTraffic = async () => ({ uploadedBytes: 0, downloadedBytes: 0 });
    const exports = { exportMerged: save, exportAdapter: save, exportGguf: save };
    return { ...engine, ...exports, update, readTraffic };
  };
  const start = (port: number): Promise<TinkerServer> =>
    startTinkerServer({
      backend: new EmbeddedBackend({
        base: { name: "table", vocabularySize, contextLength: 4096, stopIds: [] },
        model: { ...TINY, vocabularySize },
        directory: root,
        createEngine,
        seed: 1,
        maxModels: 64,
        samplerEngines: 4,
      }),
      behaviour,
      stateDirectory: join(root, "state"),
      port,
      seed: 1,
      pollMs: 5000,
      newSessionId: () => `session-${++sessions}`,
    });
  let server = await start(0);
  let restarting = Promise.resolve();
  const { url, port } = server;
  return {
    url,
    steps: () => stepsTaken,
    restart() {
      restarting = restarting.then(async () => {
        await server.close();
        server = await start(port);
      });
      return restarting;
    },
    async close() {
      await restarting;
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The vocabulary size of the server's model, which the tokenizer of `createTableConfig` does not exceed. */
export const TABLE_VOCABULARY = 280;

export function createTableConfig(url: string, overrides: Record<string, unknown> = {}): Config {
  return resolveConfig({
    recipe: "smoke",
    overrides: {
      ...FAKE_RUN,
      "engine.name": "tinker",
      "engine.url": url,
      "tokenizer.vocabularySize": TABLE_VOCABULARY,
      "world.trainScenarios": 4,
      "algo.iterations": 3,
      "algo.tasksPerIteration": 4,
      "algo.groupSize": 4,
      "algo.minibatch": 8,
      "evaluation.scenarios": 1,
      ...overrides,
    },
  });
}

/** Makes the fake world, and engines on the server that the configuration names. `wrap` may change the engine. */
export function createTableMakers(wrap: (engine: Engine) => Engine = (engine) => engine): Makers {
  return {
    ...fakeMakers(),
    async createEngine(_name, { remote, model, seed, directory }) {
      const engine = await createTinkerEngine({
        url: remote!.url,
        rank: 0,
        seed,
        vocabularySize: TABLE_VOCABULARY,
        contextLength: model.contextLength,
        directory,
        traits: HONEST_TRAITS,
        retry: { longestDelayMs: 20 },
      });
      return wrap(engine);
    },
  };
}

/** Makes an engine's calls fail after `lifetime` calls, as if the program was killed. A sample counts as 1/20 call. */
export function killAfterCalls(lifetime: number): (engine: Engine) => Engine {
  let calls = 0;
  return (engine) =>
    new Proxy(engine, {
      get(target, key) {
        const method = Reflect.get(target, key);
        if (typeof method !== "function") return method;
        if (key === "close" || key === "release") return method.bind(target);
        return (...args: unknown[]) => {
          calls += key === "sample" ? 0.05 : 1;
          if (calls >= lifetime) return Promise.reject(new Error("killed"));
          return method.apply(target, args);
        };
      },
    });
}

/** Reads the metrics, usage and rollouts of a run, which do not depend on time or on the server. */
export function readRunFiles(directory: string): Map<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  const kept = names.filter((name) => /^(metrics\.jsonl|usage\.json|rollouts\/.*)$/.test(name));
  return new Map(kept.map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}
