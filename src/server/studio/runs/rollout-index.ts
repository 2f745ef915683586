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

/** Numbers of one rollout; `reward` is NaN where there is none. */
const NAMES = [
  "offset",
  "length",
  "task",
  "index",
  "outcome",
  "passed",
  "reward",
  "turns",
  "sampled",
] as const;
const WIDTH = NAMES.length;
const ID_BYTES = 48;
const TASK_BYTES = 200;
const FAILURE_CHARACTERS = 400;

export class RolloutIndex {
  readonly tasks: Task[] = [];
  readonly ids: string[] = [];
  /** Where the next look begins. */
  end = 0;
  /** Lines that are no rollouts. */
  foreign = 0;
  #numbers = new Float64Array(64 * WIDTH);
  readonly #taskAt = new Map<string, number>();
  readonly #failures = new Map<number, string>();

  get size(): number {
    return this.ids.length;
  }

  /** About what it takes in memory. */
  get bytes(): number {
    return (
      this.#numbers.byteLength + this.ids.length * ID_BYTES + this.tasks.length * TASK_BYTES + 500
    );
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

  number(at: number, name: (typeof NAMES)[number]): number {
    return this.#numbers[at * WIDTH + NAMES.indexOf(name)]!;
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
    const { index, passed, reward, turns, sampled } = found;
    const position = Number.isInteger(index) ? index : 0;
    const length = end - start;
    this.#push(offset, length, task, position, outcome, Number(passed), reward, turns, sampled);
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

  /** In the order of `NAMES`. */
  #push(...numbers: readonly number[]): void {
    const from = this.size * WIDTH;
    if (from + WIDTH > this.#numbers.length) {
      const more = new Float64Array(this.#numbers.length * 2);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    for (let i = 0; i < WIDTH; i++) this.#numbers[from + i] = numbers[i]!;
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
