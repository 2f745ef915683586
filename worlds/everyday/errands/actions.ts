/**
 * The actions of steps: what a step does with the thing that it found. Each action changes a column, or adds a row to a
 * table, that no other action changes, so every step has its own checks. An added row passes some of these checks even
 * when it is for the wrong person.
 */
import type { Rng } from "bowline/world";
import * as apps from "../apps/index.ts";
import type { DrawContext } from "../goals/algebra.ts";
import { DAYS, LABELS, LISTS, SUBJECTS, TAGS, TEXTS } from "../goals/task-words.ts";
import { NOW } from "../population.ts";
import { findOrInsertList } from "./finders/todos.ts";
import type { Action, ThingKind } from "./step-types.ts";

function makeAction(kind: ThingKind, name: string, draw: Action["draw"]): Action {
  return { name, kind, draw };
}

/** Draws a name, such as `trips 2`, that is not in use yet. */
const drawNumberedName = ({ rng }: DrawContext, names: readonly string[]) =>
  `${rng.pick(names)} ${rng.integer(1, 9)}`;

/** Draws an amount in whole dollars that is not a round number, because a guess might hit a round number. */
const drawDollars = (rng: Rng) => 10 * rng.integer(1, 8) + rng.integer(1, 9);

/** The columns of everything that the owner sends. Checks ignore the time, so it is arbitrary. */
const SENT_FLAGS = { outgoing: true, starred: false, unread: false, at: NOW } as const;

const mailActions: readonly Action[] = [
  makeAction("mail", "star", () => ({
    frames: [(it) => `star ${it}`, (it) => `mark ${it} with a star`, (it) => `give ${it} a star`],
    apply: (db, id) => void db.update(apps.mails, id, { starred: true }),
    code: "apis.mail.star({id:x.id})",
  })),
  makeAction("mail", "reply", ({ rng }) => {
    const body = rng.pick(TEXTS);
    return {
      frames: [
        (it) => `answer "${body}" to ${it}`,
        (it) => `reply "${body}" to ${it}`,
        (it) => `send the reply "${body}" to ${it}`,
      ],
      apply: (db, id) => {
        const { person, subject } = db.get(apps.mails, id)!;
        const letter = {
          person,
          subject: `Re: ${subject}`,
          body,
          origin: id,
          folder: "sent",
        } as const;
        db.insert(apps.mails, { ...letter, ...SENT_FLAGS, label: null });
      },
      code: `apis.mail.reply({id:x.id,body:"${body}"})`,
    };
  }),
  makeAction("mail", "label", (draw) => {
    const label = drawNumberedName(draw, LABELS);
    return {
      frames: [
        (it) => `label ${it} as ${label}`,
        (it) => `put the label ${label} on ${it}`,
        (it) => `change the label to ${label} for ${it}`,
      ],
      apply: (db, id) => void db.update(apps.mails, id, { label }),
      code: `apis.mail.label({id:x.id,label:"${label}"})`,
    };
  }),
];

const noteActions: readonly Action[] = [
  makeAction("note", "pin", () => ({
    frames: [(it) => `pin ${it}`, (it) => `put a pin on ${it}`, (it) => `make ${it} a pinned one`],
    apply: (db, id) => void db.update(apps.notes, id, { pinned: true }),
    code: "apis.notes.pin({id:x.id})",
  })),
  makeAction("note", "tag", (draw) => {
    const tag = drawNumberedName(draw, TAGS);
    return {
      frames: [
        (it) => `tag ${it} with ${tag}`,
        (it) => `put the tag ${tag} on ${it}`,
        (it) => `change the tag to ${tag} for ${it}`,
      ],
      apply: (db, id) => void db.update(apps.notes, id, { tag }),
      code: `apis.notes.tag({id:x.id,tag:"${tag}"})`,
    };
  }),
  makeAction("note", "rename", ({ rng }) => {
    const title = rng.pick(SUBJECTS);
    return {
      frames: [
        (it) => `rename ${it} to "${title}"`,
        (it) => `give ${it} the title "${title}"`,
        (it) => `change the title to "${title}" for ${it}`,
      ],
      apply: (db, id) => void db.update(apps.notes, id, { title }),
      code: `apis.notes.update({id:x.id,title:"${title}"})`,
    };
  }),
];

