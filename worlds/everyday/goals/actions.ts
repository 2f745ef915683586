/** The actions of the starter's tasks: what is done with each thing of a selection, on tables and in code. */
import type { Rng, Writer } from "bowline/world";
import * as apps from "../apps/index.ts";
import {
  type Action,
  type DrawContext,
  type Effect,
  findPersonCell,
  type SetKind,
} from "./algebra.ts";
import { choosePerson } from "./names-in-tasks.ts";
import { DAYS, LABELS, LISTS, PRICED, SUBJECTS, TAGS, TEAMS, TEXTS } from "./task-words.ts";

/** The time of inserted rows. Checks ignore times, so this time is arbitrary. */
const ANY_INSTANT = "2026-03-12T09:00:00Z";

function insertText(db: Writer, person: number, text: string): void {
  const flags = { outgoing: true, replyTo: null, reaction: null, starred: false, unread: false };
  db.insert(apps.texts, { person, text, ...flags, at: ANY_INSTANT });
}

type NewMail = Pick<apps.Mail, "person" | "subject" | "body" | "origin">;

function insertMail(db: Writer, letter: NewMail): void {
  const flags = {
    outgoing: true,
    folder: "sent",
    label: null,
    starred: false,
    unread: false,
  } as const;
  db.insert(apps.mails, { ...letter, ...flags, at: ANY_INSTANT });
}

function insertPayment(db: Writer, person: number, cents: number): void {
  db.insert(apps.payments, {
    person,
    outgoing: true,
    cents,
    note: "",
    request: null,
    at: ANY_INSTANT,
  });
}

/** Draws an amount in whole dollars that is not a round number, because a guess might hit a round number. */
const drawDollars = (rng: Rng) => 10 * rng.integer(1, 8) + rng.integer(1, 9);

const message: Action = {
  name: "message",
  kind: "people",
  app: "messages",
  difficulty: 1,
  draw: ({ rng }) => {
    const text = rng.pick(TEXTS);
    return {
      frames: [
        (people) => `Send the message "${text}" to ${people}`,
        (people) => `Text "${text}" to ${people}`,
        (people) => `Write ${people} a message that says "${text}"`,
      ],
      apply: (db, person) => insertText(db, person, text),
      call: () => `apis.messages.send({to:x,text:"${text}"})`,
    };
  },
};

const payEach: Action = {
  name: "pay",
  kind: "people",
  app: "pay",
  difficulty: 1,
  draw: ({ rng }) => {
    const amount = drawDollars(rng);
    return {
      frames: [
        (people) => `Pay $${amount} to ${people}`,
        (people) => `Send $${amount} to ${people}`,
        (people) => `Give ${people} $${amount}`,
      ],
      apply: (db, person) => insertPayment(db, person, amount * 100),
      call: () => `apis.pay.send({to:x,amount:${amount}})`,
    };
  },
};

/** Pays an amount that is in a note. The hasty solution assumes an amount instead of reading the note. */
const payNoted: Action = {
  name: "pay-noted",
  kind: "people",
  app: "notes",
  difficulty: 2,
  draw: ({ rng }) => {
    const amount = drawDollars(rng);
    const title = rng.pick(PRICED);
    const readNote = `var n=apis.notes.search({query:"${title}"}).items[0].id;print(apis.notes.show({id:n}).text)`;
    return {
      frames: [
        (people) => `Pay the ${title}, which is in my notes, to ${people}`,
        (people) => `Look up the ${title} in my notes and pay it to ${people}`,
        (people) => `Send ${people} the money for the ${title}, as noted`,
      ],
      setup: (db) => {
        db.insert(apps.notes, { title, text: `${title} is $${amount}`, tag: null, pinned: false });
      },
      prelude: [(style) => (style === "hasty" ? undefined : readNote)],
      apply: (db, person) => insertPayment(db, person, amount * 100),
      call: (style) => `apis.pay.send({to:x,amount:${style === "hasty" ? 20 : amount}})`,
    };
  },
};

