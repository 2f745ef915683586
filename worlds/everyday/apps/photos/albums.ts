/**
 * Defines the APIs of albums. The owner can make, rename, remove and restore the owner's albums, and can leave and join
 * albums of contacts. As an editor of a contact's album, the owner may add the owner's photos and take out only these.
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
import { joiningApisOf } from "../music/shared-collections.ts";
import {
  handleOrNull,
  leavingOut,
  nullableHandleField,
  personColumnFilter,
  personFilter,
} from "../shared.ts";
import * as views from "./photo-items.ts";
import * as tables from "./tables.ts";

const id = idParam("album");
const photo = idParam("photo");
const title = shortTextParam("the title; unique among the owner's own");
const VISIBLE = { removed: false, left: false };
const sortByTitle = orderBy<tables.Album>(({ title }) => title.toLowerCase());

const albumOptions = { table: tables.albums, noun: "album", item: views.albumItem };
const anyAlbum = resource(albumOptions);
const ownAlbumResource = resource({
  ...albumOptions,
  find: ({ id }, { db }) => views.requireOwnAlbum(db, id),
  example: (db, fits) => ({ id: views.exampleOwnAlbumId(db, fits) }),
});
/** Returns an own album and an own photo in it. Examples of API calls use them. */
function examplePhotoInAlbum(db: Reader): { album: number; photo: number } {
  const album = views.exampleOwnAlbumId(db);
  const ownPhotoInAlbum = views.photosInAlbum(db, album).find(({ person }) => person === null);
  return { album, photo: ownPhotoInAlbum?.id ?? 1 };
}

/** A photo in an album that the owner may edit. The APIs of this resource return the album. */
const photoInAlbum = resource({
  ...albumOptions,
  keys: { album: id, photo },
  find: ({ album }, { db }) => views.requireEditableAlbum(db, album, "album"),
  example: examplePhotoInAlbum,
});
/** A photo that is moved from one album to another. */
const movedPhoto = resource({
  ...albumOptions,
  keys: { photo, from: idParam("album that it leaves"), to: idParam("album that it comes to") },
  find: ({ to }, { db }) => views.requireEditableAlbum(db, to, "to"),
  example: (db) => {
    const { album: from, photo } = examplePhotoInAlbum(db);
    const containsPhoto = (id: number) => findPlacement(db, id, photo) !== undefined;
    return {
      photo,
      from,
      to: views.exampleOwnAlbumId(db, ({ id }) => id !== from && !containsPhoto(id)),
    };
  },
});

/** Throws a 409 when another own album has this title already. */
function requireUnusedTitle(db: Reader, title: string, exceptId?: number): void {
  const ownAlbums = db.where(tables.albums, { person: null, removed: false });
  const taken = ownAlbums.find((row) => equalIgnoringCase(row.title, title) && row.id !== exceptId);
  refuseUnless(!taken, 409, () => `title: "${taken?.title}" exists already; expected a new one`);
}

function findPlacement(db: Reader, album: number, photo: number): tables.AlbumPhoto | undefined {
  return db.where(tables.albumPhotos, { album, photo })[0];
}

/**
 * Puts a photo into an album. A photo that was taken out before gets its old row back. Throws a 409 when it is there
 * already.
 */
function putIntoAlbum(db: Writer, album: number, photo: number): void {
  const row = findPlacement(db, album, photo);
  refuseUnless(row?.removed !== false, 409, `photo: photo ${photo} is already in album ${album}`);
  if (row) db.update(tables.albumPhotos, row.id, { removed: false });
  else db.insert(tables.albumPhotos, { album, photo, removed: false });
}

function takeOutOfAlbum(db: Writer, album: tables.Album, photo: number): void {
  const row = findPlacement(db, album.id, views.requireVisiblePhoto(db, photo, "photo").id);
  refuseUnless(row?.removed === false, 404, `photo: photo ${photo} is not in album ${album.id}`);
  const owner = handleOrNull(db, db.get(tables.photoRows, photo)!.person);
  const canTakeOut = album.person === null || owner === null;
  refuseUnless(canTakeOut, 403, `photo: photo ${photo} is of "${owner}", not of the owner`);
  db.update(tables.albumPhotos, row.id, { removed: true });
  if (album.cover === photo) db.update(tables.albums, album.id, { cover: null });
}

