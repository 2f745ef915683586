/** Inspects a world as a whole, and its tasks with the changes that they want. */
import { type CheckResult, SPLITS, type Split, type TaskInfo } from "../../spec/index.ts";
import type { GoalOutcome, Profile } from "../define.ts";
import type { WorldInstance } from "../episode/index.ts";
import { listApps } from "./app-and-table-inspection.ts";
import { type InspectedChange, markComparedChanges } from "./episode-inspection.ts";

/** What a world contains before any task is opened. */
export interface WorldOverview {
  readonly name: string;
  readonly seed: number;
  readonly version?: string;
  readonly hasSolutions: boolean;
  /** The person whom the agent works for. */
  readonly owner: Profile;
  /** The instant at which the simulated clock starts, ISO in UTC. */
  readonly now: string;
  readonly splits: readonly { readonly split: Split; readonly scenarios: number }[];
  readonly apps: readonly {
    readonly name: string;
    readonly summary: string;
    readonly apis: number;
    readonly login: boolean;
    readonly tables: readonly { readonly name: string; readonly rows: number }[];
  }[];
}

/** Selects tasks of a split: `limit` tasks, beginning with the one at `offset`. */
export interface TaskPageRequest {
  readonly split: Split;
  readonly offset: number;
  readonly limit: number;
}

/** A task with its intended changes and checks, which an agent never sees. */
export interface TaskDetails {
  readonly info: TaskInfo;
  readonly intended: readonly InspectedChange[];
  readonly outcome: Pick<GoalOutcome, "answer" | "impossible">;
  readonly checks: readonly Pick<CheckResult, "name" | "label">[];
  readonly hasSolution: boolean;
}

export function describeWorld(world: WorldInstance): WorldOverview {
  const { definition, dispatcher, seed, owner } = world;
  const { version, scenarios } = definition;
  const splits = SPLITS.flatMap((split) => {
    const count = scenarios[split];
    return count === undefined ? [] : [{ split, scenarios: count }];
  });
  return {
    name: definition.name,
    seed,
    ...(version === undefined ? {} : { version }),
    hasSolutions: world.findTask(`${splits[0]!.split}/0/1`).task.solution !== undefined,
    owner,
    now: dispatcher.now({ state: world.copyPopulation(), calls: 0 }),
    splits,
    apps: describeApps(world),
  };
}

/** Describes all apps with their tables. A table that several apps share is listed only with the first of them. */
function describeApps(world: WorldInstance): WorldOverview["apps"] {
  const { dispatcher } = world;
  const population = world.copyPopulation();
  const left = new Set(dispatcher.catalog.tables);
  return listApps(world).map(({ name, summary }) => {
    const own = world.definition.apps.find((app) => app.name === name)?.tables;
    const tables = [...left].filter((t) => own?.includes(t) ?? t.name.startsWith(`${name}.`));
    for (const table of tables) left.delete(table);
    return {
      name,
      summary,
      apis: dispatcher.apiNames[name]!.length,
      login: dispatcher.appsWithLogin.has(name),
      tables: tables.map((table) => ({ name: table.name, rows: population.all(table).length })),
    };
  });
}

/** Lists tasks of a split. Only the tasks on the page are drawn. The list is empty when the split has no tasks. */
export function listTaskPage(
  world: WorldInstance,
  { split, offset, limit }: TaskPageRequest,
): { readonly total: number; readonly tasks: readonly TaskInfo[] } {
  const total = 3 * (world.definition.scenarios[split] ?? 0);
  const count = Math.max(0, Math.min(limit, total - offset));
  const tasks = Array.from({ length: count }, (_, i) => {
    const at = offset + i;
    return world.findInfo(`${split}/${Math.floor(at / 3)}/${(at % 3) + 1}`);
  });
  return { total, tasks };
}

/** Describes a task. Throws a `world` error for an id that names no task, and when the task's goal fails. */
export function describeTask(world: WorldInstance, taskId: string): TaskDetails {
  const { info, task, state, checks } = world.prepareTask(taskId);
  const { answer, impossible } = checks.outcome;
  return {
    info,
    intended: markComparedChanges(
      world.dispatcher.catalog,
      checks.intended,
      checks.comparedBookkeeping,
    ),
    outcome: { ...(answer !== undefined && { answer }), ...(impossible && { impossible }) },
    checks: checks.evaluate(state).checks.map(({ name, label }) => ({ name, label })),
    hasSolution: task.solution !== undefined,
  };
}
