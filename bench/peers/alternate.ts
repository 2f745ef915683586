/**
 * Measures two programs, Bowline and a peer, in turns (A B A B), so that other work on the machine affects both, and
 * compares their medians.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../../src/bench/quantiles.ts";

/** A pause, in which the threads of one program go to sleep before the other program starts. */
const PAUSE_MS = 60;

export interface SideBySide {
  readonly ours: number;
  readonly theirs: number;
  /** The peer's median divided by Bowline's. For times, this says how many times faster Bowline is. */
  readonly ratio: number;
  /** The lowest and the highest ratio of a round, in which both programs ran one after the other. */
  readonly ratioSpread: readonly [number, number];
  readonly rounds: number;
}

/** Measures Bowline and the peer in turns and returns their medians. */
export async function alternate(
  rounds: number,
  ours: (round: number) => Promise<number>,
  theirs: (round: number) => Promise<number>,
): Promise<SideBySide> {
  const [ourValues, theirValues]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ourValues.push(await ours(round));
    await sleep(PAUSE_MS);
    theirValues.push(await theirs(round));
    await sleep(PAUSE_MS);
  }
  return compareMedians(ourValues, theirValues);
}

export function compareMedians(
  ourValues: readonly number[],
  theirValues: readonly number[],
): SideBySide {
  const [ours, theirs] = [median(ourValues), median(theirValues)];
  const ratios = ourValues.map((value, round) => theirValues[round]! / value);
  return {
    ours: roundTo3Digits(ours),
    theirs: roundTo3Digits(theirs),
    ratio: roundTo3Digits(theirs / ours),
    ratioSpread: [roundTo3Digits(Math.min(...ratios)), roundTo3Digits(Math.max(...ratios))],
    rounds: ourValues.length,
  };
}

export const roundTo3Digits = (value: number) => Number(value.toPrecision(3));

/** Returns the microbatch size with which the peer is fastest. A first run, which warms the peer up, does not count. */
export async function fastestMicrobatch(
  microbatches: readonly number[],
  measure: (microbatch: number) => Promise<number>,
): Promise<number> {
  const times: { readonly microbatch: number; readonly ms: number }[] = [];
  await measure(microbatches[0]!);
  for (const microbatch of microbatches) {
    times.push({ microbatch, ms: await measure(microbatch) });
  }
  return times.toSorted((a, b) => a.ms - b.ms)[0]!.microbatch;
}
