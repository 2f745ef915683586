/**
 * Worlds as the studio shows them: apps with their documentation, tables, tasks. `?run=` opens a world as that run has it
 * (its seed and dials); otherwise the seed is asked for and the dials are off.
 */
import { BowlineError, didYouMean, messageOf } from "../../core/index.ts";
import { SPLITS, type Split } from "../../spec/index.ts";
import type {
  AppView,
  TableView,
  TaskList,
  WorldList,
  WorldView,
} from "../../spec/studio/index.ts";
import { resolveWorld } from "../../train/index.ts";
import { builtInWorlds } from "../../worlds/index.ts";
import type { StudioCall } from "./http.ts";
import { asksForChecks, wholeNumber } from "./queries.ts";
import { type Records, worldOfRun } from "./records.ts";
import type { Route } from "./routes.ts";
import { StudioError } from "./studio-error.ts";
import type { WorldKey, WorldShelf } from "./world-shelf.ts";
import { taskView } from "./world-views.ts";

export function worldRoutes(records: Records, shelf: WorldShelf): Route[] {
  const key = (call: StudioCall, world: string) => keyOf(records, call, world);
  const get = (
    pattern: string,
    look: (call: StudioCall, names: Readonly<Record<string, string>>) => Promise<unknown>,
  ): Route => ({
    method: "GET",
    pattern,
    answer: async (call, names) => ({ json: await missingIs404(() => look(call, names)) }),
  });
  return [
    get("worlds", async () => worldList(records)),
    get("worlds/:world", (call, { world }) =>
      shelf.use(key(call, world!), async (open): Promise<WorldView> => {
        const look = await open.about();
        const { owner, splits, apps } = look;
        return { ...look, owner: { ...owner }, splits: [...splits], apps: mutable(apps) };
      }),
    ),
    get("worlds/:world/apps/:app", (call, { world, app }) =>
      shelf.use(key(call, world!), async (open): Promise<AppView> => mutable(await open.app(app!))),
    ),
    get("worlds/:world/tables/:table", (call, { world, table }) =>
      shelf.use(
        key(call, world!),
        async (open): Promise<TableView> => mutable(await open.table(table!, tablePage(call))),
      ),
    ),
    get("worlds/:world/tasks", (call, { world }) => {
      const split = splitOf(call);
      const page = pageOf(call, 60);
      return shelf.use(key(call, world!), async (open): Promise<TaskList> => {
        const { total, tasks } = await open.tasks(split, page);
        return { split, total, tasks: [...tasks] };
      });
    }),
    get("worlds/:world/tasks/:task", (call, { world, task }) =>
      shelf.use(key(call, world!), async (open) =>
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

/** Only worlds that ship, or that a run names, are opened. Throws 400, 404, 409. */
export function keyOf(
  records: Records,
  { query }: Pick<StudioCall, "query">,
  name: string,
): WorldKey {
  const run = query.get("run");
  if (run !== null) {
    const world = worldOfRun(records, run);
    if (world.name === name) return world;
    throw new StudioError(400, `run ${run} is in the world ${world.name}, not in ${name}`);
  }
  const seed = wholeNumber({ query }, "seed", { standard: 1, most: 2 ** 32 - 1 });
  return namedWorld(records, name, seed);
}

export function namedWorld(records: Records, name: string, seed: number): WorldKey {
  const names = worldList(records).worlds.map((world) => world.name);
  if (names.includes(name)) return { name, seed, dials: {} };
  throw new StudioError(
    404,
    `there is no world ${JSON.stringify(name)}${didYouMean(name, names)}; there are ${names.join(", ")}`,
  );
}

function worldList(records: Records): WorldList {
  const own = Object.keys(builtInWorlds).map((name) => ({ name, summary: summaryOf(name) }));
  const named = new Map<string, string>();
  for (const run of records.runs()) {
    try {
      const { name } = worldOfRun(records, run);
      if (!Object.hasOwn(builtInWorlds, name)) named.set(name, named.get(name) ?? run);
    } catch {
      // A run that names no world names none here.
    }
  }
  const others = [...named].map(([name, run]) => ({
    name,
    summary: `A world of one's own, of run ${run}.`,
    ...problemOf(name),
  }));
  return { worlds: [...own, ...others] };
}

function problemOf(name: string): { problem?: string } {
  try {
    resolveWorld(name);
    return {};
  } catch (cause) {
    return { problem: messageOf(cause) };
  }
}

const SUMMARIES: { readonly [world: string]: string } = {
  everyday: "Fourteen apps of daily life, one owner with a past, goals from a full algebra.",
  "everyday/errands": "Errands of all lengths, whose steps depend on each other.",
  "everyday/starter": "The small everyday world for models that are trained from nothing.",
  toy: "Things in boxes: the smallest world, for smoke tests.",
};

const summaryOf = (name: string) =>
  SUMMARIES[name] ?? (/^everyday\/errands-\d$/.test(name) ? "Errands of one length." : name);

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
