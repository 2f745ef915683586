/** How people are found: by name, in a group, as the sender of something. A person hands on the own name. */
import type { Reader } from "bowline/world";
import * as apps from "../../apps/index.ts";
import { EARLIER, type Finder, found, LATER, query, unless } from "../parts.ts";
import { nearTopic } from "../words.ts";
import { personNamed } from "./mails.ts";
import { receiveText, textAbout } from "./messages.ts";

const common = {
  kind: "person",
  carried: (db: Reader, id: number) => db.get(apps.people, id)!.name,
  read: "x.name",
  asks: "the phone number",
  answer: {
    of: (db: Reader, id: number) => db.get(apps.people, id)!.phone,
    read: "apis.contacts.show({person:x.handle}).phone",
  },
} as const;

const SENDER = found("apis.contacts.show({person:a})", "name");

/** The namesake is listed first. */
const named: Finder = {
  ...common,
  name: "person.named",
  takes: "name",
  nouns: [(who) => who, (who) => `my contact ${who}`, (who) => `the contact called ${who}`],
  plant: () => {},
  locate: personNamed,
  cells: (style) => [
    found(`apis.contacts.find({name:t${style === "hasty" ? '.split(" ")[0]' : ""}})[0]`, "handle"),
  ],
};

const lastInGroup: Finder = {
  ...common,
  name: "person.last-in-group",
  takes: "topic",
  role: "group",
  nouns: [
    (t) => `the last person by name in ${t}`,
    (t) => `the person who comes last by name in ${t}`,
    (t) => `the member last by name of ${t}`,
  ],
  plant: ({ db, key, says, decoy }) => {
    const group = db.insert(apps.groups, { name: key }).id;
    for (const name of new Set([decoy, says])) {
      db.insert(apps.members, { group, person: personNamed(db, name) });
    }
  },
  locate: (db, key) => {
    const [group] = db.where(apps.groups, { name: key });
    const inside = db.where(apps.members, { group: group!.id });
    const people = inside.map(({ person }) => db.get(apps.people, person)!);
    return people.toSorted((a, b) => (a.name < b.name ? -1 : 1)).at(-1)!.id;
  },
  cells: (style) => [
    found(`apis.contacts.list({group:t}).items${style === "hasty" ? "[0]" : ".at(-1)"}`, "name"),
  ],
};

const mailSender: Finder = {
  ...common,
  name: "person.mail-sender",
  takes: "topic",
  role: "label",
  nouns: [
    (t) => `the sender of the archived mail with ${t}`,
    (t) => `who wrote the archived mail with ${t}`,
    (t) => `the writer of the mail with ${t} in the archive`,
  ],
  plant: ({ db, key, says, decoy }) => {
    const fixed = { outgoing: false, subject: "as agreed", body: "as agreed", label: key } as const;
    const flags = { starred: false, origin: null, unread: false };
    const [right, wrong] = [personNamed(db, says), personNamed(db, decoy)];
    db.insert(apps.mails, { ...fixed, ...flags, person: right, folder: "archive", at: EARLIER });
    db.insert(apps.mails, { ...fixed, ...flags, person: wrong, folder: "inbox", at: LATER });
  },
  locate: (db, key) => db.where(apps.mails, { folder: "archive", label: key })[0]!.person,
  cells: (style) => [
    `var a=apis.mail.list({label:t${unless(style, ',folder:"archive"')}}).items[0].from;print(a)`,
    SENDER,
  ],
};

const textSender: Finder = {
  ...common,
  name: "person.message-sender",
  takes: "topic",
  searches: "message",
  nouns: [
    (t) => `the sender of the message about ${t}`,
    (t) => `who wrote the message about ${t}`,
    (t) => `the writer of the message on ${t}`,
  ],
  plant: (planting) => {
    const { db, key, says, decoy, rng } = planting;
    receiveText(planting, `${key}: see you`, { person: personNamed(db, says) });
    const other = { person: personNamed(db, decoy), at: LATER };
    receiveText(planting, `${nearTopic(rng, key)}: see you`, other);
  },
  locate: (db, key) => textAbout(db, key).person,
  cells: (style) => [
    `var a=apis.messages.search({query:${query(style)}}).items[0].from;print(a)`,
    SENDER,
  ],
};

export const personFinders: readonly Finder[] = [named, lastInGroup, mailSender, textSender];
