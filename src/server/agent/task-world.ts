/**
 * Presents a user's own tasks as a World, so that training can draw them, score them and recognise them again. Each
 * task is a scenario of its own. Episodes cannot be opened, because the agent acts in the user's own environment.
 */
import { BowlineError, formatValue, requireOneOf, truncateText } from "../../core/index.ts";
import { SPLITS, type Split, type TaskInfo, type World } from "../../spec/index.ts";
import { resolveDials } from "../../world/index.ts";

/** Tasks by their purpose. A plain list is used for training, and nothing is held out. */
export type AgentTasks<T> =
  | readonly T[]
  | {
      /** The tasks for training. */
      readonly train: readonly T[];
      /** Held-out tasks, which are scored before, during and after training. */
      readonly dev?: readonly T[];
      /** Held-out tasks, which are scored before and after training. */
      readonly test?: readonly T[];
    };

export interface TaskWorld<T> extends World {
  /** Returns the user's own data of a task. */
  getTaskData(taskId: string): T;
}

/** The optional fields by which a task names itself (unique in its split) and its kind. */
interface TaskIdentity {
  readonly id?: unknown;
  readonly kind?: unknown;
}

/**
 * Throws a `config` error when a list is not a list, a task cannot be written as JSON, two tasks have one id, or a task
 * is both trained on and held out. A task is recognised by its JSON, so a run cannot be resumed with other tasks.
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
        if (data.has(info.id))
          throw configError(
            `tasks: two tasks of ${split} have the id ${info.id}; give each its own id`,
          );
        data.set(info.id, task);
        return info;
      }),
    );
  }
  refuseHeldOutTrainingTasks(infos);
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
      Promise.reject(configError(`task ${taskId} can only be played by the user's own agent`)),
    demonstrate: (taskId) => Promise.reject(configError(`task ${taskId} has no solution`)),
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
    throw configError(`tasks.${name}: expected a list of tasks, got ${formatValue(list)}`);
  }
  if (train.length === 0)
    throw configError("tasks: expected at least one task to train on, got none");
  return new Map<Split, readonly T[]>([
    ["train", train],
    ["dev", lists.dev],
    ["test-normal", lists.test],
  ]);
}

/** Throws when a task for training is also in a held-out split, because its score would then say nothing. */
function refuseHeldOutTrainingTasks(infos: ReadonlyMap<Split, readonly TaskInfo[]>): void {
  const [train, ...heldOut] = [...infos];
  const positions = new Map(train![1].map(({ instruction }, i) => [instruction, i]));
  for (const [split, list] of heldOut) {
    const shared = list.flatMap(({ instruction }, i) =>
      positions.has(instruction) ? [{ instruction, i }] : [],
    );
    const [first] = shared;
    if (first === undefined) continue;
    const name = split === "test-normal" ? "test" : split;
    throw configError(
      `tasks: ${pluralTasks(shared.length)} both in train and in ${name}, the first is train[${positions.get(first.instruction)}] = ${name}[${first.i}] (${truncateText(first.instruction, 80)}); hold out tasks that are not trained on`,
    );
  }
}

const pluralTasks = (count: number) => (count === 1 ? "1 task is" : `${count} tasks are`);

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
  throw configError(
    `${label}: expected data that can be written as JSON, got ${formatValue(task)}`,
  );
}

const configError = (message: string) => new BowlineError("config", message);
