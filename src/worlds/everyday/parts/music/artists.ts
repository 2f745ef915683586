/** Artists of the catalogue and their concerts that are still to come. */

import {
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Field,
  moneyWords,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Artist, artists, type Concert, concerts, songs } from "../../apps/music/tables.ts";
import { atLeast, atMost, centsAtLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { citiesOf } from "../mentionable.ts";
import { js, TODAY } from "./looks.ts";

const savedOf = (db: Reader, { id }: Artist) => db.where(songs, { artist: id, saved: true }).length;

const genre: Clause<Artist> = {
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
        `whose genre is ${chosen}`,
        `that play ${chosen}`,
        `in the ${chosen} genre`,
        `that belong to the genre ${chosen}`,
      ],
      holds: (row) => row.genre === chosen,
      code: { args: `genre:${js(chosen)}` },
    };
  },
};

const followed: Clause<Artist> = {
  name: "followed",
  draw: ({ rng }) => {
    const wanted = rng.chance(0.7);
    return {
      words: wanted
        ? [
            "that I follow",
            "whom I follow",
            "whom I am following",
            "followed by me",
            "which I follow",
          ]
        : [
            "that I do not follow",
            "whom I do not follow",
            "whom I am not following",
            "not followed by me",
            "which I do not follow",
          ],
      holds: (row) => row.followed === wanted,
      code: { args: `followed:${wanted}` },
    };
  },
};

const since: Clause<Artist> = {
  name: "since",
  draw: ({ rng }, rows) => {
    const years = rows.map((row) => row.since);
    const early = rng.chance(0.5);
    const edge = early ? atMost(rng, years) : atLeast(rng, years);
    if (edge === undefined) return undefined;
    const when = early ? "earlier" : "later";
    return {
      words: [
        `that started in ${edge} or ${when}`,
        `active since ${edge} or ${when}`,
        `who began in ${edge} or ${when}`,
        `founded in ${edge} or ${when}`,
        `that have existed since ${edge} or ${when}`,
      ],
      holds: (row) => (early ? row.since <= edge : row.since >= edge),
      code: { test: `x.since${early ? "<=" : ">="}${edge}` },
    };
  },
};

const saved: Clause<Artist> = {
  name: "saved",
  draw: ({ rng, db }, rows) => {
    const edge = atLeast(
      rng,
      rows.map((row) => savedOf(db, row)),
    );
    if (edge === undefined) return undefined;
    const many = edge === 1 ? "1 song" : `${edge} songs`;
    return {
      words: [
        `with at least ${many} in my library`,
        `who have at least ${many} in my library`,
        `that are in my library with at least ${many}`,
        `that my library holds at least ${many} of`,
        `whom I have at least ${many} of in my library`,
      ],
      holds: (row, reader) => savedOf(reader, row) >= edge,
      code: { test: `apis.music.artist({id:x.id}).saved>=${edge}` },
    };
  },
};

const touring: Clause<Artist> = {
  name: "touring",
  draw: ({ rng, db, split }, rows) => {
    const ids = new Set(rows.map(({ id }) => id));
    const ahead = db.all(concerts).filter((row) => row.day >= TODAY && ids.has(row.artist));
    const cities = citiesOf(split).filter((city) => ahead.some((row) => row.city === city));
    if (cities.length === 0) return undefined;
    const city = rng.pick(cities);
    return {
      words: [
        `that still have a concert in ${city}`,
        `with an upcoming concert in ${city}`,
        `who have a concert in ${city} ahead`,
        `who are going to play in ${city}`,
        `whose concert in ${city} is still to come`,
      ],
      holds: ({ id }, reader) =>
        reader.where(concerts, { artist: id, city }).some(({ day }) => day >= TODAY),
      code: {
        test: `apis.music.concerts({artist:x.id,city:${js(city)},from:${js(TODAY)}}).items.length>0`,
      },
    };
  },
};

const artistFields: readonly Field<Artist>[] = [
  { name: "name", unit: "text", noun: "name", value: ({ name }) => name, code: "x.name" },
  {
    name: "since",
    // As a day is: it is ranked, but nobody adds up years.
    unit: "day",
    noun: "founding year",
    value: (row) => row.since,
    code: "x.since",
    superlatives: {
      most: [
        "most recently founded",
        "youngest",
        "newest",
        "latest-founded",
        "most recently started",
      ],
      least: [
        "earliest-founded",
        "oldest",
        "longest-standing",
        "earliest-started",
        "longest established",
      ],
    },
  },
];

export const artistCollection: Collection = collection<Artist>({
  name: "artists",
  kind: "artists",
  app: "music",
  table: artists,
  base: () => true,
  nouns: [
    { one: "artist in the music app", many: "artists in the music app" },
    { one: "artist of the music app", many: "artists of the music app" },
    { one: "artist in the catalogue of the music app", many: "artists in the music catalogue" },
    { one: "artist listed in the music app", many: "artists listed in the music app" },
    { one: "artist that the music app knows", many: "artists that the music app lists" },
  ],
  list: { api: "music.artists" },
  key: "id",
  whole: false,
  clauses: [genre, followed, since, saved, touring],
  fields: artistFields,
  title: {
    of: ({ name }) => name,
    nouns: (name) => [
      `the artist ${name}`,
      `the artist called ${name}`,
      `the artist "${name}"`,
      `the artist named ${name}`,
      `the musical act ${name}`,
    ],
    cells: (name, out) => [
      `var ${out}=apis.music.findArtists({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)}).map(x=>x.id);print(${out})`,
    ],
    missing: ["The Tulip Mechanics", "Orange Submarine Club", "Wax Dolphin", "Nine Sleepy Bears"],
  },
});

