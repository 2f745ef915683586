/** Runs lists of calls directly on a task's start state, without a sandbox, to try mutants and equivalents. */
import { BowlineError, formatValue } from "../../core/index.ts";
import type { ApiCall, Evaluation, Fault } from "../../spec/index.ts";
import { type CallResult, readFinish, runUserCode } from "../api/index.ts";
import type { Cell, HistoryEntry } from "../define.ts";
import type { TaskStart, WorldInstance } from "../episode/index.ts";
import type { RowChange, TableState } from "../state/index.ts";

export interface Call {
  readonly app: string;
  readonly api: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call, with the bug of the world that it ran into; see `Fault`. */
export type FaultyCall = Pick<ApiCall, "app" | "api" | "args"> & { readonly fault: Fault };

export interface ReplayResult {
  readonly evaluation: Evaluation;
  /** The judgement of the task's hand-written verdict; undefined when the task has none. */
  readonly handmade: boolean | undefined;
  readonly results: readonly CallResult[];
  /** The calls that ran into a bug of the world. */
  readonly faulty: readonly FaultyCall[];
  /**
   * A text that is equal for two replays that left the same content and broke the same rules of the goal. It is
   * computed independently of the checks' own comparison.
   */
  readonly key: string;
  /**
   * Like `key`, but bookkeeping columns count too. They may contain clock times, so only replays with equally many
   * calls can be compared.
   */
  readonly fullKey: string;
}

export class Replayer {
  readonly start: TaskStart;
  readonly #world: WorldInstance;

  constructor(world: WorldInstance, start: TaskStart) {
    this.#world = world;
    this.start = start;
  }

  get catalog() {
    return this.#world.dispatcher.catalog;
  }

  /** True in a world with actors. */
  get isLiving(): boolean {
    return this.#world.dispatcher.actors.length > 0;
  }

  isLoginCall({ app, api }: Call): boolean {
    return api === "login" && this.#world.dispatcher.appsWithLogin.has(app);
  }

  /**
   * Runs calls without the noise of the world's dials, so that a variant differs from the solution only in its calls.
   */
  run(calls: readonly Call[]): ReplayResult {
    const { dispatcher, owner } = this.#world;
    const session = this.#world.startQuietSession(this.start);
    const results = calls.map(({ app, api, args }) => {
      this.#world.beginNextSession(this.start, session);
      return dispatcher.call(session, owner, app, api, args);
    });
    const faulty = calls.flatMap((call, i) => {
      const result = results[i]!;
      return "fault" in result && result.fault ? [{ ...call, fault: result.fault }] : [];
    });
    const { history } = session.living ?? {};
    const { changes } = this.start.checks.readJudged(session.state, history);
    const evaluation = this.start.checks.evaluate(session.state, history);
    const broken = this.#listBrokenRules(evaluation);
    return {
      evaluation,
      handmade: this.#judgeByVerdict(session.state, history),
      results,
      faulty,
      key: this.#contentKey(changes, false) + broken,
      fullKey: this.#contentKey(changes, true) + broken,
    };
  }

  #judgeByVerdict(end: TableState, history: readonly HistoryEntry[] = []): boolean | undefined {
    const { task, state, info } = this.start;
    const { verdict } = task;
    if (!verdict) return undefined;
    const what = `the verdict of task ${info.id}`;
    const judge = () => verdict(end, state, readFinish(end), history);
    const passed = runUserCode(this.#world.dispatcher.watch, what, judge);
    if (typeof passed === "boolean") return passed;
    throw new BowlineError("world", `${what}: expected true or false, got ${formatValue(passed)}`);
  }

  /** Lists the rules about the order of what was written that were broken, as part of the key. */
  #listBrokenRules({ checks }: Evaluation): string {
    const rules = new Set(this.start.checks.outcome.history?.map(({ name }) => name));
    const broken = checks.filter(({ name, passed }) => !passed && rules.has(name));
    return broken.map(({ name }) => ` ${name}`).join("");
  }

  /** Returns true when the call changed what the task compares. */
  changesContent(result: CallResult): boolean {
    return (
      "changes" in result &&
      result.changes.some((change) => this.#comparedColumns(change, false).length > 0)
    );
  }

  /** Returns the columns of a change that are compared. For a removed row, this is its id. */
  #comparedColumns(change: RowChange, bookkeeping: boolean): string[] {
    const { table, kind } = change;
    if (kind === "remove") return this.catalog.changesContent(change) ? ["id"] : [];
    const columns =
      kind === "insert"
        ? Object.keys(change.after).filter((column) => column !== "id")
        : this.catalog.changedColumns(change.before, change.after);
    return columns.filter((column) => {
      const kept = this.catalog.columnClass(table, column);
      if (kept === "bookkeeping")
        return bookkeeping || this.start.checks.comparedBookkeeping.has(`${table}.${column}`);
      return kept === "content";
    });
  }

  #contentKey(changes: readonly RowChange[], bookkeeping: boolean): string {
    const created = new Map<string, string>();
    for (const { kind, table, id } of changes) {
      if (kind === "insert") created.set(`${table}#${id}`, `new ${created.size}`);
    }
    const lines = changes.flatMap((change) => {
      const columns = this.#comparedColumns(change, bookkeeping).sort();
      if (columns.length === 0) return [];
      const row = change.kind === "remove" ? change.before : change.after;
      const cells = columns.map((c) => [
        c,
        this.#renameReference(change.table, c, row[c] ?? null, created),
      ]);
      return [[change.kind, change.table, change.kind === "insert" ? "" : change.id, cells]];
    });
    return JSON.stringify(lines);
  }

  #renameReference(
    table: string,
    column: string,
    cell: Cell,
    created: ReadonlyMap<string, string>,
  ): unknown {
    const target = this.catalog.table(table).references[column];
    if (!target) return cell;
    const renameId = (id: unknown) => created.get(`${target}#${id}`) ?? id;
    return Array.isArray(cell) ? cell.map(renameId) : renameId(cell);
  }
}