const messageActions: readonly Action[] = [
  makeAction("message", "reply", ({ rng }) => {
    const text = rng.pick(TEXTS);
    return {
      frames: [
        (it) => `answer "${text}" to ${it}`,
        (it) => `reply "${text}" to ${it}`,
        (it) => `send the reply "${text}" to ${it}`,
      ],
      apply: (db, id) => {
        const { person } = db.get(apps.texts, id)!;
        db.insert(apps.texts, { person, text, replyTo: id, reaction: null, ...SENT_FLAGS });
      },
      code: `apis.messages.reply({id:x.id,text:"${text}"})`,
    };
  }),
  makeAction("message", "react", ({ rng }) => {
    const reaction = rng.pick(["like", "love", "laugh", "sad"]);
    return {
      frames: [
        (it) => `react with ${reaction} to ${it}`,
        (it) => `put the reaction ${reaction} on ${it}`,
        (it) => `answer ${it} with the reaction ${reaction}`,
      ],
      apply: (db, id) => void db.update(apps.texts, id, { reaction }),
      code: `apis.messages.react({id:x.id,kind:"${reaction}"})`,
    };
  }),
];

const todoActions: readonly Action[] = [
  makeAction("todo", "complete", () => ({
    frames: [(it) => `complete ${it}`, (it) => `mark ${it} as done`, (it) => `tick off ${it}`],
    apply: (db, id) => void db.update(apps.todos, id, { done: true }),
    code: "apis.todo.complete({id:x.id})",
  })),
  makeAction("todo", "move", (draw) => {
    const list = drawNumberedName(draw, LISTS);
    return {
      frames: [
        (it) => `move ${it} to the list ${list}`,
        (it) => `put ${it} on my ${list} list`,
        (it) => `let the list ${list} have ${it}`,
      ],
      setup: (db) => void findOrInsertList(db, list),
      apply: (db, id) => void db.update(apps.todos, id, { list: findOrInsertList(db, list) }),
      code: `apis.todo.move({id:x.id,list:"${list}"})`,
    };
  }),
  makeAction("todo", "set-due", ({ rng }) => {
    const due = rng.pick(DAYS).replace("2026-03", "2026-04");
    return {
      frames: [
        (it) => `set the due day to ${due} for ${it}`,
        (it) => `make ${it} due on ${due}`,
        (it) => `put off ${it} until ${due}`,
      ],
      apply: (db, id) => void db.update(apps.todos, id, { due }),
      code: `apis.todo.setDue({id:x.id,due:"${due}"})`,
    };
  }),
];

const personActions: readonly Action[] = [
  makeAction("person", "pay", ({ rng }) => {
    const amount = drawDollars(rng);
    return {
      frames: [
        (it) => `pay $${amount} to ${it}`,
        (it) => `send $${amount} to ${it}`,
        (it) => `let $${amount} go to ${it}`,
      ],
      apply: (db, person) => {
        const money = { cents: amount * 100, note: "", request: null };
        db.insert(apps.payments, { person, outgoing: true, ...money, at: NOW });
      },
      code: `apis.pay.send({to:x.handle,amount:${amount}})`,
    };
  }),
  makeAction("person", "request", ({ rng }) => {
    const amount = drawDollars(rng);
    return {
      frames: [
        (it) => `request $${amount} from ${it}`,
        (it) => `ask for $${amount} from ${it}`,
        (it) => `send a payment request of $${amount} to ${it}`,
      ],
      apply: (db, person) => {
        const money = { cents: amount * 100, note: "", status: "pending" } as const;
        db.insert(apps.requests, { person, outgoing: true, ...money, at: NOW });
      },
      code: `apis.pay.request({from:x.handle,amount:${amount}})`,
    };
  }),
];

export const actions: readonly Action[] = [
  ...mailActions,
  ...noteActions,
  ...messageActions,
  ...todoActions,
  ...personActions,
];
