/** What an album holds. In a contact's, an editor adds own photos and takes out own photos only. */
import { z } from "zod";
import { ApiError, defineApi, type Reader, type Writer } from "../../../../world/index.ts";
import { handleOf, idOf, paged, pageOf, paging } from "../shared.ts";
import { photoInside, photoOutside, someAlbum } from "./examples.ts";
import { albums, KINDS, type Placed, photoRows, placed } from "./tables.ts";
import {
  albumBy,
  albumItem,
  albumView,
  editableAlbum,
  ownPhoto,
  photoBy,
  photoItem,
  photosIn,
  photoView,
} from "./views.ts";

const album = idOf("album");
const photo = idOf("photo");

const list = defineApi({
  summary: "List the photos of an album, oldest first.",
  params: z.strictObject({
    id: album,
    kind: z.enum(KINDS).optional().describe("only of this kind"),
    ...paging,
  }),
  returns: pageOf(z.strictObject({ ...photoItem.shape, owner: z.string().nullable() })),
  example: (db) => ({ id: someAlbum(db) }),
  handler: ({ db }, { id, kind, ...page }) => {
    const rows = photosIn(db, albumBy(db, id).id).filter((row) => row.kind === (kind ?? row.kind));
    return paged(rows, page, (row) => ({
      ...photoView(row),
      owner: row.person === null ? null : handleOf(db, row.person),
    }));
  },
});

function placeOf(db: Reader, album: number, photo: number): Placed | undefined {
  return db.where(placed, { album, photo })[0];
}

/** A photo that was taken out before comes back as the same row. */
function putIn(db: Writer, album: number, photo: number): void {
  const row = placeOf(db, album, photo);
  if (row?.removed === false) {
    throw new ApiError(409, `photo: photo ${photo} is already in album ${album}`);
  }
  if (row) db.update(placed, row.id, { removed: false });
  else db.insert(placed, { album, photo, removed: false });
}

function takeOut(db: Writer, album: number, photo: number): void {
  const target = editableAlbum(db, album, "album");
  const row = placeOf(db, album, photoBy(db, photo, "photo").id);
  if (!row || row.removed) {
    throw new ApiError(404, `photo: photo ${photo} is not in album ${album}`);
  }
  const { person } = db.get(photoRows, photo)!;
  if (target.person !== null && person !== null) {
    throw new ApiError(
      403,
      `photo: photo ${photo} is of "${handleOf(db, person)}", not of the owner`,
    );
  }
  db.update(placed, row.id, { removed: true });
  if (target.cover === photo) db.update(albums, album, { cover: null });
}

const add = defineApi({
  summary: "Put an own photo into an album.",
  params: z.strictObject({ album, photo }),
  returns: albumItem,
  example: (db) => photoOutside(db),
  handler: ({ db }, { album, photo }) => {
    const row = editableAlbum(db, album, "album");
    putIn(db, album, ownPhoto(db, photo, "photo").id);
    return albumView(db)(row);
  },
});

const remove = defineApi({
  summary: "Take a photo out of an album; the photo itself stays. It is no longer the cover.",
  params: z.strictObject({ album, photo }),
  returns: albumItem,
  example: (db) => photoInside(db),
  handler: ({ db }, { album, photo }) => {
    takeOut(db, album, photo);
    return albumView(db)(albumBy(db, album, "album"));
  },
});

const move = defineApi({
  summary: "Move an own photo from one album to another.",
  params: z.strictObject({
    photo,
    from: idOf("album that it leaves"),
    to: idOf("album that it comes to"),
  }),
  returns: albumItem,
  example: (db) => {
    const { album: from, photo } = photoInside(db);
    const holds = (id: number) => placeOf(db, id, photo) !== undefined;
    return { photo, from, to: someAlbum(db, ({ id }) => id !== from && !holds(id)) };
  },
  handler: ({ db }, { photo, from, to }) => {
    if (from === to) throw new ApiError(422, `to: expected another album than ${from}`);
    const target = editableAlbum(db, to, "to");
    ownPhoto(db, photo, "photo");
    takeOut(db, editableAlbum(db, from, "from").id, photo);
    putIn(db, to, photo);
    return albumView(db)(target);
  },
});

export const albumPhotoApis = {
  albumPhotos: list,
  addToAlbum: add,
  removeFromAlbum: remove,
  moveToAlbum: move,
};
