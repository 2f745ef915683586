/**
 * What the dials draw for each call of an episode: outages, and a clock that runs ahead.
 *
 * Draws follow from the stream and the number of the call alone, so an episode that is rebuilt or forked gets the same.
 */
import { Rng } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";

type NoiseStrength = Pick<Dials, "apiErrors" | "clockDriftMs">;

export class CallNoise {
  readonly #rng: Rng;
  readonly #strength: NoiseStrength;
  /** The APIs whose last call was refused. */
  readonly #refusedApis: Set<string>;
  #driftMs: number;

  /** Makes the noise of an episode from its own stream; returns undefined when no dial asks for any. */
  static create(strength: NoiseStrength, stream: number): CallNoise | undefined {
    if (strength.apiErrors === 0 && strength.clockDriftMs === 0) return undefined;
    return new CallNoise(strength, new Rng(stream), new Set(), 0);
  }

  private constructor(strength: NoiseStrength, rng: Rng, down: Set<string>, driftMs: number) {
    this.#strength = strength;
    this.#rng = rng;
    this.#refusedApis = down;
    this.#driftMs = driftMs;
  }

  /** How many milliseconds the clock is ahead. */
  get driftMs(): number {
    return this.#driftMs;
  }

  /** Moves the clock ahead. To be called once for each API call, whatever its result. */
  advanceClock(call: number): void {
    const rng = this.#rng.child("drift").child(call);
    this.#driftMs += rng.integer(0, this.#strength.clockDriftMs);
  }

  /** Decides whether a call of `api` is refused. It never refuses twice in a row, so a retry always succeeds. */
  shouldRefuse(api: string, call: number): boolean {
    if (this.#refusedApis.delete(api)) return false;
    const refused = this.#rng.child("errors").child(call).chance(this.#strength.apiErrors);
    if (refused) this.#refusedApis.add(api);
    return refused;
  }

  clone(): CallNoise {
    return new CallNoise(this.#strength, this.#rng, new Set(this.#refusedApis), this.#driftMs);
  }
}
