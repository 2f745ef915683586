/** Whom the owner lets into own playlists, and songs recommended from one person to another. */
import { z } from "zod";
import { itemOf, must, resource } from "../../../../world/index.ts";
import {
  dayOf,
  handle,
  idOf,
  newestFirst,
  ofPerson,
  personBy,
  receiver,
  theirHandle,
  theirName,
} from "../shared.ts";
import { handleIn, ownOne, someShare, someSong, stranger } from "./examples.ts";
import { playlistShares, type Recommendation, ROLES, recommendations } from "./tables.ts";
import { artistName, ownPlaylist, sharesOf, songBy } from "./views.ts";

const id = idOf("own playlist");
const role = z.enum(ROLES);

const shares = resource({
  table: playlistShares,
  noun: "share",
  item: itemOf(playlistShares, { name: theirName, handle: theirHandle, role }),
  keys: { id, person: handle("with whom no longer") },
  find: (args, { db }) => {
    const playlist = ownPlaylist(db, args.id).id;
    const person = personBy(db, args.person, "person");
    const [row] = db.where(playlistShares, { playlist, person: person.id, ended: false });
    must(
      row,
      404,
      `person: playlist ${playlist} is not shared with "${person.handle}"; music.sharePlaylist does`,
    );
    return row;
  },
  example: (db) => {
    const row = someShare(db);
    return { id: row?.playlist ?? 1, person: handleIn(db, row?.person) };
  },
});

// --- recommendations ---

const tip = itemOf(recommendations, {
  song: [z.string(), ({ song }, { db }) => songBy(db, song).title],
  songId: [z.int(), ({ song }) => song],
  artist: [z.string(), ({ song }, { db }) => artistName(db, songBy(db, song).artist)],
});
const told = {
  note: z.string(),
  day: [z.string(), ({ at }: Recommendation) => dayOf(at)],
} as const;

const tips = resource({
  table: recommendations,
  noun: "recommendation",
  item: tip.with({ to: theirHandle, ...told }),
});

export const sharingApis = {
  sharedWith: shares.list(
    "List whom the owner let into an own playlist, in the order of sharing.",
    {
      params: { id },
      rows: ({ id }, { db }) => sharesOf(db, ownPlaylist(db, id).id),
      example: (db) => ({ id: someShare(db)?.playlist ?? ownOne(db) }),
    },
  ),
  sharePlaylist: shares.add("Let a contact into an own playlist, as a listener or an editor.", {
    params: {
      id,
      person: handle("with whom"),
      role: role.default("listener").describe("what they may do"),
    },
    row: (args, { db }) => {
      const playlist = ownPlaylist(db, args.id).id;
      const person = receiver(db, args.person, "person");
      const match = { playlist, person: person.id, ended: false };
      const [row] = db.where(playlistShares, match);
      must(
        !row,
        409,
        `person: "${person.handle}" is already ${row?.role} of playlist ${playlist}; music.setRole changes that`,
      );
      return { ...match, role: args.role };
    },
    example: (db) => {
      const id = ownOne(db);
      const guests = sharesOf(db, id).map(({ person }) => person);
      return { id, person: stranger(db, guests) };
    },
  }),
  setRole: shares.change("Change what somebody may do in an own playlist.", {
    params: { person: handle("whose role"), role: role.describe("the new role") },
    set: (row, { person, role }) => {
      must(row.role !== role, 409, `role: "${person}" is already ${role}`);
      return { role };
    },
    example: (db) => {
      const row = someShare(db);
      const role = row?.role === "editor" ? "listener" : "editor";
      return { id: row?.playlist ?? 1, person: handleIn(db, row?.person), role };
    },
  }),
  unsharePlaylist: shares.change("Stop sharing an own playlist with somebody.", {
    set: { ended: true },
  }),
  recommended: tips.list("List songs that contacts recommended to the owner, newest first.", {
    rows: { outgoing: false },
    filters: { from: ofPerson("only by this person", "from") },
    item: tip.with({ from: theirHandle, ...told }),
    order: newestFirst,
  }),
  sentRecommendations: tips.list(
    "List songs that the owner recommended to contacts, newest first.",
    {
      rows: { outgoing: true },
      filters: { to: ofPerson("only to this person", "to") },
      order: newestFirst,
    },
  ),
  recommend: tips.add("Recommend a song to a contact.", {
    params: {
      song: idOf("song"),
      to: handle("to whom"),
      note: z.string().max(200).default("").describe("a few words"),
    },
    row: ({ song, to, note }, { db, now }) => {
      const person = receiver(db, to, "to").id;
      return { song: songBy(db, song, "song").id, person, outgoing: true, note, at: now };
    },
    example: (db) => ({ song: someSong(db, { liked: true }), to: handleIn(db, null) }),
  }),
};
