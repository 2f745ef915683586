/** What todos can tell (a bill in a title, a due day), facts about all of them, and deeds. */

import {
  type Deed,
  type Draw,
  type Fact,
  moneyWords,
  type Source,
  type Value,
} from "../../../../goals/index.ts";
import type { Writer } from "../../../../world/index.ts";
import { todoLists, todos } from "../../apps/tables.ts";
import { detailsOf, mayChange, openBefore, setDetails } from "../../apps/todo/details.ts";
import { details } from "../../apps/todo/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { countPages, js } from "../papers.ts";
import { addTodo, findTodo, namedTodo } from "./words.ts";

/** A value that one more cell takes out of a todo. */
function takenFrom<T>(
  draw: Draw,
  todo: Pick<Value<unknown>, "cells" | "code" | "setup">,
  value: T,
  words: string,
  code: (shown: string) => string,
): Value<T> {
  const variable = draw.variable("v");
  const cell = `var ${variable}=${code(`apis.todo.show({id:${todo.code}})`)};print(${variable})`;
  const setup = todo.setup ? { setup: todo.setup } : {};
  return { value, words, code: variable, cells: [...todo.cells, cell], apps: ["todo"], ...setup };
}

// --- sources ---

const TRADES =
  "roofer,optician,piano tuner,chimney sweep,framer,cobbler,upholsterer,surveyor".split(",");

/** The amount stands in the title, so the todo is found by its first words. */
const bill: Source<"money"> = {
  name: "bill",
  type: "money",
  app: "todo",
  draw: (draw) => {
    const { rng, db } = draw;
    const trade = rng.pick(TRADES);
    const start = `pay the ${trade}`;
    if (db.all(todos).some(({ title }) => title.includes(start))) return undefined;
    const cents = rng.integer(1150, 29_900);
    const title = `${start} ${moneyWords(cents)}`;
    const code = draw.variable("t");
    const todo = {
      code,
      cells: [`var ${code}=apis.todo.search({query:${js(start)}}).items[0].id;print(${code})`],
      setup: (db: Writer) => addTodo(db, title, null),
    };
    return takenFrom(
      draw,
      todo,
      cents,
      `what I have to pay the ${trade} according to my todos`,
      (shown) => `Number(${shown}.title.match(/\\$([\\d.]+)/)[1])`,
    );
  },
};

const dueDay: Source<"day"> = {
  name: "due-day",
  type: "day",
  app: "todo",
  draw: (draw) => {
    const todo = namedTodo(draw, ({ due, done }) => !done && due !== null && due > dayAfter(0));
    if (!todo) return undefined;
    return takenFrom(
      draw,
      todo,
      todo.value.due!,
      `the due day of ${todo.words}`,
      (shown) => `${shown}.due`,
    );
  },
};

const newDueDay: Source<"day"> = {
  name: "new-due-day",
  type: "day",
  app: "todo",
  draw: (draw) => {
    const { rng, db } = draw;
    const title = rng.pick([
      "hand in the thesis",
      "renew the passport",
      "return the skis",
      "sign the lease",
      "cancel the trial",
    ]);
    if (db.all(todos).some((row) => row.title.includes(title))) return undefined;
    const day = dayAfter(rng.integer(2, 50));
    const code = draw.variable("t");
    const todo = {
      code,
      cells: [findTodo(title, code)],
      setup: (db: Writer) => addTodo(db, title, day),
    };
    return takenFrom(
      draw,
      todo,
      day,
      `the day on which my todo ${js(title)} is due`,
      (shown) => `${shown}.due`,
    );
  },
};

export const todoSources: readonly Source[] = [bill, dueDay, newDueDay];

// --- facts ---

export const todoFacts: readonly Fact[] = [
  {
    name: "overdue",
    app: "todo",
    unit: "number",
    words: [
      "the number of overdue todos",
      "the number of todos that are overdue",
      "the count of open todos that were due before today",
      "the number of open todos whose due day has passed",
      "the number of open todos that I should have done before today",
    ],
    value: (db) =>
      db.where(todos, { done: false }).filter(({ due }) => due !== null && due < dayAfter(0))
        .length,
    code: countPages("apis.todo.overdue({size:20,page:p++})"),
  },
  {
    name: "workload",
    app: "todo",
    unit: "number",
    words: [
      "the number of minutes that my open todos take by their estimates",
      "the sum of the estimates of all open todos, in minutes",
      "my workload in minutes (all open todos)",
      "the total of the estimates, in minutes, of the todos that are open",
      "the number of minutes which the estimates of all open todos add up to",
    ],
    value: (db) =>
      db
        .where(todos, { done: false })
        .reduce((sum, { id }) => sum + (detailsOf(db, id).minutes ?? 0), 0),
    code: "apis.todo.workload({}).minutes",
  },
  {
    name: "blocked",
    app: "todo",
    unit: "number",
    words: [
      "the number of open todos that wait for others",
      "the number of todos that are blocked by others",
      "the count of open todos that must wait until another is done",
      "the number of open todos that cannot be done before another one",
      "the number of blocked todos",
    ],
    value: (db) =>
      db.where(todos, { done: false }).filter(({ id }) => openBefore(db, id).length > 0).length,
    code: countPages("apis.todo.blocked({size:20,page:p++})"),
  },
];

// --- deeds ---

