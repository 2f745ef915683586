/**
 * Finders of messages: by topic and by sender. From a message about a topic, the next step gets what stands after the
 * colon.
 */
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
import { personIdByName } from "./mails.ts";

export function insertReceivedText(
  { db, pickSender }: PlantRequest,
  text: string,
  fields: Partial<apps.Text> = {},
): void {
  db.insert(apps.texts, {
    person: pickSender(),
    outgoing: false,
    text,
    replyTo: null,
    reaction: null,
    starred: false,
    unread: false,
    at: EARLIER_TIME,
    ...fields,
  });
}

const receivedTexts = (db: Reader) => db.where(apps.texts, { outgoing: false });
export const findTextAbout = (db: Reader, topic: string): apps.Text =>
  receivedTexts(db).find(({ text }) => text.startsWith(`${topic}: `))!;

const messageByTopic = {
  kind: "message",
  keyKind: "topic",
  textFromTables: (db: Reader, id: number) => db.get(apps.texts, id)!.text.split(": ")[1]!,
  textCode: 'x.text.split(": ")[1]',
  answerPhrase: "what it says after the colon",
} as const;

const messageBySender = {
  kind: "message",
  keyKind: "name",
  textFromTables: (db: Reader, id: number) => db.get(apps.texts, id)!.text,
  textCode: "x.text",
  answerPhrase: "what it says",
} as const;

const messageAbout: Finder = {
  ...messageByTopic,
  name: "message.about",
  nouns: [
    (t) => `the message about ${t}`,
    (t) => `the message on ${t}`,
    (t) => `the message that is about ${t}`,
  ],
  plant: (planting) => {
    const { key, text, decoyText, rng } = planting;
    insertReceivedText(planting, `${key}: ${text}`);
    insertReceivedText(planting, `${changeAdjective(rng, key)}: ${decoyText}`, { at: LATER_TIME });
  },
  locate: (db, key) => findTextAbout(db, key).id,
  cells: (style) => [storeAsX(`apis.messages.search({query:${searchQueryCode(style)}}).items[0]`)],
};

const oldestMessageAbout: Finder = {
  ...messageByTopic,
  name: "message.oldest-about",
  nouns: [
    (t) => `the oldest message about ${t}`,
    (t) => `the message that came first about ${t}`,
    (t) => `the first message I got on ${t}`,
  ],
  plant: (planting) => {
    const { key, text, decoyText, rng } = planting;
    insertReceivedText(planting, `${key}: ${text}`);
    for (let more = rng.integer(5, 8); more > 0; more--) {
      insertReceivedText(planting, `${key}: ${decoyText}`, { at: LATER_TIME });
    }
  },
  locate: (db, key) => findTextAbout(db, key).id,
  cells: (style) => [
    storeAsX(`apis.messages.search({query:t${onlyIfCareful(style, ",size:20")}}).items.at(-1)`),
  ],
};

const unreadTextsFrom = (db: Reader, name: string) =>
  db
    .where(apps.texts, { person: personIdByName(db, name), outgoing: false })
    .filter((text) => text.unread);

const unreadMessage: Finder = {
  ...messageBySender,
  name: "message.unread",
  nouns: [
    (who) => `the unread message from ${who}`,
    (who) => `the message I have not read from ${who}`,
    (who) => `the message still unread from ${who}`,
  ],
  plant: (planting) => {
    const person = personIdByName(planting.db, planting.key);
    insertReceivedText(planting, planting.text, { person, unread: true });
    insertReceivedText(planting, planting.decoyText, { person, at: LATER_TIME });
  },
  locate: (db, key) => unreadTextsFrom(db, key)[0]!.id,
  cells: (style) => [
    FIND_HANDLE_CELL,
    storeAsX(`apis.messages.list({from:a${onlyIfCareful(style, ",unread:true")}}).items[0]`),
  ],
};

const oldestUnreadMessage: Finder = {
  ...messageBySender,
  name: "message.oldest-unread",
  nouns: [
    (who) => `the oldest unread message from ${who}`,
    (who) => `the message unread for longest from ${who}`,
    (who) => `the first unread message from ${who}`,
  ],
  plant: (planting) => {
    const { db, key, text, decoyText, rng } = planting;
    const person = personIdByName(db, key);
    insertReceivedText(planting, text, { person, unread: true });
    for (let more = rng.integer(1, 3); more > 0; more--) {
      insertReceivedText(planting, decoyText, { person, unread: true, at: LATER_TIME });
    }
  },
  locate: (db, key) => unreadTextsFrom(db, key).toSorted((a, b) => (a.at < b.at ? -1 : 1))[0]!.id,
  cells: (style) => [
    FIND_HANDLE_CELL,
    storeAsX(
      `apis.messages.list({from:a,unread:true}).items${style === "hasty" ? "[0]" : ".at(-1)"}`,
    ),
  ],
};

export const messageFinders: readonly Finder[] = [
  messageAbout,
  unreadMessage,
  oldestMessageAbout,
  oldestUnreadMessage,
];
