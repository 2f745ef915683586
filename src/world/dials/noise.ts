/**
 * What the dials draw for each call of an episode: outages, and a clock that runs ahead.
 *
 * The draws depend only on the random stream and the number of the call, so an episode that is rebuilt or forked gets
 * the same ones.
 */
import { Rng } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";

type NoiseStrength = Pick<Dials, "apiErrors" | "clockDriftMs">;

export class CallNoise {
  readonly #rng: Rng;
  readonly #strength: NoiseStrength;
  /** The APIs whose most recent call was refused. */
  readonly #refusedApis: Set<string>;
  #driftMs: number;

  /** Creates the noise of an episode from its own random stream; undefined when no dial asks for noise. */
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

  /** The number of milliseconds by which the clock is ahead. */
  get driftMs(): number {
    return this.#driftMs;
  }

  /** Moves the clock ahead. Must be called once for each API call, whatever the call's result. */
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
