/** Playlists as a whole: own ones are made, renamed, copied, merged and removed; those of contacts are left and joined. */
import { z } from "zod";
import { ApiError, defineApi, type Reader, type Writer } from "../../../../world/index.ts";
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
import { idIn, ownOne } from "./examples.ts";
import { entries, type Playlist, playlistShares, playlists, ROLES } from "./tables.ts";
import {
  byText,
  editablePlaylist,
  entriesOf,
  ownPlaylist,
  playlistBy,
  playlistItem,
  playlistView,
  rowIn,
  sharesOf,
} from "./views.ts";

const id = idOf("playlist");
const name = line("the name; unique among the owner's own");
const description = z.string().trim().max(300).describe("what it is for");
const visible = { removed: false, left: false };

const list = defineApi({
  summary: "List playlists by name: the owner's own and those of contacts.",
  params: z.strictObject({
    own: z.boolean().optional().describe("only the owner's own, or only those of contacts"),
    from: handle("only those of this contact").optional(),
    role: z.enum(ROLES).optional().describe("only those that the owner may use so"),
    sharedWith: handle("only own ones that this person was let into").optional(),
    ...paging,
  }),
  returns: pageOf(playlistItem),
  example: () => ({ own: true }),
  handler: ({ db }, { own, from, role, sharedWith, ...page }) => {
    const person = personId(db, from, "from");
    const friend = personId(db, sharedWith, "sharedWith");
    const rows = db
      .where(playlists, given({ ...visible, person, role }))
      .filter((row) => own === undefined || (row.person === null) === own)
      .filter((row) => friend === undefined || isSharedWith(db, row.id, friend));
    return paged(
      byText(rows, ({ name }) => name),
      page,
      playlistView(db),
    );
  },
});

function isSharedWith(db: Reader, playlist: number, person: number): boolean {
  return db.where(playlistShares, { playlist, person, ended: false }).length > 0;
}

const find = defineApi({
  summary: "Find playlists, own and of contacts, by a part of their name, by name.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(playlistItem),
  example: (db) => ({ query: db.where(playlists, visible)[0]?.name ?? "a" }),
  handler: ({ db }, { query, ...page }) => {
    const rows = db.where(playlists, visible).filter((row) => contains(row.name, query));
    return paged(
      byText(rows, ({ name }) => name),
      page,
      playlistView(db),
    );
  },
});

const show = defineApi({
  summary: "Show a playlist with its description.",
  params: z.strictObject({ id }),
  returns: z.strictObject({ ...playlistItem.shape, description: z.string() }),
  example: (db) => ({ id: ownOne(db) }),
  handler: ({ db }, { id }) => {
    const row = playlistBy(db, id);
    return { ...playlistView(db)(row), description: row.description };
  },
});

/** A 409 when an own playlist of that name is there already. */
function unused(db: Reader, name: string, except?: number): void {
  const own = db.where(playlists, { person: null, removed: false });
  const taken = own.find((row) => same(row.name, name) && row.id !== except);
  if (taken) throw new ApiError(409, `name: "${taken.name}" exists already; expected a new name`);
}

function make(db: Writer, name: string, description: string): Playlist {
  unused(db, name);
  return db.insert(playlists, { name, description, person: null, role: "editor", ...visible });
}

const create = defineApi({
  summary: "Create an empty playlist of the owner.",
  params: z.strictObject({ name, description: description.default("") }),
  returns: playlistItem,
  example: () => ({ name: "Songs for the train" }),
  handler: ({ db }, { name, description }) => playlistView(db)(make(db, name, description)),
});

const rename = defineApi({
  summary: "Rename an own playlist.",
  params: z.strictObject({ id, name }),
  returns: playlistItem,
  example: (db) => ({ id: ownOne(db), name: "Songs for the train" }),
  handler: ({ db }, { id, name }) => {
    unused(db, name, ownPlaylist(db, id).id);
    return playlistView(db)(db.update(playlists, id, { name }));
  },
});

const describe = defineApi({
  summary: "Replace the description of an own playlist.",
  params: z.strictObject({ id, description }),
  returns: z.strictObject({ ...playlistItem.shape, description: z.string() }),
  example: (db) => ({ id: ownOne(db), description: "Quiet ones for the evening." }),
  handler: ({ db }, { id, description }) => {
    const row = db.update(playlists, ownPlaylist(db, id).id, { description });
    return { ...playlistView(db)(row), description: row.description };
  },
});

