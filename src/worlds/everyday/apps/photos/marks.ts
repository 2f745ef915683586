/** What the owner notes on own photos: favourites, hidden ones, captions, tags, and who is in them. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import { handle, handleOf, idOf, line, paged, pageOf, paging, personBy, same } from "../shared.ts";
import { people } from "../tables.ts";
import { handleIn, idIn, somePhoto, stranger } from "./examples.ts";
import { type Face, faces, type Photo, photoRows, SIDES, tags } from "./tables.ts";
import { facesOf, ownPhoto, photoBy, photoItem, photoView, rowIn, tagsOf } from "./views.ts";

const id = idOf("own photo");

function change({ db }: CallContext, id: number, patch: Partial<Photo>) {
  return photoView(db.update(photoRows, ownPhoto(db, id).id, patch));
}

/** The four flags are set and cleared alike; doing it twice is refused. */
function flagging(summary: string, column: "favourite" | "hidden", value: boolean, state: string) {
  return defineApi({
    summary,
    params: z.strictObject({ id }),
    returns: photoItem,
    example: (db) => ({ id: somePhoto(db, (row) => row[column] !== value) }),
    handler: (context, { id }) => {
      if (ownPhoto(context.db, id)[column] !== value)
        return change(context, id, { [column]: value });
      throw new ApiError(409, `id: photo ${id} is ${state}`);
    },
  });
}

const caption = defineApi({
  summary: "Replace the caption of an own photo; an empty text takes it off.",
  params: z.strictObject({ id, caption: z.string().trim().max(200).describe("the new caption") }),
  returns: photoItem,
  example: (db) => ({ id: somePhoto(db), caption: "Before the rain" }),
  handler: (context, { id, caption }) => change(context, id, { caption }),
});

const locate = defineApi({
  summary: "Set where an own photo was taken.",
  params: z.strictObject({ id, place: line("the place"), city: line("the city") }),
  returns: photoItem,
  example: (db) => ({
    id: somePhoto(db, ({ place }) => place === null),
    place: "Old Harbour",
    city: "Delft",
  }),
  handler: (context, { id, place, city }) => change(context, id, { place, city }),
});

// --- tags ---

const taggedItem = z.strictObject({ name: z.string(), id: z.int(), tags: z.array(z.string()) });

const taggedView = (db: Reader, { name, id }: Photo) => ({ name, id, tags: tagsOf(db, id) });

const tag = defineApi({
  summary: "Add a tag to an own photo.",
  params: z.strictObject({ id, tag: line("the tag, old or new") }),
  returns: taggedItem,
  example: (db) => ({ id: somePhoto(db), tag: "to print" }),
  handler: ({ db }, { id, tag }) => {
    const row = ownPhoto(db, id);
    if (tagsOf(db, id).some((old) => same(old, tag))) {
      throw new ApiError(409, `tag: photo ${id} has the tag "${tag}" already`);
    }
    db.insert(tags, { photo: id, tag });
    return taggedView(db, row);
  },
});

const untag = defineApi({
  summary: "Take a tag off an own photo.",
  params: z.strictObject({ id, tag: line("the tag") }),
  returns: taggedItem,
  example: (db) => {
    const row = db.all(tags).find(({ photo }) => !db.get(photoRows, photo)?.trashed);
    return { id: row?.photo ?? 1, tag: row?.tag ?? "none" };
  },
  handler: ({ db }, { id, tag }) => {
    const row = ownPhoto(db, id);
    const old = db.where(tags, { photo: id }).find((known) => same(known.tag, tag));
    if (!old) throw new ApiError(404, `tag: photo ${id} has no tag "${tag}"`);
    db.remove(tags, old.id);
    return taggedView(db, row);
  },
});

