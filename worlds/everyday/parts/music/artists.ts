/** Goals about artists and about concerts that are still to come: their collections and actions. */
import { actions, defineCollection, jsLiteral, nouns, titleBy } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Artist, artists, type Concert, concerts, songs } from "../../apps/music/tables.ts";
import { events } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { citiesOfSplit } from "../mentionable.ts";
import {
  countWithNoun,
  findByExactNameCode,
  inAppPhrase,
  insertInboxTodo,
  mentionableNameColumn,
  yesOrNoColumn,
} from "./music-and-photos.ts";
import { insertConcertInvite, isInvited } from "./music-rows.ts";

const ARTISTS_LIST = { kind: "artists", app: "music", table: artists } as const;
const CONCERTS_LIST = { kind: "concerts", app: "music", table: concerts } as const;

const isFutureConcert = ({ day }: Concert) => day >= TODAY;

const countSavedSongs = ({ id }: Artist, db: Reader) =>
  db.where(songs, { artist: id, saved: true }).length;

/** Returns the cities where an artist will give concerts. */
const citiesOfFutureConcerts = ({ id }: Artist, db: Reader) =>
  db
    .where(concerts, { artist: id })
    .filter(isFutureConcert)
    .map(({ city }) => city);

export const artistCollection = defineCollection<Artist>({
  ...ARTISTS_LIST,
  list: "artists",
  nouns: nouns`artist(s) in the music app | artist(s) of the music app | artist in the catalogue of
    the music app / artists in the music catalogue | artist(s) listed in the music app
    | artist(s) to be found in the music app`,
  columns: ({ choice, day, number, superlatives, text, atLeastOrAtMost }) => ({
    genre: choice((row) => row.genre, { arg: "genre" })`of the genre $ | whose genre is $
      | that play $ | in the $ genre | that belong to the genre $`,
    followed: yesOrNoColumn<Artist>(0.7, "followed", {
      arg: "followed",
    })`that I follow | whom I follow
      | whom I am following | followed by me | which I follow``that I do not follow | whom I do not
        follow | whom I am not following | not followed by me | which I do not follow`,
    name: text((row) => row.name, { item: "name", noun: "name" }),
    // The column for the year has the type `day`, so that tasks rank by it but never sum it.
    since: day(
      (row) => row.since,
      { item: "since", noun: "founding year" },
      superlatives`most recently founded / earliest-founded | youngest / oldest
          | newest / oldest | most recently founded / earliest-founded | newest / oldest`,
      atLeastOrAtMost("since")`that started in $ | active since $ | who began in $ | founded in $
        | that have existed since $`,
    ),
    saved: number(
      countSavedSongs,
      { code: "apis.music.artist({id:x.id}).saved" },
      atLeastOrAtMost("saved", { below: 0, toWords: countWithNoun("song") })`with $ in my library
        | who have $ in my library | that are in my library with $
        | of whom my library holds $ | of whom I have $ in my library`,
    ),
    touring: mentionableNameColumn(citiesOfSplit, citiesOfFutureConcerts, (city) => ({
      test: `apis.music.concerts({artist:x.id,city:${city},since:${jsLiteral(TODAY)}}).items.length>0`,
    }))`that still have a concert in $ | with an upcoming concert in $ | who have a concert in $
      ahead | who are going to play in $ | whose concert in $ is still to come`,
  }),
  title: titleBy<Artist>(
    "name",
    findByExactNameCode("music.findArtists", "name"),
    "The Tulip Mechanics | Orange Submarine Club | Wax Dolphin | Nine Sleepy Bears",
  )`the artist $ | the artist called $ | the artist "$" | the artist named $ | the musical act $`,
});

const artistOfConcert = ({ artist }: Concert, db: Reader) => db.get(artists, artist)!;

/** Writes the code of a test of a concert's artist. The code finds the artist by name and stores it in `a`. */
const artistTestCode = (test: string) => ({
  test: `apis.music.findArtists({query:x.artist,size:20}).items.some(a=>a.name===x.artist&&${test})`,
});

