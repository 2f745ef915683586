/** Songs: those in the library, those that wait in the queue, those that followed artists have besides. */

import { type Clause, type Collection, collection, type Field } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  artists,
  entries,
  playlists,
  queue,
  recommendations,
  type Song,
  songs,
} from "../../apps/music/tables.ts";
import { atLeast, atMost, oneOfSome } from "../bounds.ts";
import { artistOf, artistValue, holdsSong, js, playlistValue, span } from "./looks.ts";

const isFollowed = (db: Reader, { artist }: Song) => db.get(artists, artist)!.followed;

// --- clauses that any list of songs has ---

/** `listed`: the list API takes it as an argument. */
const genre = (listed: boolean): Clause<Song> => ({
  name: "genre",
  draw: ({ rng }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.map((row) => row.genre),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `of the genre ${chosen}`,
        `that are ${chosen}`,
        `whose genre is ${chosen}`,
        `in the ${chosen} genre`,
        `that have the genre ${chosen}`,
      ],
      holds: (row) => row.genre === chosen,
      code: listed ? { args: `genre:${js(chosen)}` } : { test: `x.genre===${js(chosen)}` },
    };
  },
});

const year: Clause<Song> = {
  name: "year",
  draw: ({ rng }, rows) => {
    const years = rows.map((row) => row.year);
    const early = rng.chance(0.5);
    const edge = early ? atMost(rng, years) : atLeast(rng, years);
    if (edge === undefined) return undefined;
    const when = early ? "earlier" : "later";
    return {
      words: [
        `from ${edge} or ${when}`,
        `released in ${edge} or ${when}`,
        `that came out in ${edge} or ${when}`,
        `whose year is ${edge} or ${when}`,
        `that were released in ${edge} or ${when}`,
      ],
      holds: (row) => (early ? row.year <= edge : row.year >= edge),
      code: { test: `x.year${early ? "<=" : ">="}${edge}` },
    };
  },
};

const length: Clause<Song> = {
  name: "length",
  draw: ({ rng }, rows) => {
    const lengths = rows.map((row) => row.seconds);
    const short = rng.chance(0.5);
    const edge = short ? atMost(rng, lengths) : atLeast(rng, lengths);
    if (edge === undefined) return undefined;
    const [limit, than] = [span(edge), short ? "at most" : "at least"];
    return {
      words: [
        `that are ${than} ${limit} long`,
        `that last ${than} ${limit}`,
        `with a length of ${than} ${limit}`,
        `which take ${than} ${limit}`,
        `whose length is ${than} ${limit}`,
      ],
      holds: (row) => (short ? row.seconds <= edge : row.seconds >= edge),
      code: { test: `x.seconds${short ? "<=" : ">="}${edge}` },
    };
  },
};

const liked = (listed: boolean): Clause<Song> => ({
  name: "liked",
  draw: ({ rng }, rows) => {
    const likes = rows.filter((row) => row.liked).length;
    if (likes === 0 || likes === rows.length) return undefined;
    const wanted = rng.chance(0.7);
    return {
      words: wanted
        ? [
            "that I have liked",
            "which I have given a like",
            "with a like from me",
            "that have a like of mine",
            "which I marked as liked",
          ]
        : [
            "that I have not liked",
            "without a like from me",
            "that have no like of mine",
            "which I never gave a like",
            "that I have not marked as liked",
          ],
      holds: (row) => row.liked === wanted,
      code: listed ? { args: `liked:${wanted}` } : { test: wanted ? "x.liked" : "!x.liked" },
    };
  },
});

// --- clauses of the library ---

const stars: Clause<Song> = {
  name: "stars",
  draw: ({ rng }, rows) => {
    const rated = rows.flatMap((row) => (row.stars === null ? [] : [row.stars]));
    const chosen = oneOfSome(rng, rated);
    if (chosen === undefined) return undefined;
    const many = chosen === 1 ? "1 star" : `${chosen} stars`;
    return {
      words: [
        `that I rated with ${many}`,
        `rated with ${many}`,
        `with my rating of ${many}`,
        `which I gave ${many}`,
        `that have ${many} from me`,
      ],
      holds: (row) => row.stars === chosen,
      code: { args: `stars:${chosen}` },
    };
  },
};

