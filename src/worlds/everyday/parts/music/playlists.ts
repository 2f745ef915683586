/** Playlists: the owner's own, and those that contacts share with the owner. */

import { type Clause, type Collection, collection, type Field } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  GENRES,
  type Playlist,
  playlistShares,
  playlists,
  songs,
} from "../../apps/music/tables.ts";
import { atLeast, atMost, oneOfSome } from "../bounds.ts";
import { isOwn, js, secondsOf, songsOf, span } from "./looks.ts";

const sharesOf = (db: Reader, { id }: Playlist) =>
  db.where(playlistShares, { playlist: id, ended: false });

// --- clauses of both ---

const size: Clause<Playlist> = {
  name: "size",
  draw: ({ rng, db }, rows) => {
    const counts = rows.map(({ id }) => songsOf(db, id).length);
    const small = rng.chance(0.5);
    const edge = small ? atMost(rng, counts) : atLeast(rng, counts);
    if (edge === undefined) return undefined;
    const than = small ? "at most" : "at least";
    return {
      words: [
        `with ${than} ${edge} songs`,
        `that have ${than} ${edge} songs`,
        `holding ${than} ${edge} songs`,
        `that contain ${than} ${edge} songs`,
        `which hold ${than} ${edge} songs`,
      ],
      holds: ({ id }, reader) => {
        const count = songsOf(reader, id).length;
        return small ? count <= edge : count >= edge;
      },
      code: { test: `x.songs${small ? "<=" : ">="}${edge}` },
    };
  },
};

const duration: Clause<Playlist> = {
  name: "duration",
  excludes: ["size"],
  draw: ({ rng, db }, rows) => {
    const totals = rows.map(({ id }) => secondsOf(db, id));
    const edge = atLeast(rng, totals);
    if (edge === undefined) return undefined;
    const limit = span(60 * Math.floor(edge / 60));
    return {
      words: [
        `that last at least ${limit}`,
        `with at least ${limit} of music`,
        `that play for at least ${limit}`,
        `whose total length is at least ${limit}`,
        `which take at least ${limit} to play`,
      ],
      holds: ({ id }, reader) => secondsOf(reader, id) >= 60 * Math.floor(edge / 60),
      code: { test: `x.seconds>=${60 * Math.floor(edge / 60)}` },
    };
  },
};

const hasGenre = (db: Reader, { id }: Playlist, genre: string) =>
  songsOf(db, id).some((song) => db.get(songs, song)!.genre === genre);

const withGenre: Clause<Playlist> = {
  name: "with-genre",
  draw: ({ rng, db }, rows) => {
    const having = rows.flatMap((row) => GENRES.filter((genre) => hasGenre(db, row, genre)));
    const genre = oneOfSome(rng, having);
    if (genre === undefined || rows.every((row) => hasGenre(db, row, genre))) return undefined;
    return {
      words: [
        `that contain at least one ${genre} song`,
        `with at least one song of the genre ${genre}`,
        `which include at least one ${genre} song`,
        `that hold one or more songs of the genre ${genre}`,
        `where one song or more is of the genre ${genre}`,
      ],
      holds: (row, reader) => hasGenre(reader, row, genre),
      code: {
        test: `apis.music.playlistSongs({id:x.id,genre:${js(genre)}}).items.length>0`,
      },
    };
  },
};

// --- of own ones ---

const sharedWith: Clause<Playlist> = {
  name: "shared-with",
  excludes: ["shared", "edited"],
  draw: (draw, rows) => {
    const known = rows.flatMap((row) => sharesOf(draw.db, row).map(({ person }) => person));
    const friend = draw.person(known);
    if (!friend) return undefined;
    return {
      words: [
        `that I share with ${friend.words}`,
        `shared with ${friend.words}`,
        `that are shared with ${friend.words}`,
        `that I let ${friend.words} into`,
        `which ${friend.words} was let into`,
      ],
      holds: (row, db) => sharesOf(db, row).some(({ person }) => person === friend.value.id),
      code: { args: `sharedWith:${friend.code}` },
      uses: [friend],
    };
  },
};

const shared: Clause<Playlist> = {
  name: "shared",
  excludes: ["edited"],
  draw: ({ rng }) => {
    const wanted = rng.chance(0.3);
    return {
      words: wanted
        ? [
            "that I share with somebody",
            "shared with at least one person",
            "which are shared with someone",
            "that one person or more was let into",
            "that are shared with one person or more",
          ]
        : [
            "that I share with nobody",
            "shared with no one",
            "which are not shared with anybody",
            "that nobody else was let into",
            "that are not shared at all",
          ],
      holds: (row, db) => sharesOf(db, row).length > 0 === wanted,
      code: { test: wanted ? "x.shared>0" : "x.shared===0" },
    };
  },
};

const edited: Clause<Playlist> = {
  name: "edited",
  draw: () => ({
    words: [
      "that somebody else may edit",
      "with at least one editor besides me",
      "where someone I let in has the role editor",
      "that at least one other person is an editor of",
      "which I let someone else edit",
    ],
    holds: (row, db) => sharesOf(db, row).some(({ role }) => role === "editor"),
    code: {
      test: 'apis.music.sharedWith({id:x.id,size:20}).items.some(y=>y.role==="editor")',
    },
  }),
};

