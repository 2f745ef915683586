/**
 * A task's checks, derived from its goal.
 *
 * The goal runs once on a clone of the start state; what it changes is what the agent has to change. Each check is
 * labelled by running it where nothing was done but to finish: a check that passes there is a guard, a check that fails
 * is progress. So an agent that only finishes has made no progress.
 */
import { BowlineError } from "../../core/index.ts";
import { type CheckResult, type Evaluation, FINISH_CHECK } from "../../spec/index.ts";
import { collectAgentWriting } from "../actors/index.ts";
import { readFinish } from "../api/index.ts";
import type {
  Answer,
  Finish,
  GoalOutcome,
  HistoryEntry,
  Reader,
  TableRow,
  Task,
} from "../define.ts";
import type { RowChange, TableCatalog, TableState } from "../state/index.ts";
import { isSameAnswer } from "./answer.ts";
import { type CheckVerdict, compareDifferences, makeVerdict } from "./compare.ts";
import { Difference } from "./difference.ts";
import { type GoalStage, runGoal } from "./run-goal.ts";

/** The changes to be judged, and in a world with actors the history that led to them. */
export interface Judged {
  readonly changes: readonly RowChange[];
  readonly addedByOthers?: ReadonlyMap<string, TableRow>;
  readonly history?: readonly HistoryEntry[];
}

export class TaskChecks {
  /** What the agent has to pass to `finishTask`. */
  readonly outcome: GoalOutcome;
  /** Bookkeeping columns (`<table>.<column>`) that this task compares although checks usually ignore them. */
  readonly comparedBookkeeping: ReadonlySet<string>;
  /** The rows that the goal changed, with all their columns. */
  readonly intended: readonly RowChange[];
  readonly #catalog: TableCatalog;
  readonly #start: TableState;
  readonly #intended: Difference;

  readonly #guards: ReadonlySet<string>;

  /**
   * Runs the goal, among the actors of the stage if there is one. Throws a `world` error when the goal fails or
   * contradicts itself.
   */
  constructor(catalog: TableCatalog, start: TableState, goal: Task["goal"], stage?: GoalStage) {
    const { outcome, end, history } = runGoal(start, goal, stage);
    this.outcome = outcome;
    this.#catalog = catalog;
    this.#start = start;
    const { changes, addedByOthers } = this.readJudged(end, history);
    this.intended = changes;
    this.comparedBookkeeping = findComparedBookkeeping(catalog, changes);
    this.#intended = new Difference(catalog, changes, this.comparedBookkeeping, addedByOthers);
    if (this.outcome.impossible && !stage && this.#intended.entries.length > 0) {
      throw new BowlineError("world", "a goal that is impossible must not change anything");
    }
    this.#requireKeptRules(history ?? [], end);
    const idle = this.#runChecks({ changes: [] }, { status: "done" }, start);
    this.#guards = new Set(idle.filter(({ passed }) => passed).map(({ name }) => name));
  }

  /**
   * Runs all checks on a state that descends from the start state. The state is not changed. In a world with actors,
   * `history` says who wrote what.
   */
  evaluate(state: TableState, history?: readonly HistoryEntry[]): Evaluation {
    const finish = readFinish(state);
    const checks = this.#runChecks(this.readJudged(state, history), finish, state).map((v) =>
      this.#labelCheck(v),
    );
    return { passed: checks.every(({ passed }) => passed), finished: finish !== undefined, checks };
  }

  /** Returns what is judged in a state: all changes, or in a world with actors those that the agent wrote. */
  readJudged(state: TableState, history: readonly HistoryEntry[] | undefined): Judged {
    if (!history) return { changes: state.changesSince(this.#start) };
    return { ...collectAgentWriting(this.#catalog, history), history };
  }

  /** Throws a `world` error when the goal itself breaks one of its rules. */
  #requireKeptRules(history: readonly HistoryEntry[], end: Reader): void {
    for (const { name, explain } of this.outcome.history ?? []) {
      const why = explain(history, end);
      if (why === undefined) continue;
      throw new BowlineError("world", `the goal breaks its own rule "${name}": ${why}`);
    }
  }

  #runChecks(judged: Judged, finish: Finish | undefined, end: Reader): CheckVerdict[] {
    const { changes, addedByOthers, history = [] } = judged;
    const actual = new Difference(this.#catalog, changes, this.comparedBookkeeping, addedByOthers);
    return [
      ...compareDifferences(this.#intended, actual),
      ...(this.outcome.history ?? []).map(({ name, explain }) => {
        const why = explain(history, end);
        return makeVerdict(name, why === undefined, why ?? "");
      }),
      checkFinish(this.outcome, finish),
      makeVerdict(FINISH_CHECK, finish !== undefined, "me.finishTask was not called"),
    ];
  }

  #labelCheck({ name, passed, detail, note }: CheckVerdict): CheckResult {
    const label = this.#guards.has(name) ? "guard" : "progress";
    if (!passed) return { name, label, passed, detail };
    return note === undefined ? { name, label, passed } : { name, label, passed, detail: note };
  }
}

function checkFinish(wanted: GoalOutcome, finish: Finish | undefined): CheckVerdict {
  const given = finish && JSON.stringify(finish);
  if (wanted.impossible) {
    const right = finish?.status === "impossible";
    return makeVerdict(
      "declared impossible",
      right,
      `expected status "impossible", got ${given ?? "nothing"}`,
    );
  }
  if (wanted.answer === undefined) return checkFeasible(finish);
  const right = finish?.status === "done" && isSameAnswer(wanted.answer, finish.answer);
  return makeVerdict(
    "answer",
    right,
    `expected ${JSON.stringify(wanted.answer)}, got ${given ?? "nothing"}`,
  );
}

/**
 * Checks the end of a task that asks for no answer. An answer that was given nevertheless is noted and not compared.
 */
function checkFeasible(finish: Finish | undefined): CheckVerdict {
  const verdict = makeVerdict(
    "not declared impossible",
    finish?.status !== "impossible",
    'the task can be done, got status "impossible"',
  );
  const { answer } = finish ?? {};
  if (answer === undefined || isEmptyAnswer(answer)) return verdict;
  const note = `no answer was asked for, so ${JSON.stringify(answer)} is not compared`;
  return { ...verdict, note };
}

function isEmptyAnswer(answer: Answer): boolean {
  if (typeof answer === "string") return answer.trim() === "";
  return typeof answer === "object" && answer.length === 0;
}

/** Finds the bookkeeping that the goal is about: in rows of which it changes nothing else ("mark as read"). */
function findComparedBookkeeping(
  catalog: TableCatalog,
  changes: readonly RowChange[],
): ReadonlySet<string> {
  const named = new Set<string>();
  for (const change of changes) {
    if (change.kind !== "update" || catalog.changesContent(change)) continue;
    for (const column of catalog.changedColumns(change.before, change.after)) {
      if (catalog.columnClass(change.table, column) === "bookkeeping")
        named.add(`${change.table}.${column}`);
    }
  }
  return named;
}
