/**
 * What training is made of and does not make itself: worlds and engines. Tests and users bring their own.
 * Both are imported when first needed, so that a wrong option is told before the native kernels load.
 */
import { assert, BowlineError } from "../../core/index.ts";
import type { Dials, Engine, World } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { loadDefaultFunction } from "../config/user-modules.ts";
import type { EngineRequest } from "./engine-request.ts";

type EngineConfig = Config["engine"];

export interface Makers {
  openWorld(url: string, options: { seed: number; workers: number; dials: Dials }): Promise<World>;
  /** Throws a `config` or `engine` error when engines of this kind cannot run here. */
  checkEngine?(engine: EngineConfig): Promise<void>;
  createEngine(name: string, request: EngineRequest): Promise<Engine>;
}

/** Makes an engine: what a user's module exports as its default, or `train()` is handed. */
export type MakeEngine = (request: EngineRequest) => Engine | Promise<Engine>;

export const realMakers: Makers = {
  async openWorld(url, options) {
    const { openWorld } = await import("../../world/index.ts");
    return openWorld(url, options);
  },
  async checkEngine(engine) {
    if (engine.name !== "onnx" && engine.name !== "tinker") await loadEngineMaker(engine.name);
    if (engine.name !== "onnx" || !("provider" in engine)) return;
    const { requireProvider } = await import("../../engine/index.ts");
    await requireProvider(engine.provider);
  },
  async createEngine(name, request) {
    if (name !== "onnx" && name !== "tinker") return createOwnEngine(name, request);
    const engines = await import("../../engine/index.ts");
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

/** An engine of the package, for one's own to wrap. `request` may say what the configuration of one's own does not. */
export function createEngine(name: "onnx" | "tinker", request: EngineRequest): Promise<Engine> {
  return realMakers.createEngine(name, request);
}

async function createOwnEngine(path: string, request: EngineRequest): Promise<Engine> {
  const make = await loadEngineMaker(path);
  return requireWholeEngine(await make(request), `engine.name: ${path}`);
}

async function loadEngineMaker(path: string): Promise<MakeEngine> {
  return (await loadDefaultFunction("engine.name", path, "(request) => engine")) as MakeEngine;
}

const ENGINE_FUNCTIONS = [
  "sample",
  "release",
  "evaluate",
  "accumulate",
  "update",
  "discard",
  "publish",
  "snapshot",
  "save",
  "load",
  "close",
] as const satisfies readonly (keyof Engine)[];

/** What a user's own maker made, if it is an engine. `from` names the maker. */
export function requireWholeEngine(made: Engine, from: string): Engine {
  const engine = (made ?? {}) as Partial<Engine>;
  const missing = [
    ...(engine.info?.capabilities ? [] : ["info.capabilities"]),
    ...ENGINE_FUNCTIONS.filter((name) => typeof engine[name] !== "function"),
  ];
  if (missing.length === 0) return made;
  throw new BowlineError(
    "config",
    `${from}: what it made is no whole engine, it has no ${missing.join(", ")}; see Engine in bowline`,
  );
}