// --- of those of contacts ---

const from: Clause<Playlist> = {
  name: "from",
  excludes: ["role"],
  draw: (draw, rows) => {
    const friend = draw.person(rows.flatMap(({ person }) => (person === null ? [] : [person])));
    if (!friend) return undefined;
    return {
      words: [
        `that belong to ${friend.words}`,
        `whose owner is ${friend.words}`,
        `that are owned by ${friend.words}`,
        `which ${friend.words} owns`,
        `which belong to ${friend.words}`,
      ],
      holds: ({ person }) => person === friend.value.id,
      code: { args: `from:${friend.code}` },
      uses: [friend],
    };
  },
};

const role: Clause<Playlist> = {
  name: "role",
  draw: ({ rng }) => {
    const chosen = rng.pick(["editor", "listener"] as const);
    return {
      words: [
        `where I have the role ${chosen}`,
        `where I am ${chosen === "editor" ? "an editor" : "a listener"}`,
        `whose owner gave me the role ${chosen}`,
        `where my role is ${chosen}`,
        `that I can use as ${chosen === "editor" ? "an editor" : "a listener"}`,
      ],
      holds: (row) => row.role === chosen,
      code: { args: `role:"${chosen}"` },
    };
  },
};

// --- collections ---

const fields: readonly Field<Playlist>[] = [
  { name: "name", unit: "text", noun: "name", value: ({ name }) => name, code: "x.name" },
  {
    name: "songs",
    unit: "number",
    noun: "number of songs",
    value: ({ id }, db) => songsOf(db, id).length,
    code: "x.songs",
    superlatives: {
      most: ["largest", "biggest", "most extensive", "fullest", "most song-rich"],
      least: ["smallest", "tiniest", "least extensive", "emptiest", "least song-rich"],
    },
  },
  {
    name: "duration",
    unit: "number",
    noun: "length in seconds",
    value: ({ id }, db) => secondsOf(db, id),
    code: "x.seconds",
    superlatives: {
      most: ["longest", "longest-running", "longest-playing", "longest-lasting", "lengthiest"],
      least: ["shortest", "shortest-running", "shortest-playing", "shortest-lasting", "briefest"],
    },
  },
];

const own: Collection = collection<Playlist>({
  name: "own-playlists",
  kind: "playlists",
  app: "music",
  table: playlists,
  base: isOwn,
  nouns: [
    { one: "playlist of my own", many: "playlists of my own" },
    { one: "own playlist in my music app", many: "own playlists in my music app" },
    { one: "playlist of mine", many: "playlists of mine" },
    { one: "music playlist of my own", many: "music playlists of my own" },
    { one: "playlist of mine in the music app", many: "playlists of mine in the music app" },
  ],
  list: { api: "music.playlists", args: "own:true" },
  key: "id",
  whole: false,
  clauses: [size, duration, withGenre, sharedWith, shared, edited],
  fields: [
    ...fields,
    {
      name: "people",
      unit: "number",
      noun: "number of people I share it with",
      value: (row, db) => sharesOf(db, row).length,
      code: "x.shared",
    },
  ],
  title: {
    of: ({ name }) => name,
    nouns: (name) => [
      `my playlist "${name}"`,
      `my own playlist "${name}"`,
      `the playlist "${name}" that I own`,
      `my playlist called "${name}"`,
      `the playlist "${name}", which is mine`,
    ],
    cells: (name, out) => [
      `var ${out}=apis.music.findPlaylists({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)}&&x.owner===null).map(x=>x.id);print(${out})`,
    ],
    missing: ["Pirate choirs", "Elevator hits", "Songs for the moon", "Monday tango"],
  },
});

const ofContacts: Collection = collection<Playlist>({
  name: "contacts-playlists",
  kind: "contacts-playlists",
  app: "music",
  table: playlists,
  base: ({ person, left }) => person !== null && !left,
  nouns: [
    { one: "playlist of a contact", many: "playlists of my contacts" },
    { one: "playlist owned by a contact", many: "playlists owned by my contacts" },
    {
      one: "playlist of a contact in the music app",
      many: "playlists of contacts in the music app",
    },
    { one: "contact's music playlist", many: "music playlists of my contacts" },
    { one: "music playlist owned by a contact", many: "music playlists owned by my contacts" },
  ],
  list: { api: "music.playlists", args: "own:false" },
  key: "id",
  whole: false,
  clauses: [size, duration, withGenre, from, role],
  fields,
  title: {
    of: ({ name }) => name,
    nouns: (name) => [
      `the playlist "${name}" that a contact shares with me`,
      `my contact's playlist "${name}"`,
      `the playlist "${name}" of one of my contacts`,
      `the playlist "${name}" that is not mine but a contact's`,
      `the playlist "${name}", owned by somebody else`,
    ],
    cells: (name, out) => [
      `var ${out}=apis.music.findPlaylists({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)}&&x.owner!==null).map(x=>x.id);print(${out})`,
    ],
    missing: ["Dungeon jazz", "Yodel school", "Snowed in", "Radio aquarium"],
  },
});

export const playlistCollections: readonly Collection[] = [own, ofContacts];
