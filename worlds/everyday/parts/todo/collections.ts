/** Collections of todos: all of them, and the open, dated, late, done, repeating and assigned ones. */
import { defineCollection, jsLiteral, nouns } from "bowline/goals";
import { type Todo, todos } from "../../apps/tables.ts";
import { readDetails } from "../../apps/todo/details.ts";
import { dayFromStart, TODAY } from "../../population/time.ts";
import { columnsByArgument, columnsByItem } from "./columns.ts";
import { todosByTitle } from "./todos-by-title.ts";

const TODOS_COLLECTION = {
  kind: "todos",
  app: "todo",
  table: todos,
  columns: columnsByArgument,
} as const;

export const todoCollections = [
  defineCollection<Todo>({
    ...TODOS_COLLECTION,
    nouns: nouns`todo(s) of mine | todo(s), open or done, | todo(s) in the todo app
      | todo(s) on my lists | todo(s) to be found in the todo app`,
    list: "list",
    clauses: "list says undated commented steps",
    fields: "title spent",
    title: todosByTitle.makeTitle(
      "todo",
      "feed the llama | book a table at the Brass Dragon | repair the moon lamp | varnish the yacht",
    ),
  }),
  defineCollection<Todo>({
    ...TODOS_COLLECTION,
    name: "open-todos",
    includes: ({ done }) => !done,
    nouns: nouns`open todo(s) | open todo(s) of mine | todo that is not done yet / todos that are
      not done yet | todo that is still open / todos that are still open
      | unfinished todo(s)`,
    list: { api: "list", args: "done:false" },
    clauses: "list priority tag assignee until from long short undated every steps",
    fields: "title minutes",
  }),
  defineCollection<Todo>({
    ...TODOS_COLLECTION,
    name: "dated-todos",
    includes: ({ done, due }) => !done && due !== null && due >= TODAY && due <= dayFromStart(60),
    nouns: nouns`open todo(s) due from today to 60 days ahead | open todo that is due within the
      next 60 days / open todos that are due within the next 60 days | open todo(s) with a due day
      within 60 days from today | open todo(s) due today or within 60 days from now | open todo(s)
      due today or in the 60 days after it`,
    list: {
      api: "list",
      args: `done:false,since:${jsLiteral(TODAY)},until:${jsLiteral(dayFromStart(60))}`,
    },
    allowsWhole: true,
    columns: columnsByArgument,
    clauses: "list priority long says",
    fields: "title due minutes",
  }),
  defineCollection<Todo>({
    ...TODOS_COLLECTION,
    name: "late-todos",
    includes: ({ done, due }) => !done && due !== null && due < TODAY,
    nouns: nouns`overdue todo(s) | open todo that is overdue / open todos that are overdue
      | todo that is overdue / todos that are overdue
      | open todo whose due day has passed / open todos whose due day has passed
      | open todo(s) with a due day before today`,
    list: "overdue",
    allowsWhole: true,
    columns: columnsByItem,
    clauses: "list long priority says",
    fields: "title due minutes",
  }),
  defineCollection<Todo>({
    ...TODOS_COLLECTION,
    kind: "done-todos",
    includes: ({ done }) => done,
    nouns: nouns`done todo(s) | todo that is done / todos that are done
      | todo of mine that is already done / todos of mine that are already done
      | todo(s) that I have completed | completed todo(s)`,
    list: { api: "list", args: "done:true" },
    clauses: "list says undated",
    fields: "title spent",
  }),
  defineCollection<Todo>({
    ...TODOS_COLLECTION,
    kind: "repeating-todos",
    includes: ({ id, done }, db) => !done && readDetails(db, id).every !== null,
    nouns: nouns`repeating todo(s) | todo that repeats / todos that repeat | open todo that repeats
      / open todos that repeat | todo of mine that comes again / todos of mine that come again
      | todo(s) with a rhythm`,
    list: { api: "list", args: "done:false,repeating:true" },
    allowsWhole: true,
    clauses: "list every priority until from long",
    fields: "title due minutes",
  }),
  defineCollection<Todo>({
    ...TODOS_COLLECTION,
    kind: "assigned-todos",
    includes: ({ id, done }, db) => !done && readDetails(db, id).assignee !== null,
    nouns: nouns`open todo(s) with an assignee | open todo that has an assignee / open todos that
      have an assignee | open todo that is assigned to somebody / open todos that are assigned to
      somebody | open todo(s) that others are to do | assigned open todo(s)`,
    list: { api: "list", args: "done:false,assigned:true" },
    allowsWhole: true,
    clauses: "list assignee priority tag until from long",
    fields: "title minutes",
  }),
];
