/**
 * Albums: own ones are made, renamed, removed and restored; those of contacts are left and joined. In a contact's, an editor adds
 * own photos and takes out own photos only.
 */

import {
  booleanParam,
  equalIgnoringCase,
  filterWhether,
  idParam,
  orderBy,
  refuseUnless,
  resource,
  shortTextParam,
  textOfReferencedRow,
} from "bowline/resources";
import type { Reader, Writer } from "bowline/world";
import { z } from "bowline/world";
import { joiningApisOf, whose } from "../music/shared-collections.ts";
import { nullableHandleField, personColumnFilter, personFilter } from "../shared.ts";
import * as tables from "./tables.ts";
import * as views from "./views.ts";

const id = idParam("album");
const photo = idParam("photo");
const title = shortTextParam("the title; unique among the owner's own");
const visible = { removed: false, left: false };
const byTitle = orderBy<tables.Album>(({ title }) => title.toLowerCase());

const any = { table: tables.albums, noun: "album", item: views.albumItem };
const anyAlbum = resource(any);
const own = resource({
  ...any,
  find: ({ id }, { db }) => views.ownAlbum(db, id),
  example: (db, fits) => ({ id: views.someAlbum(db, fits) }),
});
/** For examples: a photo in an album. */
function photoInside(db: Reader): { album: number; photo: number } {
  const album = views.someAlbum(db);
  const own = views.photosIn(db, album).find(({ person }) => person === null);
  return { album, photo: own?.id ?? 1 };
}

/** A photo in an album that the owner may edit; the album is what is shown. */
const inside = resource({
  ...any,
  keys: { album: id, photo },
  find: ({ album }, { db }) => views.editableAlbum(db, album, "album"),
  example: photoInside,
});
/** A photo that goes from one album to another. */
const moving = resource({
  ...any,
  keys: { photo, from: idParam("album that it leaves"), to: idParam("album that it comes to") },
  find: ({ to }, { db }) => views.editableAlbum(db, to, "to"),
  example: (db) => {
    const { album: from, photo } = photoInside(db);
    const holds = (id: number) => placeOf(db, id, photo) !== undefined;
    return { photo, from, to: views.someAlbum(db, ({ id }) => id !== from && !holds(id)) };
  },
});

/** A 409 when an own album of that title is there already. */
function unused(db: Reader, title: string, except?: number): void {
  const own = db.where(tables.albums, { person: null, removed: false });
  const taken = own.find((row) => equalIgnoringCase(row.title, title) && row.id !== except);
  refuseUnless(!taken, 409, () => `title: "${taken?.title}" exists already; expected a new one`);
}

function placeOf(db: Reader, album: number, photo: number): tables.Placed | undefined {
  return db.where(tables.placed, { album, photo })[0];
}

/** A photo that was taken out before comes back as the same row. */
function putIn(db: Writer, album: number, photo: number): void {
  const row = placeOf(db, album, photo);
  refuseUnless(row?.removed !== false, 409, `photo: photo ${photo} is already in album ${album}`);
  if (row) db.update(tables.placed, row.id, { removed: false });
  else db.insert(tables.placed, { album, photo, removed: false });
}

function takeOut(db: Writer, album: tables.Album, photo: number): void {
  const row = placeOf(db, album.id, views.photoBy(db, photo, "photo").id);
  refuseUnless(row?.removed === false, 404, `photo: photo ${photo} is not in album ${album.id}`);
  const of = whose(db, db.get(tables.photoRows, photo)!.person);
  const may = album.person === null || of === null;
  refuseUnless(may, 403, `photo: photo ${photo} is of "${of}", not of the owner`);
  db.update(tables.placed, row.id, { removed: true });
  if (album.cover === photo) db.update(tables.albums, album.id, { cover: null });
}

