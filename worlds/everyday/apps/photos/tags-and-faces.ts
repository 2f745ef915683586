/**
 * Defines the APIs by which the owner marks photos as favourite or hidden, and sets their captions, tags and people.
 */

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
import { exampleHandleExcept, handleOrExample } from "../music/shared-collections.ts";
import {
  handleOf,
  handleOrNull,
  handleParam,
  nullableHandleField,
  requirePerson,
} from "../shared.ts";
import { people } from "../tables.ts";
import {
  examplePhotoId,
  findFace,
  namedFaces,
  ownPhotoResource,
  photoTags,
  requireOwnPhoto,
  requireVisiblePhoto,
} from "./photo-items.ts";
import { type Face, faces, photoRows, SIDES, tags } from "./tables.ts";

const taggedItem = photoRows.item({
  ...photoRows.fields("name", "id"),
  tags: [z.array(z.string()), ({ id }, { db }) => photoTags(db, id)],
});

const personItem = faces.item({
  name: [z.string(), ({ person }, { db }) => db.get(people, person!)?.name ?? "removed"],
  handle: [z.string(), ({ person }, { db }) => handleOf(db, person!)],
});

/** Returns the id of the contact with this handle. Throws a 409 when the contact is in the photo already. */
function requireNewPerson(db: Reader, photo: number, handle: string): number {
  const person = requirePerson(db, handle, "person");
  const isNew = findFace(db, photo, person.id) === undefined;
  refuseUnless(isNew, 409, `person: "${person.handle}" is in photo ${photo} already`);
  return person.id;
}

const namedFace = resource({
  noun: "face",
  item: personItem,
  keys: { ...ownPhotoResource.keys, person: handleParam("who is not in it") },
  find: (args, { db }) => {
    const photo = requireOwnPhoto(db, args.id).id;
    const { id, handle } = requirePerson(db, args.person, "person");
    const row = findFace(db, photo, id);
    refuseUnless(row, 404, `person: "${handle}" is not in photo ${photo}`);
    return row;
  },
  example: (db) => {
    const id = examplePhotoId(db, (row) => namedFaces(db, row.id).length > 0);
    return { id, person: handleOrExample(db, namedFaces(db, id)[0]?.person) };
  },
});

const needsName = (db: Reader, { person, ignored, photo }: Face): boolean =>
  person === null && !ignored && !db.get(photoRows, photo)!.trashed;

/** Returns true when the app has a guess and the guessed person is not yet in the photo with another face. */
const hasUsableGuess = (db: Reader, { photo, guess }: Face) =>
  guess !== null && findFace(db, photo, guess) === undefined;

const openFace = resource({
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
      ({ guess }, { db }) => handleOrNull(db, guess),
    ],
  }),
  guard: (row, { db }) => {
    const hint = "photos.faces lists those that do";
    refuseUnless(needsName(db, row), 409, `id: face ${row.id} needs no name any more; ${hint}`);
  },
  isExample: (row, db) => needsName(db, row) && hasUsableGuess(db, row),
});