export const albumApis = {
  albums: anyAlbum.list(
    leavingOut(
      "List albums by title: the owner's own and those of contacts.",
      "removed ones and those that the owner left are",
    ),
    {
      rows: VISIBLE,
      filters: {
        own: [
          booleanParam("only the owner's own, or only those of contacts"),
          filterWhether(({ person }) => person === null),
        ],
        from: personColumnFilter("only those of this contact", "from"),
        role: z.enum(tables.ALBUM_ROLES).describe("only those that the owner may use so"),
        person: personFilter<tables.Album>(
          "only own ones that this person was let into",
          "person",
          ({ id: album }, person, db) =>
            db.where(tables.albumShares, { album, person, ended: false }).length > 0,
        ),
      },
      order: sortByTitle,
      example: { own: true },
    },
  ),
  findAlbums: anyAlbum.list(
    leavingOut(
      "Find albums, own and of contacts, by a part of their title, by title.",
      "removed ones and those that the owner left are",
    ),
    {
      searchIn: ["title"],
      rows: VISIBLE,
      order: sortByTitle,
      example: (db) => ({ query: db.where(tables.albums, VISIBLE)[0]?.title ?? "a" }),
    },
  ),
  album: ownAlbumResource.show("Show an album with its first and last day and its cover.", {
    find: ({ id }, { db }) => views.requireVisibleAlbum(db, id),
    item: views.albumItem.with({
      firstDay: [
        z.string().nullable(),
        ({ id }, { db }) => views.photosInAlbum(db, id)[0]?.day ?? null,
      ],
      lastDay: [
        z.string().nullable(),
        ({ id }, { db }) => views.photosInAlbum(db, id).at(-1)?.day ?? null,
      ],
      kilobytes: [
        z.int(),
        ({ id }, { db }) =>
          views.photosInAlbum(db, id).reduce((sum, { kilobytes }) => sum + kilobytes, 0),
      ],
      cover: textOfReferencedRow(tables.photoRows, "cover", "name"),
    }),
  }),
  createAlbum: ownAlbumResource.add("Create an empty album of the owner.", {
    params: { title },
    checkArguments: ({ title }, { db }) => requireUnusedTitle(db, title),
    defaults: { person: null, role: "editor", cover: null, ...VISIBLE },
    example: { title: "For the calendar" },
  }),
  renameAlbum: ownAlbumResource.change("Give an own album another title.", {
    params: { title },
    checkRow: ({ id }, { title }, { db }) => requireUnusedTitle(db, title, id),
    example: { title: "For the calendar" },
  }),
  setCover: photoInAlbum.change("Make one of its photos the cover of an own album.", {
    find: ({ album }, { db }) => views.requireOwnAlbum(db, album, "album"),
    set: ({ id: album }, { photo }, { db }) => {
      const cover = views.requireVisiblePhoto(db, photo, "photo").id;
      const containsCover = views.photosInAlbum(db, album).some(({ id }) => id === cover);
      refuseUnless(containsCover, 422, `photo: photo ${photo} is not in album ${album}`);
      return { cover };
    },
  }),
  removeAlbum: ownAlbumResource.change(
    "Remove an own album that is shared with nobody; its photos stay.",
    {
      set: { removed: true },
      checkRow: ({ id }, _, { db }) => {
        const shared = views.activeAlbumShares(db, id).length;
        refuseUnless(
          shared === 0,
          409,
          `id: album ${id} is shared with ${shared}; unshare it first`,
        );
      },
      isExample: ({ id }, db) => views.activeAlbumShares(db, id).length === 0,
    },
  ),
  removedAlbums: anyAlbum.list("List the removed albums by title.", {
    rows: { removed: true },
    order: sortByTitle,
  }),
  restoreAlbum: anyAlbum.change("Restore a removed album with its photos.", {
    set: { removed: false },
    already: "is not removed",
    checkRow: ({ title }, _, { db }) => requireUnusedTitle(db, title),
  }),
  ...joiningApisOf(views.sharedAlbums, views.albumItem),
  albumPhotos: views.visiblePhoto.list(
    "List the photos of an album, oldest first; the trash is left out.",
    {
      params: { id },
      rows: ({ id }, { db }) => views.photosInAlbum(db, views.requireVisibleAlbum(db, id).id),
      filters: { kind: z.enum(tables.KINDS).describe("only of this kind") },
      item: views.visiblePhoto.item.with({ owner: nullableHandleField }),
      example: (db) => ({ id: views.exampleOwnAlbumId(db) }),
    },
  ),
  addToAlbum: photoInAlbum.act("Put an own photo into an album.", {
    run: ({ id }, { photo }, { db }) => {
      putIntoAlbum(db, id, views.requireOwnPhoto(db, photo, "photo").id);
    },
    example: (db) => {
      const album = views.exampleOwnAlbumId(db);
      const inside = new Set(db.where(tables.albumPhotos, { album }).map(({ photo }) => photo));
      return { album, photo: views.examplePhotoId(db, ({ id }) => !inside.has(id)) };
    },
  }),
  removeFromAlbum: photoInAlbum.act(
    "Take a photo out of an album; the photo itself stays. It is no longer the cover.",
    {
      run: (row, { photo }, { db }) => {
        takeOutOfAlbum(db, row, photo);
      },
    },
  ),
  moveToAlbum: movedPhoto.act("Move an own photo from one album to another.", {
    checkArguments: ({ from, to }) =>
      refuseUnless(from !== to, 422, `to: expected another album than ${from}`),
    run: ({ id }, { photo, from }, { db }) => {
      views.requireOwnPhoto(db, photo, "photo");
      takeOutOfAlbum(db, views.requireEditableAlbum(db, from, "from"), photo);
      putIntoAlbum(db, id, photo);
    },
  }),
};
