/** Whom the owner lets into own playlists, and songs recommended from one person to another. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  dayOf,
  given,
  handle,
  handleOf,
  idOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
  receiver,
} from "../shared.ts";
import { type Person, people } from "../tables.ts";
import { handleIn, ownOne, someShare, someSong, stranger } from "./examples.ts";
import {
  artists,
  type PlaylistShare,
  playlistShares,
  type Recommendation,
  ROLES,
  recommendations,
  songs,
} from "./tables.ts";
import { ownPlaylist, sharesOf, songBy } from "./views.ts";

const id = idOf("own playlist");
const role = z.enum(ROLES);

const shareItem = z.strictObject({ name: z.string(), handle: z.string(), role });

const shareView =
  (db: Reader) =>
  ({ person, role }: PlaylistShare) => ({
    name: db.get(people, person)?.name ?? "removed",
    handle: handleOf(db, person),
    role,
  });

const sharedWith = defineApi({
  summary: "List whom the owner let into an own playlist, in the order of sharing.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(shareItem),
  example: (db) => ({ id: someShare(db)?.playlist ?? ownOne(db) }),
  handler: ({ db }, { id, ...page }) =>
    paged(sharesOf(db, ownPlaylist(db, id).id), page, shareView(db)),
});

function shareOf(db: Reader, playlist: number, person: Person): PlaylistShare {
  const [row] = db.where(playlistShares, { playlist, person: person.id, ended: false });
  if (row) return row;
  throw new ApiError(
    404,
    `person: playlist ${playlist} is not shared with "${person.handle}"; music.sharePlaylist does`,
  );
}

const share = defineApi({
  summary: "Let a contact into an own playlist, as a listener or an editor.",
  params: z.strictObject({
    id,
    person: handle("with whom"),
    role: role.default("listener").describe("what they may do"),
  }),
  returns: shareItem,
  example: (db) => {
    const id = ownOne(db);
    return {
      id,
      person: stranger(
        db,
        sharesOf(db, id).map(({ person }) => person),
      ),
    };
  },
  handler: ({ db }, args) => {
    const playlist = ownPlaylist(db, args.id).id;
    const person = receiver(db, args.person, "person");
    const match = { playlist, person: person.id, ended: false };
    const [row] = db.where(playlistShares, match);
    if (row) {
      throw new ApiError(
        409,
        `person: "${person.handle}" is already ${row.role} of playlist ${playlist}; music.setRole changes that`,
      );
    }
    return shareView(db)(db.insert(playlistShares, { ...match, role: args.role }));
  },
});

const setRole = defineApi({
  summary: "Change what somebody may do in an own playlist.",
  params: z.strictObject({ id, person: handle("whose role"), role: role.describe("the new role") }),
  returns: shareItem,
  example: (db) => {
    const row = someShare(db);
    const role = row?.role === "editor" ? "listener" : "editor";
    return { id: row?.playlist ?? 1, person: handleIn(db, row?.person), role } as const;
  },
  handler: ({ db }, { id, person, role }) => {
    const row = shareOf(db, ownPlaylist(db, id).id, personBy(db, person, "person"));
    if (row.role === role) throw new ApiError(409, `role: "${person}" is already ${role}`);
    return shareView(db)(db.update(playlistShares, row.id, { role }));
  },
});

const unshare = defineApi({
  summary: "Stop sharing an own playlist with somebody.",
  params: z.strictObject({ id, person: handle("with whom no longer") }),
  returns: shareItem,
  example: (db) => {
    const row = someShare(db);
    return { id: row?.playlist ?? 1, person: handleIn(db, row?.person) };
  },
  handler: ({ db }, { id, person }) => {
    const row = shareOf(db, ownPlaylist(db, id).id, personBy(db, person, "person"));
    return shareView(db)(db.update(playlistShares, row.id, { ended: true }));
  },
});

// --- recommendations ---

const tip = {
  song: z.string(),
  songId: z.int(),
  artist: z.string(),
};
const receivedItem = z.strictObject({
  ...tip,
  from: z.string(),
  note: z.string(),
  day: z.string(),
});
const sentItem = z.strictObject({ ...tip, to: z.string(), note: z.string(), day: z.string() });

function tipView(db: Reader, { song, note, at }: Recommendation) {
  const row = db.get(songs, song)!;
  const artist = db.get(artists, row.artist)?.name ?? "unknown";
  return { song: row.title, songId: song, artist, note, day: dayOf(at) };
}

const received = defineApi({
  summary: "List songs that contacts recommended to the owner, newest first.",
  params: z.strictObject({ from: handle("only by this person").optional(), ...paging }),
  returns: pageOf(receivedItem),
  example: () => ({}),
  handler: ({ db }, { from, ...page }) => {
    const match = given({ outgoing: false, person: personId(db, from, "from") });
    return paged(newestFirst(db.where(recommendations, match)), page, (row) => ({
      ...tipView(db, row),
      from: handleOf(db, row.person),
    }));
  },
});

const sent = defineApi({
  summary: "List songs that the owner recommended to contacts, newest first.",
  params: z.strictObject({ to: handle("only to this person").optional(), ...paging }),
  returns: pageOf(sentItem),
  example: () => ({}),
  handler: ({ db }, { to, ...page }) => {
    const match = given({ outgoing: true, person: personId(db, to, "to") });
    return paged(newestFirst(db.where(recommendations, match)), page, (row) => ({
      ...tipView(db, row),
      to: handleOf(db, row.person),
    }));
  },
});

const recommend = defineApi({
  summary: "Recommend a song to a contact.",
  params: z.strictObject({
    song: idOf("song"),
    to: handle("to whom"),
    note: z.string().max(200).default("").describe("a few words"),
  }),
  returns: sentItem,
  example: (db) => ({ song: someSong(db, { liked: true }), to: handleIn(db, null) }),
  handler: ({ db, now }, { song, to, note }) => {
    const person = receiver(db, to, "to").id;
    const row = { song: songBy(db, song, "song").id, person, outgoing: true, note, at: now };
    return { ...tipView(db, db.insert(recommendations, row)), to: handleOf(db, person) };
  },
});

export const sharingApis = {
  sharedWith,
  sharePlaylist: share,
  setRole,
  unsharePlaylist: unshare,
  recommended: received,
  sentRecommendations: sent,
  recommend,
};
