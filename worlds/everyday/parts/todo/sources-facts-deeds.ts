/**
 * Values that other parts can look up in todos (a bill in a title, a due day), facts about all todos, and single tasks.
 */
import {
  type DrawContext,
  deeds,
  facts,
  jsLiteral,
  moneyInWords,
  sources,
  wordList,
} from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import { type Todo, todoLists, todos } from "../../apps/tables.ts";
import {
  canChangeList,
  openPrerequisites,
  readDetails,
  writeDetails,
} from "../../apps/todo/details.ts";
import { details } from "../../apps/todo/tables.ts";
import { dayFromStart } from "../../population/time.ts";
import { countItemsCode } from "../files-notes-todos.ts";
import { insertInboxTodo, todosByTitle } from "./todos-by-title.ts";

const TRADES = wordList(
  "roofer | optician | piano tuner | chimney sweep | framer | cobbler | upholsterer | surveyor",
);
const PLANNED_THINGS = wordList(
  "hand in the thesis | renew the passport | return the skis | sign the lease | cancel the trial",
);

const showTodoCode = (code: string) => `apis.todo.show({id:${code}})`;
const isTitleTaken = ({ db }: DrawContext, title: string) =>
  db.all(todos).some((row) => row.title.includes(title));

const isDueLater = ({ due, done }: Todo) => !done && due !== null && due > dayFromStart(0);
const drawDueTodo = (draw: DrawContext) => todosByTitle.drawNamed(draw, isDueLater);

export const todoSources = sources("todo", ({ source, storeAndPrint }) => ({
  /** Inserts a todo with an amount in its title. The solution finds it by the first words of the title. */
  bill: source.money("v", (draw) => {
    const trade = draw.rng.pick(TRADES);
    const start = `pay the ${trade}`;
    if (isTitleTaken(draw, start)) return undefined;
    const value = draw.rng.integer(1150, 29_900);
    const code = draw.variable("t");
    const todo = {
      value,
      words: start,
      code,
      cells: [storeAndPrint(code, `apis.todo.search({query:${jsLiteral(start)}}).items[0].id`)],
      apps: ["todo"],
      setup: (db: Writer) => insertInboxTodo(db, `${start} ${moneyInWords(value)}`, null),
    };
    return {
      value,
      words: `what I have to pay the ${trade} according to my todos`,
      code: `Number(${showTodoCode(code)}.title.match(/\\$([\\d.]+)/)[1])`,
      uses: [todo],
    };
  }),
  "due-day": source.day("v", drawDueTodo, ({ value, words, code }) => ({
    value: value.due!,
    words: `the due day of ${words}`,
    code: `${showTodoCode(code)}.due`,
  })),
  "new-due-day": source.day("v", (draw) => {
    const title = draw.rng.pick(PLANNED_THINGS);
    if (isTitleTaken(draw, title)) return undefined;
    const day = dayFromStart(draw.rng.integer(2, 50));
    const todo = todosByTitle.findByName(draw, title, day, (db) => insertInboxTodo(db, title, day));
    const words = `the day on which ${todo.words} is due`;
    return { value: day, words, code: `${showTodoCode(todo.code)}.due`, uses: [todo] };
  }),
}));

const openTodos = (db: Reader) => db.where(todos, { done: false });

export const todoFacts = facts("todo", ({ fact }) => ({
  overdue: fact(
    "number",
    (db) => openTodos(db).filter(({ due }) => due !== null && due < dayFromStart(0)).length,
    countItemsCode("apis.todo.overdue({size:20,page:p++})"),
  )`the number of overdue todos | the number of todos that are overdue | the count of open todos
    that were due before today | the number of open todos whose due day has passed
    | the number of open todos that I should have done before today`,
  workload: fact(
    "number",
    (db) => openTodos(db).reduce((sum, { id }) => sum + (readDetails(db, id).minutes ?? 0), 0),
    "apis.todo.workload({}).minutes",
  )`the number of minutes that my open todos take by their estimates | the sum of the estimates of
    all open todos, in minutes | my workload in minutes (all open todos)
    | the total of the estimates, in minutes, of the todos that are open
    | the number of minutes which the estimates of all open todos add up to`,
  blocked: fact(
    "number",
    (db) => openTodos(db).filter(({ id }) => openPrerequisites(db, id).length > 0).length,
    countItemsCode("apis.todo.blocked({size:20,page:p++})"),
  )`the number of open todos that wait for others | the number of todos that are blocked by others
    | the count of open todos that must wait until another is done | the
    number of open todos that cannot be done before another one | the number of blocked todos`,
}));

