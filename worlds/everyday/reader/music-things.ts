/** What the reader knows of music beside the library: suggestions, the queue, playlists, artists and concerts. */
import { compared, fixed, isPerson, NAME, type Row, type Tables, valued } from "./phrases.ts";
import type { Thing } from "./things.ts";

const TODAY = "2026-03-12";
const CITY = "([A-Z]\\w+(?: [A-Z]\\w+)?)";
const COSTS = { most: "most expensive|costliest|priciest", least: "cheapest|least expensive" };
const cents = (row: Row) => Number(row["cents"]);
const text = (column: string) => (row: Row) => String(row[column]);
const GENRE = "(soul|pop|rock|folk|jazz|blues|country|ambient|classical|electronic)";
const title = { words: "title", read: (row: Row) => String(row["title"]) };
const artistOf = (row: Row, tables: Tables) =>
  tables("music.artists").find((artist) => artist.id === row["artist"]);
const playlistSongs = (row: Row, tables: Tables) =>
  tables("music.entries")
    .filter((entry) => entry["playlist"] === row.id && entry["removed"] === false)
    .map((entry) => tables("music.songs").find((song) => song.id === entry["song"])!);
const shares = (row: Row, tables: Tables) =>
  tables("music.shares").filter((one) => one["playlist"] === row.id && one["ended"] === false);

const LIKED =
  "that I have liked|which I have given a like|with a like (?:from|of) (?:me|mine)|that have a like of mine|which I marked as liked";
const NOT_LIKED =
  "that I have not liked|without a like from me|that have no like of mine|which I never gave a like|that I have not marked as liked";

/** Phrases about songs, wherever they are. */
export const songPhrases = [
  valued(
    `(?:of the genre|whose genre is|that have the genre|that are) ${GENRE}|in the ${GENRE} genre`,
    (row, value) => row["genre"] === value,
  ),
  compared(
    "from|released in|that came out in|whose year is|that were released in",
    "number",
    (row) => Number(row["year"]),
  ),
  compared(
    "that are|that last|with a length of|which take|whose length is",
    "duration",
    (row) => Number(row["seconds"]),
    "long",
  ),
  fixed(LIKED, (row) => row["liked"] === true),
  fixed(NOT_LIKED, (row) => row["liked"] === false),
];
const songFields: Thing["fields"] = [
  title,
  { words: "artist", read: (row, tables) => String(artistOf(row, tables)?.["name"]) },
  {
    words: "length in seconds",
    read: (row) => Number(row["seconds"]),
    ranks: { most: "longest", least: "shortest" },
  },
  {
    words: "year",
    read: (row) => Number(row["year"]),
    ranks: { most: "newest|most recent", least: "oldest" },
  },
  {
    words: "number of plays",
    read: (row) => Number(row["plays"]),
    ranks: { most: "most (?:often )?played", least: "least (?:often )?played" },
  },
];

