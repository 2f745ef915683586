/** What is done with todos: done or not, and when, where, how important. */
import type { Action, Draw } from "../../../../goals/index.ts";
import { events, todoLists, todos } from "../../apps/tables.ts";
import { detailsOf, foreign, openBefore, setDetails } from "../../apps/todo/details.ts";
import { daysAfter, nextDay } from "../../apps/todo/repeating.ts";
import { type Details, PRIORITIES, rounds } from "../../apps/todo/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { js } from "../papers.ts";
import { type Frames, permits, simple } from "./words.ts";

export const complete = simple(
  "complete",
  "todos",
  [
    (noun) => `Complete ${noun}`,
    (noun) => `Mark ${noun} as done`,
    (noun) => `Tick off ${noun}`,
    (noun) => `In the todo app, complete ${noun}`,
    (noun) => `Set ${noun} to done`,
  ],
  {
    permits: permits(
      (row, db) =>
        !row.done && detailsOf(db, row.id).every === null && openBefore(db, row.id).length === 0,
    ),
    apply: (db, id) => void db.update(todos, id, { done: true }),
    call: (x) => `apis.todo.complete({id:${x}})`,
  },
);

export const reopen = simple(
  "reopen",
  "todos",
  [
    (noun) => `Reopen ${noun}`,
    (noun) => `Mark ${noun} as open again`,
    (noun) => `Set ${noun} back to open`,
    (noun) => `In the todo app, reopen ${noun}`,
    (noun) => `Put ${noun} back among the open ones`,
  ],
  {
    permits: permits((row) => row.done),
    apply: (db, id) => void db.update(todos, id, { done: false }),
    call: (x) => `apis.todo.reopen({id:${x}})`,
  },
);

export const completeRound = simple(
  "complete-round",
  "todos",
  [
    (noun) => `Finish the present round of ${noun}`,
    (noun) => `Complete one round of ${noun}`,
    (noun) => `Mark the present round as finished for ${noun}`,
    (noun) => `In the todo app, finish one round of ${noun}`,
    (noun) => `Let the next round begin, with the present one finished, for ${noun}`,
  ],
  {
    permits: permits((row, db) => {
      const { every } = detailsOf(db, row.id);
      return every !== null && row.due !== null && !row.done && openBefore(db, row.id).length === 0;
    }),
    apply: (db, id) => {
      const { every } = detailsOf(db, id);
      const { due } = db.get(todos, id)!;
      db.insert(rounds, { todo: id, day: due! });
      db.update(todos, id, { due: nextDay(due!, every!) });
    },
    call: (x) => `apis.todo.completeRound({id:${x}})`,
  },
);

export const endRepeat = simple(
  "end-repeat",
  "todos",
  [
    (noun) => `Stop the repeating of ${noun}`,
    (noun) => `Let the repeating end of ${noun}`,
    (noun) => `End the rhythm of ${noun}`,
    (noun) => `In the todo app, end the repeating of ${noun}`,
    (noun) => `Put an end to the repeating of ${noun}`,
  ],
  {
    permits: permits((row, db) => detailsOf(db, row.id).every !== null && row.due !== null),
    apply: (db, id) => setDetails(db, id, { every: null }),
    call: (x) => `apis.todo.endRepeat({id:${x}})`,
  },
);

export const remove = simple(
  "remove",
  "todos",
  [
    (noun) => `Remove ${noun}`,
    (noun) => `Delete ${noun}`,
    (noun) => `Strike ${noun} off my lists`,
    (noun) => `In the todo app, remove ${noun}`,
    (noun) => `Delete ${noun} from the todo app`,
  ],
  {
    permits: permits(),
    apply: (db, id) => db.remove(todos, id),
    call: (x) => `apis.todo.remove({id:${x}})`,
  },
);

// --- planning ---

export const setDue: Action = {
  name: "set-due",
  kind: "todos",
  app: "todo",
  difficulty: 1,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    return {
      frames: [
        (noun) => `Set the due day of ${noun} to this day: ${day.words}`,
        (noun) => `Give a new due day to ${noun}, namely ${day.words}`,
        (noun) => `Let ${day.words} be the due day of ${noun}`,
        (noun) => `Make ${day.words} the due day of ${noun}`,
        (noun) => `Choose ${day.words} as the due day of ${noun}`,
      ],
      permits: permits((row) => row.due !== day.value),
      apply: (db, id) => void db.update(todos, id, { due: day.value }),
      call: (x) => `apis.todo.setDue({id:${x},due:${day.code}})`,
      uses: [day],
    };
  },
};

export const postpone: Action = {
  name: "postpone",
  kind: "todos",
  app: "todo",
  difficulty: 1,
  draw: ({ rng }) => {
    const days = rng.pick([3, 5, 7, 10, 14, 21]);
    return {
      frames: [
        (noun) => `Postpone ${noun} by ${days} days`,
        (noun) => `Move the due day of ${noun} ${days} days later`,
        (noun) => `Put ${noun} off by ${days} days`,
        (noun) => `By ${days} days, postpone ${noun}`,
        (noun) => `Let ${days} days be added to the due day of ${noun}`,
      ],
      permits: permits((row) => row.due !== null && !row.done),
      apply: (db, id) =>
        void db.update(todos, id, { due: daysAfter(db.get(todos, id)!.due!, days) }),
      call: (x) => `apis.todo.postpone({id:${x},days:${days}})`,
    };
  },
};

