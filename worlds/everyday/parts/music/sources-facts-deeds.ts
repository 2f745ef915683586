/** Single tasks in music, values that other parts can look up there, and facts about the library. */
import { type DrawContext, deeds, fact, facts, jsLiteral, sources, wordList } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import type { Player } from "../../apps/music/tables.ts";
import * as tables from "../../apps/music/tables.ts";
import {
  drawOnlyConcert,
  drawOwnPlaylist,
  drawSong,
  insertEntry,
  insertPlaylist,
  songIdsOfPlaylist,
} from "./music-rows.ts";
import { createWithTwoPhrases, isOwnedByOwner, renamePhrases } from "./shared-things.ts";

const PLAYLIST_NAMES = wordList(
  `Songs for the train | Half an hour of peace | Ironing music | New year, new songs
    | Music for the stairs | Waiting at the dentist
    | Office mornings | Not too loud | The long weekend | Autumn in headphones`,
);

const updatePlayer = (db: Writer, patch: Partial<Player>) =>
  void db.update(tables.player, db.all(tables.player)[0]!.id, patch);

export const musicDeeds = deeds(
  "music",
  ({ storeAndPrint, drawThenMake, drawnDeed, drawnDeedWithValue }) => ({
    "create-playlist": drawnDeedWithValue("text", (text, { rng }) => {
      const name = rng.pick(PLAYLIST_NAMES);
      return drawnDeed({
        apply: (db) => void insertPlaylist(db, name, text.value),
        cells: [`apis.music.createPlaylist({name:${jsLiteral(name)},description:${text.code}})`],
      })`Create a playlist "${name}" with the description ${text.words} | Make a new playlist called
      "${name}" and describe it with ${text.words} | Set up a playlist "${name}" whose description
      is ${text.words} | I need a new playlist named "${name}" with ${text.words} as its description
      | Start a new playlist "${name}"; its description shall be ${text.words}`;
    }),
    "create-playlist-with-songs": (draw) => {
      const first = drawSong(draw);
      const others = draw.db.all(tables.songs).filter(({ id }) => id !== first?.value.id);
      const second = drawSong(draw, others);
      if (!first || !second) return undefined;
      const name = draw.rng.pick(PLAYLIST_NAMES);
      const list = draw.variable("list");
      return {
        sentences: createWithTwoPhrases("playlist", name, `${first.words} and ${second.words}`),
        apply: (db) => {
          const { id } = insertPlaylist(db, name, "");
          insertEntry(db, id, first.value.id);
          insertEntry(db, id, second.value.id);
        },
        cells: [
          storeAndPrint(list, `apis.music.createPlaylist({name:${jsLiteral(name)}}).id`),
          `apis.music.addSong({playlist:${list},song:${first.code}});apis.music.addSong({playlist:${list},song:${second.code}})`,
        ],
        uses: [first, second],
      };
    },
    "rename-playlist": drawThenMake(drawOwnPlaylist, (list, { rng }) => {
      const name = rng.pick(PLAYLIST_NAMES);
      return {
        sentences: renamePhrases(list.words, "name", name),
        apply: (db) => void db.update(tables.playlists, list.value.id, { name }),
        cells: [`apis.music.renamePlaylist({id:${list.code},name:${jsLiteral(name)}})`],
      };
    }),
    /** Sets the song's slot to one less than that of the first song, as the API does. */
    "move-song-to-top": (draw) => {
      const list = drawOwnPlaylist(draw, ({ id }) => songIdsOfPlaylist(draw.db, id).length > 2);
      if (!list) return undefined;
      const slotOrId = ({ id, slot }: { id: number; slot: number | null }) => slot ?? id;
      const inside = draw.db
        .where(tables.entries, { playlist: list.value.id, removed: false })
        .toSorted((a, b) => slotOrId(a) - slotOrId(b));
      const later = new Set(inside.slice(1).map((entry) => entry.song));
      const among = draw.db.all(tables.songs).filter(({ id }) => later.has(id));
      const song = drawSong(draw, among);
      if (!song) return undefined;
      const entry = inside.find((row) => row.song === song.value.id)!;
      return drawnDeed({
        apply: (db) => void db.update(tables.entries, entry.id, { slot: slotOrId(inside[0]!) - 1 }),
        cells: [`apis.music.moveSong({playlist:${list.code},song:${song.code},position:1})`],
        uses: [list, song],
      })`Move ${song.words} to the first position of ${list.words} | Make ${song.words} the first one
      in ${list.words} | Bring ${song.words} to the top of ${list.words}
      | Let ${list.words} begin with ${song.words}, which is already in it
      | Put ${song.words} at position 1 of ${list.words}, where it stands further down`;
    },
    "copy-playlist": drawThenMake(drawOwnPlaylist, (list, { rng }) => {
      const name = rng.pick(PLAYLIST_NAMES);
      return drawnDeed({
        apply: (db) => {
          const { id } = insertPlaylist(db, name, list.value.description);
          for (const song of songIdsOfPlaylist(db, list.value.id)) insertEntry(db, id, song);
        },
        cells: [`apis.music.copyPlaylist({id:${list.code},name:${jsLiteral(name)}})`],
      })`Copy ${list.words} to a new playlist "${name}" | Make a copy of ${list.words} and call it
      "${name}" | Duplicate ${list.words} under the name "${name}" | I want a copy of ${list.words}
      that is named "${name}" | Create a copy of ${list.words}; its name shall be "${name}"`;
    }),
    "sleep-timer": ({ rng }) => {
      const minutes = 5 * rng.integer(2, 24) + rng.integer(1, 4);
      return drawnDeed({
        apply: (db) => updatePlayer(db, { sleepMinutes: minutes }),
        cells: [`apis.music.setSleepTimer({minutes:${minutes}})`],
      })`Set the sleep timer of my music player to ${minutes} minutes | Let the music stop in
      ${minutes} minutes by the sleep timer | Put ${minutes} minutes on the sleep
      timer of the music app | My music shall stop after ${minutes} minutes; use the sleep timer
      | Make the sleep timer of the music app run for ${minutes} minutes`;
    },
    volume: ({ rng }) => {
      const percent = rng.integer(11, 39) + 50 * rng.integer(0, 1);
      return drawnDeed({
        apply: (db) => updatePlayer(db, { volume: percent }),
        cells: [`apis.music.setVolume({percent:${percent}})`],
      })`Set the volume of my music player to ${percent} percent
      | Turn the volume in the music app to ${percent} percent
      | Let the music player have a volume of ${percent} percent
      | I want the volume of the music app at ${percent} percent
      | Bring the music player to a volume of ${percent} percent`;
    },
    "clear-queue": () =>
      drawnDeed({
        apply: (db) => {
          for (const { id } of db.all(tables.queue)) db.remove(tables.queue, id);
        },
        cells: ["apis.music.clearQueue({})"],
      })`Clear my music queue | Empty the queue of my music player | Take everything out of my music
      queue | Let there be nothing left in the queue of the music app
      | Remove all songs from the queue of my music player`,
  }),
);

