/** Defines the todo app of the starter: things to do, each on one list. A todo without a list goes to `inbox`. */
import {
  booleanParam,
  countReferencingRows,
  dayParam,
  refuseUnless,
  resource,
  rowByName,
  shortTextParam,
  textOfReferencedRow,
  type ViewContext,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { defineApp } from "bowline/world";
import { requireTodayOrLater } from "../shared.ts";
import { type Todo, todoLists, todos } from "../tables.ts";
import {
  exampleAnyTodoId,
  exampleEmptyList,
  exampleOpenTodoId,
  exampleOtherList,
} from "./examples.ts";

const countTodosOn = (db: Reader, list: number) => db.where(todos, { list }).length;
const listItem = todoLists.item({
  ...todoLists.fields("name"),
  size: countReferencingRows(todos, "list"),
});

/** A field of an item: the name of the row's list. */
export const listName = textOfReferencedRow(todoLists, "list", "name", "removed");

export const todoItem = todos.item({
  ...todos.fields("title", "id"),
  list: listName,
  ...todos.fields("due", "done"),
});

const list = shortTextParam("name of the list");
const due = dayParam("the day when it is due");

/** A filter of todos by the name of their list. */
export const listFilter = [
  shortTextParam("only on this list"),
  (name: string, { db }: ViewContext) => ({ list: rowByName(db, todoLists, name, "list").id }),
] as const;

export const listResource = resource({
  noun: "list",
  item: listItem,
  keys: { list },
  keyIsName: true,
  example: (db) => ({ list: exampleEmptyList(db) }),
});

/** All todos, including those on lists of other people. */
export const anyTodo = resource({
  noun: "todo",
  item: todoItem,
  example: (db, fits) => ({ id: exampleAnyTodoId(db, fits) }),
});

const isOpen = ({ done }: Todo) => !done;

export const todo = defineApp({
  name: "todo",
  summary: "Things to do, on lists.",
  tables: [todoLists, todos],
  apis: {
    list: anyTodo.list("List todos, oldest first.", {
      filters: {
        list: listFilter,
        done: booleanParam("only done ones, or only open ones"),
        due: dayParam("only due on this day"),
      },
      example: { done: false, size: 10 },
    }),
    show: anyTodo.show("Show a todo.", { isExample: isOpen }),
    search: anyTodo.list("Search titles of todos, oldest first.", {
      searchIn: ["title"],
      example: { query: "the" },
    }),
    lists: listResource.list("List the lists with their number of todos."),
    addList: listResource.add("Add an empty list.", {
      params: { name: shortTextParam("name of the new list") },
      example: { name: "spring cleaning" },
    }),
    removeList: listResource.remove("Remove an empty list.", {
      checkRow: ({ id, name }, _, { db }) => {
        const size = countTodosOn(db, id);
        refuseUnless(size === 0, 409, `list: expected an empty list, "${name}" has ${size}`);
      },
    }),
    add: anyTodo.add("Add a todo.", {
      params: {
        title: shortTextParam("what to do"),
        list: list.default("inbox"),
        due: due.optional(),
      },
      row: ({ title, list, due }, { db, now }) => {
        if (due !== undefined) requireTodayOrLater(due, now, "due");
        const on = rowByName(db, todoLists, list, "list").id;
        return { title, list: on, due: due ?? null, done: false };
      },
      example: { title: "buy stamps", due: "2026-03-20" },
    }),
    complete: anyTodo.set("Mark an open todo as done.", { done: true }, "is already done"),
    reopen: anyTodo.set("Mark a done todo as open again.", { done: false }, "is already open"),
    rename: anyTodo.change("Change a todo's title.", {
      params: { title: shortTextParam("the new title") },
      example: { title: "call the other bank" },
      isExample: isOpen,
    }),
    move: anyTodo.change("Move a todo to another list.", {
      params: { list },
      checkArguments: ({ list }, { db }) => rowByName(db, todoLists, list, "list"),
      set: (_, { list }, { db }) => ({ list: rowByName(db, todoLists, list, "list").id }),
      example: (db) => ({ id: exampleOpenTodoId(db), list: exampleOtherList(db) }),
    }),
    setDue: anyTodo.change("Set the day when a todo is due.", {
      params: { due },
      checkArguments: ({ due }, { now }) => requireTodayOrLater(due, now, "due"),
      example: { due: "2026-03-20" },
      isExample: isOpen,
    }),
    clearDue: anyTodo.set("Take the due day off a todo.", { due: null }),
    remove: anyTodo.remove("Remove a todo.", { isExample: isOpen }),
  },
});
