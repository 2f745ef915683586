/** Actions on todos. */
import {
  actions,
  customIngredient,
  type Ingredient,
  jsLiteral,
  oneOf,
  someone,
  taskValue,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { addDays } from "../../apps/shared.ts";
import { events, type Todo, type TodoList, todoLists, todos } from "../../apps/tables.ts";
import {
  activeListShares,
  findListOfOther,
  openPrerequisites,
  readDetails,
  writeDetails,
} from "../../apps/todo/details.ts";
import { nextDay } from "../../apps/todo/repeating.ts";
import { comments, PRIORITIES, rounds, steps, timeEntries } from "../../apps/todo/tables.ts";
import { dayFromStart, NOW } from "../../population/time.ts";
import { addTagPhrase, changeSideTable, PREFIX_TITLE_PHRASE } from "../files-notes-todos.ts";
import { whenChangeable } from "./todos-by-title.ts";

/** Draws one of the owner's lists, which can get todos and be shared. */
export const drawOwnList: Ingredient<TodoList> = ({ db, rng }) => {
  const value = rng.pick(db.all(todoLists).filter(({ id }) => !findListOfOther(db, id)));
  return { value, words: value.name, code: jsLiteral(value.name) };
};

const idsOfEditors = ({ db }: { readonly db: Reader }) =>
  activeListShares(db, { role: "editor" }).map(({ person }) => person);

const TODOS_LIST = {
  kind: "todos",
  app: "todo",
  table: todos,
  difficult: "assign retitle event",
  otherApps: { calendar: "event" },
} as const;

const isRepeating = ({ id }: Todo, db: Reader) => readDetails(db, id).every !== null;
const changeDetails = changeSideTable<Todo, ReturnType<typeof readDetails>>(
  readDetails,
  writeDetails,
);
const isReady = ({ id, done }: Todo, db: Reader) => !done && openPrerequisites(db, id).length === 0;

const TAGS = ["soon", "spring", "delegate", "phone", "together", "focus"];
const TITLE_PREFIXES = ["please", "maybe", "today", "again", "finally"].map((word) => `${word} `);
const drawMultipleOfFive = (low: number, high: number) =>
  customIngredient(({ rng }) => 5 * rng.integer(low, high));
const TIMES = ["08:30", "12:45", "16:00", "19:15"];

export const allTodoActions = actions<Todo>(TODOS_LIST, (kit) => ({
  complete: kit.sets("done", true, {
    when: whenChangeable((row, db) => !isRepeating(row, db) && isReady(row, db)),
    api: "complete",
  })`Complete # | Mark # as done | Tick off # | In the todo app, complete # | Set # to done`,
  reopen: kit.changesTo("done", false, {
    when: whenChangeable(),
    api: "reopen",
  })`Reopen # | Mark # as open
    again | Set # back to open | In the todo app, reopen # | Put # back among the open ones`,
  "complete-round": kit.applies(
    (db, { id, due }) => {
      db.insert(rounds, { todo: id, day: due! });
      db.update(todos, id, { due: nextDay(due!, readDetails(db, id).every!) });
    },
    {
      when: whenChangeable(
        (row, db) => isRepeating(row, db) && row.due !== null && isReady(row, db),
      ),
      api: "completeRound",
    },
  )`Finish the present round of # | Complete one round of #
    | Mark the present round as finished for # | In the todo app, finish one round of #
    | Finish the present round of # so that the next one begins`,
  "end-repeat": changeDetails(
    kit,
    { every: null },
    { when: whenChangeable(({ due }) => due !== null), api: "endRepeat" },
  )`Stop the repeating of # | Let the repeating end of # | End the rhythm of #
    | In the todo app, end the repeating of # | Put an end to the repeating of #`,
  remove: kit.removesRow({
    when: whenChangeable(),
    api: "remove",
  })`Remove # | Delete # | Strike # off my lists
    | In the todo app, remove # | Delete # from the todo app`,
  "set-due": kit.setsToDrawn("due", taskValue("day"), { when: whenChangeable(), api: "setDue" })`
    Set the due day of # to this day: $ | Give a new due day to #, namely $
    | Let $ be the due day of # | Make $ the due day of # | Choose $ as the due day of #`,
  postpone: kit.actionWithOne(oneOf([3, 5, 7, 10, 14, 21]), ({ value: days }) =>
    kit.sets((row) => ({ due: addDays(row.due!, days) }), {
      when: whenChangeable(({ due, done }) => due !== null && !done),
      api: "postpone",
      args: `days:${days}`,
    }),
  )`Postpone # by $ days | Move the due day of # $ days later | Delay # by $ days
    | Postpone # by $ days | Let $ days be added to the due day of #`,
  priority: kit.actionWithOne(oneOf(PRIORITIES), ({ value: priority, code }) =>
    changeDetails(
      kit,
      { priority },
      { when: whenChangeable(), api: "setPriority", args: `priority:${code}` },
    ),
  )`Set the priority of # to $ | Give $ priority to # | Let $ be the priority of #
    | Make $ the priority of # | Choose $ as the priority of #`,
  estimate: kit.actionWithOne(drawMultipleOfFive(3, 40), ({ value: minutes }) =>
    changeDetails(
      kit,
      { minutes },
      { when: whenChangeable(), api: "estimate", args: `minutes:${minutes}` },
    ),
  )`Set an estimate of $ minutes for # | Estimate # at $ minutes | Let $ minutes be the estimate of
    # | Make $ minutes the estimate of # | Choose $ minutes as the estimate of #`,
  tag: kit.actionWithOne(oneOf(TAGS), ({ value: tag, code }) =>
    kit.applies(
      (db, { id }) => writeDetails(db, id, { tags: [...readDetails(db, id).tags, tag].sort() }),
      {
        when: whenChangeable(({ id }, db) => !readDetails(db, id).tags.includes(tag)),
        api: "tag",
        args: `tag:${code}`,
      },
    ),
  )(addTagPhrase("todo")),
  move: kit.actionWithOne(drawOwnList, ({ value: { id: list }, code }) =>
    kit.changesTo("list", list, {
      when: whenChangeable(({ id }, db) => readDetails(db, id).assignee === null),
      api: "move",
      args: `list:${code}`,
    }),
  )`Move # to the list "$" | Put # on the list "$" | Make "$" the list of #
    | Let the list "$" have # | Choose "$" as the list of #`,
  unassign: changeDetails(kit, { assignee: null }, { when: whenChangeable(), api: "unassign" })`
    Take whoever is the assignee off # | Take away the assignee of #
    | Remove the assignee of # | In the todo app, unassign # | Clear the assignee of #`,
  assign: kit.actionWithOne(someone(idsOfEditors), ({ value: { id: assignee }, code }) => {
    const isEditorOfList = ({ list }: Todo, db: Reader) =>
      activeListShares(db, { list, person: assignee, role: "editor" }).length > 0;
    return changeDetails(
      kit,
      { assignee },
      { when: whenChangeable(isEditorOfList), api: "assign", args: `person:${code}` },
    );
  })`Assign # to $ | Let $ be the assignee of # | Put $ down as the assignee of #
    | Make $ the assignee of # | Choose $ as the assignee of #`,
  /** Puts a text in front of the old title. */
  retitle: kit.actionWithOne(oneOf(TITLE_PREFIXES), ({ value: start, code }) =>
    kit.sets(({ title }) => ({ title: `${start}${title}` }), {
      when: whenChangeable(),
      call: `const t=apis.todo.show({id:x});apis.todo.rename({id:x,title:${code}+t.title})`,
    }),
  )(PREFIX_TITLE_PHRASE),
  comment: kit.actionWithValue("text", ({ value: text, code }) =>
    kit.addsRow(comments, ({ id }) => ({ todo: id, person: null, text, at: NOW }), {
      when: {},
      api: "comment",
      args: `text:${code}`,
    }),
  )`Leave a comment on #: $ | Add a comment to #, namely $ | As a comment, write $ on #
    | Let $ be my comment on # | Write $ as a comment on #`,
  "add-step": kit.actionWithValue("text", ({ value: title, code }) =>
    kit.addsRow(steps, ({ id }) => ({ todo: id, title, done: false }), {
      when: whenChangeable(),
      api: "addStep",
      args: `title:${code}`,
    }),
  )`Add a step to #: $ | Add one more step to #, namely $ | As a step, add $ to #
    | Let # have $ as a new step | Add $ as a further step to #`,
  "log-time": kit.actionWithOne(drawMultipleOfFive(2, 36), ({ value: minutes }) =>
    kit.addsRow(timeEntries, ({ id }) => ({ todo: id, minutes, day: dayFromStart(0) }), {
      when: whenChangeable(),
      api: "logTime",
      args: `minutes:${minutes}`,
    }),
  )`Log $ minutes of today for # | Note $ minutes spent today on #
    | Record that I spent $ minutes today on #
    | Enter $ minutes of work done today on # | Put down $ minutes as time spent today on #`,
  /** Adds an event on the day when the todo is due. */
  event: kit.actionWithOne(oneOf(TIMES), ({ value: time, code }) => {
    const own = { host: null, response: "accepted", cancelled: false } as const;
    return kit.addsRow(events, ({ title, due }) => ({ title, day: due!, time, ...own }), {
      when: ({ due }) => (due ?? "") >= dayFromStart(0),
      call: `const t=apis.todo.show({id:x});apis.calendar.add({title:t.title,day:t.due,time:${code}})`,
    });
  })`Add a calendar event at $ on the due day, titled like the todo, for #
    | Put an event at $ into my calendar, on the due day and with the title of the todo, for #
    | On the due day at $, add an event to my calendar with the todo's title, for #
    | For #, add a calendar event with the same title on the due day at $
    | For #, reserve $ on the due day in my calendar, by an event with the same title`,
}));
