/**
 * A world definition with a seed and dials: its population, its tasks, and the start state of each task.
 *
 * Everything depends only on the definition, the seed and the dials. So the main thread and every worker hold equal
 * instances, and with a task id every one of them can open the same task.
 */
import {
  BowlineError,
  formatValue,
  hash32,
  Rng,
  requireOneOf,
  requireSeed,
} from "../../core/index.ts";
import { type Dials, SPLITS, type Split, type TaskInfo } from "../../spec/index.ts";
import { planEvent, planSessions, readNextSession } from "../actors/index.ts";
import {
  type ActivityWatch,
  ApiDispatcher,
  type EpisodeSession,
  NO_WATCH,
  requireAccounts,
  requireNoPromise,
  runUserCode,
} from "../api/index.ts";
import { TaskChecks } from "../checks/index.ts";
import type {
  GoalTime,
  LaterSession,
  PlanEvent,
  Profile,
  Table,
  TableRow,
  Task,
  WorldDefinition,
  Writer,
} from "../define.ts";
import { adaptSolution, CallNoise, resolveDials } from "../dials/index.ts";
import { FrozenTables, makeScratch, TableState } from "../state/index.ts";
import {
  MAX_SCENARIOS,
  requirePlainOutcome,
  requireProfile,
  requireScenarioCount,
  requireThreeTasks,
  requireValidDefinition,
} from "./definition.ts";

/** A task that is ready to be opened: what all its episodes share. */
export interface TaskStart {
  readonly info: TaskInfo;
  readonly task: Task;
  readonly state: TableState;
  readonly checks: TaskChecks;
}

/** The session that follows, with its number from 2 on. */
export interface NextSession extends LaterSession {
  readonly number: number;
}

interface TaskEntry {
  readonly info: TaskInfo;
  readonly task: Task;
}

/** Matches a task id. Each task has only one id: numbers have no leading zeros. */
const TASK_ID = /^(.+)\/(0|[1-9]\d*)\/([123])$/;

/** The number of prepared tasks that are kept. The K rollouts of a task follow each other. */
const MAX_KEPT_STARTS = 256;

/**
 * The number of scenarios whose tasks are kept with their functions, which hold copies of tables: about 100 KB a
 * scenario of `everyday`. Others are drawn again when they are needed.
 */
const MAX_KEPT_SCENARIOS = 512;

/**
 * A world in this thread, without workers, with its population, tasks and start states. Programs usually use
 * `openWorld`.
 */
export class WorldInstance {
  readonly definition: WorldDefinition;
  readonly dispatcher: ApiDispatcher;
  readonly seed: number;
  readonly dials: Dials;
  readonly owner: Profile;
  readonly #base: FrozenTables;
  readonly #rng: Rng;
  readonly #scenarios = new Map<string, readonly TaskEntry[]>();
  /** What is known of the tasks of all scenarios that were drawn. */
  readonly #infos = new Map<string, readonly TaskInfo[]>();
  readonly #starts = new Map<string, TaskStart>();
  /** The attempts by which scenarios were drawn, as their functions report them. */
  readonly #attempts = new Map<string, readonly number[]>();

  /**
   * Throws a `config` error for a wrong seed or dial and a `world` error for a definition that contradicts itself or
   * whose `populate` fails. `watch` is told which function of the world is running.
   */
  constructor(
    definition: WorldDefinition,
    seed: number,
    dials?: Partial<Dials>,
    watch: ActivityWatch = NO_WATCH,
  ) {
    requireSeed("seed", seed);
    requireValidDefinition(definition);
    this.definition = definition;
    this.seed = seed;
    this.dials = resolveDials(dials);
    this.#rng = new Rng(seed);
    const { apps, now, examples = false, actors = [] } = definition;
    this.dispatcher = new ApiDispatcher(apps, now, { dials: this.dials, examples, actors });
    this.dispatcher.watch = watch;
    const population = new Population(this.dispatcher.catalog.tables, watch);
    const rng = this.#rng.child("population");
    const populate = () => definition.populate(population, rng, this.dials);
    this.owner = this.#runUserCode(`populate of world ${formatValue(definition.name)}`, populate);
    requireProfile(this.owner);
    requireAccounts(population, this.dispatcher.appsWithLogin);
    this.#base = population.toFrozenTables();
  }

