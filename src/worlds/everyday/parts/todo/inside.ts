/** What todos have several of (comments, steps, time), who does them, and what is done for people. */

import type { Action } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { people, todoLists, todos } from "../../apps/tables.ts";
import {
  activeListShares,
  detailsOf,
  foreign,
  mayChange,
  setDetails,
} from "../../apps/todo/details.ts";
import { comments, listShares, steps, timeEntries } from "../../apps/todo/tables.ts";
import { dayAfter, NOW } from "../../population/time.ts";
import { js } from "../papers.ts";
import {
  complete,
  completeRound,
  endRepeat,
  estimate,
  event,
  move,
  postpone,
  prioritise,
  remove,
  reopen,
  setDue,
  tag,
} from "./actions.ts";
import { addTodo, permits, simple } from "./words.ts";

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
      permits: (db, id) => db.get(todos, id) !== undefined,
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
    (noun) => `Take whoever is the assignee off ${noun}`,
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

export const of = (kind: string, actions: readonly Action[]): Action[] =>
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
