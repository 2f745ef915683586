/**
 * Counts what a run has spent, and stops it at its ceiling.
 *
 * Each request adds a line to `spending.jsonl`. The file is never cut back: work that was lost in a crash and done
 * again was paid twice, so it is counted twice. So this file, like `timings.jsonl`, may differ between equal runs.
 * `summary.json` counts only the tokens of work whose results the run kept.
 *
 * Two rules stop a run, and both let it continue later. Between iterations, the run ends when another iteration that
 * costs as much as the last one would exceed the ceiling. Within an iteration, reaching the ceiling stops the
 * collection of rollouts. Finished rollouts are in the journal, and only requests that were already sent go beyond the
 * ceiling. Learning is not interrupted.
 */
import { appendFileSync } from "node:fs";
import { BowlineError, errorMessage, repairJsonLines } from "../../../core/index.ts";
import type { TokenPrices } from "../../config/token-prices.ts";
import { addUsage, costOf, NO_USAGE, type TokenUsage } from "./usage.ts";

/** Counts the tokens that a run paid for, in all processes that worked on it. */
export interface Spending {
  readonly total: TokenUsage;
  cost(): number;
  add(usage: Partial<TokenUsage>): void;
  /** Aborted with a `budget` error when the ceiling is reached. */
  readonly signal: AbortSignal;
}

export interface SpendingOptions extends TokenPrices {
  /** The maximum cost of the run; null if there is no limit. */
  readonly ceiling: number | null;
}

/** Reads what earlier processes spent on the run. Throws a `store` error when the file cannot be read or written. */
export function openSpending(path: string, options: SpendingOptions): Spending {
  let total = withFileErrors("read", path, () => readSpending(path));
  const controller = new AbortController();
  const cost = () => costOf(total, options);
  const checkCeiling = () => {
    const { ceiling } = options;
    if (ceiling === null || cost() < ceiling || controller.signal.aborted) return;
    controller.abort(
      new BowlineError("budget", `${describeSpending(cost(), ceiling)}; ${HOW_TO_CONTINUE}`),
    );
  };
  checkCeiling();
  return {
    get total() {
      return total;
    },
    cost,
    add(usage) {
      total = addUsage(total, usage);
      withFileErrors("write", path, () => appendFileSync(path, `${JSON.stringify(usage)}\n`));
      checkCeiling();
    },
    signal: controller.signal,
  };
}

export const HOW_TO_CONTINUE =
  "the same command with a higher --budget.ceiling continues from here, and nothing is lost";

export function describeSpending(cost: number, ceiling: number): string {
  return `${Number(cost.toPrecision(4))} of budget.ceiling (${ceiling}) has been spent`;
}

/** Returns the sum of all complete lines of the file. An incomplete last line is removed from the file. */
function readSpending(path: string): TokenUsage {
  return (repairJsonLines(path) as Partial<TokenUsage>[]).reduce<TokenUsage>(addUsage, NO_USAGE);
}

function withFileErrors<T>(what: "read" | "write", path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new BowlineError("store", `cannot ${what} ${path}: ${errorMessage(cause)}`, { cause });
  }
}
