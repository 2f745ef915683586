/**
 * What a run has really spent, and the ceiling on it.
 *
 * `spending.jsonl` is appended to as work is asked for and is never cut back: work that a crash lost and that was done
 * again was paid twice, and is counted twice. It is the only file that may differ between equal runs because of that
 * (like `timings.jsonl`); the tokens in `summary.json` are those of the work that the run kept.
 *
 * Two guards, both resumable. Between iterations the run ends in good order when another one, at the cost of the last,
 * would not fit any more. Inside an iteration, reaching the ceiling stops collecting: what is finished is in the
 * journal, and requests in flight are the only overshoot. A learning phase is not interrupted.
 */
import { appendFileSync } from "node:fs";
import { BowlineError, errorMessage, repairJsonLines } from "../../../core/index.ts";
import type { TokenPrices } from "../../config/token-prices.ts";
import { addUsage, costOf, NO_USAGE, type TokenUsage } from "./usage.ts";

export interface Spending {
  /** All of this run's lives. */
  readonly total: TokenUsage;
  cost(): number;
  add(usage: Partial<TokenUsage>): void;
  /** Aborts with a `budget` error when the ceiling is reached. */
  readonly signal: AbortSignal;
}

export interface SpendingOptions extends TokenPrices {
  /** null: none. */
  readonly ceiling: number | null;
}

/** Reads what earlier lives spent. Throws a `store` error when the file cannot be read or written. */
export function openSpending(path: string, options: SpendingOptions): Spending {
  let total = attempt("read", path, () => readSpending(path));
  const controller = new AbortController();
  const cost = () => costOf(total, options);
  const look = () => {
    const { ceiling } = options;
    if (ceiling === null || cost() < ceiling || controller.signal.aborted) return;
    controller.abort(new BowlineError("budget", `${spentText(cost(), ceiling)}; ${GO_ON}`));
  };
  look();
  return {
    get total() {
      return total;
    },
    cost,
    add(usage) {
      total = addUsage(total, usage);
      attempt("write", path, () => appendFileSync(path, `${JSON.stringify(usage)}\n`));
      look();
    },
    signal: controller.signal,
  };
}

export const GO_ON =
  "the same command with a higher --budget.ceiling goes on from here, and nothing is lost";

export function spentText(cost: number, ceiling: number): string {
  return `${Number(cost.toPrecision(4))} of budget.ceiling (${ceiling}) is spent`;
}

/** The sum of all whole lines; a torn last one is cut off. */
function readSpending(path: string): TokenUsage {
  return (repairJsonLines(path) as Partial<TokenUsage>[]).reduce<TokenUsage>(addUsage, NO_USAGE);
}

function attempt<T>(what: "read" | "write", path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new BowlineError("store", `cannot ${what} ${path}: ${errorMessage(cause)}`, { cause });
  }
}