// --- concerts ---

const city: Clause<Concert> = {
  name: "city",
  draw: ({ rng, split }, rows) => {
    const cities = citiesOf(split).filter((name) => rows.some((row) => row.city === name));
    if (cities.length === 0) return undefined;
    const chosen = rng.pick(cities);
    return {
      words: [
        `in ${chosen}`,
        `that take place in ${chosen}`,
        `held in ${chosen}`,
        `which are in ${chosen}`,
        `whose city is ${chosen}`,
      ],
      holds: (row) => row.city === chosen,
      code: { args: `city:${js(chosen)}` },
    };
  },
};

const until: Clause<Concert> = {
  name: "until",
  draw: ({ rng }, rows) => {
    const edge = atMost(
      rng,
      rows.map(({ day }) => day),
    );
    if (edge === undefined) return undefined;
    const words = dayWords(edge);
    return {
      words: [
        `up to and including ${words}`,
        `that take place on ${words} or earlier`,
        `no later than ${words}`,
        `which are on ${words} at the latest`,
        `on ${words} or before that day`,
      ],
      holds: ({ day }) => day <= edge,
      code: { args: `until:${js(edge)}` },
    };
  },
};

const price: Clause<Concert> = {
  name: "price",
  draw: ({ rng }, rows) => {
    const cents = rows.map((row) => row.cents);
    const cheap = rng.chance(0.6);
    const edge = cheap ? centsAtMost(rng, cents) : centsAtLeast(rng, cents);
    if (edge === undefined) return undefined;
    const [limit, than] = [moneyWords(edge), cheap ? "at most" : "at least"];
    return {
      words: [
        `with tickets of ${than} ${limit}`,
        `whose tickets cost ${than} ${limit}`,
        `that cost ${than} ${limit} a ticket`,
        `where a ticket costs ${than} ${limit}`,
        `at a ticket price of ${than} ${limit}`,
      ],
      holds: (row) => (cheap ? row.cents <= edge : row.cents >= edge),
      code: { test: `x.price${cheap ? "<=" : ">="}${edge / 100}` },
    };
  },
};

const marked: Clause<Concert> = {
  name: "marked",
  draw: ({ rng }) => {
    const wanted = rng.chance(0.7);
    return {
      words: wanted
        ? [
            "that I marked as interesting",
            "marked as interesting",
            "which I have marked as interesting",
            "carrying my mark as interesting",
            "that are marked as interesting",
          ]
        : [
            "that I did not mark as interesting",
            "not marked as interesting",
            "which I have not marked as interesting",
            "without my mark as interesting",
            "that are not marked as interesting",
          ],
      holds: ({ interested }) => interested === wanted,
      code: { args: `interested:${wanted}` },
    };
  },
};

const byFollowed: Clause<Concert> = {
  name: "followed",
  draw: () => ({
    words: [
      "whose artist I follow",
      "that are by artists I follow",
      "whose artist is one that I follow",
      "which are by artists I follow",
      "where I follow the artist",
    ],
    holds: ({ artist }, db) => db.get(artists, artist)!.followed,
    code: {
      test: "apis.music.findArtists({query:x.artist,size:20}).items.some(a=>a.name===x.artist&&a.followed)",
    },
  }),
};

const byGenre: Clause<Concert> = {
  name: "genre",
  draw: ({ rng, db }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.map(({ artist }) => db.get(artists, artist)!.genre),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `whose artist belongs to the genre ${chosen}`,
        `that are by artists of the genre ${chosen}`,
        `whose artist plays ${chosen}`,
        `which are by artists of the genre ${chosen}`,
        `where the genre of the artist is ${chosen}`,
      ],
      holds: ({ artist }, reader) => reader.get(artists, artist)!.genre === chosen,
      code: {
        test: `apis.music.findArtists({query:x.artist,size:20}).items.some(a=>a.name===x.artist&&a.genre===${js(chosen)})`,
      },
    };
  },
};

const concertFields: readonly Field<Concert>[] = [
  {
    name: "artist",
    unit: "text",
    noun: "artist",
    value: ({ artist }, db) => db.get(artists, artist)!.name,
    code: "x.artist",
  },
  { name: "venue", unit: "text", noun: "venue", value: ({ venue }) => venue, code: "x.venue" },
  {
    name: "price",
    unit: "money",
    noun: "ticket price",
    value: ({ cents }) => cents / 100,
    code: "x.price",
    superlatives: {
      most: ["most expensive", "priciest", "dearest", "costliest", "highest-priced"],
      least: ["cheapest", "least expensive", "most affordable", "lowest-priced", "least costly"],
    },
  },
  {
    name: "day",
    unit: "day",
    noun: "day",
    value: ({ day }) => day,
    code: "x.day",
    superlatives: {
      most: ["latest", "last", "most distant", "furthest-off", "farthest-away"],
      least: ["earliest", "first", "soonest", "nearest", "next"],
    },
  },
];

export const concertCollection: Collection = collection<Concert>({
  name: "concerts",
  kind: "concerts",
  app: "music",
  table: concerts,
  base: ({ day }) => day >= TODAY,
  nouns: [
    { one: "upcoming concert", many: "upcoming concerts in the music app" },
    { one: "concert that is ahead", many: "concerts ahead in the music app" },
    { one: "concert to come", many: "concerts still to come in the music app" },
    { one: "future concert", many: "future concerts in the music app" },
    { one: "concert from today on", many: "concerts in the music app from today on" },
  ],
  list: { api: "music.concerts", args: `from:${js(TODAY)}` },
  key: "id",
  whole: false,
  clauses: [city, until, price, marked, byFollowed, byGenre],
  fields: concertFields,
});
