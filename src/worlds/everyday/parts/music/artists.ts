/** Artists of the catalogue and their concerts that are still to come. */
import {
  asked,
  atMost,
  type Collection,
  js,
  listOf,
  nouns,
  ranked,
  rows,
  titled,
  within,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Artist, artists, type Concert, concerts, songs } from "../../apps/music/tables.ts";
import { TODAY } from "../../population/time.ts";
import { citiesOf } from "../mentionable.ts";
import { flag, spoken } from "./drawing.ts";

const savedOf = ({ id }: Artist, db: Reader) => db.where(songs, { artist: id, saved: true }).length;

/** Where an artist still has concerts. */
const citiesAhead = ({ id }: Artist, db: Reader) =>
  db
    .where(concerts, { artist: id })
    .filter(({ day }) => day >= TODAY)
    .map(({ city }) => city);

export const artistCollection: Collection = rows<Artist>({
  kind: "artists",
  app: "music",
  table: artists,
  list: "artists",
  nouns: nouns`artist(s) in the music app | artist(s) of the music app
    | artist in the catalogue of the music app / artists in the music catalogue
    | artist(s) listed in the music app
    | artist that the music app knows / artists that the music app lists`,
  columns: ({ choice, text, number, day }) => ({
    genre: choice((row) => row.genre, { arg: "genre" })`of the genre $ | whose genre is $
      | that play $ | in the $ genre | that belong to the genre $`,
    followed: flag<Artist>(0.7, "followed", { arg: "followed" })`
      that I follow | whom I follow | whom I am following | followed by me | which I follow``
      that I do not follow | whom I do not follow | whom I am not following | not followed by me
      | which I do not follow`,
    name: text((row) => row.name, { item: "name", noun: "name" }),
    // A day for the algebra: it is ranked, but nobody adds up years.
    since: day(
      (row) => row.since,
      {
        item: "since",
        noun: "founding year",
        ranks: ranked`
          most recently founded / earliest-founded | youngest / oldest | newest / longest-standing
          | latest-founded / earliest-started | most recently started / longest established`,
      },
      within("since")`that started in $ | active since $ | who began in $ | founded in $
        | that have existed since $`,
    ),
    saved: number(
      savedOf,
      { code: "apis.music.artist({id:x.id}).saved" },
      within("saved", { below: 0, says: (count) => (count === 1 ? "1 song" : `${count} songs`) })`
        with $ in my library | who have $ in my library | that are in my library with $
        | that my library holds $ of | whom I have $ of in my library`,
    ),
    touring: spoken(citiesOf, citiesAhead, (city) => ({
      test: `apis.music.concerts({artist:x.id,city:${city},from:${js(TODAY)}}).items.length>0`,
    }))`that still have a concert in $ | with an upcoming concert in $
      | who have a concert in $ ahead | who are going to play in $
      | whose concert in $ is still to come`,
  }),
  title: titled<Artist>({
    of: (row) => row.name,
    find: (name) =>
      `apis.music.findArtists({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)}).map(x=>x.id)`,
    missing: listOf(
      "The Tulip Mechanics | Orange Submarine Club | Wax Dolphin | Nine Sleepy Bears",
    ),
  })`the artist $ | the artist called $ | the artist "$" | the artist named $ | the musical act $`,
});

// --- concerts ---

const artistOf = ({ artist }: Concert, db: Reader) => db.get(artists, artist)!;

/** A test of the artist `a`, who is found by name. */
const ofArtist = (test: string) => ({
  test: `apis.music.findArtists({query:x.artist,size:20}).items.some(a=>a.name===x.artist&&${test})`,
});

export const concertCollection: Collection = rows<Concert>({
  kind: "concerts",
  app: "music",
  table: concerts,
  base: ({ day }) => day >= TODAY,
  list: { api: "concerts", args: `from:${js(TODAY)}` },
  nouns: nouns`upcoming concert / upcoming concerts in the music app
    | concert that is ahead / concerts ahead in the music app
    | concert to come / concerts still to come in the music app
    | future concert / future concerts in the music app
    | concert from today on / concerts in the music app from today on`,
  columns: ({ choice, text, money, day, is }) => ({
    city: spoken(citiesOf, (row: Concert) => row.city, asked("city"))`
      in $ | that take place in $ | held in $ | which are in $ | whose city is $`,
    artist: text((row, db) => artistOf(row, db).name, { item: "artist", noun: "artist" }),
    venue: text((row) => row.venue, { item: "venue", noun: "venue" }),
    day: day(
      (row) => row.day,
      {
        item: "day",
        noun: "day",
        ranks: ranked`latest / earliest | last / first | most distant / soonest
          | furthest-off / nearest | farthest-away / next`,
      },
      atMost("until", { arg: "until" })`up to and including $ | that take place on $ or earlier
        | no later than $ | which are on $ at the latest | on $ or before that day`,
    ),
    price: money(
      (row) => row.cents,
      {
        item: "price",
        noun: "ticket price",
        ranks: ranked`most expensive / cheapest | priciest / least expensive
          | dearest / most affordable | costliest / lowest-priced | highest-priced / least costly`,
      },
      within("price", { below: 0.6 })`with tickets of $ | whose tickets cost $
        | that cost $ a ticket | where a ticket costs $ | at a ticket price of $`,
    ),
    marked: flag<Concert>(0.7, "interested", { arg: "interested" })`
      that I marked as interesting | marked as interesting | which I have marked as interesting
      | carrying my mark as interesting | that are marked as interesting``
      that I did not mark as interesting | not marked as interesting
      | which I have not marked as interesting | without my mark as interesting
      | that are not marked as interesting`,
    followed: is((row, db) => artistOf(row, db).followed, ofArtist("a.followed"))`
      whose artist I follow | that are by artists I follow | whose artist is one that I follow
      | which are by artists I follow | where I follow the artist`,
    genre: choice(
      (row, db) => artistOf(row, db).genre,
      {},
      { code: (genre) => ofArtist(`a.genre===${genre}`) },
    )`whose artist belongs to the genre $ | that are by artists of the genre $
      | whose artist plays $ | which are by artists of the genre $
      | where the genre of the artist is $`,
  }),
  fields: "artist venue price day",
});
