/** What is done with todos and their steps, and for people. Lists of others that are for viewing only are left alone. */
import type { Reader, Writer } from "../../../../world/index.ts";
import type { Action, Draw, Effect, Forms, Value } from "../../algebra/parts.ts";
import { events, people, type Todo, todoLists, todos } from "../../apps/tables.ts";
import {
  activeListShares,
  detailsOf,
  foreign,
  mayChange,
  openBefore,
  setDetails,
} from "../../apps/todo/details.ts";
import { daysAfter, nextDay } from "../../apps/todo/repeating.ts";
import {
  comments,
  type Details,
  listShares,
  PRIORITIES,
  rounds,
  steps,
  timeEntries,
} from "../../apps/todo/tables.ts";
import { dayAfter, NOW } from "../../population/time.ts";
import { js } from "../papers.ts";

type Frames = Forms<(noun: string) => string>;

/** Rows that the owner may change and that fit. */
const permits =
  (fits: (row: Todo, db: Reader) => boolean = () => true): NonNullable<Effect["permits"]> =>
  (db, id) => {
    const row = db.get(todos, id);
    return row !== undefined && mayChange(db, row.list) && fits(row, db);
  };

/** An action that needs no value. */
function simple(
  name: string,
  kind: string,
  frames: Frames,
  effect: Pick<Effect, "permits" | "apply" | "call">,
): Action {
  return { name, kind, app: "todo", difficulty: 1, draw: () => ({ frames, ...effect }) };
}

export const inbox = (db: Reader) => db.where(todoLists, { name: "inbox" })[0]!.id;

/** A todo by its title, which no other todo has. */
export function namedTodo(
  draw: Draw,
  fits: (row: Todo, db: Reader) => boolean,
): Value<Todo> | undefined {
  const titles = draw.db.all(todos).map(({ title }) => title);
  const rows = draw.db
    .all(todos)
    .filter((row) => fits(row, draw.db))
    .filter(({ title }) => titles.indexOf(title) === titles.lastIndexOf(title));
  if (rows.length === 0) return undefined;
  const value = draw.rng.pick(rows);
  const code = draw.variable("t");
  return {
    value,
    words: `my todo ${js(value.title)}`,
    code,
    cells: [findTodo(value.title, code)],
    apps: ["todo"],
  };
}

/** A cell that leaves the id of the todo of this title in `out`. */
export function findTodo(title: string, out: string): string {
  return `var ${out}=apis.todo.search({query:${js(title)},size:20}).items.filter(x=>x.title===${js(title)})[0].id;print(${out})`;
}

// --- done or not ---

