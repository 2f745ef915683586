/** How messages are found: by topic or by sender. One about a topic says what stands after its colon. */
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
import { personNamed } from "./mails.ts";

export function receiveText(
  { db, anyone }: Planting,
  text: string,
  fields: Partial<apps.Text> = {},
): void {
  db.insert(apps.texts, {
    person: anyone(),
    outgoing: false,
    text,
    replyTo: null,
    reaction: null,
    starred: false,
    unread: false,
    at: EARLIER,
    ...fields,
  });
}

const received = (db: Reader) => db.where(apps.texts, { outgoing: false });
export const textAbout = (db: Reader, topic: string): apps.Text =>
  received(db).find(({ text }) => text.startsWith(`${topic}: `))!;

const byTopic = {
  kind: "message",
  takes: "topic",
  carried: (db: Reader, id: number) => db.get(apps.texts, id)!.text.split(": ")[1]!,
  read: 'x.text.split(": ")[1]',
  asks: "what it says after the colon",
} as const;

const bySender = {
  kind: "message",
  takes: "name",
  carried: (db: Reader, id: number) => db.get(apps.texts, id)!.text,
  read: "x.text",
  asks: "what it says",
} as const;

const about: Finder = {
  ...byTopic,
  name: "message.about",
  nouns: [
    (t) => `the message about ${t}`,
    (t) => `the message on ${t}`,
    (t) => `the message that is about ${t}`,
  ],
  plant: (planting) => {
    const { key, says, decoy, rng } = planting;
    receiveText(planting, `${key}: ${says}`);
    receiveText(planting, `${nearTopic(rng, key)}: ${decoy}`, { at: LATER });
  },
  locate: (db, key) => textAbout(db, key).id,
  cells: (style) => [found(`apis.messages.search({query:${query(style)}}).items[0]`)],
};

const oldestAbout: Finder = {
  ...byTopic,
  name: "message.oldest-about",
  nouns: [
    (t) => `the oldest message about ${t}`,
    (t) => `the message that came first about ${t}`,
    (t) => `the first message I got on ${t}`,
  ],
  plant: (planting) => {
    const { key, says, decoy, rng } = planting;
    receiveText(planting, `${key}: ${says}`);
    for (let more = rng.integer(5, 8); more > 0; more--) {
      receiveText(planting, `${key}: ${decoy}`, { at: LATER });
    }
  },
  locate: (db, key) => textAbout(db, key).id,
  cells: (style) => [
    found(`apis.messages.search({query:t${unless(style, ",size:20")}}).items.at(-1)`),
  ],
};

const unreadFrom = (db: Reader, name: string) =>
  db
    .where(apps.texts, { person: personNamed(db, name), outgoing: false })
    .filter((text) => text.unread);

const unread: Finder = {
  ...bySender,
  name: "message.unread",
  nouns: [
    (who) => `the unread message from ${who}`,
    (who) => `the message I have not read from ${who}`,
    (who) => `the message still unread from ${who}`,
  ],
  plant: (planting) => {
    const person = personNamed(planting.db, planting.key);
    receiveText(planting, planting.says, { person, unread: true });
    receiveText(planting, planting.decoy, { person, at: LATER });
  },
  locate: (db, key) => unreadFrom(db, key)[0]!.id,
  cells: (style) => [
    HANDLE_OF_NAME,
    found(`apis.messages.list({from:a${unless(style, ",unread:true")}}).items[0]`),
  ],
};

const oldestUnread: Finder = {
  ...bySender,
  name: "message.oldest-unread",
  nouns: [
    (who) => `the oldest unread message from ${who}`,
    (who) => `the message unread for longest from ${who}`,
    (who) => `the first unread message from ${who}`,
  ],
  plant: (planting) => {
    const { db, key, says, decoy, rng } = planting;
    const person = personNamed(db, key);
    receiveText(planting, says, { person, unread: true });
    for (let more = rng.integer(1, 3); more > 0; more--) {
      receiveText(planting, decoy, { person, unread: true, at: LATER });
    }
  },
  locate: (db, key) => unreadFrom(db, key).toSorted((a, b) => (a.at < b.at ? -1 : 1))[0]!.id,
  cells: (style) => [
    HANDLE_OF_NAME,
    found(`apis.messages.list({from:a,unread:true}).items${style === "hasty" ? "[0]" : ".at(-1)"}`),
  ],
};

export const messageFinders: readonly Finder[] = [about, unread, oldestAbout, oldestUnread];
