/**
 * Finders of people: by name, in a group, and as the sender of something. The next step gets the name of the person.
 */
import type { Reader } from "bowline/world";
import * as apps from "../../apps/index.ts";
import {
  EARLIER_TIME,
  type Finder,
  LATER_TIME,
  onlyIfCareful,
  searchQueryCode,
  storeAsX,
} from "../step-types.ts";
import { changeAdjective } from "../topics.ts";
import { personIdByName } from "./mails.ts";
import { findTextAbout, insertReceivedText } from "./messages.ts";

const common = {
  kind: "person",
  textFromTables: (db: Reader, id: number) => db.get(apps.people, id)!.name,
  textCode: "x.name",
  answerPhrase: "the phone number",
  answer: {
    fromTables: (db: Reader, id: number) => db.get(apps.people, id)!.phone,
    code: "apis.contacts.show({person:x.handle}).phone",
  },
} as const;

const SHOW_SENDER_CELL = storeAsX("apis.contacts.show({person:a})", "name");

/** Finds a person by the full name. A namesake is listed first. */
const personNamed: Finder = {
  ...common,
  name: "person.named",
  keyKind: "name",
  nouns: [(who) => who, (who) => `my contact ${who}`, (who) => `the contact called ${who}`],
  plant: () => {},
  locate: personIdByName,
  cells: (style) => [
    storeAsX(
      `apis.contacts.find({name:t${style === "hasty" ? '.split(" ")[0]' : ""}})[0]`,
      "handle",
    ),
  ],
};

const lastPersonInGroup: Finder = {
  ...common,
  name: "person.last-in-group",
  keyKind: "topic",
  keyName: "group",
  nouns: [
    (t) => `the last person by name in ${t}`,
    (t) => `the person who comes last by name in ${t}`,
    (t) => `the member last by name of ${t}`,
  ],
  plant: ({ db, key, text, decoyText }) => {
    const group = db.insert(apps.groups, { name: key }).id;
    for (const name of new Set([decoyText, text])) {
      db.insert(apps.members, { group, person: personIdByName(db, name) });
    }
  },
  locate: (db, key) => {
    const [group] = db.where(apps.groups, { name: key });
    const inside = db.where(apps.members, { group: group!.id });
    const people = inside.map(({ person }) => db.get(apps.people, person)!);
    return people.toSorted((a, b) => (a.name < b.name ? -1 : 1)).at(-1)!.id;
  },
  cells: (style) => [
    storeAsX(`apis.contacts.list({group:t}).items${style === "hasty" ? "[0]" : ".at(-1)"}`, "name"),
  ],
};

const senderOfMail: Finder = {
  ...common,
  name: "person.mail-sender",
  keyKind: "topic",
  keyName: "label",
  nouns: [
    (t) => `the sender of the archived mail with ${t}`,
    (t) => `who wrote the archived mail with ${t}`,
    (t) => `the writer of the mail with ${t} in the archive`,
  ],
  plant: ({ db, key, text, decoyText }) => {
    const fixed = { outgoing: false, subject: "as agreed", body: "as agreed", label: key } as const;
    const flags = { starred: false, origin: null, unread: false };
    const [right, wrong] = [personIdByName(db, text), personIdByName(db, decoyText)];
    db.insert(apps.mails, {
      ...fixed,
      ...flags,
      person: right,
      folder: "archive",
      at: EARLIER_TIME,
    });
    db.insert(apps.mails, { ...fixed, ...flags, person: wrong, folder: "inbox", at: LATER_TIME });
  },
  locate: (db, key) => db.where(apps.mails, { folder: "archive", label: key })[0]!.person!,
  cells: (style) => [
    `var a=apis.mail.list({label:t${onlyIfCareful(style, ',folder:"archive"')}}).items[0].from;print(a)`,
    SHOW_SENDER_CELL,
  ],
};

const senderOfMessage: Finder = {
  ...common,
  name: "person.message-sender",
  keyKind: "topic",
  searchedKind: "message",
  nouns: [
    (t) => `the sender of the message about ${t}`,
    (t) => `who wrote the message about ${t}`,
    (t) => `the writer of the message on ${t}`,
  ],
  plant: (planting) => {
    const { db, key, text, decoyText, rng } = planting;
    insertReceivedText(planting, `${key}: see you`, { person: personIdByName(db, text) });
    const other = { person: personIdByName(db, decoyText), at: LATER_TIME };
    insertReceivedText(planting, `${changeAdjective(rng, key)}: see you`, other);
  },
  locate: (db, key) => findTextAbout(db, key).person,
  cells: (style) => [
    `var a=apis.messages.search({query:${searchQueryCode(style)}}).items[0].from;print(a)`,
    SHOW_SENDER_CELL,
  ],
};

export const personFinders: readonly Finder[] = [
  personNamed,
  lastPersonInGroup,
  senderOfMail,
  senderOfMessage,
];