const listTags = defineApi({
  summary: "List tags with their number of photos, by name.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), photos: z.int() })),
  example: () => ({}),
  handler: ({ db }, page) => {
    const counts = new Map<string, number>();
    for (const { photo, tag } of db.all(tags)) {
      if (!db.get(photoRows, photo)?.trashed) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return paged(rows, page, ([name, photos]) => ({ name, photos }));
  },
});

// --- people ---

const personItem = z.strictObject({ name: z.string(), handle: z.string() });

const personView = (db: Reader, person: number) => ({
  name: db.get(people, person)?.name ?? "removed",
  handle: handleOf(db, person),
});

const peopleIn = defineApi({
  summary: "List who is in a photo, in the order of naming.",
  params: z.strictObject({ id: idOf("photo"), ...paging }),
  returns: pageOf(personItem),
  example: (db) => ({ id: somePhoto(db, ({ id }) => facesOf(db, id).length > 0) }),
  handler: ({ db }, { id, ...page }) =>
    paged(facesOf(db, photoBy(db, id).id), page, ({ person }) => personView(db, person!)),
});

function faceOf(db: Reader, photo: number, person: number): Face | undefined {
  return db.where(faces, { photo, person })[0];
}

function refuseShown(db: Reader, photo: number, person: number): void {
  if (!faceOf(db, photo, person)) return;
  throw new ApiError(409, `person: "${handleOf(db, person)}" is in photo ${photo} already`);
}

const addPerson = defineApi({
  summary: "Note that a contact is in an own photo.",
  params: z.strictObject({ id, person: handle("who is in it") }),
  returns: personItem,
  example: (db) => {
    const id = somePhoto(db);
    const shown = facesOf(db, id).map(({ person }) => person);
    return { id, person: stranger(db, shown) };
  },
  handler: ({ db }, args) => {
    const photo = ownPhoto(db, args.id).id;
    const person = personBy(db, args.person, "person").id;
    refuseShown(db, photo, person);
    db.insert(faces, { photo, person, side: null, guess: null, ignored: false });
    return personView(db, person);
  },
});

const removePerson = defineApi({
  summary: "Take back that a contact is in an own photo.",
  params: z.strictObject({ id, person: handle("who is not in it") }),
  returns: personItem,
  example: (db) => {
    const id = somePhoto(db, (row) => facesOf(db, row.id).length > 0);
    return { id, person: handleIn(db, facesOf(db, id)[0]?.person) };
  },
  handler: ({ db }, args) => {
    const photo = ownPhoto(db, args.id).id;
    const person = personBy(db, args.person, "person").id;
    const row = faceOf(db, photo, person);
    if (!row) {
      throw new ApiError(404, `person: "${handleOf(db, person)}" is not in photo ${photo}`);
    }
    db.remove(faces, row.id);
    return personView(db, person);
  },
});

// --- faces without a name ---

const faceItem = z.strictObject({
  id: z.int(),
  photo: z.int(),
  name: z.string().describe("of the photo"),
  side: z.enum(SIDES).nullable(),
  guess: z.string().nullable().describe("handle of whom it may be"),
});

const faceView = (db: Reader, { id, photo, side, guess }: Face) => ({
  id,
  photo,
  name: db.get(photoRows, photo)!.name,
  side,
  guess: guess === null ? null : handleOf(db, guess),
});

function isOpen(db: Reader, { person, ignored, photo }: Face): boolean {
  return person === null && !ignored && !db.get(photoRows, photo)!.trashed;
}

const listFaces = defineApi({
  summary: "List faces in own photos that have no name yet.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(faceItem),
  example: () => ({}),
  handler: ({ db }, page) =>
    paged(
      db.where(faces, { person: null }).filter((row) => isOpen(db, row)),
      page,
      (row) => faceView(db, row),
    ),
});

const face = defineApi({
  summary: "Show one face, named or not.",
  params: z.strictObject({ id: idOf("face") }),
  returns: z.strictObject({ ...faceItem.shape, person: z.string().nullable() }),
  example: (db) => ({ id: someFace(db) }),
  handler: ({ db }, { id }) => {
    const row = rowIn(db, faces, id, "id", "face");
    ownPhoto(db, row.photo);
    return { ...faceView(db, row), person: row.person === null ? null : handleOf(db, row.person) };
  },
});

function openFace(db: Reader, id: number): Face {
  const row = rowIn(db, faces, id, "id", "face");
  if (isOpen(db, row)) return row;
  throw new ApiError(
    409,
    `id: face ${id} needs no name any more; photos.faces lists those that do`,
  );
}

const someFace = (db: Reader) =>
  idIn(db, faces, (row) => isOpen(db, row) && row.guess !== null && !shown(db, row));
const shown = (db: Reader, { photo, guess }: Face) =>
  guess !== null && faceOf(db, photo, guess) !== undefined;

const nameFace = defineApi({
  summary: "Name a face.",
  params: z.strictObject({ id: idOf("face"), person: handle("whose face it is") }),
  returns: personItem,
  example: (db) => {
    const id = someFace(db);
    return { id, person: handleIn(db, db.get(faces, id)?.guess) };
  },
  handler: ({ db }, args) => {
    const face = openFace(db, args.id);
    const person = personBy(db, args.person, "person").id;
    refuseShown(db, face.photo, person);
    db.update(faces, face.id, { person });
    return personView(db, person);
  },
});

const ignoreFace = defineApi({
  summary: "Leave a face without a name for good.",
  params: z.strictObject({ id: idOf("face") }),
  returns: faceItem,
  example: (db) => ({ id: someFace(db) }),
  handler: ({ db }, { id }) =>
    faceView(db, db.update(faces, openFace(db, id).id, { ignored: true })),
});

export const markApis = {
  favourite: flagging("Make an own photo a favourite.", "favourite", true, "a favourite already"),
  unfavourite: flagging("Make a favourite an ordinary photo.", "favourite", false, "no favourite"),
  hide: flagging("Hide an own photo from lists.", "hidden", true, "hidden already"),
  unhide: flagging("Show a hidden photo in lists again.", "hidden", false, "not hidden"),
  caption,
  locate,
  tags: listTags,
  tag,
  untag,
  peopleIn,
  addPerson,
  removePerson,
  faces: listFaces,
  face,
  nameFace,
  ignoreFace,
};
