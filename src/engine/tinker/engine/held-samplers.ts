/** Holds the samplers of the newest published versions. */
import type { TinkerSampler } from "../client/index.ts";

export class HeldSamplers {
  readonly #maxHeld: number;
  readonly #samplers = new Map<number, TinkerSampler>();

  constructor(maxHeld: number) {
    this.#maxHeld = maxHeld;
  }

  find(version: number): TinkerSampler | undefined {
    return this.#samplers.get(version);
  }

  /** Returns whether a version is kept when `newest` is the newest version. */
  isKept(version: number, newest: number): boolean {
    return version > newest - this.#maxHeld;
  }

  add(version: number, sampler: TinkerSampler): void {
    this.#samplers.set(version, sampler);
    for (const heldVersion of this.#samplers.keys()) {
      if (!this.isKept(heldVersion, version)) this.#samplers.delete(heldVersion);
    }
  }

  remove(version: number): void {
    this.#samplers.delete(version);
  }

  /** Replaces all held samplers with these. */
  replaceAll(samplers: ReadonlyMap<number, TinkerSampler>): void {
    this.#samplers.clear();
    for (const [version, sampler] of samplers) this.#samplers.set(version, sampler);
  }
}
