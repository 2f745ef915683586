/** Values hidden in mails, numbers about the mailbox, and what is done once. */

import type { Deed, Draw, Fact, Source } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  drafts,
  listMembers,
  mailingLists,
  newsletters,
  rules,
  scheduledMails,
  signatures,
  templates,
} from "../../apps/mail/tables.ts";
import { type Mail, mails } from "../../apps/tables.ts";
import { mentionable } from "../mentionable.ts";
import { amountCode, centsIn, dayCode, dayIn, js, reachable, TODAY } from "./words.ts";
import { sendMail } from "./writes.ts";

// --- sources ---

/** A mail that fits, by one of the people who may be named, and the only one whose subject has these words. */
function findable(draw: Draw, fits: (row: Mail) => boolean): Mail | undefined {
  const own = new Set(draw.people.map(({ id }) => id));
  const kept = draw.db.where(mails, { outgoing: false }).filter(({ folder }) => folder !== "trash");
  const alone = ({ subject }: Mail) =>
    kept.filter((row) => row.subject.toLowerCase().includes(subject.toLowerCase())).length === 1;
  const found = kept.filter(
    (row) => own.has(row.person) && mentionable(draw.split, row.subject) && fits(row),
  );
  return draw.rng.shuffle(found).slice(0, 12).find(alone);
}

const show = (subject: string) =>
  `apis.mail.show({id:apis.mail.find({subject:${js(subject)}}).items[0].id}).body`;

/** What can be said of a mail that holds the value. */
function mention(draw: Draw, what: string, subject: string): string {
  return `the ${what} in the mail "${subject}"${draw.rng.chance(0.5) ? " that I received" : ""}`;
}

const amountInMail: Source<"money"> = {
  name: "amount-in-mail",
  type: "money",
  app: "mail",
  draw: (draw) => {
    const mail = findable(draw, ({ body }) => centsIn(body) > 0);
    if (!mail) return undefined;
    const code = draw.variable("v");
    return {
      value: centsIn(mail.body),
      words: mention(draw, "amount", mail.subject),
      code,
      cells: [
        `var t=${show(mail.subject)};print(t)`,
        `var ${code}=${amountCode("t")};print(${code})`,
      ],
      apps: ["mail"],
    };
  },
};

const dayInMail: Source<"day"> = {
  name: "day-in-mail",
  type: "day",
  app: "mail",
  draw: (draw) => {
    const mail = findable(draw, ({ body }) => dayIn(body) > TODAY);
    if (!mail) return undefined;
    const code = draw.variable("v");
    return {
      value: dayIn(mail.body),
      words: mention(draw, "day named", mail.subject),
      code,
      cells: [`var t=${show(mail.subject)};print(t)`, `var ${code}=${dayCode("t")};print(${code})`],
      apps: ["mail"],
    };
  },
};

const doorCode = /door code is (\d{4})/;
const codeInMail: Source<"text"> = {
  name: "door-code-in-mail",
  type: "text",
  app: "mail",
  draw: (draw) => {
    const mail = findable(draw, ({ body }) => doorCode.test(body));
    if (!mail) return undefined;
    const code = draw.variable("v");
    return {
      value: doorCode.exec(mail.body)![1]!,
      words: mention(draw, "door code (its four digits alone)", mail.subject),
      code,
      cells: [
        `var t=${show(mail.subject)};print(t)`,
        `var ${code}=/door code is (\\d{4})/.exec(t)[1];print(${code})`,
      ],
      apps: ["mail"],
    };
  },
};

const textOfMail: Source<"text"> = {
  name: "text-of-mail",
  type: "text",
  app: "mail",
  draw: (draw) => {
    const mail = findable(draw, ({ body }) => body.length < 90 && !body.includes("\n"));
    if (!mail) return undefined;
    const code = draw.variable("v");
    return {
      value: mail.body,
      words: mention(draw, "whole text", mail.subject),
      code,
      cells: [`var ${code}=${show(mail.subject)};print(${code})`],
      apps: ["mail"],
    };
  },
};

