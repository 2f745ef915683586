/** Todos as sets: all of them, the open ones with their details, those that are late, those that are due. */
import {
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Field,
  type Forms,
  type Title,
} from "../../../../goals/index.ts";
import { type Todo, todoLists, todos } from "../../apps/tables.ts";
import { detailsOf } from "../../apps/todo/details.ts";
import { comments, steps, timeEntries } from "../../apps/todo/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { being, bounded, having, js, saying } from "../papers.ts";

type TodoClause = Clause<Todo>;
type TodoField = Field<Todo>;

const TODAY = dayAfter(0);

// --- clauses ---

const list: TodoClause = having({
  name: "list",
  of: ({ list }, db) => [db.get(todoLists, list)?.name ?? "removed"],
  words: (list): Forms => [
    `on the list "${list}"`,
    `that are on the list "${list}"`,
    `from the list "${list}"`,
    `which stand on the list "${list}"`,
    `whose list is "${list}"`,
  ],
  code: (list) => ({ args: `list:${js(list)}` }),
});

const onList: TodoClause = { ...list, draw: tested(list, "list", "x.list===") };

/** The same clause for a list API without such an argument. */
function tested(clause: TodoClause, argument: string, test: string): TodoClause["draw"] {
  return (draw, rows) => {
    const filter = clause.draw(draw, rows);
    const value = filter?.code.args?.slice(argument.length + 1);
    return filter && value ? { ...filter, code: { test: `${test}${value}` } } : undefined;
  };
}

const commented: TodoClause = being(
  "commented",
  [
    "with at least one comment",
    "that have a comment",
    "on which there is a comment",
    "that somebody has commented on",
    "with one or more comments on them",
  ],
  ({ id }, db) => db.where(comments, { todo: id }).length > 0,
  { test: "apis.todo.comments({id:x.id}).items.length>0" },
);

const titled: TodoClause = saying({
  name: "says",
  of: ({ title }) => title,
  words: (word): Forms => [
    `with the word "${word}" in the title`,
    `whose title has the word "${word}" in it`,
    `in whose title you can read "${word}"`,
    `that have "${word}" as a word of the title`,
    `whose title contains the word "${word}"`,
  ],
  text: "x.title",
});

const undated: TodoClause = being(
  "undated",
  [
    "without a due day",
    "that have no due day",
    "with no due day at all",
    "which are not due on any day",
    "that lack a due day",
  ],
  ({ due }) => due === null,
  { test: "x.due===null" },
  ["from", "until"],
);

const priority: TodoClause = having({
  name: "priority",
  of: ({ id }, db) => [detailsOf(db, id).priority],
  words: (priority): Forms => [
    `of ${priority} priority`,
    `with ${priority} priority`,
    `that have ${priority} priority`,
    `whose priority is ${priority}`,
    `which are of ${priority} priority`,
  ],
  code: (priority) => ({ args: `priority:${js(priority)}` }),
});

const tag: TodoClause = having({
  name: "tag",
  of: ({ id }, db) => detailsOf(db, id).tags,
  words: (tag): Forms => [
    `tagged "${tag}"`,
    `with the tag "${tag}"`,
    `that have the tag "${tag}"`,
    `which are tagged "${tag}"`,
    `that carry the tag "${tag}"`,
  ],
  code: (tag) => ({ args: `tag:${js(tag)}` }),
});

const assignee: TodoClause = {
  name: "assignee",
  draw: (draw, rows) => {
    const person = draw.person(rows.flatMap(({ id }) => detailsOf(draw.db, id).assignee ?? []));
    if (!person) return undefined;
    const { id: who, name } = person.value;
    return {
      words: [
        `assigned to ${name}`,
        `that are assigned to ${name}`,
        `that ${name} is to do`,
        `which are for ${name} to do`,
        `whose assignee is ${name}`,
      ],
      holds: ({ id }, db) => detailsOf(db, id).assignee === who,
      code: { args: `assignee:${person.code}` },
      uses: [person],
    };
  },
};

const until: TodoClause = bounded({
  name: "until",
  end: "to",
  excludes: ["undated"],
  of: ({ due }) => due,
  words: (day): Forms => [
    `due on ${dayWords(day)} or earlier`,
    `that are due on or before ${dayWords(day)}`,
    `which are due no later than ${dayWords(day)}`,
    `whose due day is ${dayWords(day)} or a day before it`,
    `that are due by ${dayWords(day)} (that day included)`,
  ],
  code: (day) => ({ args: `until:${js(day)}` }),
});

const from: TodoClause = bounded({
  name: "from",
  end: "from",
  excludes: ["undated"],
  of: ({ due }) => due,
  words: (day): Forms => [
    `due on ${dayWords(day)} or later`,
    `that are due on or after ${dayWords(day)}`,
    `which are due no earlier than ${dayWords(day)}`,
    `whose due day is ${dayWords(day)} or a day after it`,
    `that are due from ${dayWords(day)} on (that day included)`,
  ],
  code: (day) => ({ args: `from:${js(day)}` }),
});

