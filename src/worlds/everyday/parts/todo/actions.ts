/** What is done with todos: done or not, when, where, how important, by whom, and what they have several of. */
import { actions, js } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { dayPlus } from "../../apps/shared.ts";
import { events, type Todo, todoLists, todos } from "../../apps/tables.ts";
import {
  activeListShares,
  detailsOf,
  foreign,
  openBefore,
  setDetails,
} from "../../apps/todo/details.ts";
import { nextDay } from "../../apps/todo/repeating.ts";
import { comments, PRIORITIES, rounds, steps, timeEntries } from "../../apps/todo/tables.ts";
import { dayAfter, NOW } from "../../population/time.ts";
import { becoming } from "../papers.ts";
import { mine } from "./words.ts";

/** Lists that may get todos and be shared. */
export const ownLists = (db: Reader) => db.all(todoLists).filter(({ id }) => !foreign(db, id));

const on = { kind: "todos", app: "todo", table: todos } as const;
const repeats = ({ id }: Todo, db: Reader) => detailsOf(db, id).every !== null;
const becomes = becoming<Todo, ReturnType<typeof detailsOf>>(detailsOf, setDetails);
const ready = ({ id, done }: Todo, db: Reader) => !done && openBefore(db, id).length === 0;

/** Done or not. */
const doing = actions(on, ({ does, removes, sets }) => ({
  complete: sets("done", true, {
    when: mine((row, db) => !repeats(row, db) && ready(row, db)),
    api: "complete",
  })`Complete # | Mark # as done | Tick off # | In the todo app, complete # | Set # to done`,
  reopen: sets("done", false, { when: mine(({ done }) => done), api: "reopen" })`
    Reopen # | Mark # as open again | Set # back to open | In the todo app, reopen #
    | Put # back among the open ones`,
  "complete-round": does(
    (db, { id, due }) => {
      db.insert(rounds, { todo: id, day: due! });
      db.update(todos, id, { due: nextDay(due!, detailsOf(db, id).every!) });
    },
    {
      when: mine((row, db) => repeats(row, db) && row.due !== null && ready(row, db)),
      api: "completeRound",
    },
  )`Finish the present round of # | Complete one round of #
    | Mark the present round as finished for # | In the todo app, finish one round of #
    | Let the next round begin, with the present one finished, for #`,
  "end-repeat": becomes(
    does,
    { every: null },
    { when: mine(({ due }) => due !== null), api: "endRepeat" },
  )`Stop the repeating of # | Let the repeating end of # | End the rhythm of #
    | In the todo app, end the repeating of # | Put an end to the repeating of #`,
  remove: removes({ when: mine(), api: "remove" })`Remove # | Delete # | Strike # off my lists
    | In the todo app, remove # | Delete # from the todo app`,
}));

const TAGS = ["soon", "spring", "delegate", "phone", "together", "focus"] as const;

/** When, where, how important, by whom. */
const planning = actions(on, ({ does, drawn, sets, taking }) => ({
  "set-due": taking("day", (day) => {
    const when = mine(({ due }) => due !== day.value);
    return sets("due", day.value, { when, api: "setDue", args: `due:${day.code}` })`
      Set the due day of # to this day: ${day.words} | Give a new due day to #, namely ${day.words}
      | Let ${day.words} be the due day of # | Make ${day.words} the due day of #
      | Choose ${day.words} as the due day of #`;
  }),
  postpone: drawn(({ rng }) => {
    const days = rng.pick([3, 5, 7, 10, 14, 21]);
    return sets((row) => ({ due: dayPlus(row.due!, days) }), {
      when: mine(({ due, done }) => due !== null && !done),
      api: "postpone",
      args: `days:${days}`,
    })`Postpone # by ${days} days | Move the due day of # ${days} days later | Put # off by ${days}
      days | By ${days} days, postpone # | Let ${days} days be added to the due day of #`;
  }),
  priority: drawn(({ rng }) => {
    const priority = rng.pick(PRIORITIES);
    const how = { when: mine(), api: "setPriority", args: `priority:${js(priority)}` };
    return becomes(does, { priority }, how)`Set the priority of # to ${priority}
      | Give ${priority} priority to # | Let ${priority} be the priority of #
      | Make ${priority} the priority of # | Choose ${priority} as the priority of #`;
  }),
  estimate: drawn(({ rng }) => {
    const minutes = rng.integer(3, 40) * 5;
    const how = { when: mine(), api: "estimate", args: `minutes:${minutes}` };
    return becomes(does, { minutes }, how)`Set an estimate of ${minutes} minutes for #
      | Estimate # at ${minutes} minutes | Let ${minutes} minutes be the estimate of #
      | Make ${minutes} minutes the estimate of # | Choose ${minutes} minutes as the estimate of #`;
  }),
  tag: drawn(({ rng }) => {
    const tag = rng.pick(TAGS);
    return does(
      (db, { id }) => setDetails(db, id, { tags: [...detailsOf(db, id).tags, tag].sort() }),
      {
        when: mine(({ id }, db) => !detailsOf(db, id).tags.includes(tag)),
        api: "tag",
        args: `tag:${js(tag)}`,
      },
    )`Add the tag "${tag}" to # | In the todo app, add the tag "${tag}" to #
      | Put the tag "${tag}" on # | With the tag "${tag}", mark # | Attach the tag "${tag}" to #`;
  }),
  move: drawn(({ rng, db: now }) => {
    const { id: list, name } = rng.pick(ownLists(now));
    return sets("list", list, {
      when: mine((row, db) => row.list !== list && detailsOf(db, row.id).assignee === null),
      api: "move",
      args: `list:${js(name)}`,
    })`Move # to the list "${name}" | Put # on the list "${name}" | Make "${name}" the list of #
      | Let the list "${name}" have # | Choose "${name}" as the list of #`;
  }),
  unassign: becomes(does, { assignee: null }, { when: mine(), api: "unassign" })`
    Take whoever is the assignee off # | Take away the assignee of # | Remove the assignee of #
    | In the todo app, unassign # | Clear the assignee of #`,
}));

