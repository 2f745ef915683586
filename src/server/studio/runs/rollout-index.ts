/**
 * An index of one file of rollouts: for each, where its line is and what a list shows of it, in about a hundred bytes.
 *
 * It is filled by reading the file once in pieces; a file that has only grown since (a journal) is read on from where its
 * last whole line ended. Rollouts of one task are one group, in the order in which the file first names its task.
 */
import { fractionReward } from "../../../algo/index.ts";
import { isRaw } from "../../../core/index.ts";
import { OUTCOMES, type Rollout, taskSchema } from "../../../spec/index.ts";
import type { RolloutRow } from "../../../spec/studio/index.ts";
import { scanLine } from "./scan-rollout.ts";

export type Task = Rollout["task"];

/** Numbers of one rollout, by name; `reward` is NaN where there is none. */
interface Numbers {
  readonly offset: number;
  readonly length: number;
  readonly task: number;
  readonly index: number;
  readonly outcome: number;
  readonly passed: number;
  readonly reward: number;
  readonly turns: number;
  readonly sampled: number;
}

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
] as const satisfies readonly (keyof Numbers)[];
const WIDTH = NAMES.length;
const ID_BYTES = 48;
const TASK_BYTES = 1000;
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

  number(at: number, name: keyof Numbers): number {
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
    const { values, turns, sampled } = scanLine(bytes, start, end);
    const json = (name: string): unknown => {
      const text = values.get(name);
      return text === undefined ? undefined : JSON.parse(text);
    };
    const id = json("id");
    const outcome = OUTCOMES.indexOf(json("outcome") as (typeof OUTCOMES)[number]);
    if (typeof id !== "string" || outcome < 0) throw NOT_ONE;
    const task = this.#task(values.get("task") ?? "");
    const index = Number(json("index"));
    const { passed, reward } = verdictOf(json("evaluation"));
    const failure = json("failure");
    if (isRaw(failure)) {
      this.#failures.set(this.size, String(failure["message"]).slice(0, FAILURE_CHARACTERS));
    }
    this.#push({
      ...{ offset, length: end - start, task, index: Number.isInteger(index) ? index : 0 },
      ...{ outcome, passed: Number(passed), reward, turns, sampled },
    });
    this.ids.push(id);
  }

  /** Its number; a task is parsed once. */
  #task(text: string): number {
    const known = this.#taskAt.get(text);
    if (known !== undefined) return known;
    const task = taskSchema.parse(JSON.parse(text));
    const same = this.tasks.findIndex(({ id }) => id === task.id);
    const at = same < 0 ? this.tasks.push(task) - 1 : same;
    this.#taskAt.set(text, at);
    return at;
  }

  #push(numbers: Numbers): void {
    const from = this.size * WIDTH;
    if (from + WIDTH > this.#numbers.length) {
      const more = new Float64Array(this.#numbers.length * 2);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    NAMES.forEach((name, i) => {
      this.#numbers[from + i] = numbers[name];
    });
  }
}

const NOT_ONE = new Error("not a rollout");

/** Passed as scores count it: the agent finished, and every check passed. */
function verdictOf(evaluation: unknown): { readonly passed: boolean; readonly reward: number } {
  if (!isRaw(evaluation)) return { passed: false, reward: Number.NaN };
  const { finished, passed: all, checks, reward } = evaluation;
  const passed = finished === true && all === true;
  if (!Array.isArray(checks)) throw NOT_ONE;
  const paid = typeof reward === "number" ? { reward } : {};
  return { passed, reward: fractionReward({ passed: all === true, checks, ...paid }) };
}
