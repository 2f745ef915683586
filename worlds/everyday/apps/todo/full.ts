/** Full todo: the small app, with priorities, estimates, tags, steps, rhythms, waiting, shared lists and assignees. */
import { defineApp } from "bowline/world";
import { guardedApis } from "./guarded.ts";
import { todo } from "./index.ts";
import { insideApis } from "./inside.ts";
import { planningApis } from "./planning.ts";
import { repeatingApis } from "./repeating.ts";
import { sharingApis } from "./sharing.ts";
import { moreTodoTables } from "./tables.ts";

export const fullTodo = defineApp({
  ...todo,
  tables: [...todo.tables, ...moreTodoTables],
  apis: {
    ...todo.apis,
    ...guardedApis,
    ...planningApis,
    ...repeatingApis,
    ...insideApis,
    ...sharingApis,
  },
});
