/**
 * Whole training runs against a Tinker server in this process whose models are bigram tables: everything but the model is
 * real (the loop, the journal, the client, HTTP, the server), so a run of some thousand calls takes seconds.
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
import { HONEST } from "./tinker-traits.ts";

export interface TableServer {
  readonly url: string;
  /** Optimizer steps that it really took, in all its lives. */
  readonly steps: () => number;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startTableServer(
  vocabularySize: number,
  behaviour: Behaviour = {},
): Promise<TableServer> {
  const root = mkdtempSync(join(tmpdir(), "bowline-table-server-"));
  let taken = 0;
  let sessions = 0;
  const createEngine = async (): Promise<OnnxEngine> => {
    const engine = tableEngine(vocabularySize);
    const update: Engine["update"] = (step) => {
      taken += 1;
      return engine.update(step);
    };
    const save = engine.save;
    return { ...engine, update, exportMerged: save, exportAdapter: save, exportGguf: save };
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
    steps: () => taken,
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

/** Ids that the tokenizer of `tableConfig` has at most; the server's model has exactly these. */
export const TABLE_VOCABULARY = 280;

export function tableConfig(url: string, overrides: Record<string, unknown> = {}): Config {
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

/** The fake world, and engines on the server at the configuration's address. `wrap` may spoil the engine. */
export function tableParts(wrap: (engine: Engine) => Engine = (engine) => engine): Makers {
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
        traits: HONEST,
        retry: { longestDelayMs: 20 },
      });
      return wrap(engine);
    },
  };
}

/** An engine that rejects once it has lived this many calls, as a killed program stops; a sample is 1/20 of a call. */
export function mortal(lifetime: number): (engine: Engine) => Engine {
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

/** All that a run leaves but wall times and what lies on the server. */
export function contentsOf(directory: string): Map<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  const kept = names.filter((name) => /^(metrics\.jsonl|usage\.json|rollouts\/.*)$/.test(name));
  return new Map(kept.map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}
