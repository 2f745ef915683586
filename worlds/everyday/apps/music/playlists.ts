/** Playlists as a whole: own ones are made, renamed, copied, merged and removed; those of contacts are left and joined. */

import { either, firstId, idOf, line, must, resource, same, when } from "bowline/resources";
import { defineApi, type Reader, type Writer, z } from "bowline/world";
import { ofPerson, withPerson } from "../shared.ts";
import { joiningOf } from "./letting-in.ts";
import { entries, type Playlist, playlists, ROLES } from "./tables.ts";
import {
  byName,
  editablePlaylist,
  entriesOf,
  lists,
  ownOne,
  ownPlaylist,
  playlistBy,
  playlistItem,
  sharesOf,
} from "./views.ts";

const name = line("the name; unique among the owner's own");
const description = z.string().trim().max(300).describe("what it is for");
const visible = { removed: false, left: false };
const described = playlistItem.with({ description: z.string() });

const any = { table: playlists, noun: "playlist", item: playlistItem };
const anyPlaylist = resource(any);
/** Those that the owner can see. */
const seen = resource({
  ...any,
  find: ({ id }, { db }) => playlistBy(db, id),
  example: (db) => ({ id: ownOne(db) }),
});
const own = resource({
  ...any,
  find: ({ id }, { db }) => ownPlaylist(db, id),
  example: (db, fits) => ({ id: ownOne(db, fits) }),
});
/** A 409 when an own playlist of that name is there already. */
function unused(db: Reader, name: string, except?: number): void {
  const own = db.where(playlists, { person: null, removed: false });
  const taken = own.find((row) => same(row.name, name) && row.id !== except);
  must(!taken, 409, () => `name: "${taken?.name}" exists already; expected a new name`);
}

const plain = { person: null, role: "editor", ...visible } as const;

const songIds = (db: Reader, playlist: number) => entriesOf(db, playlist).map(({ song }) => song);

function append(db: Writer, playlist: number, added: readonly number[]): void {
  for (const song of added) {
    db.insert(entries, { playlist, song, person: null, slot: null, removed: false });
  }
}

export const playlistApis = {
  playlists: seen.list("List playlists by name: the owner's own and those of contacts.", {
    rows: visible,
    filters: {
      own: [
        either("only the owner's own, or only those of contacts"),
        when(({ person }) => person === null),
      ],
      from: ofPerson("only those of this contact", "from"),
      role: z.enum(ROLES).describe("only those that the owner may use so"),
      sharedWith: withPerson(
        "only own ones that this person was let into",
        "sharedWith",
        ({ id }: Playlist, person, db) => sharesOf(db, id).some((share) => share.person === person),
      ),
    },
    order: byName,
    example: { own: true },
  }),
  findPlaylists: seen.list(
    "Find playlists, own and of contacts, by a part of their name, by name.",
    {
      words: ["name"],
      rows: visible,
      order: byName,
      example: (db) => ({ query: db.where(playlists, visible)[0]?.name ?? "a" }),
    },
  ),
  playlist: seen.show("Show a playlist with its description.", { item: described }),
  createPlaylist: own.add("Create an empty playlist of the owner.", {
    params: { name, description: description.default("") },
    check: ({ name }, { db }) => unused(db, name),
    plain,
    example: { name: "Songs for the train" },
  }),
  renamePlaylist: own.change("Rename an own playlist.", {
    params: { name },
    unless: ({ id }, { name }, { db }) => unused(db, name, id),
    example: { name: "Songs for the train" },
  }),
  describePlaylist: own.change("Replace the description of an own playlist.", {
    params: { description },
    item: described,
    example: { description: "Quiet ones for the evening." },
  }),
  removePlaylist: own.change(
    "Remove an own playlist that is shared with nobody; it can be restored.",
    {
      set: { removed: true },
      unless: ({ id }, _, { db }) => {
        const shared = sharesOf(db, id).length;
        must(shared === 0, 409, `id: playlist ${id} is shared with ${shared}; unshare it first`);
      },
      fits: ({ id }, db) => sharesOf(db, id).length === 0,
    },
  ),
  removedPlaylists: anyPlaylist.list("List the removed playlists, by name.", {
    rows: { removed: true },
    order: byName,
  }),
  restorePlaylist: anyPlaylist.change("Restore a removed playlist with its songs.", {
    set: { removed: false },
    already: "is not removed",
    unless: ({ name }, _, { db }) => unused(db, name),
  }),
  copyPlaylist: seen.act(
    "Copy a playlist, own or of a contact, with its songs in their order to a new own one.",
    {
      params: { name: name.optional().describe("default: Copy of the old name") },
      run: (from, { name = `Copy of ${from.name}` }, { db }) => {
        unused(db, name);
        const row = db.insert(playlists, { name, description: from.description, ...plain });
        append(db, row.id, songIds(db, from.id));
        return row;
      },
      example: { name: "Spare songs" },
    },
  ),
  mergePlaylists: defineApi({
    summary: "Add the songs of one playlist to another that lacks them; the first one stays.",
    params: z.strictObject({
      from: idOf("playlist that is read"),
      into: idOf("playlist that gets the songs"),
    }),
    returns: playlistItem.with({ added: z.int() }).schema,
    example: (db) => ({
      from: firstId(db, playlists, ({ person }) => person !== null),
      into: ownOne(db),
    }),
    handler: (context, { from, into }) => {
      const { db } = context;
      must(from !== into, 422, `into: expected another playlist than ${from}`);
      const target = editablePlaylist(db, into, "into");
      const inside = new Set(songIds(db, into));
      const missing = songIds(db, playlistBy(db, from, "from").id).filter((x) => !inside.has(x));
      append(db, into, missing);
      return { ...playlistItem.view(target, context), added: missing.length };
    },
  }),
  ...joiningOf(lists, playlistItem),
};
