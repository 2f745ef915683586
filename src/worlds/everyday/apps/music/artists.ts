/** Artists and their records. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { contains, given, idOf, paged, pageOf, paging, query } from "../shared.ts";
import { idIn } from "./examples.ts";
import { type Artist, artists, type Disc, records, songs } from "./tables.ts";
import {
  artistItem,
  artistName,
  artistView,
  byText,
  genre,
  rowIn,
  songItem,
  songView,
} from "./views.ts";

const id = idOf("artist");
const byName = (rows: readonly Artist[]) => byText(rows, ({ name }) => name);

const list = defineApi({
  summary: "List artists by name.",
  params: z.strictObject({
    genre: genre.optional().describe("only those of this genre"),
    followed: z.boolean().optional().describe("only followed ones, or only others"),
    ...paging,
  }),
  returns: pageOf(artistItem),
  example: () => ({ followed: true }),
  handler: ({ db }, { genre, followed, ...page }) =>
    paged(byName(db.where(artists, given({ genre, followed }))), page, artistView),
});

const find = defineApi({
  summary: "Find artists by a part of their name, by name.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(artistItem),
  example: (db) => ({ query: db.all(artists)[0]?.name ?? "a" }),
  handler: ({ db }, { query, ...page }) =>
    paged(byName(db.all(artists).filter(({ name }) => contains(name, query))), page, artistView),
});

const show = defineApi({
  summary: "Show an artist with the number of records and songs, and of saved songs.",
  params: z.strictObject({ id }),
  returns: z.strictObject({
    ...artistItem.shape,
    records: z.int(),
    songs: z.int(),
    saved: z.int(),
  }),
  example: (db) => ({ id: idIn(db, artists) }),
  handler: ({ db }, { id }) => ({
    ...artistView(rowIn(db, artists, id, "id", "artist")),
    records: db.where(records, { artist: id }).length,
    songs: db.where(songs, { artist: id }).length,
    saved: db.where(songs, { artist: id, saved: true }).length,
  }),
});

const following = (from: boolean) =>
  defineApi({
    summary: from ? "Follow an artist." : "Stop following an artist.",
    params: z.strictObject({ id }),
    returns: artistItem,
    example: (db) => ({ id: idIn(db, artists, ({ followed }) => followed !== from) }),
    handler: ({ db }, { id }) => {
      const row = rowIn(db, artists, id, "id", "artist");
      if (row.followed !== from) return artistView(db.update(artists, id, { followed: from }));
      throw new ApiError(409, `id: artist ${id} is ${from ? "already" : "not"} followed`);
    },
  });

// --- records ---

const recordItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  artist: z.string(),
  year: z.int(),
  songs: z.int(),
});

const recordView =
  (db: Reader) =>
  ({ title, id, artist, year }: Disc) => ({
    title,
    id,
    artist: artistName(db, artist),
    year,
    songs: db.where(songs, { record: id }).length,
  });

const listRecords = defineApi({
  summary: "List records by title.",
  params: z.strictObject({
    artist: z.int().min(1).optional().describe("only by the artist with this id"),
    year: z.int().optional().describe("only from this year"),
    ...paging,
  }),
  returns: pageOf(recordItem),
  example: (db) => ({ artist: db.all(records)[0]?.artist ?? 1 }),
  handler: ({ db }, { artist, year, ...page }) => {
    if (artist !== undefined) rowIn(db, artists, artist, "artist", "artist");
    const rows = db.where(records, given({ artist, year }));
    return paged(
      byText(rows, ({ title }) => title),
      page,
      recordView(db),
    );
  },
});

const tracks = defineApi({
  summary: "List the songs of a record in the order of its tracks.",
  params: z.strictObject({ id: idOf("record"), ...paging }),
  returns: pageOf(songItem),
  example: (db) => ({ id: idIn(db, records) }),
  handler: ({ db }, { id, ...page }) => {
    const rows = db.where(songs, { record: rowIn(db, records, id, "id", "record").id });
    return paged(
      rows.toSorted((a, b) => a.track - b.track),
      page,
      songView(db),
    );
  },
});

const saveRecord = defineApi({
  summary: "Put all songs of a record into the library; those that are there already stay.",
  params: z.strictObject({ id: idOf("record") }),
  returns: z.strictObject({ ...recordItem.shape, added: z.int() }),
  example: (db) => ({ id: db.where(songs, { saved: false })[0]?.record ?? 1 }),
  handler: ({ db }, { id }) => {
    const record = rowIn(db, records, id, "id", "record");
    const missing = db.where(songs, { record: id, saved: false });
    if (missing.length === 0) {
      throw new ApiError(409, `id: all songs of record ${id} are in the library already`);
    }
    for (const song of missing) db.update(songs, song.id, { saved: true });
    return { ...recordView(db)(record), added: missing.length };
  },
});

export const artistApis = {
  artists: list,
  findArtists: find,
  artist: show,
  follow: following(true),
  unfollow: following(false),
  records: listRecords,
  tracks,
  saveRecord,
};
