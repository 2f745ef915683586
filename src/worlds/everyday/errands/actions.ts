/** What a step does with the thing that it found: one column of one row, so that every step has a check of its own. */
import * as apps from "../apps/index.ts";
import { newWord } from "../goals/newcomers.ts";
import type { Draw } from "../goals/parts.ts";
import { DAYS, LABELS, LISTS, SUBJECTS, TAGS } from "../goals/words.ts";
import { POOLS } from "../population.ts";
import type { Action, Kind } from "./parts.ts";
import { listNamed } from "./places/todos.ts";

function action(kind: Kind, name: string, draw: Action["draw"]): Action {
  return { name, kind, draw };
}

/** A name with a number, so that it is nobody's yet. */
const numbered = ({ rng }: Draw, names: readonly string[]) =>
  `${rng.pick(names)} ${rng.integer(1, 9)}`;

const onMails: readonly Action[] = [
  action("mail", "star", () => ({
    frames: [(it) => `star ${it}`, (it) => `mark ${it} with a star`, (it) => `give ${it} a star`],
    apply: (db, id) => void db.update(apps.mails, id, { starred: true }),
    code: "apis.mail.star({id:x.id})",
  })),
  action("mail", "remove", () => ({
    frames: [(it) => `delete ${it}`, (it) => `throw away ${it}`, (it) => `move ${it} to the trash`],
    apply: (db, id) => void db.update(apps.mails, id, { folder: "trash" }),
    code: "apis.mail.remove({id:x.id})",
  })),
  action("mail", "label", (draw) => {
    const label = numbered(draw, LABELS);
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

const onNotes: readonly Action[] = [
  action("note", "pin", () => ({
    frames: [(it) => `pin ${it}`, (it) => `put a pin on ${it}`, (it) => `make ${it} a pinned one`],
    apply: (db, id) => void db.update(apps.notes, id, { pinned: true }),
    code: "apis.notes.pin({id:x.id})",
  })),
  action("note", "tag", (draw) => {
    const tag = numbered(draw, TAGS);
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
  action("note", "rename", ({ rng }) => {
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

const onMessages: readonly Action[] = [
  action("message", "star", () => ({
    frames: [(it) => `star ${it}`, (it) => `mark ${it} with a star`, (it) => `give ${it} a star`],
    apply: (db, id) => void db.update(apps.texts, id, { starred: true }),
    code: "apis.messages.star({id:x.id})",
  })),
  action("message", "react", ({ rng }) => {
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

const onTodos: readonly Action[] = [
  action("todo", "complete", () => ({
    frames: [(it) => `complete ${it}`, (it) => `mark ${it} as done`, (it) => `tick off ${it}`],
    apply: (db, id) => void db.update(apps.todos, id, { done: true }),
    code: "apis.todo.complete({id:x.id})",
  })),
  action("todo", "move", (draw) => {
    const list = numbered(draw, LISTS);
    return {
      frames: [
        (it) => `move ${it} to the list ${list}`,
        (it) => `put ${it} on my ${list} list`,
        (it) => `let the list ${list} have ${it}`,
      ],
      setup: (db) => void listNamed(db, list),
      apply: (db, id) => void db.update(apps.todos, id, { list: listNamed(db, list) }),
      code: `apis.todo.move({id:x.id,list:"${list}"})`,
    };
  }),
  action("todo", "set-due", ({ rng }) => {
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

const onPeople: readonly Action[] = [
  action("person", "block", () => ({
    frames: [
      (it) => `block ${it}`,
      (it) => `stop all contact with ${it}`,
      (it) => `put ${it} on my block list`,
    ],
    apply: (db, id) => void db.update(apps.people, id, { blocked: true }),
    code: "apis.contacts.block({person:x.handle})",
  })),
  action("person", "set-city", ({ rng, split }) => {
    const cities = split === "dev" || split === "test-normal" ? POOLS[split].cities : [];
    const city = cities.length > 0 ? `New ${rng.pick(cities)}` : `New ${newWord(rng)}`;
    return {
      frames: [
        (it) => `set the city to ${city} for ${it}`,
        (it) => `note that ${city} is the new city of ${it}`,
        (it) => `change the city to ${city} for ${it}`,
      ],
      apply: (db, id) => void db.update(apps.people, id, { city }),
      code: `apis.contacts.update({person:x.handle,city:"${city}"})`,
    };
  }),
];

export const actions: readonly Action[] = [
  ...onMails,
  ...onNotes,
  ...onMessages,
  ...onTodos,
  ...onPeople,
];