const long: TodoClause = bounded({
  name: "long",
  end: "from",
  excludes: ["short"],
  of: ({ id }, db) => detailsOf(db, id).minutes,
  words: (minutes): Forms => [
    `estimated at ${minutes} minutes or more`,
    `with an estimate of at least ${minutes} minutes`,
    `that are estimated to take ${minutes} minutes or longer`,
    `whose estimate is ${minutes} minutes or more`,
    `with an estimate that is no shorter than ${minutes} minutes`,
  ],
  code: (minutes) => ({ test: `x.minutes!==null&&x.minutes>=${minutes}` }),
});

const short: TodoClause = bounded({
  name: "short",
  end: "to",
  excludes: ["long"],
  of: ({ id }, db) => detailsOf(db, id).minutes,
  words: (minutes): Forms => [
    `estimated at ${minutes} minutes or less`,
    `with an estimate of at most ${minutes} minutes`,
    `that are estimated to take no longer than ${minutes} minutes`,
    `whose estimate is ${minutes} minutes or less`,
    `with an estimate that is not above ${minutes} minutes`,
  ],
  code: (minutes) => ({ test: `x.minutes!==null&&x.minutes<=${minutes}` }),
});

const repeating: TodoClause = having({
  name: "every",
  of: ({ id }, db) => [detailsOf(db, id).every ?? ""].filter(Boolean),
  words: (every): Forms => [
    `that repeat ${every}`,
    `which come again ${every}`,
    `that are repeated ${every}`,
    `with a ${every} rhythm`,
    `whose rhythm is ${every}`,
  ],
  code: (every) => ({ test: `apis.todo.details({id:x.id}).every===${js(every)}` }),
});

const openSteps: TodoClause = being(
  "steps",
  [
    "with at least one open step",
    "that have a step which is not done",
    "with a step that is still open",
    "of which at least one step is still to be done",
    "that have one or more open steps",
  ],
  ({ id }, db) => db.where(steps, { todo: id, done: false }).length > 0,
  { test: "apis.todo.details({id:x.id}).openSteps>0" },
);

// --- fields ---

const title: TodoField = {
  name: "title",
  unit: "text",
  noun: "title",
  value: (row) => row.title,
  code: "x.title",
};

const minutes: TodoField = {
  name: "minutes",
  unit: "number",
  noun: "estimate in minutes",
  value: ({ id }, db) => detailsOf(db, id).minutes ?? 0,
  code: "(x.minutes||0)",
  superlatives: {
    most: [
      "longest estimated",
      "longest (by estimate)",
      "most time-consuming (by estimate)",
      "longest-lasting (by estimate)",
      "most laborious (by estimate)",
    ],
    least: [
      "shortest estimated",
      "shortest (by estimate)",
      "least time-consuming (by estimate)",
      "quickest (by estimate)",
      "least laborious (by estimate)",
    ],
  },
};

const spent: TodoField = {
  name: "spent",
  unit: "number",
  noun: "time spent in minutes",
  value: ({ id }, db) =>
    db.where(timeEntries, { todo: id }).reduce((sum, { minutes }) => sum + minutes, 0),
  code: "apis.todo.details({id:x.id}).spent",
};

const due: TodoField = {
  name: "due",
  unit: "day",
  noun: "due day",
  value: (row) => row.due ?? "",
  code: "x.due",
  superlatives: {
    most: [
      "last due",
      "latest due",
      "farthest (by due day)",
      "last (by due day)",
      "latest (by due day)",
    ],
    least: [
      "first due",
      "earliest due",
      "most pressing (by due day)",
      "first (by due day)",
      "earliest (by due day)",
    ],
  },
};

export const todoTitle: Title<Todo> = {
  of: (row) => row.title,
  nouns: (title) => [
    `my todo ${js(title)}`,
    `the todo called ${js(title)}`,
    `my todo with the title ${js(title)}`,
    `the todo of mine that is called ${js(title)}`,
    `the todo ${js(title)} of mine`,
  ],
  cells: (title, out) => [
    `var ${out}=apis.todo.search({query:${js(title)},size:20}).items.filter(x=>x.title===${js(title)}).map(x=>x.id);print(${out})`,
  ],
  missing: [
    "feed the llama",
    "book a table at the Brass Dragon",
    "repair the moon lamp",
    "varnish the yacht",
  ],
};

// --- collections ---

const all = collection<Todo>({
  name: "todos",
  kind: "todos",
  app: "todo",
  table: todos,
  base: () => true,
  nouns: [
    { one: "todo of mine", many: "todos of mine" },
    { one: "todo, open or done,", many: "todos, open or done," },
    { one: "todo in the todo app", many: "todos in the todo app" },
    { one: "todo on my lists", many: "todos on my lists" },
    { one: "todo that the todo app has", many: "todos that the todo app has" },
  ],
  list: { api: "todo.list" },
  key: "id",
  whole: false,
  clauses: [list, titled, undated, commented, openSteps],
  fields: [title, spent],
  title: todoTitle,
});