export const mailSources: readonly Source[] = [amountInMail, dayInMail, codeInMail, textOfMail];

// --- facts ---

function count(
  name: string,
  field: string,
  words: Fact["words"],
  value: (db: Reader) => number,
): Fact {
  return { name, app: "mail", unit: "number", words, value, code: `apis.mail.counts({}).${field}` };
}

const lying = (match: Partial<Mail>) => (db: Reader) =>
  db.where(mails, { outgoing: false, ...match }).length;

export const mailFacts: readonly Fact[] = [
  count(
    "inbox-size",
    "inbox",
    [
      "the number of mails in my inbox",
      "the count of mails in my inbox",
      "the size of my inbox in mails",
      "the number of mails that lie in my inbox",
      "the number of mails my inbox holds",
    ],
    lying({ folder: "inbox" }),
  ),
  count(
    "archive-size",
    "archive",
    [
      "the number of mails in my mail archive",
      "the count of archived mails",
      "the size of my mail archive in mails",
      "the number of mails that I have archived",
      "the number of mails the archive holds",
    ],
    lying({ folder: "archive" }),
  ),
  count(
    "unread",
    "unread",
    [
      "the number of unread mails in my inbox",
      "the count of unread mails in the inbox",
      "the number of inbox mails that are unread",
      "the number of mails in my inbox that I have not read",
      "the number of mails in the inbox I have yet to read",
    ],
    lying({ folder: "inbox", unread: true }),
  ),
  count(
    "drafts",
    "drafts",
    [
      "the number of mail drafts",
      "the count of my mail drafts",
      "the number of drafts in my mail",
      "the number of mails that are still drafts",
      "the number of unsent mail drafts",
    ],
    (db) => db.all(drafts).length,
  ),
  {
    name: "newsletters",
    app: "mail",
    unit: "number",
    words: [
      "the number of newsletters I am subscribed to",
      "the count of my newsletter subscriptions",
      "the number of newsletters that I subscribe to",
      "the number of running newsletter subscriptions",
      "the number of newsletters with a running subscription",
    ],
    value: (db) => db.where(newsletters, { subscribed: true }).length,
    code: "apis.mail.newsletters({subscribed:true,size:20}).items.length",
  },
];

// --- deeds ---

const SUBJECTS = ["Greetings", "A favour", "Next week", "Quick question", "News from me"] as const;

const writeOnce: Deed = {
  name: "write-once",
  app: "mail",
  takes: "text",
  draw: (draw) => {
    const [text, person, subject] = [draw.value("text"), draw.person(), draw.rng.pick(SUBJECTS)];
    if (!person || !reachable(draw.db, person.value.id)) return undefined;
    return {
      sentences: [
        `Mail ${person.words} with the subject "${subject}" and the text ${text.words}`,
        `Send ${person.words} a mail called "${subject}" that says ${text.words}`,
        `Write a mail to ${person.words}: subject "${subject}", text ${text.words}`,
        `Let ${person.words} have a mail with subject "${subject}" and text ${text.words}`,
        `I want ${person.words} to get a mail "${subject}" with the text ${text.words}`,
      ],
      apply: (db) => {
        sendMail(db, { person: person.value.id, subject, body: text.value, origin: null });
      },
      cells: [`apis.mail.send({to:${person.code},subject:${js(subject)},body:${text.code}})`],
      uses: [text, person],
    };
  },
};

