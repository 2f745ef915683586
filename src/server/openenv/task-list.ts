/** The tasks that a server offers: which splits, how many, and which one a reset means. */
import { BowlineError } from "../../core/index.ts";
import type { Split, TaskInfo, World } from "../../spec/index.ts";
import { OpenEnvError } from "./openenv-error.ts";

/** What a reset may say about the task it wants. */
export interface TaskChoice {
  readonly task_id?: string | null | undefined;
  readonly split?: Split | null | undefined;
  readonly index?: number | null | undefined;
  readonly seed?: number | null | undefined;
}

/** A task and its place in its split. */
export interface ChosenTask {
  readonly task: TaskInfo;
  readonly index: number;
}

/** The kinds of splits that OpenEnv's task API knows. */
const SPLIT_TYPES: { readonly [split in Split]: "train" | "validation" | "test" } = {
  train: "train",
  dev: "validation",
  "test-normal": "test",
  "test-challenge": "test",
  handmade: "test",
};

export class TaskList {
  readonly splits: readonly Split[];
  readonly #tasks: ReadonlyMap<Split, readonly TaskInfo[]>;
  readonly #places = new Map<string, number>();
  #next = 0;

  /** Throws a `config` error when the world lacks a split. */
  constructor(world: World, splits: readonly Split[], scenarios?: number) {
    this.splits = splits;
    this.#tasks = new Map(splits.map((split) => [split, world.tasks(split, scenarios)]));
    for (const tasks of this.#tasks.values()) {
      for (const [index, { id }] of tasks.entries()) this.#places.set(id, index);
    }
    const empty = splits.find((split) => this.#tasks.get(split)!.length === 0);
    if (splits.length > 0 && empty === undefined) return;
    throw new BowlineError(
      "config",
      `the world ${world.name} has no tasks in ${empty ?? "any split that may be served"}; choose others with --splits`,
    );
  }

  describeSplits(): { readonly name: Split; readonly type: string }[] {
    return this.splits.map((name) => ({ name, type: SPLIT_TYPES[name] }));
  }

  /** Returns the tasks of a split. Throws a `VALIDATION_ERROR` for a split that is not served. */
  tasksOf(split: string): readonly TaskInfo[] {
    const tasks = this.#tasks.get(split as Split);
    if (tasks) return tasks;
    const served = this.splits.join(", ");
    throw new OpenEnvError(
      "VALIDATION_ERROR",
      `split: expected ${served}, got ${JSON.stringify(split)}`,
    );
  }

  /** Returns the task at a place of a split. Throws a `VALIDATION_ERROR` for a place outside it. */
  taskAt(split: string, index: number): ChosenTask {
    const tasks = this.tasksOf(split);
    const task = tasks[index];
    if (task) return { task, index };
    const expected = `expected 0 to ${tasks.length - 1}, the tasks of ${split}`;
    const details = { status: 400 };
    throw new OpenEnvError("VALIDATION_ERROR", `index: ${expected}, got ${index}`, details);
  }

  /** Returns the task that a reset means. Without any choice, the tasks of the split follow one another. */
  choose({ task_id, split, index, seed }: TaskChoice): ChosenTask {
    if (task_id != null) return this.#findTask(task_id);
    const name = split ?? this.splits[0]!;
    if (index != null) return this.taskAt(name, index);
    return this.taskAt(name, (seed ?? this.#next++) % this.tasksOf(name).length);
  }

  #findTask(id: string): ChosenTask {
    const split = id.split("/")[0]!;
    const index = this.#places.get(id);
    if (index !== undefined) return this.taskAt(split, index);
    const expected = `a task of ${this.splits.join(", ")}, such as ${this.tasksOf(this.splits[0]!)[0]!.id}`;
    throw new OpenEnvError(
      "VALIDATION_ERROR",
      `task_id: expected ${expected}, got ${JSON.stringify(id)}`,
    );
  }
}
