/**
 * What training is made of and does not make itself: worlds and engines. Tests bring their own.
 * Both are imported when first needed, so that a wrong option is told before the native kernels load.
 */
import type { Dials, Engine, World } from "../spec/index.ts";
import type { Config } from "./config.ts";

export interface EngineRequest {
  readonly model: Config["model"] & { readonly vocabularySize: number };
  readonly seed: number;
  readonly threads: number;
}

export interface Parts {
  openWorld(url: string, options: { seed: number; workers: number; dials: Dials }): Promise<World>;
  createEngine(name: Config["engine"]["name"], request: EngineRequest): Promise<Engine>;
}

export const realParts: Parts = {
  async openWorld(url, options) {
    const { openWorld } = await import("../world/index.ts");
    return openWorld(url, options);
  },
  async createEngine(_name, request) {
    const { createOnnxEngine } = await import("../engine/index.ts");
    return createOnnxEngine(request);
  },
};