const request: Action = {
  name: "request",
  kind: "people",
  app: "pay",
  difficulty: 1,
  draw: ({ rng }) => {
    const amount = drawDollars(rng);
    return {
      frames: [
        (people) => `Request $${amount} from ${people}`,
        (people) => `Ask for $${amount} from ${people}`,
        (people) => `Send a payment request of $${amount} to ${people}`,
      ],
      apply: (db, person) => {
        const row = {
          person,
          outgoing: true,
          cents: amount * 100,
          note: "",
          status: "pending",
        } as const;
        db.insert(apps.requests, { ...row, at: ANY_INSTANT });
      },
      call: () => `apis.pay.request({from:x,amount:${amount}})`,
    };
  },
};

const mail: Action = {
  name: "mail",
  kind: "people",
  app: "mail",
  difficulty: 1,
  draw: ({ rng }) => {
    const subject = rng.pick(SUBJECTS);
    const body = rng.pick(TEXTS);
    return {
      frames: [
        (people) => `Mail "${body}" with the subject "${subject}" to ${people}`,
        (people) => `Send a mail about "${subject}" that says "${body}" to ${people}`,
        (people) => `Write a mail to ${people}: subject "${subject}", text "${body}"`,
      ],
      apply: (db, person) => insertMail(db, { person, subject, body, origin: null }),
      call: () => `apis.mail.send({to:x,subject:"${subject}",body:"${body}"})`,
    };
  },
};

const addToGroup: Action = {
  name: "group",
  kind: "people",
  app: "contacts",
  difficulty: 1,
  draw: ({ rng }) => {
    const team = rng.pick(TEAMS);
    return {
      frames: [
        (people) => `Add ${people} to my ${team} group`,
        (people) => `Put ${people} into the group ${team}`,
        (people) => `Make ${people} part of the ${team} group`,
      ],
      setup: (db) => {
        if (!db.where(apps.groups, { name: team })[0]) db.insert(apps.groups, { name: team });
      },
      apply: (db, person) => {
        db.insert(apps.members, { group: db.where(apps.groups, { name: team })[0]!.id, person });
      },
      call: () => `apis.contacts.addToGroup({group:"${team}",person:x})`,
    };
  },
};

const block: Action = {
  name: "block",
  kind: "people",
  app: "contacts",
  difficulty: 1,
  draw: () => ({
    frames: [
      (people) => `Block ${people}`,
      (people) => `Stop all contact with ${people}`,
      (people) => `Put ${people} on my block list`,
    ],
    apply: (db, person) => void db.update(apps.people, person, { blocked: true }),
    call: () => "apis.contacts.block({person:x})",
  }),
};

/** Makes an action that only changes fields of the selected thing itself. */
function makeChangeAction(
  kind: SetKind,
  app: string,
  name: string,
  draw: (draw: DrawContext) => Omit<Effect, "call"> & { readonly code: string },
): Action {
  return {
    name,
    kind,
    app,
    difficulty: 1,
    draw: (context) => {
      const { code, ...effect } = draw(context);
      return { ...effect, call: () => `apis.${app}.${code}` };
    },
  };
}

const mailActions: readonly Action[] = [
  makeChangeAction("mails", "mail", "archive", () => ({
    frames: [
      (it) => `Archive ${it}`,
      (it) => `Move ${it} to the archive`,
      (it) => `Put ${it} away in the archive`,
    ],
    apply: (db, id) => void db.update(apps.mails, id, { folder: "archive" }),
    code: "archive({id:x})",
  })),
  makeChangeAction("mails", "mail", "remove", () => ({
    frames: [(it) => `Delete ${it}`, (it) => `Throw away ${it}`, (it) => `Move ${it} to the trash`],
    apply: (db, id) => void db.update(apps.mails, id, { folder: "trash" }),
    code: "remove({id:x})",
  })),
  makeChangeAction("mails", "mail", "star", () => ({
    frames: [(it) => `Star ${it}`, (it) => `Mark ${it} with a star`, (it) => `Give ${it} a star`],
    apply: (db, id) => void db.update(apps.mails, id, { starred: true }),
    code: "star({id:x})",
  })),
  makeChangeAction("mails", "mail", "label", ({ rng }) => {
    const label = `${rng.pick(LABELS)} ${rng.integer(1, 9)}`;
    return {
      frames: [
        (it) => `Label ${it} as ${label}`,
        (it) => `Put the label ${label} on ${it}`,
        (it) => `Change the label to ${label} for ${it}`,
      ],
      apply: (db, id) => void db.update(apps.mails, id, { label }),
      code: `label({id:x,label:"${label}"})`,
    };
  }),
];