const artist: Clause<Song> = {
  name: "artist",
  excludes: ["followed"],
  draw: (draw, rows) => {
    const ids = new Set(rows.map((row) => row.artist));
    const by = artistValue(
      draw,
      draw.db.all(artists).filter(({ id }) => ids.has(id)),
    );
    if (!by) return undefined;
    return {
      words: [
        `by ${by.words}`,
        `by the artist ${by.words}`,
        `that are by ${by.words}`,
        `recorded by ${by.words}`,
        `whose artist is ${by.words}`,
      ],
      holds: (row) => row.artist === by.value.id,
      code: { args: `artist:${by.code}` },
      uses: [by],
    };
  },
};

const inPlaylist: Clause<Song> = {
  name: "playlist",
  draw: (draw, rows) => {
    const inside = (id: number) => rows.some((row) => holdsSong(draw.db, id, row.id));
    const list = playlistValue(draw, ({ id }) => inside(id));
    if (!list) return undefined;
    return {
      words: [
        `that are in ${list.words}`,
        `in ${list.words}`,
        `which ${list.words} contains`,
        `that ${list.words} holds`,
        `which are part of ${list.words}`,
      ],
      holds: (row, db) => holdsSong(db, list.value.id, row.id),
      code: { args: `playlist:${list.code}` },
      uses: [list],
    };
  },
};

const unlisted: Clause<Song> = {
  name: "unlisted",
  excludes: ["playlist"],
  draw: () => ({
    words: [
      "that are in none of my own playlists",
      "which none of my own playlists holds",
      "that no playlist of my own contains",
      "which I have put into no playlist of my own",
      "that are missing from all of my own playlists",
    ],
    holds: (row, db) =>
      !db.where(entries, { song: row.id, removed: false }).some(({ playlist }) => {
        const list = db.get(playlists, playlist)!;
        return list.person === null && !list.removed;
      }),
    code: { test: "apis.music.playlistsWith({id:x.id}).items.length===0" },
  }),
};

const followed: Clause<Song> = {
  name: "followed",
  draw: () => ({
    words: [
      "by artists whom I follow",
      "by artists that I follow",
      "whose artist I follow",
      "of artists I am following",
      "that are by an artist I follow",
    ],
    holds: (row, db) => isFollowed(db, row),
    code: {
      test: "apis.music.findArtists({query:x.artist,size:20}).items.some(a=>a.name===x.artist&&a.followed)",
    },
  }),
};

const recommendedBy: Clause<Song> = {
  name: "recommended-by",
  draw: (draw, rows) => {
    const ids = new Set(rows.map(({ id }) => id));
    const tips = draw.db
      .where(recommendations, { outgoing: false })
      .filter(({ song }) => ids.has(song));
    const friend = draw.person(tips.map(({ person }) => person));
    if (!friend) return undefined;
    return {
      words: [
        `that ${friend.words} recommended to me`,
        `recommended to me by ${friend.words}`,
        `which ${friend.words} has recommended to me`,
        `that were recommended to me by ${friend.words}`,
        `that I got as recommendations from ${friend.words}`,
      ],
      holds: ({ id }, db) =>
        db.where(recommendations, { song: id, person: friend.value.id, outgoing: false }).length >
        0,
      code: { args: `recommendedBy:${friend.code}` },
      uses: [friend],
    };
  },
};

const PHRASES = [
  "in the rain",
  "on the last train",
  "behind the moon",
  "beside the fire",
  "over the hill",
  "before the dawn",
  "turn the radio low",
  "the night is long",
];

const lyrics: Clause<Song> = {
  name: "lyrics",
  draw: ({ rng }, rows) => {
    const phrase = rng.pick(PHRASES);
    if (!rows.some((row) => row.lyrics.includes(phrase))) return undefined;
    return {
      words: [
        `with the words "${phrase}" in the lyrics`,
        `whose lyrics contain "${phrase}"`,
        `that have "${phrase}" in their lyrics`,
        `which have "${phrase}" in the lyrics`,
        `where the lyrics say "${phrase}"`,
      ],
      holds: (row) => row.lyrics.toLowerCase().includes(phrase),
      code: {
        test: `apis.music.lyrics({id:x.id}).lines.some(l=>l.toLowerCase().includes(${js(phrase)}))`,
      },
    };
  },
};

// --- fields ---

