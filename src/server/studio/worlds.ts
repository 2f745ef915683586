/**
 * Worlds as the studio shows them: apps with their documentation, tables, tasks. `?run=` opens a world as that run has it
 * (its seed and dials); otherwise the seed is asked for and the dials are off.
 */
import { BowlineError, messageOf } from "../../core/index.ts";
import { SPLITS, type Split } from "../../spec/index.ts";
import type { AppView, TableView, TaskList, WorldView } from "../../spec/studio/index.ts";
import type { WorldInspector } from "../../world/index.ts";
import type { StudioCall } from "./http.ts";
import { asksForChecks, wholeNumber } from "./queries.ts";
import type { Records } from "./records.ts";
import type { Route } from "./routes.ts";
import { StudioError } from "./studio-error.ts";
import { worldAsked, worldList } from "./world-names.ts";
import type { WorldShelf } from "./world-shelf.ts";
import { taskView } from "./world-views.ts";

export function worldRoutes(records: Records, shelf: WorldShelf): Route[] {
  const use = async <T>(
    call: StudioCall,
    name: string,
    work: (world: WorldInspector) => Promise<T>,
  ): Promise<T> => shelf.use(await worldAsked(records, call.query, name), work);
  const get = (
    pattern: string,
    look: (call: StudioCall, names: Readonly<Record<string, string>>) => Promise<unknown>,
  ): Route => ({
    method: "GET",
    pattern,
    answer: async (call, names) => ({ json: await missingIs404(() => look(call, names)) }),
  });
  return [
    get("worlds", () => worldList(records)),
    get("worlds/:world", (call, { world }) =>
      use(call, world!, async (open): Promise<WorldView> => {
        const look = await open.about();
        const { owner, splits, apps } = look;
        return { ...look, owner: { ...owner }, splits: [...splits], apps: mutable(apps) };
      }),
    ),
    get("worlds/:world/apps/:app", (call, { world, app }) =>
      use(call, world!, async (open): Promise<AppView> => mutable(await open.app(app!))),
    ),
    get("worlds/:world/tables/:table", (call, { world, table }) =>
      use(
        call,
        world!,
        async (open): Promise<TableView> => mutable(await open.table(table!, tablePage(call))),
      ),
    ),
    get("worlds/:world/tasks", (call, { world }) => {
      const split = splitOf(call);
      const page = pageOf(call, 60);
      return use(call, world!, async (open): Promise<TaskList> => {
        const { total, tasks } = await open.tasks(split, page);
        return { split, total, tasks: [...tasks] };
      });
    }),
    get("worlds/:world/tasks/:task", (call, { world, task }) =>
      use(call, world!, async (open) =>
        taskView(open, await open.task(task!), asksForChecks(call)),
      ),
    ),
  ];
}

/** What comes from a worker is a copy of one's own. */
function mutable<T>(value: T): Mutable<T> {
  return value as Mutable<T>;
}
type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

function splitOf({ query }: StudioCall): Split {
  const split = query.get("split") ?? "train";
  const known = SPLITS.find((name) => name === split);
  if (known) return known;
  throw new StudioError(400, `split: expected ${SPLITS.join(", ")}, got ${JSON.stringify(split)}`);
}

export function pageOf(call: Pick<StudioCall, "query">, standard: number) {
  return {
    offset: wholeNumber(call, "offset", { standard: 0, most: 1e9 }),
    limit: wholeNumber(call, "limit", { standard, least: 1, most: 500 }),
  };
}

export function tablePage(call: Pick<StudioCall, "query">) {
  return { ...pageOf(call, 100), find: (call.query.get("find") ?? "").slice(0, 200) };
}

/** What a world does not have is no bad request. */
export async function missingIs404<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (cause) {
    const isMissing =
      BowlineError.is(cause) && /^there is no |has no \S+ tasks/.test(cause.message);
    if (!isMissing) throw cause;
    throw new StudioError(404, messageOf(cause));
  }
}
