/** Full todo: the small app, with priorities, estimates, tags, steps, rhythms, waiting, shared lists and assignees. */
import { defineApp } from "../../../../world/index.ts";
import { guardedApis } from "./guarded.ts";
import { todo } from "./index.ts";
import { insideApis } from "./inside.ts";
import { planningApis } from "./planning.ts";
import { repeatingApis } from "./repeating.ts";
import { sharingApis } from "./sharing.ts";
import {
  comments,
  details,
  foreignLists,
  listShares,
  rounds,
  steps,
  timeEntries,
} from "./tables.ts";

export const fullTodo = defineApp({
  ...todo,
  tables: [...todo.tables, details, steps, comments, timeEntries, rounds, listShares, foreignLists],
  apis: {
    ...todo.apis,
    ...guardedApis,
    ...planningApis,
    ...repeatingApis,
    ...insideApis,
    ...sharingApis,
  },
});
