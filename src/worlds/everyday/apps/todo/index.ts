/** Todo: things to do, each on one list. A todo without a list goes to `inbox`. */
import { z } from "zod";
import {
  ApiError,
  type CallContext,
  defineApi,
  defineApp,
  type Reader,
} from "../../../../world/index.ts";
import {
  contains,
  day,
  freeName,
  given,
  idOf,
  line,
  named,
  notPast,
  paged,
  pageOf,
  paging,
  query,
  rowBy,
} from "../shared.ts";
import { type Todo, type TodoList, todoLists, todos } from "../tables.ts";
import { emptyList, firstTodo, openTodo, otherList } from "./examples.ts";

const todoItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  list: z.string(),
  due: z.string().nullable(),
  done: z.boolean(),
});
const listItem = z.strictObject({ name: z.string(), size: z.int() });

const view =
  (db: Reader) =>
  ({ title, id, list, due, done }: Todo) => ({
    title,
    id,
    list: db.get(todoLists, list)?.name ?? "removed",
    due,
    done,
  });
const listView = (db: Reader) => (row: TodoList) => ({
  name: row.name,
  size: db.where(todos, { list: row.id }).length,
});

const id = idOf("todo");
const listName = line("name of the list");
const due = day("the day when it is due");

const list = defineApi({
  summary: "List todos, oldest first.",
  params: z.strictObject({
    list: line("only on this list").optional(),
    done: z.boolean().optional().describe("only done ones, or only open ones"),
    due: day("only due on this day").optional(),
    ...paging,
  }),
  returns: pageOf(todoItem),
  example: () => ({ done: false, size: 10 }),
  handler: ({ db }, { list, done, due, ...page }) => {
    const on = list === undefined ? undefined : named(db, todoLists, list, "list").id;
    return paged(db.where(todos, given({ list: on, done, due })), page, view(db));
  },
});

const show = defineApi({
  summary: "Show a todo.",
  params: z.strictObject({ id }),
  returns: todoItem,
  example: (db) => ({ id: openTodo(db) }),
  handler: ({ db }, { id }) => view(db)(rowBy(db, todos, id, "todo")),
});

const search = defineApi({
  summary: "Search titles of todos, oldest first.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(todoItem),
  example: () => ({ query: "the" }),
  handler: ({ db }, { query, ...page }) => {
    const rows = db.all(todos).filter((row) => contains(row.title, query));
    return paged(rows, page, view(db));
  },
});

const lists = defineApi({
  summary: "List the lists with their number of todos.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(listItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(todoLists), page, listView(db)),
});

const addList = defineApi({
  summary: "Add an empty list.",
  params: z.strictObject({ name: line("name of the new list") }),
  returns: listItem,
  example: () => ({ name: "spring cleaning" }),
  handler: ({ db }, { name }) => {
    freeName(db, todoLists, name);
    return listView(db)(db.insert(todoLists, { name }));
  },
});

const removeList = defineApi({
  summary: "Remove an empty list.",
  params: z.strictObject({ list: listName }),
  returns: listItem,
  example: (db) => ({ list: emptyList(db) }),
  handler: ({ db }, { list }) => {
    const row = named(db, todoLists, list, "list");
    const removed = listView(db)(row);
    if (removed.size > 0) {
      throw new ApiError(409, `list: expected an empty list, "${row.name}" has ${removed.size}`);
    }
    db.remove(todoLists, row.id);
    return removed;
  },
});

const add = defineApi({
  summary: "Add a todo.",
  params: z.strictObject({
    title: line("what to do"),
    list: listName.default("inbox"),
    due: due.optional(),
  }),
  returns: todoItem,
  example: () => ({ title: "buy stamps", due: "2026-03-20" }),
  handler: ({ db, now }, { title, list, due }) => {
    if (due !== undefined) notPast(due, now, "due");
    const on = named(db, todoLists, list, "list").id;
    return view(db)(db.insert(todos, { title, list: on, due: due ?? null, done: false }));
  },
});

function change({ db }: CallContext, id: number, patch: Partial<Todo>) {
  return view(db)(db.update(todos, rowBy(db, todos, id, "todo").id, patch));
}

function setDone(context: CallContext, id: number, done: boolean) {
  if (rowBy(context.db, todos, id, "todo").done === done) {
    throw new ApiError(409, `id: todo ${id} is already ${done ? "done" : "open"}`);
  }
  return change(context, id, { done });
}

const complete = defineApi({
  summary: "Mark an open todo as done.",
  params: z.strictObject({ id }),
  returns: todoItem,
  example: (db) => ({ id: openTodo(db) }),
  handler: (context, { id }) => setDone(context, id, true),
});

const reopen = defineApi({
  summary: "Mark a done todo as open again.",
  params: z.strictObject({ id }),
  returns: todoItem,
  example: (db) => ({ id: firstTodo(db, ({ done }) => done) }),
  handler: (context, { id }) => setDone(context, id, false),
});

const rename = defineApi({
  summary: "Change a todo's title.",
  params: z.strictObject({ id, title: line("the new title") }),
  returns: todoItem,
  example: (db) => ({ id: openTodo(db), title: "call the other bank" }),
  handler: (context, { id, title }) => change(context, id, { title }),
});

const move = defineApi({
  summary: "Move a todo to another list.",
  params: z.strictObject({ id, list: listName }),
  returns: todoItem,
  example: (db) => ({ id: openTodo(db), list: otherList(db) }),
  handler: (context, { id, list }) =>
    change(context, id, { list: named(context.db, todoLists, list, "list").id }),
});

const setDue = defineApi({
  summary: "Set the day when a todo is due.",
  params: z.strictObject({ id, due }),
  returns: todoItem,
  example: (db) => ({ id: openTodo(db), due: "2026-03-20" }),
  handler: (context, { id, due }) => {
    notPast(due, context.now, "due");
    return change(context, id, { due });
  },
});

const clearDue = defineApi({
  summary: "Take the due day off a todo.",
  params: z.strictObject({ id }),
  returns: todoItem,
  example: (db) => ({ id: firstTodo(db, ({ due }) => due !== null) }),
  handler: (context, { id }) => change(context, id, { due: null }),
});

const remove = defineApi({
  summary: "Remove a todo.",
  params: z.strictObject({ id }),
  returns: todoItem,
  example: (db) => ({ id: openTodo(db) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, todos, id, "todo");
    db.remove(todos, id);
    return view(db)(row);
  },
});

export const todo = defineApp({
  name: "todo",
  summary: "Things to do, on lists.",
  tables: [todoLists, todos],
  apis: {
    list,
    show,
    search,
    lists,
    addList,
    removeList,
    add,
    complete,
    reopen,
    rename,
    move,
    setDue,
    clearDue,
    remove,
  },
});
