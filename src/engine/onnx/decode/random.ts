/**
 * The one random number a sampled token costs: a hash of (engine seed, stream, position), so that it depends neither
 * on when the token is drawn nor on who else is being decoded.
 */
import { hash32, mix32 } from "../../../core/index.ts";

const GOLDEN_RATIO = 0x9e3779b9;

/** What `uniformAt` needs of (seed, stream); an unsigned 32-bit integer. */
export function streamKey(seed: number, stream: number): number {
  return mix32(hash32("sample", seed) ^ mix32(stream + GOLDEN_RATIO));
}

/** Uniform in [0, 1), a multiple of 2^-24: exact in float32 and never rounded up to 1. */
export function uniformAt(key: number, position: number): number {
  return (mix32(key ^ mix32(Math.imul(position + 1, GOLDEN_RATIO))) >>> 8) / 2 ** 24;
}