/** Sets one detail; a todo that has it already is refused. */
function setting<K extends keyof Details>(
  name: string,
  key: K,
  choose: (draw: Draw) => Details[K],
  frames: (words: string) => Frames,
  call: (x: string, value: string) => string,
): Action {
  return {
    name,
    kind: "todos",
    app: "todo",
    difficulty: 1,
    draw: (draw) => {
      const value = choose(draw);
      return {
        frames: frames(String(value)),
        permits: permits((row, db) => detailsOf(db, row.id)[key as "minutes"] !== value),
        apply: (db, id) => setDetails(db, id, { [key]: value }),
        call: (x) => call(x, js(value as string)),
      };
    },
  };
}

export const prioritise = setting(
  "priority",
  "priority",
  ({ rng }) => rng.pick(PRIORITIES),
  (priority) => [
    (noun) => `Set the priority of ${noun} to ${priority}`,
    (noun) => `Give ${priority} priority to ${noun}`,
    (noun) => `Let ${priority} be the priority of ${noun}`,
    (noun) => `Make ${priority} the priority of ${noun}`,
    (noun) => `Choose ${priority} as the priority of ${noun}`,
  ],
  (x, priority) => `apis.todo.setPriority({id:${x},priority:${priority}})`,
);

export const estimate = setting(
  "estimate",
  "minutes",
  ({ rng }) => rng.integer(3, 40) * 5,
  (minutes) => [
    (noun) => `Set an estimate of ${minutes} minutes for ${noun}`,
    (noun) => `Estimate ${noun} at ${minutes} minutes`,
    (noun) => `Let ${minutes} minutes be the estimate of ${noun}`,
    (noun) => `Make ${minutes} minutes the estimate of ${noun}`,
    (noun) => `Choose ${minutes} minutes as the estimate of ${noun}`,
  ],
  (x, minutes) => `apis.todo.estimate({id:${x},minutes:${minutes}})`,
);

const TAGS = ["soon", "spring", "delegate", "phone", "together", "focus"] as const;

export const tag: Action = {
  name: "tag",
  kind: "todos",
  app: "todo",
  difficulty: 1,
  draw: ({ rng }) => {
    const tag = rng.pick(TAGS);
    return {
      frames: [
        (noun) => `Add the tag "${tag}" to ${noun}`,
        (noun) => `In the todo app, add the tag "${tag}" to ${noun}`,
        (noun) => `Put the tag "${tag}" on ${noun}`,
        (noun) => `With the tag "${tag}", mark ${noun}`,
        (noun) => `Attach the tag "${tag}" to ${noun}`,
      ],
      permits: permits((row, db) => !detailsOf(db, row.id).tags.includes(tag)),
      apply: (db, id) => setDetails(db, id, { tags: [...detailsOf(db, id).tags, tag].sort() }),
      call: (x) => `apis.todo.tag({id:${x},tag:${js(tag)}})`,
    };
  },
};

export const move: Action = {
  name: "move",
  kind: "todos",
  app: "todo",
  difficulty: 1,
  draw: ({ rng, db }) => {
    const lists = db.all(todoLists).filter(({ id }) => !foreign(db, id));
    const list = rng.pick(lists);
    return {
      frames: [
        (noun) => `Move ${noun} to the list "${list.name}"`,
        (noun) => `Put ${noun} on the list "${list.name}"`,
        (noun) => `Make "${list.name}" the list of ${noun}`,
        (noun) => `Let the list "${list.name}" have ${noun}`,
        (noun) => `Choose "${list.name}" as the list of ${noun}`,
      ],
      permits: permits(
        (row, db) => row.list !== list.id && detailsOf(db, row.id).assignee === null,
      ),
      apply: (db, id) => void db.update(todos, id, { list: list.id }),
      call: (x) => `apis.todo.move({id:${x},list:${js(list.name)}})`,
    };
  },
};

/** An event on the todo's own day. */
export const event: Action = {
  name: "event",
  kind: "todos",
  app: "calendar",
  difficulty: 2,
  draw: ({ rng }) => {
    const time = rng.pick(["08:30", "12:45", "16:00", "19:15"]);
    return {
      frames: [
        (noun) =>
          `Add a calendar event at ${time} on the due day, titled like the todo, for ${noun}`,
        (noun) =>
          `Put an event at ${time} into my calendar, on the due day and with the title of the todo, for ${noun}`,
        (noun) =>
          `On the due day at ${time}, add an event to my calendar with the todo's title, for ${noun}`,
        (noun) =>
          `With the title of the todo, add an event at ${time} on its due day to my calendar for ${noun}`,
        (noun) =>
          `Reserve ${time} on the due day in my calendar, by an event with the todo's title, for ${noun}`,
      ],
      permits: (db, id) => (db.get(todos, id)?.due ?? "") >= dayAfter(0),
      apply: (db, id) => {
        const { title, due } = db.get(todos, id)!;
        const own = { host: null, response: "accepted", cancelled: false } as const;
        db.insert(events, { title, day: due!, time, ...own });
      },
      call: (x) =>
        `const t=apis.todo.show({id:${x}});apis.calendar.add({title:t.title,day:t.due,time:${js(time)}})`,
    };
  },
};
