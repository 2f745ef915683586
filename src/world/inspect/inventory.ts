/** Counts the parts of a world: apps with their APIs, and tables with their rows. */
import type { WorldInstance } from "../episode/index.ts";

/** The contents of a world before any task is opened: its apps with their APIs, its tables with their rows. */
export interface Inventory {
  /** The version of the world's tasks; absent when the world gives none. */
  readonly version?: string;
  readonly apps: readonly {
    readonly name: string;
    readonly summary: string;
    /** The number of its APIs, including the kit's `login` and `logout`. */
    readonly apis: number;
    /** True if calls of the app need a session. */
    readonly login: boolean;
  }[];
  /** The tables of these apps with the rows of the population. The rows of a task's own setup are not counted. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

/** Counts the world's own apps and tables, without `docs` and `me`, which every world has. */
export function takeInventory(world: WorldInstance): Inventory {
  const { definition, dispatcher } = world;
  const population = world.copyPopulation();
  const { version } = definition;
  return {
    ...(version === undefined ? {} : { version }),
    apps: definition.apps.map(({ name, summary }) => ({
      name,
      summary,
      apis: dispatcher.apiNames[name]!.length,
      login: dispatcher.appsWithLogin.has(name),
    })),
    tables: [...new Set(definition.apps.flatMap((app) => app.tables))].map((table) => ({
      name: table.name,
      rows: population.all(table).length,
    })),
  };
}
