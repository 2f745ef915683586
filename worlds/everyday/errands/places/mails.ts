/** How mails are found: by topic, by label, by sender. A mail says what its body says. */
import type { Reader } from "bowline/world";
import * as apps from "../../apps/index.ts";
import {
  EARLIER,
  type Finder,
  found,
  HANDLE_OF_NAME,
  LATER,
  type Planting,
  query,
  unless,
} from "../parts.ts";
import { nearTopic } from "../words.ts";

type Fields = Partial<apps.Mail> & Pick<apps.Mail, "subject" | "body">;

function receive({ db, anyone }: Planting, fields: Fields): void {
  db.insert(apps.mails, {
    person: anyone(),
    outgoing: false,
    folder: "inbox",
    label: null,
    starred: false,
    origin: null,
    unread: false,
    at: EARLIER,
    ...fields,
  });
}

export const personNamed = (db: Reader, name: string): number =>
  db.where(apps.people, { name })[0]!.id;

const common = {
  kind: "mail",
  carried: (db: Reader, id: number) => db.get(apps.mails, id)!.body,
  read: "apis.mail.show({id:x.id}).body",
  asks: "its text",
} as const;

const about: Finder = {
  ...common,
  name: "mail.about",
  takes: "topic",
  nouns: [
    (t) => `the mail about ${t}`,
    (t) => `the mail on ${t}`,
    (t) => `the mail that is about ${t}`,
  ],
  plant: (planting) => {
    const { key, says, decoy, rng } = planting;
    receive(planting, { subject: key, body: says });
    receive(planting, { subject: nearTopic(rng, key), body: decoy, at: LATER });
  },
  locate: (db, key) => db.where(apps.mails, { folder: "inbox", subject: key })[0]!.id,
  cells: (style) => [found(`apis.mail.search({query:${query(style)}}).items[0]`)],
};

const labelled: Finder = {
  ...common,
  name: "mail.labelled",
  takes: "topic",
  role: "label",
  nouns: [
    (t) => `the archived mail with ${t}`,
    (t) => `the mail with ${t} in the archive`,
    (t) => `the archived mail that has ${t}`,
  ],
  plant: (planting) => {
    const { key, says, decoy } = planting;
    receive(planting, { subject: "as agreed", body: says, label: key, folder: "archive" });
    receive(planting, { subject: "as agreed", body: decoy, label: key, at: LATER });
  },
  locate: (db, key) => db.where(apps.mails, { folder: "archive", label: key })[0]!.id,
  cells: (style) => [
    found(`apis.mail.list({label:t${unless(style, ',folder:"archive"')}}).items[0]`),
  ],
};

const oldest: Finder = {
  ...common,
  name: "mail.oldest",
  takes: "topic",
  role: "label",
  nouns: [
    (t) => `the oldest mail with ${t}`,
    (t) => `the mail that came first with ${t}`,
    (t) => `the first mail that got ${t}`,
  ],
  plant: (planting) => {
    const { key, says, decoy, rng } = planting;
    receive(planting, { subject: "once more", body: says, label: key });
    for (let more = rng.integer(5, 8); more > 0; more--) {
      receive(planting, { subject: "once more", body: decoy, label: key, at: LATER });
    }
  },
  locate: (db, key) => {
    const rows = db.where(apps.mails, { folder: "inbox", label: key });
    return rows.toSorted((a, b) => (a.at < b.at ? -1 : 1))[0]!.id;
  },
  cells: (style) => [found(`apis.mail.list({label:t${unless(style, ",size:20")}}).items.at(-1)`)],
};

const unread: Finder = {
  ...common,
  name: "mail.unread",
  takes: "name",
  nouns: [
    (who) => `the unread mail from ${who}`,
    (who) => `the mail I have not read from ${who}`,
    (who) => `the mail still unread from ${who}`,
  ],
  plant: (planting) => {
    const person = personNamed(planting.db, planting.key);
    receive(planting, { person, subject: "a word", body: planting.says, unread: true });
    receive(planting, { person, subject: "a word", body: planting.decoy, at: LATER });
  },
  locate: (db, key) => {
    const person = personNamed(db, key);
    return db.where(apps.mails, { person, folder: "inbox" }).find((mail) => mail.unread)!.id;
  },
  cells: (style) => [
    HANDLE_OF_NAME,
    found(`apis.mail.list({from:a${unless(style, ",unread:true")}}).items[0]`),
  ],
};

export const mailFinders: readonly Finder[] = [about, labelled, oldest, unread];
