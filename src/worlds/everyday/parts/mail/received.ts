/** Received mail as sets: the inbox, what was not thrown away, and what speaks of money. */
import type { Reader } from "../../../../world/index.ts";
import { type Clause, type Collection, collection, type Field } from "../../algebra/parts.ts";
import { moneyWords } from "../../algebra/words.ts";
import { attachments, copies } from "../../apps/mail/tables.ts";
import { dayOf } from "../../apps/shared.ts";
import { type Mail, mails } from "../../apps/tables.ts";
import { atLeast, centsAtLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { amountCode, centsIn, dayClause, dayCode, dayIn, fromClause, js } from "./words.ts";

const body = "apis.mail.show({id:x.id}).body";

// --- clauses ---

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

const labelled: Clause<Mail> = {
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

const unlabelled: Clause<Mail> = {
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

const starred: Clause<Mail> = {
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

const unread: Clause<Mail> = {
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

const sort: Clause<Mail> = {
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

const mentions: Clause<Mail> = {
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

const since = dayClause<Mail>(
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

const until = dayClause<Mail>(
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

const enclosed: Clause<Mail> = {
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

const manyFiles: Clause<Mail> = {
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

const archived: Clause<Mail> = {
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

const copiedTo: Clause<Mail> = {
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

const filesOf = (db: Reader, { id }: Mail) => db.where(attachments, { mail: id });
const copiesOf = (db: Reader, { id }: Mail) =>
  db.where(copies, { mail: id }).map(({ person }) => person);

// --- fields ---

const subject: Field<Mail> = {
  name: "subject",
  unit: "text",
  noun: "subject",
  value: (row) => row.subject,
  code: "x.subject",
};

const NEWEST = {
  most: ["newest", "latest", "most recent", "last-received", "freshest"],
  least: ["oldest", "earliest", "least recent", "first-received", "least new"],
} as const;

const received: Field<Mail> = {
  name: "day",
  unit: "day",
  noun: "day of arrival",
  value: (row) => dayOf(row.at),
  code: "x.day",
  superlatives: NEWEST,
};

const fileCount: Field<Mail> = {
  name: "attachments",
  unit: "number",
  noun: "number of attachments",
  value: (row, db) => filesOf(db, row).length,
  code: "x.attachments",
};

const amount: Field<Mail> = {
  name: "amount",
  unit: "money",
  noun: "amount",
  value: (row) => centsIn(row.body) / 100,
  code: amountCode(body),
  superlatives: {
    most: ["largest", "biggest", "highest", "most expensive", "costliest"],
    least: ["smallest", "lowest", "cheapest", "least expensive", "least costly"],
  },
};

const due: Field<Mail> = {
  name: "due",
  unit: "day",
  noun: "due day",
  value: (row) => dayIn(row.body),
  code: dayCode(body),
  superlatives: {
    most: ["latest due", "last due", "least pressing", "farthest-off", "least urgent"],
    least: ["earliest due", "first due", "most pressing", "soonest due", "most urgent"],
  },
};

// --- money clauses ---

const atLeastSum: Clause<Mail> = {
  name: "amount-from",
  excludes: ["amount-to"],
  draw: ({ rng }, rows) => {
    const cents = centsAtLeast(
      rng,
      rows.map((row) => centsIn(row.body)),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `with an amount of ${sum} or more`,
        `whose amount is at least ${sum}`,
        `with an amount no lower than ${sum}`,
        `in which the amount is ${sum} or more`,
        `whose text names an amount of at least ${sum}`,
      ],
      holds: (row) => centsIn(row.body) >= cents,
      code: { test: `${amount.code}>=${cents / 100}` },
    };
  },
};

const atMostSum: Clause<Mail> = {
  name: "amount-to",
  draw: ({ rng }, rows) => {
    const cents = centsAtMost(
      rng,
      rows.map((row) => centsIn(row.body)),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `with an amount of ${sum} or less`,
        `whose amount is at most ${sum}`,
        `with an amount no higher than ${sum}`,
        `in which the amount is ${sum} or less`,
        `whose text names an amount of at most ${sum}`,
      ],
      holds: (row) => centsIn(row.body) <= cents,
      code: { test: `${amount.code}<=${cents / 100}` },
    };
  },
};

const dueBy = dayClause<Mail>(
  "due-by",
  "until",
  [],
  (row) => dayIn(row.body),
  (day) => [
    `due on ${day} or earlier`,
    `that are due by ${day}`,
    `that have to be paid on or before ${day}`,
    `whose due day is ${day} or before`,
    `to be paid by ${day} at the latest`,
  ],
  (day) => ({ test: `${due.code}<=${day}` }),
);

const WHATS = ["dinner", "wine", "taxi", "tickets", "drinks", "groceries", "gift", "cake"] as const;
const whatFor: Clause<Mail> = {
  name: "what",
  draw: ({ rng }, rows) => {
    const begins = (row: Mail, what: string) => row.subject.startsWith(`Receipt: ${what},`);
    const what = oneOfSome<string>(
      rng,
      rows.flatMap((row) => WHATS.filter((word) => begins(row, word))),
    );
    if (what === undefined) return undefined;
    return {
      words: [
        `whose subject starts with "Receipt: ${what},"`,
        `with a subject that begins with "Receipt: ${what},"`,
        `whose subject line begins with "Receipt: ${what},"`,
        `with "Receipt: ${what}," at the start of the subject`,
        `that have "Receipt: ${what}," at the start of their subjects`,
      ],
      holds: (row) => begins(row, what),
      code: { test: `x.subject.startsWith(${js(`Receipt: ${what},`)})` },
    };
  },
};

// --- collections ---

const kept = (row: Mail) => !row.outgoing && row.folder !== "trash";
const MISSING = ["Keys to the boat house", "Roof repair, second offer", "Plans for the tunnel"];

function titled(place: string, filter: string) {
  return {
    of: (row: Mail) => row.subject,
    nouns: (title: string) =>
      [
        `the mail "${title}" ${place}`,
        `the mail with the subject "${title}" ${place}`,
        `the mail ${place} whose subject is "${title}"`,
        `the mail called "${title}" ${place}`,
        `the one mail ${place} with "${title}" as its subject`,
      ] as const,
    cells: (title: string, out: string) => [
      `var ${out}=apis.mail.find({${filter}subject:${js(title)},size:20}).items.filter(x=>x.subject===${js(title)}).map(x=>x.id);print(${out})`,
    ],
    missing: MISSING,
  };
}

export const inbox: Collection = collection<Mail>({
  name: "mails.inbox",
  kind: "mails",
  app: "mail",
  table: mails,
  base: (row) => !row.outgoing && row.folder === "inbox",
  nouns: [
    { one: "mail in my inbox", many: "mails in my inbox" },
    { one: "inbox mail", many: "inbox mails" },
    { one: "e-mail in my inbox", many: "e-mails in my inbox" },
    { one: "mail in the inbox", many: "mails in the inbox" },
    { one: "mail lying in my inbox", many: "mails lying in my inbox" },
  ],
  list: { api: "mail.list" },
  key: "id",
  whole: false,
  clauses: [from, labelled, unlabelled, starred, unread, sort, mentions],
  fields: [subject],
  title: titled("in my inbox", 'folder:"inbox",'),
});

export const keptMail: Collection = collection<Mail>({
  name: "mails.kept",
  kind: "mails",
  app: "mail",
  table: mails,
  base: kept,
  nouns: [
    { one: "mail in inbox and archive", many: "mails in inbox and archive" },
    { one: "received mail outside the trash", many: "received mails outside the trash" },
    { one: "e-mail in inbox and archive", many: "e-mails in inbox and archive" },
    { one: "received e-mail outside the trash", many: "received e-mails outside the trash" },
    { one: "mail in inbox or archive", many: "mails in inbox or archive" },
  ],
  list: { api: "mail.find" },
  key: "id",
  whole: false,
  clauses: [from, since, until, enclosed, manyFiles, archived, sort, copiedTo],
  fields: [subject, received, fileCount],
});

export const receipts: Collection = collection<Mail>({
  name: "mails.receipts",
  kind: "bills",
  app: "mail",
  table: mails,
  base: (row) => kept(row) && row.label === "receipts",
  nouns: [
    {
      one: 'mail labelled "receipts" in inbox and archive',
      many: 'mails labelled "receipts" in inbox and archive',
    },
    {
      one: 'mail with the label "receipts" in inbox and archive',
      many: 'mails with the label "receipts" in inbox and archive',
    },
    {
      one: 'e-mail labelled "receipts" in inbox and archive',
      many: 'e-mails labelled "receipts" in inbox and archive',
    },
    {
      one: 'inbox and archive mail labelled "receipts"',
      many: 'inbox and archive mails labelled "receipts"',
    },
    {
      one: 'inbox and archive mail with the label "receipts"',
      many: 'inbox and archive mails with the label "receipts"',
    },
  ],
  list: { api: "mail.find", args: 'label:"receipts"' },
  key: "id",
  whole: false,
  clauses: [from, since, until, atLeastSum, atMostSum, whatFor, archived, copiedTo],
  fields: [subject, amount, received],
});

export const bills: Collection = collection<Mail>({
  name: "mails.bills",
  kind: "bills",
  app: "mail",
  table: mails,
  base: (row) => kept(row) && row.label === "bills",
  nouns: [
    {
      one: 'mail labelled "bills" in inbox and archive',
      many: 'mails labelled "bills" in inbox and archive',
    },
    {
      one: 'mail with the label "bills" in inbox and archive',
      many: 'mails with the label "bills" in inbox and archive',
    },
    {
      one: 'e-mail labelled "bills" in inbox and archive',
      many: 'e-mails labelled "bills" in inbox and archive',
    },
    {
      one: 'inbox and archive mail labelled "bills"',
      many: 'inbox and archive mails labelled "bills"',
    },
    {
      one: 'inbox and archive mail with the label "bills"',
      many: 'inbox and archive mails with the label "bills"',
    },
  ],
  list: { api: "mail.find", args: 'label:"bills"' },
  key: "id",
  whole: false,
  clauses: [from, since, atLeastSum, atMostSum, dueBy, archived],
  fields: [subject, amount, due],
});