  /** Returns a copy of the population, which may be read and written. */
  copyPopulation(): TableState {
    return new TableState(this.#base);
  }

  /** Starts a session of a task, with the task's data, the clock at zero, and the noise that the dials ask for. */
  startSession(start: TaskStart): EpisodeSession {
    const noise = CallNoise.create(this.dials, hash32(start.info.id, this.seed));
    return { ...this.startQuietSession(start), noise };
  }

  /** Starts a session without the noise of the dials, for trying calls. */
  startQuietSession(start: TaskStart): EpisodeSession {
    const living = this.#isLiving
      ? { history: [], seed: this.#actorSeed(start.info.id) }
      : undefined;
    return { state: start.state.clone(), calls: 0, living };
  }

  get #isLiving(): boolean {
    return this.dispatcher.actors.length > 0;
  }

  /** Returns the seed of the random streams of a task's actors. */
  #actorSeed(taskId: string): number {
    return this.#rng.child("actors").child(taskId).uint32();
  }

  /** Rewrites a cell of a solution as the dials require. `first` is true for the first cell. */
  adaptCell(cell: string, first: boolean): string {
    return adaptSolution(cell, this.dials, this.dispatcher, first);
  }

  /**
   * Returns the tasks of the first scenarios, three for each; by default of as many scenarios as the world lists. A
   * split that the world does not have has no tasks. Throws a `config` error for a wrong number.
   */
  tasks(split: Split, scenarios?: number): TaskInfo[] {
    requireOneOf("split", split, SPLITS);
    if (scenarios !== undefined) requireScenarioCount(scenarios);
    const listed = this.definition.scenarios[split];
    const count = listed === undefined ? 0 : (scenarios ?? listed);
    const infos: TaskInfo[] = [];
    for (let index = 0; index < count; index++) {
      infos.push(...this.#listScenario(split, index));
    }
    return infos;
  }

  /** Returns what is known of a task. Throws a `world` error for an id that names no task. */
  findInfo(taskId: string): TaskInfo {
    const { split, index, variant } = parseTaskId(taskId);
    return this.#listScenario(split, index)[variant]!;
  }

  /** Returns the attempts by which a task's scenario was drawn, if its function reports them. */
  findAttempts(taskId: string): readonly number[] | undefined {
    return this.#attempts.get(this.findInfo(taskId).scenario);
  }

  /** Remembers the attempts with which an equal instance drew the scenario of a task, so that it need not search. */
  rememberAttempts(taskId: string, attempts: readonly number[]): void {
    const { split, index } = parseTaskId(taskId);
    this.#attempts.set(`${split}/${index}`, attempts);
  }

  /** Returns a task with its info. Throws a `world` error for an id that names no task. */
  findTask(taskId: string): TaskEntry {
    const { split, index, variant } = parseTaskId(taskId);
    return this.#getScenario(split, index)[variant]!;
  }

  prepareTask(taskId: string): TaskStart {
    const known = this.#starts.get(taskId);
    if (known) return known;
    const { info, task } = this.findTask(taskId);
    const state = this.#startScenario(info.scenario);
    const { setup } = task;
    if (setup) {
      const plan = this.#makePlan(state, taskId);
      const run = () => state.transaction((db) => setup(db, plan)).value;
      this.#runUserCode(`the setup of task ${taskId}`, run);
    }
    this.#planSessions(state, task);
    const start = { info, task, state, checks: this.#deriveChecks(info, state, task) };
    keep(this.#starts, taskId, start, MAX_KEPT_STARTS);
    return start;
  }

  #planSessions(state: TableState, { sessions = [] }: Task): void {
    if (sessions.length === 0) return;
    if (!this.#isLiving)
      throw new BowlineError(
        "world",
        "sessions: only tasks of a world with actors may have several",
      );
    state.transaction((db) => planSessions(db, sessions.length + 1));
  }

  /** Returns the session that follows in an episode of the task; undefined unless one has ended and another follows. */
  findNextSession({ task }: TaskStart, { state, living }: EpisodeSession): NextSession | undefined {
    const number = living && readNextSession(state);
    if (number === undefined) return undefined;
    return { number, ...task.sessions![number - 2]! };
  }

  /** Begins the session that follows, if one has ended. Returns it, or undefined. */
  beginNextSession(start: TaskStart, session: EpisodeSession): NextSession | undefined {
    const next = this.findNextSession(start, session);
    if (next) this.dispatcher.beginNextSession(session, this.owner, next.minutes);
    return next;
  }

  /** Returns a copy of the population as the world varies it for a scenario. */
  #startScenario(id: string): TableState {
    const state = this.copyPopulation();
    const { vary } = this.definition;
    if (vary) {
      const rng = this.#rng.child("vary").child(id);
      this.#runUserCode(`vary for scenario ${id}`, () => {
        requireNoPromise(state.transaction((db) => vary(db, rng)).value);
      });
    }
    return state;
  }

