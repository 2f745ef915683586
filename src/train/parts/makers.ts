/**
 * The functions with which training opens worlds and creates engines. Tests and users can pass their own. The modules
 * of worlds and engines are imported when they are first needed, so a wrong option is reported before the native
 * kernels are loaded.
 */
import {
  assert,
  BowlineError,
  type ModuleOrigin,
  requireTrustedServer,
  THIS_CALL,
} from "../../core/index.ts";
import type { Dials, Engine, World } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { loadDefaultFunction } from "../config/user-modules.ts";
import type { EngineRequest } from "./engine-request.ts";

type EngineConfig = Config["engine"];

/** The functions that open worlds and create engines. `origin` says who named the world or the engine. */
export interface Makers {
  openWorld(
    url: string,
    options: { seed: number; workers: number; dials: Dials; origin: ModuleOrigin },
  ): Promise<World>;
  /** Throws a `config` or `engine` error when an engine of this kind cannot run on this machine. */
  checkEngine?(engine: EngineConfig): Promise<void>;
  createEngine(name: string, request: EngineRequest, origin: ModuleOrigin): Promise<Engine>;
}

/** A user's function that makes an engine. It is the default export of a module, or an option of `train()`. */
export type MakeEngine = (request: EngineRequest) => Engine | Promise<Engine>;

/** Opens the worlds and creates the engines of the package, and those of modules that a configuration names. */
export const realMakers: Makers = {
  async openWorld(url, options) {
    const { openWorld } = await import("../../world/index.ts");
    return openWorld(url, options);
  },
  async checkEngine(engine) {
    if (engine.name !== "onnx" && engine.name !== "tinker")
      await loadEngineMaker(engine.name, THIS_CALL);
    if (engine.name !== "onnx" || !("provider" in engine)) return;
    const { requireTrustedProvider } = await import("../../engine/index.ts");
    await requireTrustedProvider(engine.provider);
  },
  async createEngine(name, request, origin) {
    if (name !== "onnx" && name !== "tinker") return createOwnEngine(name, request, origin);
    const engines = await import("../../engine/index.ts");
    if (name === "onnx") return engines.createOnnxEngine(request);
    const { remote, lora, seed, model, directory, heldVersions } = request;
    assert(remote, "the configuration of a tinker engine has a URL");
    requireTrustedServer(remote.url, "engine.url", origin);
    const { vocabularySize, contextLength } = model;
    return engines.createTinkerEngine({
      url: remote.url,
      apiKey: process.env["TINKER_API_KEY"],
      baseModel: remote.baseModel ?? undefined,
      dialect: remote.dialect,
      maxSamples: remote.maxSamples,
      rank: lora?.rank ?? 0,
      seed,
      vocabularySize,
      contextLength,
      directory,
      ...(heldVersions !== undefined && { heldVersions }),
    });
  },
};

/** Returns makers whose engines are those of the user's function, if there is one. */
export function withOwnEngine(makers: Makers, make: MakeEngine | undefined): Makers {
  if (make === undefined) return makers;
  return {
    ...makers,
    checkEngine: async () => {},
    createEngine: async (_name, request) => requireWholeEngine(await make(request), "engine"),
  };
}

/** Creates an engine of the package. A user's engine may wrap it and change `request` for it. */
export function createEngine(name: "onnx" | "tinker", request: EngineRequest): Promise<Engine> {
  return realMakers.createEngine(name, request, THIS_CALL);
}

async function createOwnEngine(
  path: string,
  request: EngineRequest,
  origin: ModuleOrigin,
): Promise<Engine> {
  const make = await loadEngineMaker(path, origin);
  return requireWholeEngine(await make(request), `engine.name: ${path}`);
}

async function loadEngineMaker(path: string, origin: ModuleOrigin): Promise<MakeEngine> {
  const load = loadDefaultFunction("engine.name", path, origin, "(request) => engine");
  return (await load) as MakeEngine;
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

/**
 * Returns the engine that a user's function made. Throws a `config` error that names the functions which the engine
 * lacks.
 */
function requireWholeEngine(made: Engine, from: string): Engine {
  const engine = (made ?? {}) as Partial<Engine>;
  const missing = [
    ...(engine.info?.capabilities ? [] : ["info.capabilities"]),
    ...ENGINE_FUNCTIONS.filter((name) => typeof engine[name] !== "function"),
  ];
  if (missing.length === 0) return made;
  throw new BowlineError(
    "config",
    `${from}: expected an engine, but it has no ${missing.join(", ")}; see the type Engine of bowline`,
  );
}
