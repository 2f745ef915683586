/**
 * Defines the APIs of whole playlists. The owner can make, rename, copy, merge and remove the owner's playlists, and
 * can leave and join playlists of contacts.
 */

import {
  booleanParam,
  equalIgnoringCase,
  filterWhether,
  firstRowId,
  idParam,
  refuseUnless,
  resource,
  shortTextParam,
} from "bowline/resources";
import { defineApi, type Reader, type Writer, z } from "bowline/world";
import { leavingOut, personColumnFilter, personFilter } from "../shared.ts";
import {
  exampleOwnPlaylistId,
  PLAYLISTS,
  playlistEntries,
  playlistItem,
  playlistSharesOf,
  requireEditablePlaylist,
  requireOwnPlaylist,
  requireVisiblePlaylist,
  sortByName,
} from "./music-items.ts";
import { joiningApisOf } from "./shared-collections.ts";
import { entries, type Playlist, playlists, ROLES } from "./tables.ts";

const name = shortTextParam("the name; unique among the owner's own");
const description = z.string().trim().max(300).describe("what it is for");
const VISIBLE = { removed: false, left: false };
const describedItem = playlistItem.with({ description: z.string() });

const playlistOptions = { table: playlists, noun: "playlist", item: playlistItem };
const anyPlaylist = resource(playlistOptions);
/** The playlists that the owner can see. */
const visiblePlaylist = resource({
  ...playlistOptions,
  find: ({ id }, { db }) => requireVisiblePlaylist(db, id),
  example: (db) => ({ id: exampleOwnPlaylistId(db) }),
});
const ownPlaylistResource = resource({
  ...playlistOptions,
  find: ({ id }, { db }) => requireOwnPlaylist(db, id),
  example: (db, fits) => ({ id: exampleOwnPlaylistId(db, fits) }),
});
/** Throws a 409 when another own playlist has this name already. */
function requireUnusedName(db: Reader, name: string, exceptId?: number): void {
  const ownPlaylists = db.where(playlists, { person: null, removed: false });
  const taken = ownPlaylists.find(
    (row) => equalIgnoringCase(row.name, name) && row.id !== exceptId,
  );
  refuseUnless(!taken, 409, () => `name: "${taken?.name}" exists already; expected a new name`);
}

const NEW_PLAYLIST = { person: null, role: "editor", ...VISIBLE } as const;

const songIdsOf = (db: Reader, playlist: number) =>
  playlistEntries(db, playlist).map(({ song }) => song);

function appendSongs(db: Writer, playlist: number, songs: readonly number[]): void {
  for (const song of songs) {
    db.insert(entries, { playlist, song, person: null, slot: null, removed: false });
  }
}

export const playlistApis = {
  playlists: visiblePlaylist.list(
    leavingOut(
      "List playlists by name: the owner's own and those of contacts.",
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
        role: z.enum(ROLES).describe("only those that the owner may use so"),
        person: personFilter(
          "only own ones that this person was let into",
          "person",
          ({ id }: Playlist, person, db) =>
            playlistSharesOf(db, id).some((share) => share.person === person),
        ),
      },
      order: sortByName,
      example: { own: true },
    },
  ),
  findPlaylists: visiblePlaylist.list(
    leavingOut(
      "Find playlists, own and of contacts, by a part of their name, by name.",
      "removed ones and those that the owner left are",
    ),
    {
      searchIn: ["name"],
      rows: VISIBLE,
      order: sortByName,
      example: (db) => ({ query: db.where(playlists, VISIBLE)[0]?.name ?? "a" }),
    },
  ),
  playlist: visiblePlaylist.show("Show a playlist with its description.", { item: describedItem }),
  createPlaylist: ownPlaylistResource.add("Create an empty playlist of the owner.", {
    params: { name, description: description.default("") },
    checkArguments: ({ name }, { db }) => requireUnusedName(db, name),
    defaults: NEW_PLAYLIST,
    example: { name: "Songs for the train" },
  }),
  renamePlaylist: ownPlaylistResource.change("Rename an own playlist.", {
    params: { name },
    checkRow: ({ id }, { name }, { db }) => requireUnusedName(db, name, id),
    example: { name: "Songs for the train" },
  }),
  describePlaylist: ownPlaylistResource.change("Replace the description of an own playlist.", {
    params: { description },
    item: describedItem,
    example: { description: "Quiet ones for the evening." },
  }),
  removePlaylist: ownPlaylistResource.change(
    "Remove an own playlist that is shared with nobody; it can be restored.",
    {
      set: { removed: true },
      checkRow: ({ id }, _, { db }) => {
        const shared = playlistSharesOf(db, id).length;
        refuseUnless(
          shared === 0,
          409,
          `id: playlist ${id} is shared with ${shared}; unshare it first`,
        );
      },
      isExample: ({ id }, db) => playlistSharesOf(db, id).length === 0,
    },
  ),
  removedPlaylists: anyPlaylist.list("List the removed playlists, by name.", {
    rows: { removed: true },
    order: sortByName,
  }),
  restorePlaylist: anyPlaylist.change("Restore a removed playlist with its songs.", {
    set: { removed: false },
    already: "is not removed",
    checkRow: ({ name }, _, { db }) => requireUnusedName(db, name),
  }),
  copyPlaylist: visiblePlaylist.act(
    "Copy a playlist, own or of a contact, with its songs in their order to a new own one.",
    {
      params: { name: name.optional().describe("default: Copy of the old name") },
      run: (from, { name = `Copy of ${from.name}` }, { db }) => {
        requireUnusedName(db, name);
        const row = db.insert(playlists, { name, description: from.description, ...NEW_PLAYLIST });
        appendSongs(db, row.id, songIdsOf(db, from.id));
        return row;
      },
      example: { name: "Spare songs" },
    },
  ),
  mergePlaylists: defineApi({
    summary: "Add the songs of one playlist to another that lacks them; the first one stays.",
    params: z.strictObject({
      from: idParam("playlist that is read"),
      into: idParam("playlist that gets the songs"),
    }),
    returns: playlistItem.with({ added: z.int() }).schema,
    example: (db) => ({
      from: firstRowId(db, playlists, ({ person }) => person !== null),
      into: exampleOwnPlaylistId(db),
    }),
    handler: (context, { from, into }) => {
      const { db } = context;
      refuseUnless(from !== into, 422, `into: expected another playlist than ${from}`);
      const target = requireEditablePlaylist(db, into, "into");
      const presentIds = new Set(songIdsOf(db, into));
      const missing = songIdsOf(db, requireVisiblePlaylist(db, from, "from").id).filter(
        (x) => !presentIds.has(x),
      );
      appendSongs(db, into, missing);
      return { ...playlistItem.view(target, context), added: missing.length };
    },
  }),
  ...joiningApisOf(PLAYLISTS, playlistItem),
};