/** Makes an action that needs a second person, who is looked up before the loop. */
function makeActionWithPerson(
  kind: SetKind,
  app: string,
  name: string,
  frames: (name: string) => Effect["frames"],
  apply: (db: Writer, id: number, person: number) => void,
): Action {
  return {
    name,
    kind,
    app,
    difficulty: 2,
    draw: (draw) => {
      const person = choosePerson(draw);
      return {
        frames: frames(person.name),
        setup: person.setup,
        prelude: [findPersonCell(person)],
        apply: (db, id) => apply(db, id, db.where(apps.people, { name: person.name })[0]!.id),
        call: () => `apis.${app}.${name}({id:x,to:a})`,
      };
    },
  };
}

const forward = makeActionWithPerson(
  "mails",
  "mail",
  "forward",
  (name) => [
    (it) => `Forward ${it} to ${name}`,
    (it) => `Send ${it} on to ${name}`,
    (it) => `Let ${name} have ${it} by forwarding`,
  ],
  (db, id, person) => {
    const { subject, body } = db.get(apps.mails, id)!;
    insertMail(db, { person, subject: `Fwd: ${subject}`, body, origin: id });
  },
);

const share = makeActionWithPerson(
  "notes",
  "notes",
  "share",
  (name) => [
    (it) => `Share ${it} with ${name}`,
    (it) => `Let ${name} see ${it}`,
    (it) => `Give ${name} access to ${it}`,
  ],
  (db, id, person) => {
    db.insert(apps.shares, { note: id, person });
  },
);

const todoActions: readonly Action[] = [
  makeChangeAction("todos", "todo", "complete", () => ({
    frames: [(it) => `Complete ${it}`, (it) => `Mark ${it} as done`, (it) => `Tick off ${it}`],
    apply: (db, id) => void db.update(apps.todos, id, { done: true }),
    code: "complete({id:x})",
  })),
  makeChangeAction("todos", "todo", "remove", () => ({
    frames: [(it) => `Delete ${it}`, (it) => `Throw away ${it}`, (it) => `Remove ${it} for good`],
    apply: (db, id) => db.remove(apps.todos, id),
    code: "remove({id:x})",
  })),
  makeChangeAction("todos", "todo", "move", ({ rng }) => {
    const list = `${rng.pick(LISTS)} ${rng.integer(1, 9)}`;
    return {
      frames: [
        (it) => `Move ${it} to the list ${list}`,
        (it) => `Put ${it} on my ${list} list`,
        (it) => `Let the list ${list} have ${it}`,
      ],
      setup: (db) => {
        if (!db.where(apps.todoLists, { name: list })[0]) db.insert(apps.todoLists, { name: list });
      },
      apply: (db, id) =>
        void db.update(apps.todos, id, { list: db.where(apps.todoLists, { name: list })[0]!.id }),
      code: `move({id:x,list:"${list}"})`,
    };
  }),
  makeChangeAction("todos", "todo", "set-due", ({ rng }) => {
    const due = rng.pick(DAYS).replace("2026-03", "2026-04");
    return {
      frames: [
        (it) => `Set the due day to ${due} for ${it}`,
        (it) => `Make ${it} due on ${due}`,
        (it) => `Put off ${it} until ${due}`,
      ],
      apply: (db, id) => void db.update(apps.todos, id, { due }),
      code: `setDue({id:x,due:"${due}"})`,
    };
  }),
];