const agenda = collection<Todo>({
  name: "open-todos",
  kind: "todos",
  app: "todo",
  table: todos,
  base: ({ done }) => !done,
  nouns: [
    { one: "open todo", many: "open todos" },
    { one: "open todo of mine", many: "open todos of mine" },
    { one: "todo that is not done yet", many: "todos that are not done yet" },
    { one: "todo that is still open", many: "todos that are still open" },
    { one: "todo that is yet to be done", many: "todos that are yet to be done" },
  ],
  list: { api: "todo.agenda" },
  key: "id",
  whole: false,
  clauses: [list, priority, tag, assignee, until, from, long, short, undated, repeating, openSteps],
  fields: [title, minutes],
});

const dated = collection<Todo>({
  name: "dated-todos",
  kind: "todos",
  app: "todo",
  table: todos,
  base: ({ done, due }) => !done && due !== null && due >= TODAY && due <= dayAfter(60),
  nouns: [
    {
      one: "open todo due from today to 60 days ahead",
      many: "open todos due from today to 60 days ahead",
    },
    {
      one: "open todo that is due within the next 60 days",
      many: "open todos that are due within the next 60 days",
    },
    {
      one: "open todo with a due day within 60 days from today",
      many: "open todos with a due day within 60 days from today",
    },
    {
      one: "open todo due today or within 60 days from now",
      many: "open todos due today or within 60 days from now",
    },
    {
      one: "open todo that is due today or in the 60 days after it",
      many: "open todos that are due today or in the 60 days after it",
    },
  ],
  list: { api: "todo.upcoming", args: "days:60" },
  key: "id",
  whole: true,
  clauses: [
    onList,
    { ...priority, draw: tested(priority, "priority", "x.priority===") },
    long,
    titled,
  ],
  fields: [title, due, minutes],
});

const late = collection<Todo>({
  name: "late-todos",
  kind: "todos",
  app: "todo",
  table: todos,
  base: ({ done, due }) => !done && due !== null && due < TODAY,
  nouns: [
    { one: "overdue todo", many: "overdue todos" },
    { one: "open todo that is overdue", many: "open todos that are overdue" },
    { one: "todo that is overdue", many: "todos that are overdue" },
    { one: "open todo whose due day has passed", many: "open todos whose due day has passed" },
    { one: "open todo that was due before today", many: "open todos that were due before today" },
  ],
  list: { api: "todo.overdue" },
  key: "id",
  whole: true,
  clauses: [
    onList,
    long,
    { ...priority, draw: tested(priority, "priority", "x.priority===") },
    titled,
  ],
  fields: [title, due, minutes],
});

const doneTodos = collection<Todo>({
  name: "done-todos",
  kind: "done-todos",
  app: "todo",
  table: todos,
  base: ({ done }) => done,
  nouns: [
    { one: "done todo", many: "done todos" },
    { one: "todo that is done", many: "todos that are done" },
    { one: "todo of mine that is already done", many: "todos of mine that are already done" },
    { one: "todo that I have completed", many: "todos that I have completed" },
    { one: "completed todo", many: "completed todos" },
  ],
  list: { api: "todo.list", args: "done:true" },
  key: "id",
  whole: false,
  clauses: [list, titled, undated],
  fields: [title, spent],
});

const repeatingTodos = collection<Todo>({
  name: "repeating-todos",
  kind: "repeating-todos",
  app: "todo",
  table: todos,
  base: ({ id, done }, db) => !done && detailsOf(db, id).every !== null,
  nouns: [
    { one: "repeating todo", many: "repeating todos" },
    { one: "todo that repeats", many: "todos that repeat" },
    { one: "open todo that repeats", many: "open todos that repeat" },
    { one: "todo of mine that comes again", many: "todos of mine that come again" },
    { one: "todo that has a rhythm", many: "todos that have a rhythm" },
  ],
  list: { api: "todo.agenda", args: "repeating:true" },
  key: "id",
  whole: true,
  clauses: [list, repeating, priority, until, from, long],
  fields: [title, due, minutes],
});

const assignedTodos = collection<Todo>({
  name: "assigned-todos",
  kind: "assigned-todos",
  app: "todo",
  table: todos,
  base: ({ id, done }, db) => !done && detailsOf(db, id).assignee !== null,
  nouns: [
    { one: "open todo with an assignee", many: "open todos with an assignee" },
    { one: "open todo that has an assignee", many: "open todos that have an assignee" },
    {
      one: "open todo that is assigned to somebody",
      many: "open todos that are assigned to somebody",
    },
    { one: "open todo that others are to do", many: "open todos that others are to do" },
    {
      one: "open todo for which there is an assignee",
      many: "open todos for which there is an assignee",
    },
  ],
  list: { api: "todo.agenda", args: "assigned:true" },
  key: "id",
  whole: true,
  clauses: [list, assignee, priority, tag, until, from, long],
  fields: [title, minutes],
});

export const todoCollections: readonly Collection[] = [
  all,
  agenda,
  dated,
  late,
  doneTodos,
  repeatingTodos,
  assignedTodos,
];
