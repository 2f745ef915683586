/** By what received mail is told apart: sender, label, day, attachments, words of subject and text. */

import type { Clause } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { attachments, copies } from "../../apps/mail/tables.ts";
import { dayOf } from "../../apps/shared.ts";
import type { Mail } from "../../apps/tables.ts";
import { atLeast, oneOfSome } from "../bounds.ts";
import { dayClause, fromClause, js } from "./words.ts";

export const body = "apis.mail.show({id:x.id}).body";

export const from = fromClause<Mail>(
  "from",
  "from",
  (row) => row.person,
  (name) => [
    `from ${name}`,
    `that ${name} sent me`,
    `sent by ${name}`,
    `that came from ${name}`,
    `which I got from ${name}`,
  ],
);

export const labelled: Clause<Mail> = {
  name: "label",
  excludes: ["unlabelled"],
  draw: ({ rng }, rows) => {
    const label = oneOfSome(
      rng,
      rows.flatMap((row) => row.label ?? []),
    );
    if (label === undefined) return undefined;
    return {
      words: [
        `with the label "${label}"`,
        `labelled "${label}"`,
        `that have the label "${label}"`,
        `which are labelled "${label}"`,
        `that carry the label "${label}"`,
      ],
      holds: (row) => row.label === label,
      code: { args: `label:${js(label)}` },
    };
  },
};

export const unlabelled: Clause<Mail> = {
  name: "unlabelled",
  draw: () => ({
    words: [
      "without a label",
      "that have no label",
      "which are not labelled",
      "that carry no label",
      "with no label at all",
    ],
    holds: (row) => row.label === null,
    code: { test: "x.label===null" },
  }),
};

export const starred: Clause<Mail> = {
  name: "starred",
  draw: () => ({
    words: [
      "with a star",
      "that I starred",
      "which are starred",
      "that have a star",
      "that carry a star",
    ],
    holds: (row) => row.starred,
    code: { args: "starred:true" },
  }),
};

export const unread: Clause<Mail> = {
  name: "unread",
  draw: () => ({
    words: [
      "that I have not read yet",
      "that are still unread",
      "which are unread",
      "I have yet to read",
      "that nobody has read so far",
    ],
    holds: (row) => row.unread,
    code: { args: "unread:true" },
  }),
};

/** Beginnings that tell what a mail is. */
const SORTS = [
  "Invitation",
  "Directions",
  "Receipt",
  "Pictures",
  "Deposit",
  "Invoice",
  "Re",
] as const;

export const sort: Clause<Mail> = {
  name: "subject-start",
  draw: ({ rng }, rows) => {
    const known = rows.flatMap(({ subject }) => SORTS.filter((word) => subject.startsWith(word)));
    const word = oneOfSome<string>(rng, known);
    if (word === undefined) return undefined;
    return {
      words: [
        `whose subject begins with "${word}"`,
        `with a subject that starts with "${word}"`,
        `whose subject line starts with "${word}"`,
        `with "${word}" at the very beginning of the subject`,
        `whose subjects have "${word}" right at the start`,
      ],
      holds: (row) => row.subject.startsWith(word),
      code: { test: `x.subject.startsWith(${js(word)})` },
    };
  },
};

/** Words that stand in bodies of some mails. */
const TOPICS = [
  "platform",
  "door code",
  "deposit",
  "invoice",
  "pictures",
  "tickets",
  "cash",
  "warm scarf",
  "row eight",
  "shoes",
  "thank you",
  "bridge",
] as const;

export const mentions: Clause<Mail> = {
  name: "body",
  draw: ({ rng }, rows) => {
    const said = (row: Mail, topic: string) => row.body.toLowerCase().includes(topic);
    const topic = oneOfSome<string>(
      rng,
      rows.flatMap((row) => TOPICS.filter((word) => said(row, word))),
    );
    if (topic === undefined) return undefined;
    return {
      words: [
        `whose text mentions "${topic}"`,
        `with "${topic}" in the text`,
        `whose text has the words "${topic}" in it`,
        `in whose text I can find "${topic}"`,
        `where "${topic}" is mentioned in the text`,
      ],
      holds: (row) => said(row, topic),
      code: { test: `${body}.toLowerCase().includes(${js(topic)})` },
    };
  },
};

export const since = dayClause<Mail>(
  "since",
  "since",
  ["until"],
  (row) => dayOf(row.at),
  (day) => [
    `that came on ${day} or later`,
    `received on or after ${day}`,
    `that I got on ${day} or after that day`,
    `no older than ${day}`,
    `which reached me on ${day} at the earliest`,
  ],
  (day) => ({ args: `since:${day}` }),
);

export const until = dayClause<Mail>(
  "until",
  "until",
  ["since"],
  (row) => dayOf(row.at),
  (day) => [
    `that came on ${day} or earlier`,
    `received on or before ${day}`,
    `that I got on ${day} or before that day`,
    `no newer than ${day}`,
    `which reached me on ${day} at the latest`,
  ],
  (day) => ({ args: `until:${day}` }),
);

export const enclosed: Clause<Mail> = {
  name: "attached",
  draw: () => ({
    words: [
      "with attachments",
      "that have something attached",
      "which came with attachments",
      "that carry at least one attachment",
      "to which a file is attached",
    ],
    holds: (row, db) => filesOf(db, row).length > 0,
    code: { args: "attached:true" },
  }),
};

export const manyFiles: Clause<Mail> = {
  name: "many-files",
  excludes: ["attached"],
  draw: ({ rng, db }, rows) => {
    const least = atLeast(
      rng,
      rows.map((row) => filesOf(db, row).length),
    );
    if (least === undefined || least < 2) return undefined;
    return {
      words: [
        `with ${least} or more attachments`,
        `that have at least ${least} attachments`,
        `to which ${least} or more files are attached`,
        `with no fewer than ${least} attachments`,
        `which came with ${least} attachments or more`,
      ],
      holds: (row, reader) => filesOf(reader, row).length >= least,
      code: { test: `x.attachments>=${least}` },
    };
  },
};

export const archived: Clause<Mail> = {
  name: "archived",
  draw: () => ({
    words: [
      "that lie in the archive",
      "which I have archived",
      "that are in the archive",
      "that I put into the archive",
      "that are archived",
    ],
    holds: (row) => row.folder === "archive",
    code: { args: 'folder:"archive"' },
  }),
};

export const copiedTo: Clause<Mail> = {
  name: "copied",
  draw: (draw, rows) => {
    const ids = rows.flatMap((row) => copiesOf(draw.db, row));
    const person = draw.person([...new Set(ids)]);
    if (!person) return undefined;
    const { id } = person.value;
    return {
      words: [
        `of which ${person.words} got a copy`,
        `that were copied to ${person.words}`,
        `with ${person.words} among those who got a copy`,
        `of which a copy went to ${person.words}`,
        `that ${person.words} got as a copy`,
      ],
      holds: (row, db) => copiesOf(db, row).includes(id),
      code: {
        test: `apis.mail.copies({id:x.id,size:20}).items.some(c=>c.handle===${person.code})`,
      },
      uses: [person],
    };
  },
};

export const filesOf = (db: Reader, { id }: Mail) => db.where(attachments, { mail: id });
const copiesOf = (db: Reader, { id }: Mail) =>
  db.where(copies, { mail: id }).map(({ person }) => person);
