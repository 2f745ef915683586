/**
 * Defines the full todo app: todos and lists as in the starter, and also priorities, estimates, tags, steps,
 * repetition, waiting, shared lists and assignees.
 */
import { defineApp } from "bowline/world";
import { todo } from "./index.ts";
import { planningApis } from "./planning.ts";
import { repeatingApis } from "./repeating.ts";
import { sharingApis } from "./sharing-and-assigning.ts";
import { stepAndWaitingApis } from "./steps-and-waiting.ts";
import { stricterApis } from "./stricter-apis.ts";
import { moreTodoTables } from "./tables.ts";

export const fullTodo = defineApp({
  ...todo,
  tables: [...todo.tables, ...moreTodoTables],
  apis: {
    ...todo.apis,
    ...stricterApis,
    ...planningApis,
    ...repeatingApis,
    ...stepAndWaitingApis,
    ...sharingApis,
  },
});