  /** Returns the function by which a task's setup plans events of actors. */
  #makePlan(state: TableState, taskId: string): PlanEvent {
    const { actors } = this.dispatcher;
    const rng = new Rng(this.#actorSeed(taskId)).child("setup");
    return (actor, kind, minutes, data = {}) => {
      const seed = rng.child(`${actor} ${kind} ${JSON.stringify(data)}`).uint32();
      const from = this.definition.now;
      planEvent(actors, state, { actor, kind, minutes, data, from, seed });
    };
  }

  #deriveChecks(info: TaskInfo, state: TableState, task: Task): TaskChecks {
    const { catalog } = this.dispatcher;
    const stage = this.#isLiving
      ? { ...this.dispatcher.stage(this.owner, this.#actorSeed(info.id)), now: this.definition.now }
      : undefined;
    const runGoal = (db: Writer, time: GoalTime) => {
      const outcome = task.goal(db, time);
      requireNoPromise(outcome);
      requirePlainOutcome(outcome);
      return outcome;
    };
    return this.#runUserCode(
      `the goal of task ${info.id}`,
      () => new TaskChecks(catalog, state, runGoal, stage),
    );
  }

  #runUserCode<T>(what: string, run: () => T): T {
    return runUserCode(this.dispatcher.watch, what, run);
  }

  #getScenario(split: Split, index: number): readonly TaskEntry[] {
    const id = `${split}/${index}`;
    const known = this.#scenarios.get(id);
    if (known) return known;
    if (this.definition.scenarios[split] === undefined) {
      throw new BowlineError("world", `world "${this.definition.name}" has no ${split} tasks`);
    }
    const entries = this.#drawScenario(split, index, id).map((task, i): TaskEntry => {
      const { signature, difficulty, instruction } = task;
      const info = {
        id: `${id}/${i + 1}`,
        scenario: id,
        split,
        difficulty,
        signature,
        instruction,
      };
      return { task, info: Object.freeze(info) };
    });
    keep(this.#scenarios, id, entries, MAX_KEPT_SCENARIOS);
    this.#infos.set(
      id,
      entries.map(({ info }) => info),
    );
    return entries;
  }

  #listScenario(split: Split, index: number): readonly TaskInfo[] {
    const known = this.#infos.get(`${split}/${index}`);
    return known ?? this.#getScenario(split, index).map(({ info }) => info);
  }

  #drawScenario(split: Split, index: number, id: string): readonly Task[] {
    const rng = this.#rng.child("scenario").child(split).child(index);
    const { dials, owner } = this;
    const { appsWithLogin } = this.dispatcher;
    const base = this.#startScenario(id);
    const scratch = () => makeScratch(base);
    const request = {
      ...{ split, index, base, owner, rng, dials, appsWithLogin, scratch },
      knownAttempts: this.#attempts.get(id),
      reportAttempts: (attempts: readonly number[]) => void this.#attempts.set(id, [...attempts]),
    };
    const drawTasks = () => {
      const tasks = this.definition.scenario(request);
      requireNoPromise(tasks);
      requireThreeTasks(tasks);
      return tasks;
    };
    return this.#runUserCode(`the drawing of scenario ${id}`, drawTasks);
  }
}

/** Returns the parts of a task id; `variant` counts from 0. Throws a `world` error for an id that names no task. */
function parseTaskId(taskId: string): { split: Split; index: number; variant: number } {
  const [, split, index, variant] = TASK_ID.exec(taskId) ?? [];
  if (!SPLITS.some((known) => known === split) || Number(index) >= MAX_SCENARIOS) {
    throw new BowlineError(
      "world",
      `there is no task ${formatValue(taskId)}; an id is <split>/<scenario from 0 to ${MAX_SCENARIOS - 1}>/<1, 2 or 3>, such as train/0/1, with split one of ${SPLITS.join(", ")}`,
    );
  }
  return { split: split as Split, index: Number(index), variant: Number(variant) - 1 };
}

/** Adds an entry. Removes the oldest one if there are `most` already. */
function keep<T>(kept: Map<string, T>, key: string, value: T, most: number): void {
  if (kept.size >= most) kept.delete(kept.keys().next().value!);
  kept.set(key, value);
}

/** The population while `populate` writes it. Each row is progress, because a population may be large. */
class Population extends TableState {
  readonly #watch: ActivityWatch;

  constructor(tables: readonly Table[], watch: ActivityWatch) {
    super(FrozenTables.empty(tables));
    this.#watch = watch;
  }

  override insert<R extends TableRow>(table: Table<R>, row: Omit<R, "id">): R {
    this.#watch.noteProgress();
    return super.insert(table, row);
  }
}
