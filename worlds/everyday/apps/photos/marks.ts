/** What the owner notes on own photos: favourites, hidden ones, captions, tags, and who is in them. */

import {
  defineObjectItem,
  equalIgnoringCase,
  idParam,
  listApi,
  refuseUnless,
  resource,
  rowById,
  shortTextParam,
  tally,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { exampleHandleExcept, handleOrExample, whose } from "../music/shared-collections.ts";
import { handleOf, handleParam, nullableHandleField, requirePerson } from "../shared.ts";
import { people } from "../tables.ts";
import { type Face, faces, photoRows, SIDES, tags } from "./tables.ts";
import { faceOf, facesOf, ownedPhotos, ownPhoto, photoBy, somePhoto, tagsOf } from "./views.ts";

const taggedItem = photoRows.item({
  ...photoRows.fields("name", "id"),
  tags: [z.array(z.string()), ({ id }, { db }) => tagsOf(db, id)],
});

// --- people: faces with a name ---

const personItem = faces.item({
  name: [z.string(), ({ person }, { db }) => db.get(people, person!)?.name ?? "removed"],
  handle: [z.string(), ({ person }, { db }) => handleOf(db, person!)],
});

/** The id of a contact who is not in a photo yet. */
function newIn(db: Reader, photo: number, came: string): number {
  const person = requirePerson(db, came, "person");
  const free = faceOf(db, photo, person.id) === undefined;
  refuseUnless(free, 409, `person: "${person.handle}" is in photo ${photo} already`);
  return person.id;
}

const named = resource({
  noun: "face",
  item: personItem,
  keys: { ...ownedPhotos.keys, person: handleParam("who is not in it") },
  find: (args, { db }) => {
    const photo = ownPhoto(db, args.id).id;
    const { id, handle } = requirePerson(db, args.person, "person");
    const row = faceOf(db, photo, id);
    refuseUnless(row, 404, `person: "${handle}" is not in photo ${photo}`);
    return row;
  },
  example: (db) => {
    const id = somePhoto(db, (row) => facesOf(db, row.id).length > 0);
    return { id, person: handleOrExample(db, facesOf(db, id)[0]?.person) };
  },
});

// --- faces without a name ---

const isOpen = (db: Reader, { person, ignored, photo }: Face): boolean =>
  person === null && !ignored && !db.get(photoRows, photo)!.trashed;

/** Not of whom is in the photo with another face. */
const isGuessed = (db: Reader, { photo, guess }: Face) =>
  guess !== null && faceOf(db, photo, guess) === undefined;

const open = resource({
  noun: "face",
  item: faces.item({
    ...faces.fields("id", "photo"),
    name: [
      z.string().describe("of the photo"),
      ({ photo }, { db }) => db.get(photoRows, photo)!.name,
    ],
    side: z.enum(SIDES).nullable(),
    guess: [
      z.string().nullable().describe("handle of whom it may be"),
      ({ guess }, { db }) => whose(db, guess),
    ],
  }),
  guard: (row, { db }) => {
    const hint = "photos.faces lists those that do";
    refuseUnless(isOpen(db, row), 409, `id: face ${row.id} needs no name any more; ${hint}`);
  },
  isExample: (row, db) => isOpen(db, row) && isGuessed(db, row),
});

export const markApis = {
  favourite: ownedPhotos.set(
    "Make an own photo a favourite.",
    { favourite: true },
    "is a favourite already",
  ),
  unfavourite: ownedPhotos.set(
    "Make a favourite an ordinary photo.",
    { favourite: false },
    "is no favourite",
  ),
  hide: ownedPhotos.set("Hide an own photo from lists.", { hidden: true }, "is hidden already"),
  unhide: ownedPhotos.set(
    "Show a hidden photo in lists again.",
    { hidden: false },
    "is not hidden",
  ),
  caption: ownedPhotos.change("Replace the caption of an own photo; an empty text takes it off.", {
    params: { caption: z.string().trim().max(200).describe("the new caption") },
    example: { caption: "Before the rain" },
  }),
  locate: ownedPhotos.change("Set where an own photo was taken.", {
    params: { place: shortTextParam("the place"), city: shortTextParam("the city") },
    isExample: ({ place }) => place === null,
    example: { place: "Old Harbour", city: "Delft" },
  }),
  tags: listApi("List tags with their number of photos, by name.", {
    item: defineObjectItem({ name: z.string(), photos: z.int() }),
    rows: (_, { db }) => {
      const live = db.all(tags).filter(({ photo }) => !db.get(photoRows, photo)?.trashed);
      return tally(live.map(({ tag }) => tag)).map(([name, photos]) => ({ name, photos }));
    },
    order: "name",
  }),
  tag: ownedPhotos.act("Add a tag to an own photo.", {
    params: { tag: shortTextParam("the tag, old or new") },
    item: taggedItem,
    run: ({ id }, { tag }, { db }) => {
      const free = !tagsOf(db, id).some((old) => equalIgnoringCase(old, tag));
      refuseUnless(free, 409, `tag: photo ${id} has the tag "${tag}" already`);
      db.insert(tags, { photo: id, tag });
    },
    example: { tag: "to print" },
  }),
  untag: ownedPhotos.act("Take a tag off an own photo.", {
    params: { tag: shortTextParam("the tag") },
    item: taggedItem,
    run: ({ id }, { tag }, { db }) => {
      const old = db.where(tags, { photo: id }).find((known) => equalIgnoringCase(known.tag, tag));
      refuseUnless(old, 404, `tag: photo ${id} has no tag "${tag}"`);
      db.remove(tags, old.id);
    },
    example: (db) => {
      const row = db.all(tags).find(({ photo }) => !db.get(photoRows, photo)?.trashed);
      return { id: row?.photo ?? 1, tag: row?.tag ?? "none" };
    },
  }),
  peopleIn: named.list("List who is in a photo, in the order of naming.", {
    params: { id: idParam("photo") },
    rows: ({ id }, { db }) => facesOf(db, photoBy(db, id).id),
    example: (db) => ({ id: somePhoto(db, ({ id }) => facesOf(db, id).length > 0) }),
  }),
  addPerson: named.add("Note that a contact is in an own photo.", {
    params: { ...ownedPhotos.keys, person: handleParam("who is in it") },
    row: (args, { db }) => {
      const photo = ownPhoto(db, args.id).id;
      const person = newIn(db, photo, args.person);
      return { photo, person, side: null, guess: null, ignored: false };
    },
    example: (db) => {
      const id = somePhoto(db);
      const shown = facesOf(db, id).map(({ person }) => person);
      return { id, person: exampleHandleExcept(db, shown) };
    },
  }),
  removePerson: named.remove("Take back that a contact is in an own photo."),
  faces: open.list("List faces in own photos that have no name yet.", {
    rows: (_, { db }) => db.where(faces, { person: null }).filter((row) => isOpen(db, row)),
  }),
  face: open.show("Show one face, named or not.", {
    item: open.item.with({ person: nullableHandleField }),
    find: ({ id }, { db }) => {
      const row = rowById(db, faces, id, { noun: "face" });
      ownPhoto(db, row.photo);
      return row;
    },
  }),
  nameFace: open.change("Name a face.", {
    params: { person: handleParam("whose face it is") },
    item: personItem,
    set: ({ photo }, { person }, { db }) => ({ person: newIn(db, photo, person) }),
    example: (db) => {
      const { id } = open.example(db) as { id: number };
      return { id, person: handleOrExample(db, db.get(faces, id)?.guess) };
    },
  }),
  ignoreFace: open.set("Leave a face without a name for good.", { ignored: true }),
};
