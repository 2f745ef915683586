/** What the owner listened to, what that says, and what else there is to hear. */
import { z } from "zod";
import { defineApi } from "../../../../world/index.ts";
import { day, dayOf, newestFirst, paged, pageOf, paging } from "../shared.ts";
import { artists, history, playlists, type Song, songs } from "./tables.ts";
import { genre, songBy, songItem, songView } from "./views.ts";

const listHistory = defineApi({
  summary: "List what was played, newest first; a song appears each time it was played.",
  params: z.strictObject({ day: day("only on this day").optional(), ...paging }),
  returns: pageOf(
    z.strictObject({
      title: z.string(),
      song: z.int(),
      artist: z.string(),
      day: z.string(),
      time: z.string(),
    }),
  ),
  example: () => ({}),
  handler: ({ db }, { day, ...page }) => {
    const rows = db.all(history).filter(({ at }) => dayOf(at) === (day ?? dayOf(at)));
    return paged(newestFirst(rows), page, ({ song, at }) => {
      const { title, artist } = songView(db)(songBy(db, song));
      return { title, song, artist, day: dayOf(at), time: at.slice(11, 16) };
    });
  },
});

const top = defineApi({
  summary: "List the songs that the owner played most often, most played first.",
  params: z.strictObject({ genre: genre.optional().describe("only of this genre"), ...paging }),
  returns: pageOf(songItem),
  example: () => ({ genre: "jazz" }) as const,
  handler: ({ db }, { genre, ...page }) => {
    const played = (genre ? db.where(songs, { genre }) : db.all(songs)).filter((x) => x.plays > 0);
    return paged(
      played.toSorted((a, b) => b.plays - a.plays || a.id - b.id),
      page,
      songView(db),
    );
  },
});

const suggestions = defineApi({
  summary: "List songs outside the library by followed artists, newest year first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(songItem),
  example: () => ({}),
  handler: ({ db }, page) => {
    const followed = new Set(db.where(artists, { followed: true }).map(({ id }) => id));
    const rows = db.where(songs, { saved: false }).filter(({ artist }) => followed.has(artist));
    return paged(
      rows.toSorted((a, b) => b.year - a.year || a.id - b.id),
      page,
      songView(db),
    );
  },
});

const summary = defineApi({
  summary: "Count what the owner has: songs, likes, ratings, playlists and artists.",
  params: z.strictObject({}),
  returns: z.strictObject({
    songs: z.int().describe("in the library"),
    seconds: z.int().describe("of all songs in the library"),
    liked: z.int(),
    rated: z.int(),
    followed: z.int().describe("artists"),
    playlists: z.int().describe("own ones"),
    contactsPlaylists: z.int().describe("of contacts"),
    plays: z.int().describe("of all songs"),
  }),
  example: () => ({}),
  handler: ({ db }) => {
    const saved = db.where(songs, { saved: true });
    const lists = db.where(playlists, { removed: false, left: false });
    const total = (rows: readonly Song[], of: (row: Song) => number) =>
      rows.reduce((sum, row) => sum + of(row), 0);
    return {
      songs: saved.length,
      seconds: total(saved, ({ seconds }) => seconds),
      liked: db.where(songs, { liked: true }).length,
      rated: db.all(songs).filter(({ stars }) => stars !== null).length,
      followed: db.where(artists, { followed: true }).length,
      playlists: lists.filter(({ person }) => person === null).length,
      contactsPlaylists: lists.filter(({ person }) => person !== null).length,
      plays: total(db.all(songs), ({ plays }) => plays),
    };
  },
});

export const listeningApis = { history: listHistory, top, suggestions, summary };
