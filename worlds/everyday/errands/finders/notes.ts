/** Finders of notes: by topic and by tag. The next step gets the text of the note. */
import type { Reader } from "bowline/world";
import * as apps from "../../apps/index.ts";
import { TITLES } from "../../goals/task-words.ts";
import {
  type Finder,
  onlyIfCareful,
  type PlantRequest,
  searchQueryCode,
  storeAsX,
} from "../step-types.ts";
import { changeAdjective } from "../topics.ts";

function insertNote(
  { db }: PlantRequest,
  fields: Partial<apps.Note> & Pick<apps.Note, "title" | "text">,
): void {
  db.insert(apps.notes, { tag: null, pinned: false, ...fields });
}

const common = {
  kind: "note",
  keyKind: "topic",
  textFromTables: (db: Reader, id: number) => db.get(apps.notes, id)!.text,
  textCode: "apis.notes.show({id:x.id}).text",
  answerPhrase: "its text",
} as const;

const noteAbout: Finder = {
  ...common,
  name: "note.about",
  nouns: [
    (t) => `my note about ${t}`,
    (t) => `my note on ${t}`,
    (t) => `the note that is about ${t}`,
  ],
  plant: (planting) => {
    const { key, text, decoyText, rng } = planting;
    insertNote(planting, { title: changeAdjective(rng, key), text: decoyText });
    insertNote(planting, { title: key, text });
  },
  locate: (db, key) => db.all(apps.notes).find((note) => note.title === key)!.id,
  cells: (style) => [storeAsX(`apis.notes.search({query:${searchQueryCode(style)}}).items[0]`)],
};

const unpinnedNote: Finder = {
  ...common,
  name: "note.unpinned",
  keyName: "tag",
  nouns: [
    (t) => `the unpinned note with ${t}`,
    (t) => `the note not pinned with ${t}`,
    (t) => `the note that has ${t} and no pin`,
  ],
  plant: (planting) => {
    const { key, text, decoyText } = planting;
    insertNote(planting, { title: TITLES[0], text: decoyText, tag: key, pinned: true });
    insertNote(planting, { title: TITLES[1], text, tag: key });
  },
  locate: (db, key) => db.where(apps.notes, { tag: key, pinned: false })[0]!.id,
  cells: (style) => [
    storeAsX(`apis.notes.list({tag:t${onlyIfCareful(style, ",pinned:false")}}).items[0]`),
  ],
};

/** Makes a finder of a note: of many notes whose field has the value that is looked for, it finds the newest. */
function newestNoteFinder(
  field: "tag" | "title",
  naming: Pick<Finder, "name" | "nouns"> & { readonly keyName?: string },
): Finder {
  const call = field === "tag" ? "list({tag:t" : "search({query:t";
  return {
    ...common,
    ...naming,
    plant: (planting) => {
      const { key, text, decoyText, rng } = planting;
      const more = rng.integer(5, 8);
      for (let i = 0; i <= more; i++) {
        const title = field === "tag" ? TITLES[i]! : `${key}, ${TITLES[i]}`;
        const tag = field === "tag" ? key : null;
        insertNote(planting, { title, text: i < more ? decoyText : text, tag });
      }
    },
    locate: (db, key) => db.all(apps.notes).findLast((note) => note[field]?.startsWith(key))!.id,
    cells: (style) => [
      storeAsX(`apis.notes.${call}${onlyIfCareful(style, ",size:20")}}).items.at(-1)`),
    ],
  };
}

const newestTaggedNote = newestNoteFinder("tag", {
  name: "note.newest-tagged",
  keyName: "tag",
  nouns: [
    (t) => `the newest note with ${t}`,
    (t) => `the note I wrote last with ${t}`,
    (t) => `the last note that got ${t}`,
  ],
});

const newestNoteAbout = newestNoteFinder("title", {
  name: "note.newest-about",
  nouns: [
    (t) => `my newest note about ${t}`,
    (t) => `the last note I wrote about ${t}`,
    (t) => `the newest of my notes on ${t}`,
  ],
});

export const noteFinders: readonly Finder[] = [
  noteAbout,
  unpinnedNote,
  newestTaggedNote,
  newestNoteAbout,
];
