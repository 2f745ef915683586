/** How notes are found: by topic or by tag. A note says what its text says. */
import type { Reader } from "bowline/world";
import * as apps from "../../apps/index.ts";
import { TITLES } from "../../goals/task-words.ts";
import { type Finder, found, type Planting, query, unless } from "../parts.ts";
import { nearTopic } from "../words.ts";

function jot(
  { db }: Planting,
  fields: Partial<apps.Note> & Pick<apps.Note, "title" | "text">,
): void {
  db.insert(apps.notes, { tag: null, pinned: false, ...fields });
}

const common = {
  kind: "note",
  takes: "topic",
  carried: (db: Reader, id: number) => db.get(apps.notes, id)!.text,
  read: "apis.notes.show({id:x.id}).text",
  asks: "its text",
} as const;

const about: Finder = {
  ...common,
  name: "note.about",
  nouns: [
    (t) => `my note about ${t}`,
    (t) => `my note on ${t}`,
    (t) => `the note that is about ${t}`,
  ],
  plant: (planting) => {
    const { key, says, decoy, rng } = planting;
    jot(planting, { title: nearTopic(rng, key), text: decoy });
    jot(planting, { title: key, text: says });
  },
  locate: (db, key) => db.all(apps.notes).find((note) => note.title === key)!.id,
  cells: (style) => [found(`apis.notes.search({query:${query(style)}}).items[0]`)],
};

const unpinned: Finder = {
  ...common,
  name: "note.unpinned",
  role: "tag",
  nouns: [
    (t) => `the unpinned note with ${t}`,
    (t) => `the note not pinned with ${t}`,
    (t) => `the note that has ${t} and no pin`,
  ],
  plant: (planting) => {
    const { key, says, decoy } = planting;
    jot(planting, { title: TITLES[0], text: decoy, tag: key, pinned: true });
    jot(planting, { title: TITLES[1], text: says, tag: key });
  },
  locate: (db, key) => db.where(apps.notes, { tag: key, pinned: false })[0]!.id,
  cells: (style) => [found(`apis.notes.list({tag:t${unless(style, ",pinned:false")}}).items[0]`)],
};

/** Many notes about the key by this field, of which the last one is meant. */
function newest(
  field: "tag" | "title",
  part: Pick<Finder, "name" | "nouns"> & { readonly role?: string },
): Finder {
  const list = field === "tag" ? "list({tag:t" : "search({query:t";
  return {
    ...common,
    ...part,
    plant: (planting) => {
      const { key, says, decoy, rng } = planting;
      const more = rng.integer(5, 8);
      for (let i = 0; i <= more; i++) {
        const about = field === "tag" ? TITLES[i]! : `${key}, ${TITLES[i]}`;
        const tag = field === "tag" ? key : null;
        jot(planting, { title: about, text: i < more ? decoy : says, tag });
      }
    },
    locate: (db, key) => db.all(apps.notes).findLast((note) => note[field]?.startsWith(key))!.id,
    cells: (style) => [found(`apis.notes.${list}${unless(style, ",size:20")}}).items.at(-1)`)],
  };
}

const newestTagged = newest("tag", {
  name: "note.newest-tagged",
  role: "tag",
  nouns: [
    (t) => `the newest note with ${t}`,
    (t) => `the note I wrote last with ${t}`,
    (t) => `the last note that got ${t}`,
  ],
});

const newestAbout = newest("title", {
  name: "note.newest-about",
  nouns: [
    (t) => `my newest note about ${t}`,
    (t) => `the last note I wrote about ${t}`,
    (t) => `the newest of my notes on ${t}`,
  ],
});

export const noteFinders: readonly Finder[] = [about, unpinned, newestTagged, newestAbout];
