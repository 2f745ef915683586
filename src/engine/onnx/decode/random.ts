/**
 * The random number for a sampled token: a hash of (engine seed, stream, position), so that it depends neither on
 * when the token is drawn nor on which other rows are decoded.
 */
import { hash32, mix32 } from "../../../core/index.ts";

const GOLDEN_RATIO = 0x9e3779b9;

/** Returns the key of a random stream for `uniformAt`, an unsigned 32-bit integer. */
export function streamKey(seed: number, stream: number): number {
  return mix32(hash32("sample", seed) ^ mix32(stream + GOLDEN_RATIO));
}

/** Returns a uniform number in [0, 1), a multiple of 2^-24: float32 holds it exactly and never rounds it to 1. */
export function uniformAt(key: number, position: number): number {
  return (mix32(key ^ mix32(Math.imul(position + 1, GOLDEN_RATIO))) >>> 8) / 2 ** 24;
}
