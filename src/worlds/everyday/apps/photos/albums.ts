/** Albums as a whole: own ones are made, renamed, removed and restored; those of contacts are left and joined. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  given,
  handle,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personId,
  query,
  same,
} from "../shared.ts";
import { idIn, photoInside, someAlbum } from "./examples.ts";
import { ALBUM_ROLES, type Album, albumShares, albums, photoRows } from "./tables.ts";
import {
  albumBy,
  albumItem,
  albumView,
  byTitle,
  ownAlbum,
  photoBy,
  photosIn,
  rowIn,
  sharesOf,
} from "./views.ts";

const id = idOf("album");
const title = line("the title; unique among the owner's own");
const visible = { removed: false, left: false };

const list = defineApi({
  summary: "List albums by title: the owner's own and those of contacts.",
  params: z.strictObject({
    own: z.boolean().optional().describe("only the owner's own, or only those of contacts"),
    from: handle("only those of this contact").optional(),
    role: z.enum(ALBUM_ROLES).optional().describe("only those that the owner may use so"),
    sharedWith: handle("only own ones that this person was let into").optional(),
    ...paging,
  }),
  returns: pageOf(albumItem),
  example: () => ({ own: true }),
  handler: ({ db }, { own, from, role, sharedWith, ...page }) => {
    const person = personId(db, from, "from");
    const friend = personId(db, sharedWith, "sharedWith");
    const rows = db
      .where(albums, given({ ...visible, person, role }))
      .filter((row) => own === undefined || (row.person === null) === own)
      .filter((row) => friend === undefined || isSharedWith(db, row.id, friend));
    return paged(byTitle(rows), page, albumView(db));
  },
});

function isSharedWith(db: Reader, album: number, person: number): boolean {
  return db.where(albumShares, { album, person, ended: false }).length > 0;
}

const find = defineApi({
  summary: "Find albums, own and of contacts, by a part of their title, by title.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(albumItem),
  example: (db) => ({ query: db.where(albums, visible)[0]?.title ?? "a" }),
  handler: ({ db }, { query, ...page }) => {
    const rows = db.where(albums, visible).filter((row) => contains(row.title, query));
    return paged(byTitle(rows), page, albumView(db));
  },
});

const show = defineApi({
  summary: "Show an album with its first and last day and its cover.",
  params: z.strictObject({ id }),
  returns: z.strictObject({
    ...albumItem.shape,
    firstDay: z.string().nullable(),
    lastDay: z.string().nullable(),
    kilobytes: z.int(),
    cover: z.string().nullable(),
  }),
  example: (db) => ({ id: someAlbum(db) }),
  handler: ({ db }, { id }) => {
    const row = albumBy(db, id);
    const inside = photosIn(db, id);
    return {
      ...albumView(db)(row),
      firstDay: inside[0]?.day ?? null,
      lastDay: inside.at(-1)?.day ?? null,
      kilobytes: inside.reduce((sum, { kilobytes }) => sum + kilobytes, 0),
      cover: row.cover === null ? null : (db.get(photoRows, row.cover)?.name ?? null),
    };
  },
});

/** A 409 when an own album of that title is there already. */
function unused(db: Reader, title: string, except?: number): void {
  const own = db.where(albums, { person: null, removed: false });
  const taken = own.find((row) => same(row.title, title) && row.id !== except);
  if (taken) throw new ApiError(409, `title: "${taken.title}" exists already; expected a new one`);
}

const create = defineApi({
  summary: "Create an empty album of the owner.",
  params: z.strictObject({ title }),
  returns: albumItem,
  example: () => ({ title: "For the calendar" }),
  handler: ({ db }, { title }) => {
    unused(db, title);
    const plain = { person: null, role: "editor", cover: null } as const;
    return albumView(db)(db.insert(albums, { title, ...plain, ...visible }));
  },
});

const rename = defineApi({
  summary: "Give an own album another title.",
  params: z.strictObject({ id, title }),
  returns: albumItem,
  example: (db) => ({ id: someAlbum(db), title: "For the calendar" }),
  handler: ({ db }, { id, title }) => {
    unused(db, title, ownAlbum(db, id).id);
    return albumView(db)(db.update(albums, id, { title }));
  },
});

const setCover = defineApi({
  summary: "Make one of its photos the cover of an own album.",
  params: z.strictObject({ album: id, photo: idOf("photo") }),
  returns: albumItem,
  example: (db) => photoInside(db),
  handler: ({ db }, { album, photo }) => {
    const row = ownAlbum(db, album, "album");
    const cover = photoBy(db, photo, "photo").id;
    if (!photosIn(db, album).some(({ id }) => id === cover)) {
      throw new ApiError(422, `photo: photo ${photo} is not in album ${album}`);
    }
    return albumView(db)(db.update(albums, row.id, { cover }));
  },
});

const remove = defineApi({
  summary: "Remove an own album that is shared with nobody; its photos stay.",
  params: z.strictObject({ id }),
  returns: albumItem,
  example: (db) => ({ id: someAlbum(db, (row) => sharesOf(db, row.id).length === 0) }),
  handler: ({ db }, { id }) => {
    const row = ownAlbum(db, id);
    const shared = sharesOf(db, id).length;
    if (shared > 0) {
      throw new ApiError(409, `id: album ${id} is shared with ${shared}; unshare it first`);
    }
    db.update(albums, id, { removed: true });
    return albumView(db)(row);
  },
});

const listRemoved = defineApi({
  summary: "List the removed albums by title.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(albumItem),
  example: () => ({}),
  handler: ({ db }, page) =>
    paged(byTitle(db.where(albums, { removed: true })), page, albumView(db)),
});

const restore = defineApi({
  summary: "Restore a removed album with its photos.",
  params: z.strictObject({ id }),
  returns: albumItem,
  example: (db) => ({ id: idIn(db, albums, ({ removed }) => removed) }),
  handler: ({ db }, { id }) => {
    const row = rowIn(db, albums, id, "id", "album");
    if (!row.removed) throw new ApiError(409, `id: album ${id} is not removed`);
    unused(db, row.title);
    return albumView(db)(db.update(albums, id, { removed: false }));
  },
});

// --- those of contacts ---

function contactsAlbum(db: Reader, id: number): Album {
  const row = rowIn(db, albums, id, "id", "album");
  if (row.person !== null) return row;
  throw new ApiError(422, `id: expected a contact's album, got ${id}, which is the owner's`);
}

const staying = (left: boolean) =>
  defineApi({
    summary: left
      ? "Leave a contact's album: it is no longer listed."
      : "Join a contact's album again that was left.",
    params: z.strictObject({ id }),
    returns: albumItem,
    example: (db) => ({ id: idIn(db, albums, (row) => row.person !== null && row.left !== left) }),
    handler: ({ db }, { id }) => {
      if (contactsAlbum(db, id).left === left) {
        throw new ApiError(409, `id: album ${id} was ${left ? "left already" : "never left"}`);
      }
      return albumView(db)(db.update(albums, id, { left }));
    },
  });

export const albumApis = {
  albums: list,
  findAlbums: find,
  album: show,
  createAlbum: create,
  renameAlbum: rename,
  setCover,
  removeAlbum: remove,
  removedAlbums: listRemoved,
  restoreAlbum: restore,
  leaveAlbum: staying(true),
  joinAlbum: staying(false),
};
