/** The catalogue of songs, and what the owner thinks of each: saved, liked, rated. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  given,
  handle,
  idOf,
  paged,
  pageOf,
  paging,
  personId,
  query,
} from "../shared.ts";
import { idIn, someSong } from "./examples.ts";
import { artists, playlists, recommendations, records, type Song, songs } from "./tables.ts";
import {
  artistName,
  byText,
  genre,
  playlistBy,
  rowIn,
  songBy,
  songItem,
  songsIn,
  songView,
} from "./views.ts";

const id = idOf("song");
const byTitle = (rows: readonly Song[]) => byText(rows, ({ title }) => title);

const filters = {
  genre: genre.optional().describe("only of this genre"),
  artist: z.int().min(1).optional().describe("only by the artist with this id"),
  year: z.int().optional().describe("only from this year"),
  liked: z.boolean().optional().describe("only liked ones, or only others"),
};

const listSongs = defineApi({
  summary: "List all songs of the catalogue by title, saved or not.",
  params: z.strictObject({
    ...filters,
    record: z.int().min(1).optional().describe("only on the record with this id"),
    saved: z.boolean().optional().describe("only saved ones, or only others"),
    ...paging,
  }),
  returns: pageOf(songItem),
  example: () => ({ genre: "folk" }) as const,
  handler: ({ db }, { page, size, ...match }) => {
    if (match.artist !== undefined) rowIn(db, artists, match.artist, "artist", "artist");
    if (match.record !== undefined) rowIn(db, records, match.record, "record", "record");
    return paged(byTitle(db.where(songs, given(match))), { page, size }, songView(db));
  },
});

const library = defineApi({
  summary: "List the songs in the owner's library by title.",
  params: z.strictObject({
    ...filters,
    stars: z.int().min(1).max(5).optional().describe("only rated so"),
    playlist: z.int().min(1).optional().describe("only those in the playlist with this id"),
    recommendedBy: handle("only those that this person recommended to the owner").optional(),
    ...paging,
  }),
  returns: pageOf(songItem),
  example: () => ({ liked: true, size: 10 }),
  handler: ({ db }, { playlist, recommendedBy, page, size, ...match }) => {
    if (match.artist !== undefined) rowIn(db, artists, match.artist, "artist", "artist");
    const allowed = [
      playlist === undefined
        ? undefined
        : songsIn(db, playlistBy(db, playlist, "playlist").id).map((song) => song.id),
      recommendedBy === undefined ? undefined : recommendedIds(db, recommendedBy),
    ].flatMap((ids) => (ids ? [new Set(ids)] : []));
    const rows = db.where(songs, given({ saved: true, ...match }));
    const kept = rows.filter((row) => allowed.every((ids) => ids.has(row.id)));
    return paged(byTitle(kept), { page, size }, songView(db));
  },
});

function recommendedIds(db: Reader, from: string): number[] {
  const person = personId(db, from, "recommendedBy")!;
  return db.where(recommendations, { person, outgoing: false }).map(({ song }) => song);
}

const show = defineApi({
  summary: "Show a song with its artist, record and track number.",
  params: z.strictObject({ id }),
  returns: z.strictObject({
    ...songItem.shape,
    artistId: z.int(),
    record: z.string(),
    recordId: z.int(),
    track: z.int(),
  }),
  example: (db) => ({ id: someSong(db, { saved: true }) }),
  handler: ({ db }, { id }) => {
    const row = songBy(db, id);
    const record = db.get(records, row.record);
    return {
      ...songView(db)(row),
      artistId: row.artist,
      record: record?.title ?? "unknown",
      recordId: row.record,
      track: row.track,
    };
  },
});

const search = defineApi({
  summary: "Search titles and artists of all songs, by title.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(songItem),
  example: (db) => ({ query: db.all(songs)[0]?.title ?? "river" }),
  handler: ({ db }, { query, ...page }) => {
    const hit = (row: Song) =>
      contains(row.title, query) || contains(artistName(db, row.artist), query);
    return paged(byTitle(db.all(songs).filter(hit)), page, songView(db));
  },
});

const searchLyrics = defineApi({
  summary: "Find the songs that have these words in their lyrics, by title.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(songItem),
  example: () => ({ query: "the tide" }),
  handler: ({ db }, { query, ...page }) =>
    paged(byTitle(db.all(songs).filter((row) => contains(row.lyrics, query))), page, songView(db)),
});

const lyrics = defineApi({
  summary: "Show a song's lyrics line by line.",
  params: z.strictObject({ id }),
  returns: z.strictObject({ title: z.string(), lines: z.array(z.string()) }),
  example: (db) => ({ id: someSong(db) }),
  handler: ({ db }, { id }) => {
    const { title, lyrics } = songBy(db, id);
    return { title, lines: lyrics.split("\n") };
  },
});

const genres = defineApi({
  summary: "List genres with their number of songs, in the catalogue and in the library.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), songs: z.int(), saved: z.int() })),
  example: () => ({ size: 10 }),
  handler: ({ db }, page) =>
    paged(genre.options, page, (name) => ({
      name,
      songs: db.where(songs, { genre: name }).length,
      saved: db.where(songs, { genre: name, saved: true }).length,
    })),
});

const playlistsWith = defineApi({
  summary: "List the owner's own playlists that hold a song, by name.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), id: z.int() })),
  example: (db) => ({ id: someSong(db, { saved: true }) }),
  handler: ({ db }, { id, ...page }) => {
    const song = songBy(db, id).id;
    const own = db.where(playlists, { person: null, removed: false });
    const rows = own.filter((row) => songsIn(db, row.id).some((inside) => inside.id === song));
    return paged(
      byText(rows, ({ name }) => name),
      page,
      ({ name, id }) => ({ name, id }),
    );
  },
});

// --- saved, liked, rated ---

function change({ db }: CallContext, id: number, patch: Partial<Song>) {
  return songView(db)(db.update(songs, songBy(db, id).id, patch));
}

/** Saying twice what holds already is a mistake that the caller should hear of. */
function refuseIf(holds: boolean, message: string): void {
  if (holds) throw new ApiError(409, message);
}

