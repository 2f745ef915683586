/**
 * Tasks that are data of an agent's owner, as a World: something that training can draw from, score and recognise again.
 * One task is a scenario of its own. Nothing can be opened here, for what such an agent acts in is its owner's.
 */
import { BowlineError, formatValue, requireOneOf } from "../../core/index.ts";
import { SPLITS, type Split, type TaskInfo, type World } from "../../spec/index.ts";
import { resolveDials } from "../../world/index.ts";

/** Tasks by what they are for. A list alone is trained on, and nothing is held out. */
export type AgentTasks<T> =
  | readonly T[]
  | {
      /** Trained on. */
      readonly train: readonly T[];
      /** Held out: scored before and after, and on the way. */
      readonly dev?: readonly T[];
      /** Held out: scored before and after. */
      readonly test?: readonly T[];
    };

export interface TaskWorld<T> extends World {
  /** The owner's own value of a task of this world. */
  dataOf(taskId: string): T;
}

/** Where a task says so itself: its name, unique in its split, and a name shared by tasks of its kind. */
interface Named {
  readonly id?: unknown;
  readonly kind?: unknown;
}

/**
 * Throws a `config` error for lists that are none, tasks that JSON cannot write, or two of one id. A task is recognised by its
 * JSON: a run is not continued with others.
 */
export function taskWorld<T>(tasks: AgentTasks<T>): TaskWorld<T> {
  const lists = listsOf(tasks);
  const data = new Map<string, T>();
  const infos = new Map<Split, readonly TaskInfo[]>();
  for (const [split, list] of lists) {
    infos.set(
      split,
      list.map((task, i) => {
        const info = infoOf(task, split, i);
        if (data.has(info.id)) throw wrong(`two tasks of ${split} have the id ${info.id}`);
        data.set(info.id, task);
        return info;
      }),
    );
  }
  return {
    name: "tasks",
    seed: 0,
    dials: resolveDials(),
    hasSolutions: false,
    tasks(split, scenarios) {
      requireOneOf("split", split, SPLITS);
      return (infos.get(split) ?? []).slice(0, scenarios);
    },
    dataOf(taskId) {
      const task = data.get(taskId);
      if (task === undefined) throw wrong(`there is no task ${taskId}`);
      return task;
    },
    open: (taskId) => Promise.reject(wrong(`task ${taskId} is played by its owner's agent alone`)),
    demonstrate: (taskId) => Promise.reject(wrong(`task ${taskId} brings no solution`)),
    close: async () => {},
  };
}

function listsOf<T>(tasks: AgentTasks<T>): ReadonlyMap<Split, readonly T[]> {
  const { train, dev, test } = (Array.isArray(tasks) ? { train: tasks } : tasks) as {
    readonly train: readonly T[];
    readonly dev?: readonly T[];
    readonly test?: readonly T[];
  };
  const lists = { train, dev: dev ?? [], test: test ?? [] };
  for (const [name, list] of Object.entries(lists)) {
    if (Array.isArray(list)) continue;
    throw wrong(`tasks.${name}: expected a list of tasks, came ${formatValue(list)}`);
  }
  if (train.length === 0) throw wrong("tasks: expected at least one task to train on, came none");
  return new Map<Split, readonly T[]>([
    ["train", train],
    ["dev", lists.dev],
    ["test-normal", lists.test],
  ]);
}

function infoOf(task: unknown, split: Split, position: number): TaskInfo {
  const { id, kind } = (typeof task === "object" && task !== null ? task : {}) as Named;
  const name = typeof id === "string" || typeof id === "number" ? String(id) : String(position);
  return {
    id: `${split}/${name}/0`,
    scenario: `${split}/${name}`,
    split,
    difficulty: 1,
    signature: typeof kind === "string" ? kind : "task",
    instruction: jsonOf(task, `tasks.${split}[${position}]`),
  };
}

function jsonOf(task: unknown, at: string): string {
  try {
    const json = JSON.stringify(task);
    if (json !== undefined) return json;
  } catch {}
  throw wrong(`${at}: expected data that JSON can write, came ${formatValue(task)}`);
}

const wrong = (message: string) => new BowlineError("config", message);