export const musicThings: readonly Thing[] = [
  {
    name: "suggestions",
    table: "music.songs",
    noun: "songs? suggested by the music app|song suggestions? of the music app|songs? (?:in|from|among) my music suggestions",
    includes: (row, tables) =>
      row["saved"] === false && artistOf(row, tables)?.["followed"] === true,
    phrases: songPhrases,
    fields: songFields,
  },
  {
    name: "queue",
    table: "music.songs",
    noun: "songs? (?:(?:waiting )?in my music queue|in the queue of my music player|in the play queue of my music app)|queued songs? of my music player",
    includes: (row, tables) => tables("music.queue").some((one) => one["song"] === row.id),
    phrases: songPhrases,
    fields: songFields,
  },
  {
    name: "own playlists",
    table: "music.playlists",
    noun: "(?:music )?playlists? of (?:my own|mine)(?: in the music app)?",
    includes: (row) => row["person"] === null && row["removed"] === false,
    phrases: [
      compared(
        "with|that have|holding|that contain|which hold",
        "number",
        (row, tables) => playlistSongs(row, tables).length,
        "songs?",
      ),
      compared(
        "that last|with|that play for|whose total length is|which take",
        "duration",
        (row, tables) =>
          playlistSongs(row, tables).reduce((sum, song) => sum + Number(song["seconds"]), 0),
        "of music|to play",
      ),
      valued(
        `that contain at least one ${GENRE} song|with at least one song of the genre ${GENRE}|which include at least one ${GENRE} song|that hold one or more songs of the genre ${GENRE}|where one song or more is of the genre ${GENRE}`,
        (row, value, tables) => playlistSongs(row, tables).some((song) => song["genre"] === value),
      ),
      fixed(
        "that I share with nobody|shared with no one|which are not shared with anybody|into which I let nobody else|that are not shared at all",
        (row, tables) => shares(row, tables).length === 0,
      ),
      fixed(
        "that I share with somebody|shared with at least one person|which are shared with someone|into which I let one person or more|that are shared with one person or more",
        (row, tables) => shares(row, tables).length > 0,
      ),
      valued(
        `(?:that I share with|shared with|that are shared with) ${NAME}|that I let ${NAME} into|into which ${NAME} was let`,
        (row, value, tables) =>
          shares(row, tables).some((one) => isPerson(tables, one["person"], value)),
      ),
      fixed(
        "that somebody else may edit|with at least one editor besides me|where someone I let in has the role editor|of which at least one other person is an editor|which I let someone else edit",
        (row, tables) => shares(row, tables).some((one) => one["role"] === "editor"),
      ),
    ],
    fields: [
      { words: "name", read: (row) => String(row["name"]) },
      {
        words: "number of songs",
        read: (row, tables) => playlistSongs(row, tables).length,
        ranks: { most: "largest|biggest|fullest", least: "smallest|emptiest" },
      },
    ],
  },
  {
    name: "artists",
    table: "music.artists",
    noun: "artists? (?:in|of) the music app|artists? in the (?:music catalogue|catalogue of the music app)|artists? (?:listed|to be found) in the music app",
    includes: () => true,
    phrases: [
      valued(
        `(?:of the genre|whose genre is|that play|that belong to the genre) ${GENRE}|in the ${GENRE} genre`,
        (row, value) => row["genre"] === value,
      ),
      fixed(
        "(?:that|whom|which) I follow|whom I am following|followed by me",
        (row) => row["followed"] === true,
      ),
      fixed(
        "(?:that|whom|which) I do not follow|whom I am not following|not followed by me",
        (row) => row["followed"] === false,
      ),
      compared(
        "that started in|active since|who began in|founded in|that have existed since",
        "number",
        (row) => Number(row["since"]),
      ),
      compared(
        "with|who have|that are in my library with|of whom my library holds|of whom I have",
        "number",
        (row, tables) =>
          tables("music.songs").filter(
            (song) => song["artist"] === row.id && song["saved"] === true,
          ).length,
        "songs?(?: in my library)?",
      ),
    ],
    fields: [
      { words: "name", read: (row) => String(row["name"]) },
      {
        words: "founding year",
        read: (row) => Number(row["since"]),
        ranks: {
          most: "most recently founded|youngest|newest",
          least: "earliest-founded|oldest",
        },
      },
    ],
  },
  {
    name: "concerts",
    table: "music.concerts",
    noun: "concerts? (?:to come|that is ahead)|(?:upcoming|future) concert|upcoming concerts? in the music app|concerts? (?:ahead|still to come) in the music app|future concerts? in the music app|concerts? in the music app from today on",
    includes: (row) => String(row["day"]) >= TODAY,
    phrases: [
      fixed(
        "whose artist I follow|(?:that|which) are by artists I follow|whose artist is one that I follow|where I follow the artist",
        (row, tables) =>
          tables("music.artists").some(
            (artist) => artist.id === row["artist"] && artist["followed"] === true,
          ),
      ),
      valued(
        `(?:in|that take place in|held in|which are in) ${CITY}|whose city is ${CITY}`,
        (row, value) => row["city"] === value,
      ),
      compared(
        "up to and including|that take place|that are|which are|on",
        "day",
        text("day"),
        "or before that day",
      ),
      compared(
        "with tickets of|whose tickets cost|that cost|where a ticket costs|at a ticket price of",
        "money",
        cents,
        "a ticket",
      ),
      valued(
        "whose artist belongs to the genre (\\w+)|(?:that|which) are by artists of the genre (\\w+)|whose artist plays (\\w+)|where the genre of the artist is (\\w+)",
        (row, value, tables) =>
          tables("music.artists").some(
            (artist) => artist.id === row["artist"] && artist["genre"] === value,
          ),
      ),
    ],
    fields: [
      { words: "ticket price", read: cents, isMoney: true, ranks: COSTS },
      { words: "venue", read: text("venue") },
    ],
  },
];