export const concertCollection = defineCollection<Concert>({
  ...CONCERTS_LIST,
  includes: isFutureConcert,
  list: { api: "concerts", args: `since:${jsLiteral(TODAY)}` },
  nouns: nouns`upcoming concert / upcoming concerts in the music app | concert that is ahead /
    concerts ahead in the music app | concert to come / concerts still to come in the music app
    | future concert / future concerts in the music app
    | concert from today on / concerts in the music app from today on`,
  columns: ({
    byArgument,
    atMost,
    choice,
    day,
    withProperty,
    money,
    superlatives,
    text,
    atLeastOrAtMost,
  }) => ({
    city: mentionableNameColumn(
      citiesOfSplit,
      (row: Concert) => row.city,
      byArgument("city"),
    )`in $ | that take place in $ | held in $ | which are in $ | whose city is $`,
    artist: text((row, db) => artistOfConcert(row, db).name, { item: "artist", noun: "artist" }),
    venue: text((row) => row.venue, { item: "venue", noun: "venue" }),
    day: day(
      (row) => row.day,
      { item: "day", noun: "day" },
      superlatives`latest / next | last / first | latest / earliest | last / first
          | latest / earliest`,
      atMost("until", {
        arg: "until",
      })`up to and including $ | that take place on $ or earlier | that are no later than $ |
        which are on $ at the latest | on $ or before that day`,
    ),
    price: money(
      (row) => row.cents,
      { item: "price", noun: "ticket price" },
      superlatives`most expensive / cheapest | costliest / cheapest
          | most expensive / least expensive | most expensive / cheapest
          | priciest / cheapest`,
      atLeastOrAtMost("price", { below: 0.6 })`with tickets of $ | whose tickets cost $
        | that cost $ a ticket | where a ticket costs $ | at a ticket price of $`,
    ),
    marked: yesOrNoColumn<Concert>(0.7, "interested", {
      arg: "interested",
    })`that I marked as interesting | marked as interesting | which I have marked as interesting
      | carrying my mark as interesting | that are marked as interesting``that I did not mark as
        interesting | not marked as interesting | which I have not marked as interesting
        | without my mark as interesting | that are not marked as interesting`,
    followed: withProperty(
      (row, db) => artistOfConcert(row, db).followed,
      artistTestCode("a.followed"),
    )`whose artist I follow | that are by artists I follow | whose artist is one that I follow
      | which are by artists I follow | where I follow the artist`,
    genre: choice(
      (row, db) => artistOfConcert(row, db).genre,
      {},
      { code: (genre) => artistTestCode(`a.genre===${genre}`) },
    )`whose artist belongs to the genre $ | that are by artists of the genre $ | whose artist plays
      $ | which are by artists of the genre $ | where the genre of the artist is $`,
  }),
  fields: "artist venue price day",
});

const artistActions = actions<Artist>(
  { ...ARTISTS_LIST, difficult: "todo-artist", otherApps: { todo: "todo-artist" } },
  ({ changesTo, applies }) => ({
    follow: changesTo("followed", true, { api: "follow" })`Follow # | Start following #
      | Make me a follower of # | Begin to follow # | Let me follow # from now on`,
    unfollow: changesTo("followed", false, { api: "unfollow" })`Unfollow # | Stop following #
      | Quit following # | Cease to follow # | Have me unfollow #`,
    "todo-artist": applies((db, { name }) => insertInboxTodo(db, `listen to ${name}`, null), {
      call: 'const o=apis.music.artist({id:x});apis.todo.add({title:"listen to "+o.name})',
    })`Put # on my todo list, as "listen to" and the artist's name | For #, add a todo that says
      "listen to" and the artist's name | Add # to my todos, one todo for each artist: "listen to"
      and the artist's name | Make a todo for #, "listen to" and the name of the artist | Note #
      in my todo app, one todo for each artist: "listen to" and the artist's name`,
  }),
);

const PLAN_TEXT = "with the day and time of the concert and the artist's name as the title";
const TICKETS_TEXT = `"tickets for" and the artist's name, due on the day of the concert`;
const OTHER_APPS = { calendar: "plan-concert", todo: "todo-tickets" };

const actionsOnConcerts = actions<Concert>(
  { ...CONCERTS_LIST, difficult: "plan-concert todo-tickets", otherApps: OTHER_APPS },
  ({ addsRow, changesTo, applies, drawnAction, actionWithPerson }) => ({
    "mark-concert": drawnAction(({ rng }) =>
      rng.chance(0.7)
        ? changesTo("interested", true, { api: "markConcert" })`Mark # as interesting
          | Put a mark of interest on # | Set the interesting mark for #
          | Flag # as interesting to me | With a mark, note my interest in #`
        : changesTo("interested", false, { api: "unmarkConcert" })`Take the mark of interest off #
          | Unmark #, so that the interesting mark is gone | Remove the interesting mark from #
          | Clear my mark of interest from # | No longer mark # as interesting`,
    ),
    "invite-to-concert": actionWithPerson(({ value: friend, code }) =>
      applies((db, { id }) => insertConcertInvite(db, id, friend.id), {
        when: (row, db) => isFutureConcert(row) && !isInvited(db, row.id, friend.id),
        api: "invite",
        args: `person:${code}`,
      }),
    )(inAppPhrase("music", "invite $ to #")),
    "plan-concert": addsRow(
      events,
      ({ artist, day, time }, db) => {
        const title = db.get(artists, artist)!.name;
        return { title, day, time, host: null, response: "accepted", cancelled: false };
      },
      {
        when: isFutureConcert,
        call: "const o=apis.music.concert({id:x});apis.calendar.add({title:o.artist,day:o.day,time:o.time})",
      },
    )`Put # into my calendar, ${PLAN_TEXT} | Add # to my calendar, ${PLAN_TEXT}
      | Enter # in my calendar, ${PLAN_TEXT} | Write # into my calendar, ${PLAN_TEXT}
      | Copy # into my calendar, ${PLAN_TEXT}`,
    "todo-tickets": applies(
      (db, { artist, day }) =>
        insertInboxTodo(db, `tickets for ${db.get(artists, artist)!.name}`, day),
      {
        when: isFutureConcert,
        call: 'const o=apis.music.concert({id:x});apis.todo.add({title:"tickets for "+o.artist,due:o.day})',
      },
    )`For #, make a todo that says ${TICKETS_TEXT}
      | Put # on my todo list, as ${TICKETS_TEXT}
      | Add # to my todos, one todo for each concert: ${TICKETS_TEXT}
      | Make a todo for #: ${TICKETS_TEXT}
      | Note # in my todo app, one todo for each concert: ${TICKETS_TEXT}`,
  }),
);

export const artistAndConcertActions = [...artistActions, ...actionsOnConcerts];
