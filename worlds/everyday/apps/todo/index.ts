/** Todo: things to do, each on one list. A todo without a list goes to `inbox`. */
import {
  countOf,
  day,
  either,
  type Look,
  line,
  must,
  named,
  resource,
  through,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { defineApp } from "bowline/world";
import { notPast } from "../shared.ts";
import { type Todo, todoLists, todos } from "../tables.ts";
import { emptyList, firstTodo, openTodo, otherList } from "./examples.ts";

const sizeOf = (db: Reader, list: number) => db.where(todos, { list }).length;
const listItem = todoLists.item({
  ...todoLists.fields("name"),
  size: countOf(todos, "list"),
});

/** A field of an item: the list's name. */
export const listName = through(todoLists, "list", "name", "removed");

export const todoItem = todos.item({
  ...todos.fields("title", "id"),
  list: listName,
  ...todos.fields("due", "done"),
});

const list = line("name of the list");
const due = day("the day when it is due");

/** A filter of todos. */
export const onList = [
  line("only on this list"),
  (name: string, { db }: Look) => ({ list: named(db, todoLists, name, "list").id }),
] as const;

export const lists = resource({
  noun: "list",
  item: listItem,
  keys: { list },
  named: true,
  example: (db) => ({ list: emptyList(db) }),
});

/** Anybody's, for looking at. */
export const allTodos = resource({
  noun: "todo",
  item: todoItem,
  example: (db, fits) => ({ id: firstTodo(db, fits) }),
});

const open = ({ done }: Todo) => !done;

export const todo = defineApp({
  name: "todo",
  summary: "Things to do, on lists.",
  tables: [todoLists, todos],
  apis: {
    list: allTodos.list("List todos, oldest first.", {
      filters: {
        list: onList,
        done: either("only done ones, or only open ones"),
        due: day("only due on this day"),
      },
      example: { done: false, size: 10 },
    }),
    show: allTodos.show("Show a todo.", { fits: open }),
    search: allTodos.list("Search titles of todos, oldest first.", {
      words: ["title"],
      example: { query: "the" },
    }),
    lists: lists.list("List the lists with their number of todos."),
    addList: lists.add("Add an empty list.", {
      params: { name: line("name of the new list") },
      example: { name: "spring cleaning" },
    }),
    removeList: lists.remove("Remove an empty list.", {
      unless: ({ id, name }, _, { db }) => {
        const size = sizeOf(db, id);
        must(size === 0, 409, `list: expected an empty list, "${name}" has ${size}`);
      },
    }),
    add: allTodos.add("Add a todo.", {
      params: { title: line("what to do"), list: list.default("inbox"), due: due.optional() },
      row: ({ title, list, due }, { db, now }) => {
        if (due !== undefined) notPast(due, now, "due");
        const on = named(db, todoLists, list, "list").id;
        return { title, list: on, due: due ?? null, done: false };
      },
      example: { title: "buy stamps", due: "2026-03-20" },
    }),
    complete: allTodos.set("Mark an open todo as done.", { done: true }, "is already done"),
    reopen: allTodos.set("Mark a done todo as open again.", { done: false }, "is already open"),
    rename: allTodos.change("Change a todo's title.", {
      params: { title: line("the new title") },
      example: { title: "call the other bank" },
      fits: open,
    }),
    move: allTodos.change("Move a todo to another list.", {
      params: { list },
      check: ({ list }, { db }) => named(db, todoLists, list, "list"),
      set: (_, { list }, { db }) => ({ list: named(db, todoLists, list, "list").id }),
      example: (db) => ({ id: openTodo(db), list: otherList(db) }),
    }),
    setDue: allTodos.change("Set the day when a todo is due.", {
      params: { due },
      check: ({ due }, { now }) => notPast(due, now, "due"),
      example: { due: "2026-03-20" },
      fits: open,
    }),
    clearDue: allTodos.set("Take the due day off a todo.", { due: null }),
    remove: allTodos.remove("Remove a todo.", { fits: open }),
  },
});