const drawDescribedPlaylist = (draw: DrawContext) =>
  drawOwnPlaylist(draw, ({ description }) => description !== "");

export const musicSources = sources("music", ({ source }) => ({
  "first-line": source.text("line", drawSong, ({ value, words, code }) => ({
    value: value.lyrics.split("\n")[0]!,
    words: `the first line of the lyrics of ${words}`,
    code: `apis.music.lyrics({id:${code}}).lines[0]`,
  })),
  "playlist-description": source.text("about", drawDescribedPlaylist, ({ value, words, code }) => ({
    value: value.description,
    words: `the description of ${words}`,
    code: `apis.music.playlist({id:${code}}).description`,
  })),
  "concert-day": source.day("day", drawOnlyConcert, ({ value, words, code }) => ({
    value: value.day,
    words: `the day of ${words}`,
    code: `apis.music.concert({id:${code}}).day`,
  })),
  "ticket-price": source.money("price", drawOnlyConcert, ({ value, words, code }) => ({
    value: value.cents,
    words: `the price of a ticket for ${words}`,
    code: `apis.music.concert({id:${code}}).price`,
  })),
}));

/** Makes a fact of a number that the summary API returns. */
const summaryFact = (field: string, value: (db: Reader) => number) =>
  fact("number", value, `apis.music.summary({}).${field}`);

export const musicFacts = facts("music", {
  saved: summaryFact("songs", (db) => db.where(tables.songs, { saved: true }).length)`
    the number of songs in my music library
    | the count of songs in my music library | the number of songs I saved in my music library
    | the size of my music library in songs | the number of songs that my music library has`,
  followed: summaryFact("followed", (db) => db.where(tables.artists, { followed: true }).length)`
    the number of artists I follow
    | the count of artists whom I follow | the number of artists that I am following
    | the number of artists followed by me | the total of artists I follow in the music app`,
  "own-playlists": summaryFact(
    "playlists",
    (db) => db.all(tables.playlists).filter(isOwnedByOwner).length,
  )`the number of playlists I own | the count of my own playlists
    | the number of playlists that are mine | the number of my own playlists in the music app
    | the total of playlists owned by me`,
  plays: summaryFact("plays", (db) =>
    db.all(tables.songs).reduce((sum, row) => sum + row.plays, 0),
  )`the number of plays of all songs together | the total number of plays in my music app
    | the sum of the plays of all songs | the number of times I played any song in the music app
    | the count of all my plays in the music app`,
});
