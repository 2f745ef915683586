/** What a world is made of, counted: apps with their APIs, tables with their rows. */
import type { WorldInstance } from "../episode/index.ts";

/** A world before any task: its apps with their APIs, its tables with their rows. */
export interface Inventory {
  /** Of its tasks; absent when the world states none. */
  readonly version?: string;
  readonly apps: readonly {
    readonly name: string;
    readonly summary: string;
    /** The kit's `login` and `logout` included. */
    readonly apis: number;
    /** Whether its calls need a session. */
    readonly login: boolean;
  }[];
  /** The tables of these apps as the population fills them; the rows of a task's own setup come on top. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

/** The world's own apps; `docs` and `me` are those of every world. */
export function inventoryOf(world: WorldInstance): Inventory {
  const { definition, dispatcher } = world;
  const population = world.scratch();
  const { version } = definition;
  return {
    ...(version === undefined ? {} : { version }),
    apps: definition.apps.map(({ name, summary }) => ({
      name,
      summary,
      apis: dispatcher.names[name]!.length,
      login: dispatcher.logins.has(name),
    })),
    tables: [...new Set(definition.apps.flatMap((app) => app.tables))].map((table) => ({
      name: table.name,
      rows: population.all(table).length,
    })),
  };
}