const scheduleOnce: Deed = {
  name: "schedule-once",
  app: "mail",
  takes: "day",
  draw: (draw) => {
    const [day, person, subject] = [draw.value("day"), draw.person(), draw.rng.pick(SUBJECTS)];
    if (!person || !reachable(draw.db, person.value.id) || day.value <= TODAY) return undefined;
    const body = "I will call you in the evening.";
    return {
      sentences: [
        `Schedule a mail "${subject}" to ${person.words} for ${day.words} at 09:30 that says "${body}"`,
        `Let a mail to ${person.words} with subject "${subject}" and text "${body}" leave on ${day.words} at 09:30`,
        `Plan a mail to ${person.words} for ${day.words}, 09:30: subject "${subject}", text "${body}"`,
        `Prepare a mail that leaves on ${day.words} at 09:30 for ${person.words}, with the subject "${subject}" and the text "${body}"`,
        `I want a mail "${subject}" saying "${body}" to go to ${person.words} on ${day.words} at 09:30, by itself`,
      ],
      apply: (db) => {
        const row = { person: person.value.id, subject, body, day: day.value, time: "09:30" };
        db.insert(scheduledMails, { ...row, status: "waiting" });
      },
      cells: [
        `apis.mail.schedule({to:${person.code},subject:${js(subject)},body:${js(body)},day:${day.code},time:"09:30"})`,
      ],
      uses: [day, person],
    };
  },
};

const addTemplate: Deed = {
  name: "add-template",
  app: "mail",
  takes: "text",
  draw: (draw) => {
    const [text, subject] = [draw.value("text"), draw.rng.pick(SUBJECTS)];
    const name = `${draw.rng.pick(["short", "spare", "kind", "quick"])} ${draw.rng.pick(["word", "answer", "hello"])}`;
    return {
      sentences: [
        `Add a mail template "${name}" with the subject "${subject}" and the text ${text.words}`,
        `Make a new mail template called "${name}": subject "${subject}", text ${text.words}`,
        `Create the mail template "${name}", whose subject is "${subject}" and whose text is ${text.words}`,
        `I need a mail template named "${name}" with subject "${subject}" and text ${text.words}`,
        `Set up a mail template by the name of "${name}" that has the subject "${subject}" and the text ${text.words}`,
      ],
      apply: (db) => void db.insert(templates, { name, subject, body: text.value }),
      cells: [`apis.mail.addTemplate({name:${js(name)},subject:${js(subject)},body:${text.code}})`],
      uses: [text],
    };
  },
};

const editSignature: Deed = {
  name: "edit-signature",
  app: "mail",
  takes: "text",
  draw: (draw) => {
    const all = draw.db.all(signatures);
    if (all.length === 0) return undefined;
    const [text, { id, name }] = [draw.value("text"), draw.rng.pick(all)];
    return {
      sentences: [
        `Change my mail signature "${name}" to ${text.words}`,
        `Let my mail signature "${name}" say ${text.words} from now on`,
        `Replace the text of the mail signature "${name}" by ${text.words}`,
        `Make ${text.words} the text of my mail signature "${name}"`,
        `My mail signature "${name}" should be ${text.words}`,
      ],
      apply: (db) => void db.update(signatures, id, { text: text.value }),
      cells: [`apis.mail.editSignature({signature:${js(name)},text:${text.code}})`],
      uses: [text],
    };
  },
};

const addRule: Deed = {
  name: "add-rule",
  app: "mail",
  draw: (draw) => {
    const person = draw.person();
    if (!person) return undefined;
    const label = draw.rng.pick(["close", "club", "work", "house", "music"]);
    const name = `${label} people`;
    return {
      sentences: [
        `Add a mail rule "${name}" that gives mail from ${person.words} the label "${label}"`,
        `Make a new mail rule called "${name}": mail from ${person.words} gets the label "${label}"`,
        `Set up a mail rule "${name}" so that whatever ${person.words} sends is labelled "${label}"`,
        `I need a mail rule "${name}" which labels mail from ${person.words} as "${label}"`,
        `Create the mail rule "${name}", by which mail of ${person.words} is given the label "${label}"`,
      ],
      apply: (db) => {
        const row = { name, person: person.value.id, words: null, label, archives: false };
        db.insert(rules, { ...row, active: true });
      },
      cells: [`apis.mail.addRule({name:${js(name)},from:${person.code},label:${js(label)}})`],
      uses: [person],
    };
  },
};

