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
  getTaskData(taskId: string): T;
}

/** Where a task says so itself: its name, unique in its split, and a name shared by tasks of its kind. */
interface TaskIdentity {
  readonly id?: unknown;
  readonly kind?: unknown;
}

/**
 * Throws a `config` error for lists that are none, tasks that JSON cannot write, or two of one id. A task is recognised by its
 * JSON: a run is not continued with others.
 */
export function createTaskWorld<T>(tasks: AgentTasks<T>): TaskWorld<T> {
  const lists = listTasksBySplit(tasks);
  const data = new Map<string, T>();
  const infos = new Map<Split, readonly TaskInfo[]>();
  for (const [split, list] of lists) {
    infos.set(
      split,
      list.map((task, i) => {
        const info = createTaskInfo(task, split, i);
        if (data.has(info.id)) throw configError(`two tasks of ${split} have the id ${info.id}`);
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
    getTaskData(taskId) {
      const task = data.get(taskId);
      if (task === undefined) throw configError(`there is no task ${taskId}`);
      return task;
    },
    open: (taskId) =>
      Promise.reject(configError(`task ${taskId} is played by its owner's agent alone`)),
    demonstrate: (taskId) => Promise.reject(configError(`task ${taskId} brings no solution`)),
    close: async () => {},
  };
}

function listTasksBySplit<T>(tasks: AgentTasks<T>): ReadonlyMap<Split, readonly T[]> {
  const { train, dev, test } = (Array.isArray(tasks) ? { train: tasks } : tasks) as {
    readonly train: readonly T[];
    readonly dev?: readonly T[];
    readonly test?: readonly T[];
  };
  const lists = { train, dev: dev ?? [], test: test ?? [] };
  for (const [name, list] of Object.entries(lists)) {
    if (Array.isArray(list)) continue;
    throw configError(`tasks.${name}: expected a list of tasks, came ${formatValue(list)}`);
  }
  if (train.length === 0)
    throw configError("tasks: expected at least one task to train on, came none");
  return new Map<Split, readonly T[]>([
    ["train", train],
    ["dev", lists.dev],
    ["test-normal", lists.test],
  ]);
}

function createTaskInfo(task: unknown, split: Split, position: number): TaskInfo {
  const { id, kind } = (typeof task === "object" && task !== null ? task : {}) as TaskIdentity;
  const name = typeof id === "string" || typeof id === "number" ? String(id) : String(position);
  return {
    id: `${split}/${name}/0`,
    scenario: `${split}/${name}`,
    split,
    difficulty: 1,
    signature: typeof kind === "string" ? kind : "task",
    instruction: taskToJson(task, `tasks.${split}[${position}]`),
  };
}

function taskToJson(task: unknown, label: string): string {
  try {
    const json = JSON.stringify(task);
    if (json !== undefined) return json;
  } catch {}
  throw configError(`${label}: expected data that JSON can write, came ${formatValue(task)}`);
}

const configError = (message: string) => new BowlineError("config", message);