const fields: readonly Field<Song>[] = [
  { name: "title", unit: "text", noun: "title", value: (row) => row.title, code: "x.title" },
  {
    name: "artist",
    unit: "text",
    noun: "artist",
    value: (row, db) => artistOf(db, row.id).name,
    code: "x.artist",
  },
  {
    name: "length",
    unit: "number",
    noun: "length in seconds",
    value: (row) => row.seconds,
    code: "x.seconds",
    superlatives: {
      most: ["longest", "lengthiest", "longest-running", "longest-lasting", "most extended"],
      least: ["shortest", "briefest", "shortest-running", "shortest-lasting", "briefest-running"],
    },
  },
  {
    name: "year",
    // As a day is: it is ranked, but nobody adds up years.
    unit: "day",
    noun: "year",
    value: (row) => row.year,
    code: "x.year",
    superlatives: {
      most: ["newest", "most recent", "latest", "most recently released", "latest-released"],
      least: ["oldest", "earliest", "least recent", "earliest-released", "least recently released"],
    },
  },
];

const plays: Field<Song> = {
  name: "plays",
  unit: "number",
  noun: "number of plays",
  value: (row) => row.plays,
  code: "x.plays",
  superlatives: {
    most: [
      "most played",
      "most often played",
      "most frequently played",
      "most listened-to",
      "most often heard",
    ],
    least: [
      "least played",
      "least often played",
      "least frequently played",
      "least listened-to",
      "least often heard",
    ],
  },
};

// --- collections ---

const library: Collection = collection<Song>({
  name: "library",
  kind: "songs",
  app: "music",
  table: songs,
  base: ({ saved }) => saved,
  nouns: [
    { one: "song in my music library", many: "songs in my music library" },
    { one: "song of my music library", many: "songs of my music library" },
    { one: "song from my music library", many: "songs from my music library" },
    { one: "song saved in my music library", many: "songs saved in my music library" },
    { one: "song kept in my music library", many: "songs kept in my music library" },
  ],
  list: { api: "music.library" },
  key: "id",
  whole: false,
  clauses: [
    genre(true),
    year,
    length,
    liked(true),
    stars,
    artist,
    inPlaylist,
    unlisted,
    followed,
    recommendedBy,
    lyrics,
  ],
  fields: [...fields, plays],
  title: {
    of: (row) => row.title,
    nouns: (title) => [
      `the song "${title}" in my library`,
      `my saved song "${title}"`,
      `the song "${title}" from my music library`,
      `the song called "${title}" that is in my library`,
      `the song with the title "${title}" in my music library`,
    ],
    cells: (title, out) => [
      `var ${out}=apis.music.search({query:${js(title)},size:20}).items.filter(x=>x.saved&&x.title===${js(title)}).map(x=>x.id);print(${out})`,
    ],
    missing: ["Marzipan Cathedral", "Seventeen Umbrellas", "Goodbye Bicycle", "Cardboard Sun"],
  },
});

const suggested: Collection = collection<Song>({
  name: "suggestions",
  kind: "new-songs",
  app: "music",
  table: songs,
  base: (row, db) => !row.saved && isFollowed(db, row),
  nouns: [
    { one: "song suggested by the music app", many: "songs suggested by the music app" },
    { one: "song suggestion of the music app", many: "song suggestions of the music app" },
    { one: "song in my music suggestions", many: "songs in my music suggestions" },
    { one: "song from my music suggestions", many: "songs from my music suggestions" },
    { one: "song among my music suggestions", many: "songs among my music suggestions" },
  ],
  list: { api: "music.suggestions" },
  key: "id",
  whole: false,
  clauses: [genre(false), year, length, liked(false)],
  fields,
});

const queued: Collection = collection<Song>({
  name: "queue",
  kind: "queued-songs",
  app: "music",
  table: songs,
  base: ({ id }, db) => db.where(queue, { song: id }).length > 0,
  nouns: [
    { one: "song in my music queue", many: "songs in my music queue" },
    { one: "queued song of my music player", many: "queued songs of my music player" },
    { one: "song in the queue of my music player", many: "songs in the queue of my music player" },
    { one: "song waiting in my music queue", many: "songs waiting in my music queue" },
    {
      one: "song in the play queue of my music app",
      many: "songs in the play queue of my music app",
    },
  ],
  list: { api: "music.queue" },
  key: "id",
  whole: true,
  clauses: [genre(false), year, length, liked(false)],
  fields: [...fields, plays],
});

export const songCollections: readonly Collection[] = [library, suggested, queued];