/** What needs more than one call, or somebody's name. */
const harder = actions({ ...on, difficulty: 2 }, ({ does, drawn, sets }) => ({
  assign: drawn((draw) => {
    const editors = activeListShares(draw.db, { role: "editor" }).map(({ person }) => person);
    const person = draw.person(editors);
    if (!person) return undefined;
    const [name, assignee] = [person.words, person.value.id];
    const edits = ({ list }: Todo, db: Reader) =>
      activeListShares(db, { list, person: assignee, role: "editor" }).length > 0;
    const how = { when: mine(edits), api: "assign", args: `to:${person.code}`, uses: [person] };
    return becomes(does, { assignee }, how)`
      Assign # to ${name} | Let ${name} be the assignee of # | Put ${name} down as the assignee of #
      | Make ${name} the assignee of # | Choose ${name} as the assignee of #`;
  }),
  /** The new title is made from the old one. */
  retitle: drawn(({ rng }) => {
    const start = `${rng.pick(["please", "maybe", "today", "again", "finally"])} `;
    return sets(({ title }) => ({ title: `${start}${title}` }), {
      when: mine(),
      call: `const t=apis.todo.show({id:x});apis.todo.rename({id:x,title:${js(start)}+t.title})`,
    })`Put "${start}" in front of the title of # | Prefix the title with "${start}", for # | Write
      "${start}" before the title of # | Change the title to "${start}" and the old title, for #
      | Let "${start}" stand before the title of #`;
  }),
}));

/** What todos have several of. */
const writing = actions(on, ({ adds, drawn, taking }) => ({
  comment: taking("text", (text) => {
    return adds(comments, ({ id }) => ({ todo: id, person: null, text: text.value, at: NOW }), {
      when: () => true,
      api: "comment",
      args: `text:${text.code}`,
    })`Leave a comment on #: ${text.words} | Add a comment to #, namely ${text.words}
      | As a comment, write ${text.words} on # | Let ${text.words} be my comment on #
      | Write ${text.words} as a comment on #`;
  }),
  "add-step": taking("text", (text) => {
    return adds(steps, ({ id }) => ({ todo: id, title: text.value, done: false }), {
      when: mine(),
      api: "addStep",
      args: `title:${text.code}`,
    })`Add a step to #: ${text.words} | Add one more step to #, namely ${text.words}
      | As a step, add ${text.words} to # | Let ${text.words} be a new step of #
      | Write ${text.words} as a further step of #`;
  }),
  "log-time": drawn(({ rng }) => {
    const minutes = rng.integer(2, 36) * 5;
    return adds(timeEntries, ({ id }) => ({ todo: id, minutes, day: dayAfter(0) }), {
      when: mine(),
      api: "logTime",
      args: `minutes:${minutes}`,
    })`Log ${minutes} minutes of today for # | Note ${minutes} minutes spent today on #
      | Record that I spent ${minutes} minutes today on # | Enter ${minutes} minutes of work, done
      today, for # | Put down ${minutes} minutes as time spent today on #`;
  }),
}));

export const onTodos = [...doing, ...planning, ...harder, ...writing];

/** An event on the todo's own day. */
export const inCalendar = actions({ ...on, app: "calendar", difficulty: 2 }, ({ adds, drawn }) => ({
  event: drawn(({ rng }) => {
    const time = rng.pick(["08:30", "12:45", "16:00", "19:15"]);
    const own = { host: null, response: "accepted", cancelled: false } as const;
    return adds(events, ({ title, due }) => ({ title, day: due!, time, ...own }), {
      when: ({ due }) => (due ?? "") >= dayAfter(0),
      call: `const t=apis.todo.show({id:x});apis.calendar.add({title:t.title,day:t.due,time:${js(time)}})`,
    })`Add a calendar event at ${time} on the due day, titled like the todo, for # | Put an event at
      ${time} into my calendar, on the due day and with the title of the todo, for #
      | On the due day at ${time}, add an event to my calendar with the todo's title, for #
      | With the title of the todo, add an event at ${time} on its due day to my calendar for #
      | Reserve ${time} on the due day in my calendar, by an event with the todo's title, for #`;
  }),
}));
