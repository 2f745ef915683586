/** Finders of mails: by topic, by label and by sender. The next step gets the body of the mail. */
import type { Reader } from "bowline/world";
import * as apps from "../../apps/index.ts";
import {
  EARLIER_TIME,
  FIND_HANDLE_CELL,
  type Finder,
  LATER_TIME,
  onlyIfCareful,
  type PlantRequest,
  searchQueryCode,
  storeAsX,
} from "../step-types.ts";
import { changeAdjective } from "../topics.ts";

type MailFields = Partial<apps.Mail> & Pick<apps.Mail, "subject" | "body">;

function insertReceivedMail({ db, pickSender }: PlantRequest, fields: MailFields): void {
  db.insert(apps.mails, {
    person: pickSender(),
    outgoing: false,
    folder: "inbox",
    label: null,
    starred: false,
    origin: null,
    unread: false,
    at: EARLIER_TIME,
    ...fields,
  });
}

export const personIdByName = (db: Reader, name: string): number =>
  db.where(apps.people, { name })[0]!.id;

const common = {
  kind: "mail",
  textFromTables: (db: Reader, id: number) => db.get(apps.mails, id)!.body,
  textCode: "apis.mail.show({id:x.id}).body",
  answerPhrase: "its text",
} as const;

const mailAbout: Finder = {
  ...common,
  name: "mail.about",
  keyKind: "topic",
  nouns: [
    (t) => `the mail about ${t}`,
    (t) => `the mail on ${t}`,
    (t) => `the mail that is about ${t}`,
  ],
  plant: (planting) => {
    const { key, text, decoyText, rng } = planting;
    insertReceivedMail(planting, { subject: key, body: text });
    insertReceivedMail(planting, {
      subject: changeAdjective(rng, key),
      body: decoyText,
      at: LATER_TIME,
    });
  },
  locate: (db, key) => db.where(apps.mails, { folder: "inbox", subject: key })[0]!.id,
  cells: (style) => [storeAsX(`apis.mail.search({query:${searchQueryCode(style)}}).items[0]`)],
};

const labelledMail: Finder = {
  ...common,
  name: "mail.labelled",
  keyKind: "topic",
  keyName: "label",
  nouns: [
    (t) => `the archived mail with ${t}`,
    (t) => `the mail with ${t} in the archive`,
    (t) => `the archived mail that has ${t}`,
  ],
  plant: (planting) => {
    const { key, text, decoyText } = planting;
    insertReceivedMail(planting, {
      subject: "as agreed",
      body: text,
      label: key,
      folder: "archive",
    });
    insertReceivedMail(planting, {
      subject: "as agreed",
      body: decoyText,
      label: key,
      at: LATER_TIME,
    });
  },
  locate: (db, key) => db.where(apps.mails, { folder: "archive", label: key })[0]!.id,
  cells: (style) => [
    storeAsX(`apis.mail.list({label:t${onlyIfCareful(style, ',folder:"archive"')}}).items[0]`),
  ],
};

const oldestMail: Finder = {
  ...common,
  name: "mail.oldest",
  keyKind: "topic",
  keyName: "label",
  nouns: [
    (t) => `the oldest mail with ${t}`,
    (t) => `the mail that came first with ${t}`,
    (t) => `the first mail that got ${t}`,
  ],
  plant: (planting) => {
    const { key, text, decoyText, rng } = planting;
    insertReceivedMail(planting, { subject: "once more", body: text, label: key });
    for (let more = rng.integer(5, 8); more > 0; more--) {
      insertReceivedMail(planting, {
        subject: "once more",
        body: decoyText,
        label: key,
        at: LATER_TIME,
      });
    }
  },
  locate: (db, key) => {
    const rows = db.where(apps.mails, { folder: "inbox", label: key });
    return rows.toSorted((a, b) => (a.at < b.at ? -1 : 1))[0]!.id;
  },
  cells: (style) => [
    storeAsX(`apis.mail.list({label:t${onlyIfCareful(style, ",size:20")}}).items.at(-1)`),
  ],
};

const unreadMail: Finder = {
  ...common,
  name: "mail.unread",
  keyKind: "name",
  nouns: [
    (who) => `the unread mail from ${who}`,
    (who) => `the mail I have not read from ${who}`,
    (who) => `the mail still unread from ${who}`,
  ],
  plant: (planting) => {
    const person = personIdByName(planting.db, planting.key);
    insertReceivedMail(planting, { person, subject: "a word", body: planting.text, unread: true });
    insertReceivedMail(planting, {
      person,
      subject: "a word",
      body: planting.decoyText,
      at: LATER_TIME,
    });
  },
  locate: (db, key) => {
    const person = personIdByName(db, key);
    return db.where(apps.mails, { person, folder: "inbox" }).find((mail) => mail.unread)!.id;
  },
  cells: (style) => [
    FIND_HANDLE_CELL,
    storeAsX(`apis.mail.list({from:a${onlyIfCareful(style, ",unread:true")}}).items[0]`),
  ],
};

export const mailFinders: readonly Finder[] = [mailAbout, labelledMail, oldestMail, unreadMail];