export const tagAndFaceApis = {
  favourite: ownPhotoResource.set(
    "Make an own photo a favourite.",
    { favourite: true },
    "is a favourite already",
  ),
  unfavourite: ownPhotoResource.set(
    "Make a favourite an ordinary photo.",
    { favourite: false },
    "is no favourite",
  ),
  hide: ownPhotoResource.set(
    "Hide an own photo from lists.",
    { hidden: true },
    "is hidden already",
  ),
  unhide: ownPhotoResource.set(
    "Show a hidden photo in lists again.",
    { hidden: false },
    "is not hidden",
  ),
  caption: ownPhotoResource.change(
    "Replace the caption of an own photo; an empty text takes it off.",
    {
      params: { caption: z.string().trim().max(200).describe("the new caption") },
      example: { caption: "Before the rain" },
    },
  ),
  locate: ownPhotoResource.change("Set where an own photo was taken.", {
    params: { place: shortTextParam("the place"), city: shortTextParam("the city") },
    isExample: ({ place }) => place === null,
    example: { place: "Old Harbour", city: "Delft" },
  }),
  tags: listApi("List tags with their number of photos, by name; the trash is left out.", {
    item: defineObjectItem({ name: z.string(), photos: z.int() }),
    rows: (_, { db }) => {
      const live = db.all(tags).filter(({ photo }) => !db.get(photoRows, photo)?.trashed);
      return tally(live.map(({ tag }) => tag)).map(([name, photos]) => ({ name, photos }));
    },
    order: "name",
  }),
  tag: ownPhotoResource.act("Add a tag to an own photo.", {
    params: { tag: shortTextParam("the tag, old or new") },
    item: taggedItem,
    run: ({ id }, { tag }, { db }) => {
      const isNew = !photoTags(db, id).some((existing) => equalIgnoringCase(existing, tag));
      refuseUnless(isNew, 409, `tag: photo ${id} has the tag "${tag}" already`);
      db.insert(tags, { photo: id, tag });
    },
    example: { tag: "to print" },
  }),
  untag: ownPhotoResource.act("Take a tag off an own photo.", {
    params: { tag: shortTextParam("the tag") },
    item: taggedItem,
    run: ({ id }, { tag }, { db }) => {
      const existing = db
        .where(tags, { photo: id })
        .find((known) => equalIgnoringCase(known.tag, tag));
      refuseUnless(existing, 404, `tag: photo ${id} has no tag "${tag}"`);
      db.remove(tags, existing.id);
    },
    example: (db) => {
      const row = db.all(tags).find(({ photo }) => !db.get(photoRows, photo)?.trashed);
      return { id: row?.photo ?? 1, tag: row?.tag ?? "none" };
    },
  }),
  peopleIn: namedFace.list("List who is in a photo, in the order of naming.", {
    params: { id: idParam("photo") },
    rows: ({ id }, { db }) => namedFaces(db, requireVisiblePhoto(db, id).id),
    example: (db) => ({ id: examplePhotoId(db, ({ id }) => namedFaces(db, id).length > 0) }),
  }),
  addPerson: namedFace.add("Note that a contact is in an own photo.", {
    params: { ...ownPhotoResource.keys, person: handleParam("who is in it") },
    row: (args, { db }) => {
      const photo = requireOwnPhoto(db, args.id).id;
      const person = requireNewPerson(db, photo, args.person);
      return { photo, person, side: null, guess: null, ignored: false };
    },
    example: (db) => {
      const id = examplePhotoId(db);
      const peopleInPhoto = namedFaces(db, id).map(({ person }) => person);
      return { id, person: exampleHandleExcept(db, peopleInPhoto) };
    },
  }),
  removePerson: namedFace.remove("Take back that a contact is in an own photo."),
  faces: openFace.list(
    "List faces in own photos that have no name yet; ignored ones and the trash are left out.",
    {
      rows: (_, { db }) => db.where(faces, { person: null }).filter((row) => needsName(db, row)),
    },
  ),
  face: openFace.show("Show one face, named or not.", {
    item: openFace.item.with({ person: nullableHandleField }),
    find: ({ id }, { db }) => {
      const row = rowById(db, faces, id, { noun: "face" });
      requireOwnPhoto(db, row.photo);
      return row;
    },
  }),
  nameFace: openFace.change("Name a face.", {
    params: { person: handleParam("whose face it is") },
    item: personItem,
    set: ({ photo }, { person }, { db }) => ({ person: requireNewPerson(db, photo, person) }),
    example: (db) => {
      const { id } = openFace.example(db) as { id: number };
      return { id, person: handleOrExample(db, db.get(faces, id)?.guess) };
    },
  }),
  ignoreFace: openFace.set("Leave a face without a name for good.", { ignored: true }),
};