const JOBS = [
  "buy a birthday card",
  "measure the window",
  "look for the warranty",
  "order firewood",
  "rake the leaves",
  "back up the phone",
  "write the speech",
] as const;

const add: Deed = {
  name: "add",
  app: "todo",
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    const title = draw.rng.pick(JOBS);
    return {
      sentences: [
        `Add the todo "${title}" to my inbox list; its due day is ${day.words}`,
        `Put "${title}" on my inbox list as a todo with this due day: ${day.words}`,
        `On my inbox list, make a todo "${title}" whose due day is ${day.words}`,
        `I need a todo "${title}" on my inbox list, with ${day.words} as the due day`,
        `With ${day.words} as the due day, add the todo "${title}" to my inbox list`,
      ],
      apply: (db) => addTodo(db, title, day.value),
      cells: [`apis.todo.add({title:${js(title)},list:"inbox",due:${day.code}})`],
      uses: [day],
    };
  },
};

/** A todo with the amount in its title. */
const addBill: Deed = {
  name: "add-bill",
  app: "todo",
  takes: "money",
  draw: (draw) => {
    const amount = draw.value("money");
    const whom = draw.rng.pick(["landlord", "baker", "nurse", "cleaner", "teacher"]);
    const title = `pay the ${whom} $${(amount.value / 100).toFixed(2)}`;
    return {
      sentences: [
        `Add a todo "pay the ${whom} AMOUNT" to my inbox list, with an amount in the form $12.50 in place of AMOUNT; the amount is ${amount.words}`,
        `On my inbox list, add the todo "pay the ${whom} AMOUNT"; for AMOUNT, write (in the form $12.50) ${amount.words}`,
        `Put a todo "pay the ${whom} AMOUNT" on my inbox list, where AMOUNT stands, in the form $12.50, for ${amount.words}`,
        `Make me a todo "pay the ${whom} AMOUNT" on the inbox list; AMOUNT, in the form $12.50, is ${amount.words}`,
        `I need a todo "pay the ${whom} AMOUNT" on my inbox list; in place of AMOUNT put (in the form $12.50) ${amount.words}`,
      ],
      apply: (db) => addTodo(db, title, null),
      cells: [
        `apis.todo.add({title:"pay the ${whom} $"+Number(${amount.code}).toFixed(2),list:"inbox"})`,
      ],
      uses: [amount],
    };
  },
};

const addList: Deed = {
  name: "add-list",
  app: "todo",
  draw: ({ rng, db }) => {
    const name = rng.pick([
      "moving",
      "wedding",
      "taxes",
      "balcony",
      "cellar",
      "homework",
      "hobbies",
    ]);
    if (db.where(todoLists, { name }).length > 0) return undefined;
    return {
      sentences: [
        `Add a todo list "${name}"`,
        `Make a new todo list called "${name}"`,
        `Create the list "${name}" in the todo app`,
        `I need a new list "${name}" in the todo app`,
        `Let there be an empty todo list "${name}"`,
      ],
      apply: (db) => void db.insert(todoLists, { name }),
      cells: [`apis.todo.addList({name:${js(name)}})`],
    };
  },
};

const wait: Deed = {
  name: "wait",
  app: "todo",
  draw: (draw) => {
    const plain = (id: number) => detailsOf(draw.db, id).waits.length === 0;
    const first = namedTodo(
      draw,
      (row, db) => !row.done && mayChange(db, row.list) && plain(row.id),
    );
    const awaited = (id: number) => draw.db.all(details).some(({ waits }) => waits.includes(id));
    const other = namedTodo(draw, (row) => !row.done && plain(row.id));
    if (!first || !other || first.value.id === other.value.id || awaited(first.value.id))
      return undefined;
    return {
      sentences: [
        `Let ${first.words} wait until ${other.words} is done`,
        `Note that ${first.words} has to wait for ${other.words}`,
        `Make ${first.words} wait for ${other.words}`,
        `In the todo app, let ${first.words} wait for ${other.words}`,
        `Enter that ${other.words} must be done before ${first.words}, which is to wait for it`,
      ],
      apply: (db) => setDetails(db, first.value.id, { waits: [other.value.id] }),
      cells: [`apis.todo.waitFor({id:${first.code},other:${other.code}})`],
      uses: [first, other],
    };
  },
};

const repeat: Deed = {
  name: "repeat",
  app: "todo",
  draw: (draw) => {
    const fits = (id: number) => detailsOf(draw.db, id).every === null;
    const todo = namedTodo(
      draw,
      (row, db) => !row.done && row.due !== null && mayChange(db, row.list) && fits(row.id),
    );
    if (!todo) return undefined;
    const every = draw.rng.pick(["daily", "weekly", "monthly"] as const);
    return {
      sentences: [
        `Let ${todo.words} repeat ${every}`,
        `Make ${todo.words} come again ${every}`,
        `From now on, ${todo.words} shall repeat ${every}`,
        `Set up ${todo.words} to repeat ${every}`,
        `Have the todo app repeat ${todo.words} ${every}`,
      ],
      apply: (db) => setDetails(db, todo.value.id, { every }),
      cells: [`apis.todo.repeat({id:${todo.code},every:${js(every)}})`],
      uses: [todo],
    };
  },
};

export const todoDeeds: readonly Deed[] = [add, addBill, addList, wait, repeat];
