/** Samplers of published versions; only the newest few are held. */
import type { TinkerSampler } from "../client/index.ts";

export class HeldSamplers {
  /** How many. */
  readonly #most: number;
  readonly #samplers = new Map<number, TinkerSampler>();

  constructor(most: number) {
    this.#most = most;
  }

  of(version: number): TinkerSampler | undefined {
    return this.#samplers.get(version);
  }

  /** Whether a version is held while `newest` is the newest. */
  keeps(version: number, newest: number): boolean {
    return version > newest - this.#most;
  }

  hold(version: number, sampler: TinkerSampler): void {
    this.#samplers.set(version, sampler);
    for (const each of this.#samplers.keys()) {
      if (!this.keeps(each, version)) this.#samplers.delete(each);
    }
  }

  drop(version: number): void {
    this.#samplers.delete(version);
  }

  /** All that are held become these. */
  replace(samplers: ReadonlyMap<number, TinkerSampler>): void {
    this.#samplers.clear();
    for (const [version, sampler] of samplers) this.#samplers.set(version, sampler);
  }
}