const remove = defineApi({
  summary: "Remove an own playlist that is shared with nobody; it can be restored.",
  params: z.strictObject({ id }),
  returns: playlistItem,
  example: (db) => ({ id: ownOne(db, (row) => sharesOf(db, row.id).length === 0) }),
  handler: ({ db }, { id }) => {
    const row = ownPlaylist(db, id);
    const shared = sharesOf(db, id).length;
    if (shared > 0) {
      throw new ApiError(409, `id: playlist ${id} is shared with ${shared}; unshare it first`);
    }
    const view = playlistView(db)(row);
    db.update(playlists, id, { removed: true });
    return view;
  },
});

const listRemoved = defineApi({
  summary: "List the removed playlists, by name.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(playlistItem),
  example: () => ({}),
  handler: ({ db }, page) =>
    paged(
      byText(db.where(playlists, { removed: true }), ({ name }) => name),
      page,
      playlistView(db),
    ),
});

const restore = defineApi({
  summary: "Restore a removed playlist with its songs.",
  params: z.strictObject({ id }),
  returns: playlistItem,
  example: (db) => ({ id: idIn(db, playlists, ({ removed }) => removed) }),
  handler: ({ db }, { id }) => {
    const row = rowIn(db, playlists, id, "id", "playlist");
    if (!row.removed) throw new ApiError(409, `id: playlist ${id} is not removed`);
    unused(db, row.name);
    return playlistView(db)(db.update(playlists, id, { removed: false }));
  },
});

const copy = defineApi({
  summary: "Copy a playlist, own or of a contact, with its songs in their order to a new own one.",
  params: z.strictObject({ id, name: name.optional().describe("default: Copy of the old name") }),
  returns: playlistItem,
  example: (db) => ({ id: ownOne(db), name: "Spare songs" }),
  handler: ({ db }, { id, name }) => {
    const from = playlistBy(db, id);
    const row = make(db, name ?? `Copy of ${from.name}`, from.description);
    append(db, row.id, songIds(db, id));
    return playlistView(db)(row);
  },
});

const merge = defineApi({
  summary: "Add the songs of one playlist to another that lacks them; the first one stays.",
  params: z.strictObject({
    from: idOf("playlist that is read"),
    into: idOf("playlist that gets the songs"),
  }),
  returns: z.strictObject({ ...playlistItem.shape, added: z.int() }),
  example: (db) => ({
    from: idIn(db, playlists, ({ person }) => person !== null),
    into: ownOne(db),
  }),
  handler: ({ db }, { from, into }) => {
    if (from === into) throw new ApiError(422, `into: expected another playlist than ${from}`);
    const target = editablePlaylist(db, into, "into");
    const inside = new Set(songIds(db, into));
    const missing = songIds(db, playlistBy(db, from, "from").id).filter((x) => !inside.has(x));
    append(db, into, missing);
    return { ...playlistView(db)(target), added: missing.length };
  },
});

const songIds = (db: Reader, playlist: number) => entriesOf(db, playlist).map(({ song }) => song);

function append(db: Writer, playlist: number, added: readonly number[]): void {
  for (const song of added) {
    db.insert(entries, { playlist, song, person: null, slot: null, removed: false });
  }
}

// --- those of contacts ---

function contactsPlaylist(db: Reader, id: number): Playlist {
  const row = rowIn(db, playlists, id, "id", "playlist");
  if (row.person !== null) return row;
  throw new ApiError(422, `id: expected a contact's playlist, got ${id}, which is the owner's`);
}

const staying = (left: boolean) =>
  defineApi({
    summary: left
      ? "Leave a contact's playlist: it is no longer listed."
      : "Join a contact's playlist again that was left.",
    params: z.strictObject({ id }),
    returns: playlistItem,
    example: (db) => ({
      id: idIn(db, playlists, (row) => row.person !== null && row.left !== left),
    }),
    handler: ({ db }, { id }) => {
      if (contactsPlaylist(db, id).left === left) {
        throw new ApiError(409, `id: playlist ${id} was ${left ? "left already" : "never left"}`);
      }
      return playlistView(db)(db.update(playlists, id, { left }));
    },
  });

export const playlistApis = {
  playlists: list,
  findPlaylists: find,
  playlist: show,
  createPlaylist: create,
  renamePlaylist: rename,
  describePlaylist: describe,
  removePlaylist: remove,
  removedPlaylists: listRemoved,
  restorePlaylist: restore,
  copyPlaylist: copy,
  mergePlaylists: merge,
  leavePlaylist: staying(true),
  joinPlaylist: staying(false),
};
