/**
 * An index of one file of rollouts: for each, where its line is and what a list shows of it, in about a hundred bytes.
 *
 * It is filled by reading the file once in pieces; a file that has only grown since (a journal) is read on from where its
 * last whole line ended. Rollouts of one task are one group, in the order in which the file first names its task.
 */
import { isRaw } from "../../../core/index.ts";
import { OUTCOMES, type Rollout, taskSchema } from "../../../spec/index.ts";
import type { RolloutRow } from "../../../spec/studio/index.ts";
import { scanRollout } from "./scan-rollout.ts";

export type Task = Rollout["task"];

/** Numbers of one rollout that need all of a double; `reward` is NaN where there is none. */
const WIDE = ["offset", "reward"] as const;
/** Those that are counts. */
const COUNTS = ["length", "task", "index", "outcome", "passed", "turns", "sampled"] as const;
type Wide = (typeof WIDE)[number];
type Count = (typeof COUNTS)[number];
type Numbers = { readonly [name in Wide | Count]: number };

/** A string, and where it is kept. */
const ID_BYTES = 40;
const TASK_BYTES = 200;
const FAILURE_CHARACTERS = 400;

export class RolloutIndex {
  readonly tasks: Task[] = [];
  readonly ids: string[] = [];
  /** Where the next look begins. */
  end = 0;
  /** Lines that are no rollouts. */
  foreign = 0;
  #wide = new Float64Array(0);
  #counts = new Uint32Array(0);
  readonly #taskAt = new Map<string, number>();
  readonly #failures = new Map<number, string>();

  get size(): number {
    return this.ids.length;
  }

  /** About what it takes in memory. */
  get bytes(): number {
    const numbers = this.#wide.byteLength + this.#counts.byteLength;
    return numbers + this.ids.length * ID_BYTES + this.tasks.length * TASK_BYTES + 500;
  }

  get passed(): number {
    return this.ids.reduce((sum, _, at) => sum + this.number(at, "passed"), 0);
  }

  /** Takes the rollout of a line in; counts it as foreign where it is none. */
  add(bytes: Buffer, start: number, end: number, offset: number): void {
    try {
      this.#take(bytes, start, end, offset);
    } catch {
      this.foreign += 1;
    }
  }

  number(at: number, name: Wide | Count): number {
    const count = COUNTS.indexOf(name as Count);
    if (count >= 0) return this.#counts[at * COUNTS.length + count]!;
    return this.#wide[at * WIDE.length + WIDE.indexOf(name as Wide)]!;
  }

  /** Gives back the room for more. A run has hundreds of files, and a file that is whole does not grow. */
  trim(): void {
    this.#resize(this.size);
  }

  taskOf(at: number): Task {
    return this.tasks[this.number(at, "task")]!;
  }

  /** Positions of the rollouts of each task, in the order of `tasks`. */
  groups(): number[][] {
    const groups: number[][] = this.tasks.map(() => []);
    for (let at = 0; at < this.size; at++) groups[this.number(at, "task")]!.push(at);
    return groups;
  }

  row(at: number): RolloutRow {
    const reward = this.number(at, "reward");
    const failure = this.#failures.get(at);
    return {
      id: this.ids[at]!,
      index: this.number(at, "index"),
      outcome: OUTCOMES[this.number(at, "outcome")]!,
      passed: this.number(at, "passed") === 1,
      turns: this.number(at, "turns"),
      sampled: this.number(at, "sampled"),
      ...(!Number.isNaN(reward) && { reward }),
      ...(failure !== undefined && { failure }),
    };
  }

  #take(bytes: Buffer, start: number, end: number, offset: number): void {
    const found = scanRollout(bytes, start, end);
    const outcome = OUTCOMES.indexOf(found.outcome as (typeof OUTCOMES)[number]);
    if (outcome < 0) throw NOT_ONE;
    const task = this.#task(found.task);
    if (found.failure !== undefined) this.#failures.set(this.size, failureText(found.failure));
    const { passed, reward, turns, sampled } = found;
    const index = Number.isInteger(found.index) ? found.index : 0;
    const length = end - start;
    const flags = { outcome, passed: Number(passed) };
    this.#push({ offset, length, task, index, ...flags, reward, turns, sampled });
    this.ids.push(found.id);
  }

  /** Its number. */
  #task(text: string): number {
    const task = taskIn(text);
    const known = this.#taskAt.get(task.id);
    if (known !== undefined) return known;
    const at = this.tasks.push(task) - 1;
    this.#taskAt.set(task.id, at);
    return at;
  }

  #push(numbers: Numbers): void {
    const at = this.size;
    if (at >= this.#wide.length / WIDE.length) this.#resize(Math.max(64, at * 2));
    WIDE.forEach((name, i) => {
      this.#wide[at * WIDE.length + i] = numbers[name];
    });
    COUNTS.forEach((name, i) => {
      this.#counts[at * COUNTS.length + i] = numbers[name];
    });
  }

  #resize(rollouts: number): void {
    const [wide, counts] = [this.#wide, this.#counts];
    this.#wide = new Float64Array(rollouts * WIDE.length);
    this.#wide.set(wide.subarray(0, rollouts * WIDE.length));
    this.#counts = new Uint32Array(rollouts * COUNTS.length);
    this.#counts.set(counts.subarray(0, rollouts * COUNTS.length));
  }
}

const NOT_ONE = new Error("not a rollout");

/** Tasks by their JSON: files name the same ones over and over, and all indexes share them. */
const known = new Map<string, Task>();
const MOST_KNOWN = 5000;

function taskIn(text: string): Task {
  const same = known.get(text);
  if (same) return same;
  const task = taskSchema.parse(JSON.parse(text));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, task);
  return task;
}

function failureText(json: string): string {
  const failure: unknown = JSON.parse(json);
  return String(isRaw(failure) ? failure["message"] : failure).slice(0, FAILURE_CHARACTERS);
}