const save = defineApi({
  summary: "Put a song into the library.",
  params: z.strictObject({ id }),
  returns: songItem,
  example: (db) => ({ id: someSong(db, { saved: false }) }),
  handler: (context, { id }) => {
    refuseIf(songBy(context.db, id).saved, `id: song ${id} is already in the library`);
    return change(context, id, { saved: true });
  },
});

const unsave = defineApi({
  summary: "Take a song out of the library; playlists, likes and stars stay as they are.",
  params: z.strictObject({ id }),
  returns: songItem,
  example: (db) => ({ id: someSong(db, { saved: true }) }),
  handler: (context, { id }) => {
    refuseIf(!songBy(context.db, id).saved, `id: song ${id} is not in the library`);
    return change(context, id, { saved: false });
  },
});

const like = defineApi({
  summary: "Like a song.",
  params: z.strictObject({ id }),
  returns: songItem,
  example: (db) => ({ id: someSong(db, { liked: false }) }),
  handler: (context, { id }) => {
    refuseIf(songBy(context.db, id).liked, `id: song ${id} is already liked`);
    return change(context, id, { liked: true });
  },
});

const unlike = defineApi({
  summary: "Take back a like.",
  params: z.strictObject({ id }),
  returns: songItem,
  example: (db) => ({ id: someSong(db, { liked: true }) }),
  handler: (context, { id }) => {
    refuseIf(!songBy(context.db, id).liked, `id: song ${id} is not liked`);
    return change(context, id, { liked: false });
  },
});

const rate = defineApi({
  summary: "Rate a song with 1 to 5 stars, in place of its old rating.",
  params: z.strictObject({ id, stars: z.int().min(1).max(5).describe("1 is worst, 5 is best") }),
  returns: songItem,
  example: (db) => ({ id: someSong(db, { saved: true }), stars: 4 }),
  handler: (context, { id, stars }) => change(context, id, { stars }),
});

const unrate = defineApi({
  summary: "Take the owner's rating off a song.",
  params: z.strictObject({ id }),
  returns: songItem,
  example: (db) => ({ id: idIn(db, songs, ({ stars }) => stars !== null) }),
  handler: (context, { id }) => {
    refuseIf(songBy(context.db, id).stars === null, `id: song ${id} has no rating`);
    return change(context, id, { stars: null });
  },
});

export const songApis = {
  songs: listSongs,
  library,
  song: show,
  search,
  searchLyrics,
  lyrics,
  genres,
  playlistsWith,
  save,
  unsave,
  like,
  unlike,
  rate,
  unrate,
};
