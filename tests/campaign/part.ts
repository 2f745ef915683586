/**
 * What a part of the campaign is. A part has numbered cases. A case is decided by the campaign's seed, the part's name
 * and the case's number alone, so every failure can be run again by one command.
 *
 * A case is a list of steps (calls, requests, changes of a file). When a case fails, the steps that the failure does
 * not need are left out, and the command names the remaining ones.
 */
import { Rng } from "../../src/core/index.ts";

/** Sums of what was done, such as `{ calls: 40, refused: 12 }`. */
export type Counts = Readonly<Record<string, number>>;

export interface CaseOutcome {
  readonly counts: Counts;
  /** One line for each thing that went wrong. */
  readonly failures: readonly string[];
}

/** A part that was opened: what its cases share exists. */
export interface OpenPart {
  /** Runs the case with this number. A part that enumerates its cases uses the number, and others only `rng`. */
  runCase(rng: Rng, steps: StepFilter, number: number): Promise<CaseOutcome>;
  close(): Promise<void>;
}

export interface Part {
  readonly name: string;
  /** What the part does, in one sentence for the table. */
  readonly summary: string;
  /** The part's share of the campaign's time, relative to those of other parts. */
  readonly weight: number;
  /** The time after which a case counts as one that hangs. */
  readonly caseLimitMs: number;
  /** Opens the part. `folder` is an empty folder for its files, which is removed after the part was closed. */
  open(folder: string): Promise<OpenPart>;
}

/** Chooses which of a case's steps are done. Cases draw all steps first, so leaving some out changes no other. */
export class StepFilter {
  readonly #kept: ReadonlySet<number> | undefined;
  /** The number of steps before any was left out. */
  total = 0;

  /** Without `kept`, all steps are done. */
  constructor(kept?: readonly number[]) {
    this.#kept = kept && new Set(kept);
  }

  choose<T>(steps: readonly T[]): T[] {
    this.total = steps.length;
    return steps.filter((_, i) => this.#kept?.has(i) ?? true);
  }
}

/** Returns the random numbers of a case. */
export function caseRng(seed: number, part: string, number: number): Rng {
  return new Rng(seed).child(part).child(number);
}

/** Adds counts to sums. */
export function addCounts(sums: Record<string, number>, counts: Counts): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}

/** A failed case with the steps that it needs; `steps` is undefined when all are needed. */
export interface MinimisedCase {
  readonly outcome: CaseOutcome;
  readonly steps: readonly number[] | undefined;
}

/** The most time for making one failed case smaller. */
const MINIMISE_MS = 20_000;

/**
 * Runs a case. When it fails, runs it again with fewer steps, and keeps what still fails, until no step can be left out
 * or the time is over.
 */
export async function runAndMinimise(
  runCase: (steps: StepFilter) => Promise<CaseOutcome>,
): Promise<MinimisedCase> {
  const all = new StepFilter();
  let outcome = await runCase(all);
  if (outcome.failures.length === 0 || all.total < 2) return { outcome, steps: undefined };
  const counts = outcome.counts;
  const endMs = performance.now() + MINIMISE_MS;
  let kept = Array.from({ length: all.total }, (_, i) => i);
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < kept.length && performance.now() < endMs; ) {
      const fewer = [...kept.slice(0, start), ...kept.slice(start + size)];
      const smaller = fewer.length > 0 ? await runCase(new StepFilter(fewer)) : undefined;
      if (smaller && smaller.failures.length > 0) [kept, outcome] = [fewer, smaller];
      else start += size;
    }
  }
  return {
    outcome: { counts, failures: outcome.failures },
    steps: kept.length < all.total ? kept : undefined,
  };
}