const noteActions: readonly Action[] = [
  makeChangeAction("notes", "notes", "tag", ({ rng }) => {
    const tag = `${rng.pick(TAGS)} ${rng.integer(1, 9)}`;
    return {
      frames: [
        (it) => `Tag ${it} with ${tag}`,
        (it) => `Put the tag ${tag} on ${it}`,
        (it) => `Change the tag to ${tag} for ${it}`,
      ],
      apply: (db, id) => void db.update(apps.notes, id, { tag }),
      code: `tag({id:x,tag:"${tag}"})`,
    };
  }),
  makeChangeAction("notes", "notes", "append", ({ rng }) => {
    const text = rng.pick(TEXTS);
    return {
      frames: [
        (it) => `Add the line "${text}" to ${it}`,
        (it) => `Write "${text}" at the end of ${it}`,
        (it) => `Put "${text}" under ${it}`,
      ],
      apply: (db, id) => {
        const note = db.get(apps.notes, id)!;
        db.update(apps.notes, id, { text: `${note.text}\n${text}` });
      },
      code: `append({id:x,text:"${text}"})`,
    };
  }),
];

const requestActions: readonly Action[] = [
  makeChangeAction("requests", "pay", "approve", () => ({
    frames: [(it) => `Approve ${it}`, (it) => `Pay ${it}`, (it) => `Say yes to ${it}`],
    apply: (db, id) => {
      const { person, cents, note } = db.get(apps.requests, id)!;
      db.update(apps.requests, id, { status: "paid" });
      db.insert(apps.payments, {
        person,
        outgoing: true,
        cents,
        note,
        request: id,
        at: ANY_INSTANT,
      });
    },
    code: "approve({id:x})",
  })),
  makeChangeAction("requests", "pay", "decline", () => ({
    frames: [(it) => `Decline ${it}`, (it) => `Turn down ${it}`, (it) => `Say no to ${it}`],
    apply: (db, id) => void db.update(apps.requests, id, { status: "declined" }),
    code: "decline({id:x})",
  })),
];

const eventActions: readonly Action[] = [
  makeChangeAction("events", "calendar", "cancel", () => ({
    frames: [
      (it) => `Cancel ${it}`,
      (it) => `Call off ${it}`,
      (it) => `Take ${it} off my calendar`,
    ],
    apply: (db, id) => void db.update(apps.events, id, { cancelled: true }),
    code: "cancel({id:x})",
  })),
  makeChangeAction("events", "calendar", "move", ({ rng }) => {
    const day = rng.pick(DAYS).replace("2026-03", "2026-04");
    return {
      frames: [
        (it) => `Move ${it} to ${day}`,
        (it) => `Put off ${it} until ${day}`,
        (it) => `Make ${day} the new day of ${it}`,
      ],
      apply: (db, id) => void db.update(apps.events, id, { day }),
      code: `move({id:x,day:"${day}"})`,
    };
  }),
];

export const actions: readonly Action[] = [
  message,
  payEach,
  payNoted,
  request,
  mail,
  addToGroup,
  block,
  ...mailActions,
  forward,
  ...todoActions,
  ...noteActions,
  share,
  ...requestActions,
  ...eventActions,
];

/**
 * The pairs of actions that a task may do with one selection, in either order. The hasty solution forgets the second
 * action. There are many pairs, because they teach a policy that any action can be combined with any selection.
 */
export const pairs: readonly (readonly [string, string])[] = [
  ["pay", "message"],
  ["pay", "request"],
  ["message", "group"],
  ["message", "request"],
  ["request", "mail"],
  ["mail", "pay"],
  ["mail", "message"],
  ["group", "pay"],
  ["group", "request"],
  ["group", "mail"],
  ["pay-noted", "message"],
  ["pay-noted", "group"],
  ["pay-noted", "request"],
  ["pay-noted", "mail"],
  ["star", "label"],
  ["star", "archive"],
  ["remove", "star"],
  ["label", "archive"],
  ["label", "remove"],
  ["forward", "star"],
  ["forward", "label"],
  ["archive", "forward"],
  ["forward", "remove"],
  ["complete", "set-due"],
  ["complete", "move"],
  ["set-due", "move"],
  ["tag", "append"],
  ["append", "share"],
  ["share", "tag"],
];