/** Inbox mail that an active rule is about and that does not yet look as the rule wants. */
function caught(db: Reader, id: number): readonly Mail[] {
  const { words, person, label } = db.get(rules, id)!;
  return db
    .where(mails, { outgoing: false, folder: "inbox" })
    .filter((row) => words === null || row.subject.toLowerCase().includes(words.toLowerCase()))
    .filter((row) => person === null || row.person === person)
    .filter((row) => row.label !== label);
}

const applyRule: Deed = {
  name: "apply-rule",
  app: "mail",
  draw: ({ rng, db }) => {
    const useful = db
      .all(rules)
      .filter(({ id, active, archives }) => active && !archives && caught(db, id).length > 0);
    if (useful.length === 0) return undefined;
    const { id, name, label } = rng.pick(useful);
    return {
      sentences: [
        `Apply my mail rule "${name}" to the mail that is in the inbox now`,
        `Let the mail rule "${name}" run on what is in my inbox`,
        `Run my mail rule called "${name}" over the present inbox`,
        `Use the mail rule "${name}" on all mail in my inbox`,
        `Have the mail rule "${name}" applied to my inbox as it is`,
      ],
      apply: (writer) => {
        for (const row of caught(writer, id)) writer.update(mails, row.id, { label });
      },
      cells: [
        "var rules=apis.mail.rules({size:20}).items;print(rules)",
        `apis.mail.applyRule({id:rules.find(x=>x.name===${js(name)}).id})`,
      ],
    };
  },
};

const renameLabel: Deed = {
  name: "rename-label",
  app: "mail",
  draw: ({ rng, db }) => {
    const known = new Set(db.all(mails).flatMap(({ label }) => label ?? []));
    const old = rng.pick(
      ["later", "urgent", "school", "plans", "travel"].filter((l) => known.has(l)),
    );
    const to = rng.pick(["open matters", "week twelve", "old things", "spring"]);
    return {
      sentences: [
        `Rename the mail label "${old}" to "${to}"`,
        `Change the mail label "${old}" into "${to}" for all mails that have it`,
        `Every mail with the label "${old}" should be labelled "${to}" instead`,
        `Replace the mail label "${old}" by "${to}" everywhere`,
        `I want the mail label "${old}" to be called "${to}" on all its mails`,
      ],
      apply: (writer) => {
        for (const { id } of writer.where(mails, { label: old })) {
          writer.update(mails, id, { label: to });
        }
      },
      cells: [`apis.mail.renameLabel({label:${js(old)},to:${js(to)}})`],
    };
  },
};

const addList: Deed = {
  name: "add-list",
  app: "mail",
  draw: (draw) => {
    const [first, second] = [draw.person(), draw.person()];
    if (!first || !second || first.value.id === second.value.id) return undefined;
    const name = draw.rng.pick(["spring fair", "fence project", "attic sale", "summer band"]);
    return {
      sentences: [
        `Add a mailing list "${name}" with ${first.words} and ${second.words}`,
        `Make a new mailing list called "${name}" whose members are ${first.words} and ${second.words}`,
        `Create the mailing list "${name}" and put ${first.words} and ${second.words} on it`,
        `I need a mailing list named "${name}" for ${first.words} and ${second.words}`,
        `Set up a mailing list "${name}" that has ${first.words} and ${second.words} as members`,
      ],
      apply: (db) => {
        const list = db.insert(mailingLists, { name }).id;
        for (const { value } of [first, second]) db.insert(listMembers, { list, person: value.id });
      },
      cells: [`apis.mail.addList({name:${js(name)},people:[${first.code},${second.code}]})`],
      uses: [first, second],
    };
  },
};

export const mailDeeds: readonly Deed[] = [
  writeOnce,
  scheduleOnce,
  addTemplate,
  editSignature,
  addRule,
  applyRule,
  renameLabel,
  addList,
];
