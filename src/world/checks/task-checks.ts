/**
 * A task's checks, derived from its goal.
 *
 * The goal is run once on a clone of the start state; what it changed is what the agent is to change. A check is
 * labelled by trying it where nothing was done: one that passes there is a guard, one that fails is progress.
 */
import { BowlineError } from "../../core/index.ts";
import type { CheckResult, Evaluation } from "../../spec/index.ts";
import { finishOf } from "../api/index.ts";
import type { Finish, GoalOutcome, Task } from "../define.ts";
import type { Catalog, RowChange, State } from "../state/index.ts";
import { sameAnswer } from "./answer.ts";
import { compareData, type Verdict, verdict } from "./compare.ts";
import { Difference } from "./difference.ts";

export class TaskChecks {
  /** What `finishTask` is to say. */
  readonly outcome: GoalOutcome;
  /** Bookkeeping columns (`<table>.<column>`) that this task compares all the same. */
  readonly named: ReadonlySet<string>;
  /** What the goal changed, all columns. */
  readonly intended: readonly RowChange[];
  readonly #catalog: Catalog;
  readonly #start: State;
  readonly #intended: Difference;

  readonly #guards: ReadonlySet<string>;

  /** Throws a `world` error when the goal itself fails or contradicts itself. */
  constructor(catalog: Catalog, start: State, goal: Task["goal"]) {
    const wanted = start.clone();
    this.outcome = wanted.transaction((db) => goal(db)).value ?? {};
    this.#catalog = catalog;
    this.#start = start;
    const changes = wanted.changesSince(start);
    this.intended = changes;
    this.named = namedBookkeeping(catalog, changes);
    this.#intended = new Difference(catalog, changes, this.named);
    if (this.outcome.impossible && this.#intended.entries.length > 0) {
      throw new BowlineError("world", "a goal that is impossible must not change anything");
    }
    const idle = this.#verdicts([], undefined);
    this.#guards = new Set(idle.filter(({ passed }) => passed).map(({ name }) => name));
  }

  /** `state` descends from the start state. Pure. */
  evaluate(state: State): Evaluation {
    const finish = finishOf(state);
    const checks = this.#verdicts(state.changesSince(this.#start), finish).map((v) =>
      this.#label(v),
    );
    return { passed: checks.every(({ passed }) => passed), finished: finish !== undefined, checks };
  }

  #verdicts(changes: readonly RowChange[], finish: Finish | undefined): Verdict[] {
    const actual = new Difference(this.#catalog, changes, this.named);
    return [
      ...compareData(this.#intended, actual),
      compareFinish(this.outcome, finish),
      verdict("the agent finished", finish !== undefined, "me.finishTask was not called"),
    ];
  }

  #label({ name, passed, detail }: Verdict): CheckResult {
    const label = this.#guards.has(name) ? "guard" : "progress";
    return passed ? { name, label, passed } : { name, label, passed, detail };
  }
}

function compareFinish(wanted: GoalOutcome, finish: Finish | undefined): Verdict {
  const given = finish && JSON.stringify(finish);
  if (wanted.impossible) {
    const right = finish?.status === "impossible";
    return verdict(
      "declared impossible",
      right,
      `expected status "impossible", got ${given ?? "nothing"}`,
    );
  }
  if (wanted.answer === undefined) {
    const silent =
      finish === undefined || (finish.answer === undefined && finish.status === "done");
    return verdict("no answer", silent, `no answer was asked for, got ${given}`);
  }
  const right = finish?.status === "done" && sameAnswer(wanted.answer, finish.answer);
  return verdict(
    "answer",
    right,
    `expected ${JSON.stringify(wanted.answer)}, got ${given ?? "nothing"}`,
  );
}

/** A goal that changes nothing of a row but its bookkeeping ("mark as read") is about that bookkeeping. */
function namedBookkeeping(catalog: Catalog, changes: readonly RowChange[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (const change of changes) {
    if (change.kind !== "update" || catalog.isContent(change)) continue;
    for (const column of catalog.changedColumns(change.before, change.after)) {
      if (catalog.columnClass(change.table, column) === "bookkeeping")
        named.add(`${change.table}.${column}`);
    }
  }
  return named;
}