const complete = simple(
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

const reopen = simple(
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

const completeRound = simple(
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

const endRepeat = simple(
  "end-repeat",
  "todos",
  [
    (noun) => `Stop the repeating of ${noun}`,
    (noun) => `Let there be no more repeating of ${noun}`,
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

const remove = simple(
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

const setDue: Action = {
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

const postpone: Action = {
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

const prioritise = setting(
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

const estimate = setting(
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

const tag: Action = {
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

const move: Action = {
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
const event: Action = {
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

// --- what a todo has several of ---

const comment: Action = {
  name: "comment",
  kind: "todos",
  app: "todo",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Leave a comment on ${noun}: ${text.words}`,
        (noun) => `Add a comment to ${noun}, namely ${text.words}`,
        (noun) => `As a comment, write ${text.words} on ${noun}`,
        (noun) => `Let ${text.words} be my comment on ${noun}`,
        (noun) => `Write ${text.words} as a comment on ${noun}`,
      ],
      apply: (db, id) =>
        void db.insert(comments, { todo: id, person: null, text: text.value, at: NOW }),
      call: (x) => `apis.todo.comment({id:${x},text:${text.code}})`,
      uses: [text],
    };
  },
};

const addStep: Action = {
  name: "add-step",
  kind: "todos",
  app: "todo",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Add a step to ${noun}: ${text.words}`,
        (noun) => `Add one more step to ${noun}, namely ${text.words}`,
        (noun) => `As a step, add ${text.words} to ${noun}`,
        (noun) => `Let ${text.words} be a new step of ${noun}`,
        (noun) => `Write ${text.words} as a further step of ${noun}`,
      ],
      permits: permits(),
      apply: (db, id) => void db.insert(steps, { todo: id, title: text.value, done: false }),
      call: (x) => `apis.todo.addStep({id:${x},title:${text.code}})`,
      uses: [text],
    };
  },
};

const logTime: Action = {
  name: "log-time",
  kind: "todos",
  app: "todo",
  difficulty: 1,
  draw: ({ rng }) => {
    const minutes = rng.integer(2, 36) * 5;
    return {
      frames: [
        (noun) => `Log ${minutes} minutes of today for ${noun}`,
        (noun) => `Note ${minutes} minutes spent today on ${noun}`,
        (noun) => `Record that I spent ${minutes} minutes today on ${noun}`,
        (noun) => `Enter ${minutes} minutes of work, done today, for ${noun}`,
        (noun) => `Put down ${minutes} minutes as time spent today on ${noun}`,
      ],
      permits: permits(),
      apply: (db, id) => void db.insert(timeEntries, { todo: id, minutes, day: dayAfter(0) }),
      call: (x) => `apis.todo.logTime({id:${x},minutes:${minutes}})`,
    };
  },
};

/** The new title is made from the old one. */
const retitle: Action = {
  name: "retitle",
  kind: "todos",
  app: "todo",
  difficulty: 2,
  draw: ({ rng }) => {
    const word = rng.pick(["please", "maybe", "today", "again", "finally"]);
    return {
      frames: [
        (noun) => `Put "${word} " in front of the title of ${noun}`,
        (noun) => `Prefix the title with "${word} ", for ${noun}`,
        (noun) => `Write "${word} " before the title of ${noun}`,
        (noun) => `Change the title to "${word} " and the old title, for ${noun}`,
        (noun) => `Let "${word} " stand before the title of ${noun}`,
      ],
      permits: permits(),
      apply: (db, id) =>
        void db.update(todos, id, { title: `${word} ${db.get(todos, id)!.title}` }),
      call: (x) =>
        `const t=apis.todo.show({id:${x}});apis.todo.rename({id:${x},title:${js(`${word} `)}+t.title})`,
    };
  },
};

const unassign = simple(
  "unassign",
  "todos",
  [
    (noun) => `Let nobody in particular do ${noun}`,
    (noun) => `Take away the assignee of ${noun}`,
    (noun) => `Remove the assignee of ${noun}`,
    (noun) => `In the todo app, unassign ${noun}`,
    (noun) => `Clear the assignee of ${noun}`,
  ],
  {
    permits: permits((row, db) => detailsOf(db, row.id).assignee !== null),
    apply: (db, id) => setDetails(db, id, { assignee: null }),
    call: (x) => `apis.todo.unassign({id:${x}})`,
  },
);

const assign: Action = {
  name: "assign",
  kind: "todos",
  app: "todo",
  difficulty: 2,
  draw: (draw) => {
    const editors = activeListShares(draw.db, { role: "editor" }).map(({ person }) => person);
    const person = draw.person(editors);
    if (!person) return undefined;
    const { id: who, name } = person.value;
    return {
      frames: [
        (noun) => `Assign ${noun} to ${name}`,
        (noun) => `Let ${name} be the assignee of ${noun}`,
        (noun) => `Put ${name} down as the assignee of ${noun}`,
        (noun) => `Make ${name} the assignee of ${noun}`,
        (noun) => `Choose ${name} as the assignee of ${noun}`,
      ],
      permits: permits(
        (row, db) =>
          detailsOf(db, row.id).assignee !== who &&
          activeListShares(db, { list: row.list, person: who, role: "editor" }).length > 0,
      ),
      apply: (db, id) => setDetails(db, id, { assignee: who }),
      call: (x) => `apis.todo.assign({id:${x},to:${person.code}})`,
      uses: [person],
    };
  },
};

// --- steps ---

const checkStep = simple(
  "check-step",
  "steps",
  [
    (noun) => `Mark ${noun} as done`,
    (noun) => `Tick off ${noun}`,
    (noun) => `Check ${noun} as done`,
    (noun) => `In the todo app, mark ${noun} as done`,
    (noun) => `Check off ${noun}`,
  ],
  {
    permits: stepPermits,
    apply: (db, id) => void db.update(steps, id, { done: true }),
    call: (x) => `apis.todo.checkStep({step:${x}})`,
  },
);

const uncheckStep = simple(
  "uncheck-step",
  "done-steps",
  [
    (noun) => `Mark ${noun} as open again`,
    (noun) => `Uncheck ${noun}`,
    (noun) => `Reopen ${noun}`,
    (noun) => `In the todo app, uncheck ${noun}`,
    (noun) => `Set ${noun} back to open`,
  ],
  {
    permits: stepPermits,
    apply: (db, id) => void db.update(steps, id, { done: false }),
    call: (x) => `apis.todo.uncheckStep({step:${x}})`,
  },
);

const removeStep = (kind: string) =>
  simple(
    "remove-step",
    kind,
    [
      (noun) => `Remove ${noun}`,
      (noun) => `Delete ${noun}`,
      (noun) => `Take away ${noun}`,
      (noun) => `In the todo app, remove ${noun}`,
      (noun) => `Strike off ${noun}`,
    ],
    {
      permits: stepPermits,
      apply: (db, id) => db.remove(steps, id),
      call: (x) => `apis.todo.removeStep({step:${x}})`,
    },
  );

function stepPermits(db: Reader, id: number): boolean {
  const step = db.get(steps, id);
  const row = step && db.get(todos, step.todo);
  return row !== undefined && mayChange(db, row.list);
}

// --- people ---

/** A todo a person, with the name in it. */
const todoAbout: Action = {
  name: "todo-about",
  kind: "people",
  app: "todo",
  difficulty: 2,
  draw: ({ rng }) => {
    const verb = rng.pick(["call", "visit", "write to", "thank"]);
    return {
      frames: [
        (noun) =>
          `Add a todo "${verb} NAME" to my inbox list, with the full name in place of NAME, for ${noun}`,
        (noun) =>
          `Put a todo "${verb} NAME" on my inbox list, where NAME stands for the full name, for ${noun}`,
        (noun) =>
          `With the full name in place of NAME, add the todo "${verb} NAME" to my inbox list for ${noun}`,
        (noun) =>
          `Make me a todo "${verb} NAME" on the inbox list, NAME being the full name, for ${noun}`,
        (noun) => `On my inbox list, add a todo "${verb} NAME" (NAME is the full name) for ${noun}`,
      ],
      apply: (db, person) => addTodo(db, `${verb} ${db.get(people, person)!.name}`, null),
      call: (x) =>
        `const c=apis.contacts.show({person:${x}});apis.todo.add({title:${js(`${verb} `)}+c.name,list:"inbox"})`,
    };
  },
};

export function addTodo(db: Writer, title: string, due: string | null): void {
  db.insert(todos, { title, list: inbox(db), due, done: false });
}

const shareList: Action = {
  name: "share-list",
  kind: "people",
  app: "todo",
  difficulty: 1,
  draw: ({ rng, db }) => {
    const list = rng.pick(db.all(todoLists).filter(({ id }) => !foreign(db, id)));
    const role = rng.pick(["viewer", "editor"] as const);
    return {
      frames: [
        (noun) => `As ${role}, let ${noun} have access to my todo list "${list.name}"`,
        (noun) => `Share my todo list "${list.name}", with the role ${role}, with ${noun}`,
        (noun) => `Give access to my todo list "${list.name}", with the role ${role}, to ${noun}`,
        (noun) =>
          `In the todo app, share the list "${list.name}", with the role ${role}, with ${noun}`,
        (noun) => `With the role ${role}, share my todo list "${list.name}" with ${noun}`,
      ],
      permits: (db, person) =>
        db.get(people, person)?.blocked === false &&
        activeListShares(db, { list: list.id, person }).length === 0,
      apply: (db, person) => {
        const [old] = db.where(listShares, { list: list.id, person });
        const what = { role, status: "active" } as const;
        if (old) db.update(listShares, old.id, what);
        else db.insert(listShares, { list: list.id, person, ...what });
      },
      call: (x) => `apis.todo.shareList({list:${js(list.name)},with:${x},role:${js(role)}})`,
    };
  },
};

/** What fits any todo, and so any kind of set of them. */
const ANY: readonly Action[] = [
  remove,
  setDue,
  prioritise,
  estimate,
  tag,
  comment,
  addStep,
  logTime,
  retitle,
];

const of = (kind: string, actions: readonly Action[]): Action[] =>
  actions.map((action) => ({ ...action, kind }));

export const todoActions: readonly Action[] = [
  ...ANY,
  complete,
  postpone,
  move,
  event,
  assign,
  ...of("done-todos", [reopen, remove, comment, retitle, tag, move]),
  ...of("repeating-todos", [
    completeRound,
    endRepeat,
    postpone,
    prioritise,
    tag,
    comment,
    estimate,
  ]),
  ...of("assigned-todos", [unassign, complete, ...ANY]),
  checkStep,
  uncheckStep,
  removeStep("steps"),
  removeStep("done-steps"),
  todoAbout,
  shareList,
];
