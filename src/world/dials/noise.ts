/**
 * What the dials draw for each call of an episode: outages, and a clock that runs ahead.
 *
 * Draws follow from (stream, number of the call) alone, so an episode that is rebuilt or forked meets the same ones.
 */
import { Rng } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";

type Strength = Pick<Dials, "apiErrors" | "clockDriftMs">;

export class Noise {
  readonly #rng: Rng;
  readonly #strength: Strength;
  /** APIs whose last call was refused. */
  readonly #down: Set<string>;
  #driftMs: number;

  /** Undefined when no dial asks for any. `stream` is the episode's own. */
  static of(strength: Strength, stream: number): Noise | undefined {
    if (strength.apiErrors === 0 && strength.clockDriftMs === 0) return undefined;
    return new Noise(strength, new Rng(stream), new Set(), 0);
  }

  private constructor(strength: Strength, rng: Rng, down: Set<string>, driftMs: number) {
    this.#strength = strength;
    this.#rng = rng;
    this.#down = down;
    this.#driftMs = driftMs;
  }

  /** How far the clock is ahead. */
  get driftMs(): number {
    return this.#driftMs;
  }

  /** Moves the clock; once for each call, whatever comes of it. */
  drift(call: number): void {
    const rng = this.#rng.child("drift").child(call);
    this.#driftMs += rng.integer(0, this.#strength.clockDriftMs);
  }

  /** Whether this call of `api` is refused; never twice in a row, so a retry always gets through. */
  refuses(api: string, call: number): boolean {
    if (this.#down.delete(api)) return false;
    const refused = this.#rng.child("errors").child(call).chance(this.#strength.apiErrors);
    if (refused) this.#down.add(api);
    return refused;
  }

  clone(): Noise {
    return new Noise(this.#strength, this.#rng, new Set(this.#down), this.#driftMs);
  }
}
