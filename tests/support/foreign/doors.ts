/**
 * The doors to worlds of others, each around a fake program that has a list. The same agents and the same tests go
 * through every door: `mcp` starts its own programs, and the others talk to a server that `startListServer` runs.
 */
import { fileURLToPath } from "node:url";
import {
  type ForeignApps,
  type ForeignTask,
  type ForeignWorldDefinition,
  httpApps,
  mcpApps,
  nemoApps,
  openenvApps,
} from "bowline/world";
import { type RestartingProgram, startRestartingProgram } from "../restarting-program.ts";

export const DOOR_NAMES = ["mcp", "http", "openenv", "nemo"] as const;
export type DoorName = (typeof DOOR_NAMES)[number];

/** The items that a list has at first, and those that it should have. */
export interface ListGoal {
  readonly items: readonly string[];
  readonly goal: readonly string[];
}

/** Where the fake program is. The environment variables and the mark go to the programs that `mcp` starts. */
export interface FakeProgram {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** A text in the command of every program. */
  readonly mark: string;
}

interface Door {
  readonly apps: (program: FakeProgram) => ForeignApps;
  readonly isolation: "process" | "reset";
  /** Where the start of a task goes, and who judges its end. */
  readonly start: (goal: ListGoal) => Pick<ForeignTask, "files" | "data" | "check">;
}

const LIST_TOOLS = [
  {
    ...{ type: "function", name: "add_item" },
    parameters: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
  },
  { type: "function", name: "read-list" },
] as const;

const MCP_SERVER = fileURLToPath(new URL("./fake-mcp-server.mjs", import.meta.url));
const LIST_SERVER = fileURLToPath(new URL("./fake-list-server.mjs", import.meta.url));

const checkList =
  ({ goal }: ListGoal): NonNullable<ForeignTask["check"]> =>
  async ({ read }) => {
    const { items } = (await read("list", "readList")) as { readonly items: readonly string[] };
    // A server with a clock shows a time behind its items.
    const passed = JSON.stringify(items.slice(0, goal.length)) === JSON.stringify(goal);
    return [{ name: "the list", label: "progress", passed, detail: JSON.stringify(items) }];
  };

const DOORS: Readonly<Record<DoorName, Door>> = {
  mcp: {
    apps: ({ mark, env }) =>
      mcpApps({ list: { command: process.execPath, args: [MCP_SERVER, mark], env } }),
    isolation: "reset",
    start: (goal) => ({
      files: { "list.json": JSON.stringify(goal.items) },
      check: checkList(goal),
    }),
  },
  http: {
    apps: ({ url }) =>
      httpApps({
        list: {
          ...{ url, headers: { "x-session": "{session}" }, lostStatuses: [410] },
          operations: ["addItem", "readList"],
          reset: async (call, { data }) => {
            await call("reset", (data ?? { items: [], goal: [] }) as Record<string, unknown>);
          },
        },
      }),
    isolation: "reset",
    start: (goal) => ({ data: goal, check: checkList(goal) }),
  },
  openenv: {
    apps: ({ url }) => openenvApps({ url, name: "list" }),
    isolation: "process",
    start: (goal) => ({ data: goal }),
  },
  nemo: {
    apps: ({ url }) => nemoApps({ url, name: "list", tools: LIST_TOOLS, lostStatuses: [400] }),
    isolation: "process",
    start: (goal) => ({ data: { responses_create_params: { input: "" }, ...goal } }),
  },
};

/** Returns what a world behind a door is made of, except for its tasks. */
export function createDoor(
  name: DoorName,
  program: FakeProgram,
): Pick<ForeignWorldDefinition, "apps" | "probe"> & Pick<Door, "start" | "isolation"> {
  const { apps, isolation, start } = DOORS[name];
  const probe = { app: "list", api: "readList", args: {} };
  return { apps: apps(program), isolation, start, ...(isolation === "reset" && { probe }) };
}

/** Starts the fake program with the lists, which is started again whenever it dies. */
export function startListServer(env: Readonly<Record<string, string>>): Promise<RestartingProgram> {
  return startRestartingProgram(LIST_SERVER, env);
}