const TODO_TITLES = wordList(
  `buy a birthday card | measure the window | look for the warranty | order firewood
    | rake the leaves | back up the phone | write the speech`,
);
const LIST_NAMES = wordList("moving | wedding | taxes | balcony | cellar | homework | hobbies");
const PAYEES = wordList("landlord | baker | nurse | cleaner | teacher");

const PAYMENT_TITLES = PAYEES.map((payee) => `pay the ${payee}`);
const REPEAT_INTERVALS = ["daily", "weekly", "monthly"] as const;

type TodoPredicate = (row: Todo, db: Reader) => boolean;
const hasNoPrerequisites: TodoPredicate = ({ id }, db) => readDetails(db, id).waits.length === 0;
const isDueOnce: TodoPredicate = ({ id, due }, db) =>
  due !== null && readDetails(db, id).every === null;
const drawOpenTodo = (fits: TodoPredicate) => (draw: DrawContext) =>
  todosByTitle.drawNamed(draw, (row, db) => !row.done && fits(row, db));
const drawChangeableTodo = (fits: TodoPredicate) =>
  drawOpenTodo((row, db) => canChangeList(db, row.list) && fits(row, db));

export const todoDeeds = deeds("todo", ({ deed, deedWithOne, taskValue, oneOf }) => ({
  add: deed({ day: taskValue("day"), title: oneOf(TODO_TITLES) }, ({ day, title }) => ({
    apply: (db) => insertInboxTodo(db, title.value, day.value),
    call: `apis.todo.add({title:${title.code},list:"inbox",due:${day.code}})`,
  }))`Add the todo "$title" to my inbox list; its due day is $day | Put "$title" on my inbox list as
    a todo with this due day: $day | On my inbox list, make a todo "$title" whose due day is $day
    | I need a todo "$title" on my inbox list, with $day as the due day
    | With $day as the due day, add the todo "$title" to my inbox list`,
  /** Adds a todo with the amount in its title. */
  "add-bill": deed(
    { amount: taskValue("money"), start: oneOf(PAYMENT_TITLES) },
    ({ amount, start }) => ({
      apply: (db) =>
        insertInboxTodo(db, `${start.value} $${(amount.value / 100).toFixed(2)}`, null),
      call: `apis.todo.add({title:"${start.value} $"+Number(${amount.code}).toFixed(2),list:"inbox"})`,
    }),
  )`Add a todo "$start AMOUNT" to my inbox list, with an amount in the form $12.50 in place of
    AMOUNT; the amount is $amount | On my inbox
    list, add the todo "$start AMOUNT"; for AMOUNT, write (in the form $12.50) $amount | Put a todo
    "$start AMOUNT" on my inbox list, where AMOUNT stands, in the form $12.50, for $amount | Make
    me a todo "$start AMOUNT" on the inbox list; AMOUNT, in the form $12.50, is $amount | I need
    a todo "$start AMOUNT" on my inbox list; in place of AMOUNT put (in the form $12.50) $amount`,
  "add-list": deedWithOne(oneOf(LIST_NAMES), ({ value: name, code }, { db: startState }) => {
    if (startState.where(todoLists, { name }).length > 0) return undefined;
    return {
      apply: (db) => void db.insert(todoLists, { name }),
      call: `apis.todo.addList({name:${code}})`,
    };
  })`Add a todo list "$" | Make a new todo list called "$" | Create the list "$" in the todo app
    | I need a new list "$" in the todo app | Let there be an empty todo list "$"`,
  wait: deed(
    { first: drawChangeableTodo(hasNoPrerequisites), other: drawOpenTodo(hasNoPrerequisites) },
    (drawn, { db: startState }) => {
      const { first, other } = drawn;
      const { id } = first.value;
      if (id === other.value.id) return undefined;
      if (startState.all(details).some(({ waits }) => waits.includes(id))) return undefined;
      return {
        apply: (db) => writeDetails(db, id, { waits: [other.value.id] }),
        call: `apis.todo.waitFor({id:${first.code},other:${other.code}})`,
      };
    },
  )`Let $first wait until $other is done | Note that $first has to wait for $other
    | Make $first wait for $other | In the todo app, let $first wait for $other
    | Enter that $other must be done before $first, which is to wait for it`,
  repeat: deed(
    { todo: drawChangeableTodo(isDueOnce), every: oneOf(REPEAT_INTERVALS) },
    ({ todo, every }) => ({
      apply: (db) => writeDetails(db, todo.value.id, { every: every.value }),
      call: `apis.todo.repeat({id:${todo.code},every:${every.code}})`,
    }),
  )`Let $todo repeat $every | Make $todo come again $every | From now on, $todo shall repeat
    $every | Set up $todo to repeat $every | Have the todo app repeat $todo $every`,
}));