export const albumApis = {
  albums: anyAlbum.list("List albums by title: the owner's own and those of contacts.", {
    rows: visible,
    filters: {
      own: [
        booleanParam("only the owner's own, or only those of contacts"),
        filterWhether(({ person }) => person === null),
      ],
      from: personColumnFilter("only those of this contact", "from"),
      role: z.enum(tables.ALBUM_ROLES).describe("only those that the owner may use so"),
      sharedWith: personFilter<tables.Album>(
        "only own ones that this person was let into",
        "sharedWith",
        ({ id: album }, person, db) =>
          db.where(tables.albumShares, { album, person, ended: false }).length > 0,
      ),
    },
    order: byTitle,
    example: { own: true },
  }),
  findAlbums: anyAlbum.list(
    "Find albums, own and of contacts, by a part of their title, by title.",
    {
      searchIn: ["title"],
      rows: visible,
      order: byTitle,
      example: (db) => ({ query: db.where(tables.albums, visible)[0]?.title ?? "a" }),
    },
  ),
  album: own.show("Show an album with its first and last day and its cover.", {
    find: ({ id }, { db }) => views.albumBy(db, id),
    item: views.albumItem.with({
      firstDay: [z.string().nullable(), ({ id }, { db }) => views.photosIn(db, id)[0]?.day ?? null],
      lastDay: [
        z.string().nullable(),
        ({ id }, { db }) => views.photosIn(db, id).at(-1)?.day ?? null,
      ],
      kilobytes: [
        z.int(),
        ({ id }, { db }) =>
          views.photosIn(db, id).reduce((sum, { kilobytes }) => sum + kilobytes, 0),
      ],
      cover: textOfReferencedRow(tables.photoRows, "cover", "name"),
    }),
  }),
  createAlbum: own.add("Create an empty album of the owner.", {
    params: { title },
    checkArguments: ({ title }, { db }) => unused(db, title),
    defaults: { person: null, role: "editor", cover: null, ...visible },
    example: { title: "For the calendar" },
  }),
  renameAlbum: own.change("Give an own album another title.", {
    params: { title },
    checkRow: ({ id }, { title }, { db }) => unused(db, title, id),
    example: { title: "For the calendar" },
  }),
  setCover: inside.change("Make one of its photos the cover of an own album.", {
    find: ({ album }, { db }) => views.ownAlbum(db, album, "album"),
    set: ({ id: album }, { photo }, { db }) => {
      const cover = views.photoBy(db, photo, "photo").id;
      const holds = views.photosIn(db, album).some(({ id }) => id === cover);
      refuseUnless(holds, 422, `photo: photo ${photo} is not in album ${album}`);
      return { cover };
    },
  }),
  removeAlbum: own.change("Remove an own album that is shared with nobody; its photos stay.", {
    set: { removed: true },
    checkRow: ({ id }, _, { db }) => {
      const shared = views.sharesOf(db, id).length;
      refuseUnless(shared === 0, 409, `id: album ${id} is shared with ${shared}; unshare it first`);
    },
    isExample: ({ id }, db) => views.sharesOf(db, id).length === 0,
  }),
  removedAlbums: anyAlbum.list("List the removed albums by title.", {
    rows: { removed: true },
    order: byTitle,
  }),
  restoreAlbum: anyAlbum.change("Restore a removed album with its photos.", {
    set: { removed: false },
    already: "is not removed",
    checkRow: ({ title }, _, { db }) => unused(db, title),
  }),
  ...joiningApisOf(views.sharedAlbums, views.albumItem),
  albumPhotos: views.seenPhotos.list("List the photos of an album, oldest first.", {
    params: { id },
    rows: ({ id }, { db }) => views.photosIn(db, views.albumBy(db, id).id),
    filters: { kind: z.enum(tables.KINDS).describe("only of this kind") },
    item: views.seenPhotos.item.with({ owner: nullableHandleField }),
    example: (db) => ({ id: views.someAlbum(db) }),
  }),
  addToAlbum: inside.act("Put an own photo into an album.", {
    run: ({ id }, { photo }, { db }) => {
      putIn(db, id, views.ownPhoto(db, photo, "photo").id);
    },
    example: (db) => {
      const album = views.someAlbum(db);
      const inside = new Set(db.where(tables.placed, { album }).map(({ photo }) => photo));
      return { album, photo: views.somePhoto(db, ({ id }) => !inside.has(id)) };
    },
  }),
  removeFromAlbum: inside.act(
    "Take a photo out of an album; the photo itself stays. It is no longer the cover.",
    {
      run: (row, { photo }, { db }) => {
        takeOut(db, row, photo);
      },
    },
  ),
  moveToAlbum: moving.act("Move an own photo from one album to another.", {
    checkArguments: ({ from, to }) =>
      refuseUnless(from !== to, 422, `to: expected another album than ${from}`),
    run: ({ id }, { photo, from }, { db }) => {
      views.ownPhoto(db, photo, "photo");
      takeOut(db, views.editableAlbum(db, from, "from"), photo);
      putIn(db, id, photo);
    },
  }),
};
