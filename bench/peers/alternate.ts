/** Two sides by turns, A B A B, so that what else the machine does hits both alike; medians, and the ratio of medians. */
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../../src/bench/quantiles.ts";

/** Threads of the side that has just worked fall asleep before the other starts. */
const PAUSE_MS = 60;

export interface SideBySide {
  readonly ours: number;
  readonly theirs: number;
  /** Theirs over ours: how many times faster we are, for times. */
  readonly ratio: number;
  readonly rounds: number;
}

export async function alternate(
  rounds: number,
  ours: (round: number) => Promise<number>,
  theirs: (round: number) => Promise<number>,
): Promise<SideBySide> {
  const [mine, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    mine.push(await ours(round));
    await sleep(PAUSE_MS);
    others.push(await theirs(round));
    await sleep(PAUSE_MS);
  }
  return compareMedians(mine, others);
}

export function compareMedians(mine: readonly number[], others: readonly number[]): SideBySide {
  const [ours, theirs] = [median(mine), median(others)];
  return {
    ours: roundToThreeDigits(ours),
    theirs: roundToThreeDigits(theirs),
    ratio: roundToThreeDigits(theirs / ours),
    rounds: mine.length,
  };
}

export const roundToThreeDigits = (value: number) => Number(value.toPrecision(3));

/** Of the peer's microbatch sizes the one that takes least; a first run of the first warms it up and does not count. */
export async function findFastestMicrobatch(
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
