/**
 * An index of one file of rollouts. For each rollout it keeps, in about a hundred bytes, where its line is and what
 * lists show of it.
 *
 * The file is read once, in chunks. If it has only grown since (a journal), reading continues after its last complete
 * line. Rollouts of one task form one group. Groups are in the order in which the file first names their tasks.
 */
import { PAPER_REWARD, type RewardOptions, rewardOf } from "../../../algo/index.ts";
import { isPlainObject } from "../../../core/index.ts";
import { OUTCOMES, type Rollout, taskSchema } from "../../../spec/index.ts";
import type { RolloutRow } from "../../../spec/studio/index.ts";
import { scanRollout } from "./scan-rollout.ts";

export type Task = Rollout["task"];

/** Numbers of a rollout that need a 64-bit float. `reward` is NaN without an evaluation. */
const DOUBLE_FIELDS = ["offset", "reward"] as const;
/** Numbers of a rollout that are counts and fit into 32 bits. */
const COUNT_FIELDS = ["length", "task", "index", "outcome", "passed", "turns", "sampled"] as const;
type DoubleField = (typeof DOUBLE_FIELDS)[number];
type CountField = (typeof COUNT_FIELDS)[number];
type RolloutNumbers = { readonly [name in DoubleField | CountField]: number };

/** Estimated memory of an id and of a task, with the space for referring to them. */
const ID_BYTES = 40;
const TASK_BYTES = 200;
const FAILURE_CHARACTERS = 400;

export class RolloutIndex {
  readonly tasks: Task[] = [];
  readonly ids: string[] = [];
  /** The offset in the file at which the next read begins. */
  end = 0;
  /** How many lines are not rollouts. */
  foreignLines = 0;
  readonly #reward: RewardOptions;
  #doubles = new Float64Array(0);
  #counts = new Uint32Array(0);
  readonly #taskNumbers = new Map<string, number>();
  readonly #failures = new Map<number, string>();

  /** `reward` says what the rollouts of the file earn, as their run is configured. */
  constructor(reward: RewardOptions = PAPER_REWARD) {
    this.#reward = reward;
  }

  get size(): number {
    return this.ids.length;
  }

  /** Estimates how many bytes of memory the index takes. */
  get bytes(): number {
    const numbers = this.#doubles.byteLength + this.#counts.byteLength;
    return numbers + this.ids.length * ID_BYTES + this.tasks.length * TASK_BYTES + 500;
  }

  get passed(): number {
    return this.ids.reduce((sum, _, at) => sum + this.getNumber(at, "passed"), 0);
  }

  /** Adds the rollout of a line, or counts the line as foreign if it is not a rollout. */
  add(bytes: Buffer, start: number, end: number, offset: number): void {
    try {
      this.#addOrThrow(bytes, start, end, offset);
    } catch {
      this.foreignLines += 1;
    }
  }

  getNumber(at: number, name: DoubleField | CountField): number {
    const count = COUNT_FIELDS.indexOf(name as CountField);
    if (count >= 0) return this.#counts[at * COUNT_FIELDS.length + count]!;
    return this.#doubles[at * DOUBLE_FIELDS.length + DOUBLE_FIELDS.indexOf(name as DoubleField)]!;
  }

  /** Frees the spare capacity: a run has hundreds of files, and whole files do not grow. */
  trim(): void {
    this.#resize(this.size);
  }

  taskAt(at: number): Task {
    return this.tasks[this.getNumber(at, "task")]!;
  }

  /** Returns the positions of each task's rollouts, in the order of `tasks`. */
  groups(): number[][] {
    const groups: number[][] = this.tasks.map(() => []);
    for (let at = 0; at < this.size; at++) groups[this.getNumber(at, "task")]!.push(at);
    return groups;
  }

  /** Counts those of a group's rollouts that have an evaluation, and those of them that passed. */
  countOutcomes(members: readonly number[]): { readonly size: number; readonly passed: number } {
    const scored = members.filter((at) => !Number.isNaN(this.getNumber(at, "reward")));
    const passed = scored.reduce((sum, at) => sum + this.getNumber(at, "passed"), 0);
    return { size: scored.length, passed };
  }

  rowAt(at: number): RolloutRow {
    const reward = this.getNumber(at, "reward");
    const failure = this.#failures.get(at);
    return {
      id: this.ids[at]!,
      index: this.getNumber(at, "index"),
      outcome: OUTCOMES[this.getNumber(at, "outcome")]!,
      passed: this.getNumber(at, "passed") === 1,
      turns: this.getNumber(at, "turns"),
      sampled: this.getNumber(at, "sampled"),
      ...(!Number.isNaN(reward) && { reward }),
      ...(failure !== undefined && { failure }),
    };
  }

  #addOrThrow(bytes: Buffer, start: number, end: number, offset: number): void {
    const found = scanRollout(bytes, start, end);
    const outcome = OUTCOMES.indexOf(found.outcome as (typeof OUTCOMES)[number]);
    if (outcome < 0) throw NOT_A_ROLLOUT;
    const task = this.#findOrAddTask(found.task);
    if (found.failure !== undefined)
      this.#failures.set(this.size, readFailureMessage(found.failure));
    const { passed, turns, sampled, evaluation } = found;
    const reward = evaluation === undefined ? Number.NaN : rewardOf(found, this.#reward);
    const index = Number.isInteger(found.index) ? found.index : 0;
    const length = end - start;
    const flags = { outcome, passed: Number(passed) };
    this.#appendNumbers({ offset, length, task, index, ...flags, reward, turns, sampled });
    this.ids.push(found.id);
  }

  /** Returns the number of the task, which is added if it is new. */
  #findOrAddTask(text: string): number {
    const task = parseTask(text);
    const known = this.#taskNumbers.get(task.id);
    if (known !== undefined) return known;
    const at = this.tasks.push(task) - 1;
    this.#taskNumbers.set(task.id, at);
    return at;
  }

  #appendNumbers(numbers: RolloutNumbers): void {
    const at = this.size;
    if (at >= this.#doubles.length / DOUBLE_FIELDS.length) this.#resize(Math.max(64, at * 2));
    DOUBLE_FIELDS.forEach((name, i) => {
      this.#doubles[at * DOUBLE_FIELDS.length + i] = numbers[name];
    });
    COUNT_FIELDS.forEach((name, i) => {
      this.#counts[at * COUNT_FIELDS.length + i] = numbers[name];
    });
  }

  #resize(rollouts: number): void {
    const [wide, counts] = [this.#doubles, this.#counts];
    this.#doubles = new Float64Array(rollouts * DOUBLE_FIELDS.length);
    this.#doubles.set(wide.subarray(0, rollouts * DOUBLE_FIELDS.length));
    this.#counts = new Uint32Array(rollouts * COUNT_FIELDS.length);
    this.#counts.set(counts.subarray(0, rollouts * COUNT_FIELDS.length));
  }
}

const NOT_A_ROLLOUT = new Error("not a rollout");

/** Parsed tasks by their JSON text. Files repeat the same tasks, and all indexes share them. */
const knownTasks = new Map<string, Task>();
const MAX_KNOWN_TASKS = 5000;

function parseTask(text: string): Task {
  const same = knownTasks.get(text);
  if (same) return same;
  const task = taskSchema.parse(JSON.parse(text));
  if (knownTasks.size >= MAX_KNOWN_TASKS) knownTasks.clear();
  knownTasks.set(text, task);
  return task;
}

function readFailureMessage(json: string): string {
  const failure: unknown = JSON.parse(json);
  return String(isPlainObject(failure) ? failure["message"] : failure).slice(0, FAILURE_CHARACTERS);
}
