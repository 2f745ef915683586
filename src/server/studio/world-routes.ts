/**
 * Routes of worlds: apps with their documentation, tables and tasks. `?run=` opens a world with the seed and dials of
 * that run; otherwise `?seed=` gives the seed and all dials are off.
 */
import { BowlineError, errorMessage } from "../../core/index.ts";
import { SPLITS, type Split } from "../../spec/index.ts";
import type { AppView, TableView, TaskList, WorldView } from "../../spec/studio/index.ts";
import type { WorldInspector } from "../../world/index.ts";
import type { StudioCall } from "./http.ts";
import { readWholeNumber, requestsHiddenChecks } from "./request-parameters.ts";
import type { Route } from "./routes.ts";
import type { RunRecords } from "./run-records.ts";
import { StudioError } from "./studio-error.ts";
import type { WorldCache } from "./world-cache.ts";
import { findRequestedWorld, listWorlds } from "./world-names.ts";
import { buildTaskView } from "./world-views.ts";

export function worldRoutes(records: RunRecords, worlds: WorldCache): Route[] {
  const useWorld = async <T>(
    call: StudioCall,
    name: string,
    work: (world: WorldInspector) => Promise<T>,
  ): Promise<T> => worlds.use(await findRequestedWorld(records, call.query, name), work);
  const getRoute = (
    pattern: string,
    findInWorld: (call: StudioCall, names: Readonly<Record<string, string>>) => Promise<unknown>,
  ): Route => ({
    method: "GET",
    pattern,
    answer: async (call, names) => ({
      json: await answer404IfMissing(() => findInWorld(call, names)),
    }),
  });
  return [
    getRoute("worlds", () => listWorlds(records)),
    getRoute("worlds/:world", (call, { world }) =>
      useWorld(call, world!, async (opened): Promise<WorldView> => {
        const look = await opened.overview();
        const { owner, splits, apps } = look;
        return { ...look, owner: { ...owner }, splits: [...splits], apps: asMutable(apps) };
      }),
    ),
    getRoute("worlds/:world/apps/:app", (call, { world, app }) =>
      useWorld(call, world!, async (opened): Promise<AppView> => asMutable(await opened.app(app!))),
    ),
    getRoute("worlds/:world/tables/:table", (call, { world, table }) =>
      useWorld(
        call,
        world!,
        async (opened): Promise<TableView> =>
          asMutable(await opened.table(table!, readTablePage(call))),
      ),
    ),
    getRoute("worlds/:world/tasks", (call, { world }) => {
      const split = readSplit(call);
      const page = readPage(call, 60);
      return useWorld(call, world!, async (opened): Promise<TaskList> => {
        const { total, tasks } = await opened.tasks(split, page);
        return { split, total, tasks: [...tasks] };
      });
    }),
    getRoute("worlds/:world/tasks/:task", (call, { world, task }) =>
      useWorld(call, world!, async (opened) =>
        buildTaskView(opened, await opened.task(task!), requestsHiddenChecks(call)),
      ),
    ),
  ];
}

/** Casts a value to a mutable type. Values from a worker are copies, so changing them is safe. */
function asMutable<T>(value: T): Mutable<T> {
  return value as Mutable<T>;
}
type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

function readSplit({ query }: StudioCall): Split {
  const split = query.get("split") ?? "train";
  const known = SPLITS.find((name) => name === split);
  if (known) return known;
  throw new StudioError(400, `split: expected ${SPLITS.join(", ")}, got ${JSON.stringify(split)}`);
}

export function readPage(call: Pick<StudioCall, "query">, defaultLimit: number) {
  return {
    offset: readWholeNumber(call, "offset", { defaultValue: 0, max: 1e9 }),
    limit: readWholeNumber(call, "limit", { defaultValue: defaultLimit, min: 1, max: 500 }),
  };
}

export function readTablePage(call: Pick<StudioCall, "query">) {
  return { ...readPage(call, 100), find: (call.query.get("find") ?? "").slice(0, 200) };
}

/** Answers 404 instead of 400 if the world does not have what the request names. */
export async function answer404IfMissing<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (cause) {
    const isMissing =
      BowlineError.is(cause) && /^there is no |has no \S+ tasks/.test(cause.message);
    if (!isMissing) throw cause;
    throw new StudioError(404, errorMessage(cause));
  }
}
