/** Goals about songs: the library, the queue, and other songs of artists whom the owner follows. */
import {
  aboutFound,
  actions,
  declareColumns,
  defineCollection,
  jsLiteral,
  nouns,
  titleBy,
  wordList,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import type { Song } from "../../apps/music/tables.ts";
import * as tables from "../../apps/music/tables.ts";
import {
  countWithNoun,
  inAppPhrase,
  insertInboxTodo,
  textNameToContactAction,
  yesOrNoColumn,
} from "./music-and-photos.ts";
import {
  artistOfSong,
  containsSong,
  drawArtist,
  drawOwnPlaylist,
  durationInWords,
  insertEntry,
  insertRecommendation,
} from "./music-rows.ts";
import { isOwnedByOwner } from "./shared-things.ts";

const isFollowed = (db: Reader, { artist }: Song) => db.get(tables.artists, artist)!.followed;

const isInOwnPlaylist = (db: Reader, song: number) =>
  db
    .where(tables.entries, { song, removed: false })
    .some(({ playlist }) => isOwnedByOwner(db.get(tables.playlists, playlist)!));

/**
 * Declares the columns of any list of songs. `hasArguments` is true when the list API takes genre and like as
 * arguments.
 */
const declareSongColumns = (hasArguments: boolean) =>
  declareColumns<Song>(({ choice, day, number, superlatives, text, atLeastOrAtMost }) => ({
    genre: choice(
      (row) => row.genre,
      hasArguments ? { arg: "genre" } : { item: "genre" },
    )`of the genre $ | that are $ | whose genre is $ | in the $ genre | that have the genre $`,
    title: text((row) => row.title, { item: "title", noun: "title" }),
    by: text((row, db) => artistOfSong(db, row.id).name, {
      item: "artist",
      field: "artist",
      noun: "artist",
    }),
    length: number(
      (row) => row.seconds,
      { item: "seconds", noun: "length in seconds" },
      superlatives`longest / shortest | longest / shortest | longest / shortest
          | longest / shortest | longest / shortest`,
      atLeastOrAtMost("length", {
        toWords: durationInWords,
      })`that are $ long | that last $ | with a length of $ | which take $ | whose length is $`,
    ),
    // The column for the year has the type `day`, so that tasks rank by it but never sum it.
    year: day(
      (row) => row.year,
      { item: "year", noun: "year" },
      superlatives`newest / oldest | most recent / oldest | newest / oldest | newest / oldest
          | most recent / oldest`,
      atLeastOrAtMost("year")`from $ | released in $ | that came out in $ | whose year is $
        | that were released in $`,
    ),
    plays: number(
      (row) => row.plays,
      { item: "plays", noun: "number of plays" },
      superlatives`most played / least played | most often played / least often played
          | most played / least played | most often played / least often played
          | most played / least played`,
    ),
    liked: yesOrNoColumn<Song>(0.7, "liked", {
      onlyIfMixed: true,
      ...(hasArguments ? { arg: "liked" } : {}),
    })`that I have liked | which I have given a like
      | with a like from me | that have a like of mine | which I marked as liked``
        that I have not liked | without a like from me
        | that have no like of mine | which I never gave a like | that I have not marked as liked`,
  }));

const SONGS_LIST = { app: "music", table: tables.songs } as const;
const SONGS_COLLECTION = {
  ...SONGS_LIST,
  columns: declareSongColumns(false),
  clauses: "genre year length liked",
};

const starsInWords = countWithNoun("star");

const LYRICS_PHRASES = wordList(
  `in the rain | on the last train | behind the moon | beside the fire | over the hill
    | before the dawn | turn the radio low | the night is long`,
);

const libraryColumns = declareColumns<Song>(
  ({ byArgument, choice, drawnClause, alternatives, withProperty, person }) => ({
    stars: choice(
      (row) => row.stars,
      { arg: "stars" },
      { toWords: (count) => starsInWords(Number(count)) },
    )`that I rated with $
    | rated with $ | with my rating of $ | which I gave $ | that have $ from me`,
    artist: aboutFound(
      ({ db, ...draw }, some: readonly Song[]) => {
        const ids = new Set(some.map((row) => row.artist));
        const among = db.all(tables.artists).filter(({ id }) => ids.has(id));
        return drawArtist({ db, ...draw }, among);
      },
      (row, _, { id }) => row.artist === id,
      byArgument("artist"),
      { excludes: ["followed"] },
    )`by $ | by the artist $ | that are by $ | recorded by $ | whose artist is $`,
    playlist: aboutFound(
      (draw, some: readonly Song[]) =>
        drawOwnPlaylist(draw, ({ id }) => some.some((row) => containsSong(draw.db, id, row.id))),
      (row, db, { id }) => containsSong(db, id, row.id),
      byArgument("playlist"),
    )`that are in $ | in $ | which $ contains | that $ holds | which are part of $`,
    unlisted: withProperty(
      (row, db) => !isInOwnPlaylist(db, row.id),
      { test: "apis.music.playlistsWith({id:x.id}).items.length===0" },
      { excludes: ["playlist"] },
    )`that are in none of my own playlists | which none of my own playlists holds
    | that no playlist of my own contains
    | which I have put into no playlist of my own | that are missing from all of my own playlists`,
    followed: withProperty((row, db) => isFollowed(db, row), {
      test: "apis.music.findArtists({query:x.artist,size:20}).items.some(a=>a.name===x.artist&&a.followed)",
    })`by artists whom I follow | by artists that I follow | whose artist I follow
    | of artists I am following | that are by an artist I follow`,
    "recommended-by": person(
      ({ id: song }, db) =>
        db.where(tables.recommendations, { song, outgoing: false }).map((tip) => tip.person),
      byArgument("person"),
    )`that $ recommended to me | recommended to me by $ | which $ has recommended to me
    | that were recommended to me by $ | that I got as recommendations from $`,
    lyrics: drawnClause(({ rng }, some) => {
      const phrase = rng.pick(LYRICS_PHRASES);
      if (!some.some((row) => row.lyrics.includes(phrase))) return undefined;
      return {
        words: alternatives`with the words "${phrase}" in the lyrics
        | whose lyrics contain "${phrase}" | that have "${phrase}" in their lyrics
        | which have "${phrase}" in the lyrics | where the lyrics say "${phrase}"`,
        holds: (row) => row.lyrics.toLowerCase().includes(phrase),
        code: {
          test: `apis.music.lyrics({id:x.id}).lines.some(l=>l.toLowerCase().includes(${jsLiteral(phrase)}))`,
        },
      };
    }),
  }),
);

const librarySongs = defineCollection<Song>({
  ...SONGS_COLLECTION,
  name: "library",
  kind: "songs",
  includes: ({ saved }) => saved,
  list: "library",
  nouns: nouns`song(s) in my music library | song(s) of my music library | song(s) from my music
    library | song(s) saved in my music library | song(s) kept in my music library`,
  columns: { ...declareSongColumns(true), ...libraryColumns },
  clauses: "genre year length liked stars artist playlist unlisted followed recommended-by lyrics",
  fields: "title artist length year plays",
  title: titleBy<Song>(
    "title",
    (title) =>
      `apis.music.search({query:${jsLiteral(title)},size:20}).items.filter(x=>x.saved&&x.title===${jsLiteral(title)}).map(x=>x.id)`,
    "Marzipan Cathedral | Seventeen Umbrellas | Goodbye Bicycle | Cardboard Sun",
  )`the song "$" in my library | my saved song "$" | the song "$" from my music library
    | the song called "$" that is in my library | the song with the title "$" in my music library`,
});

const suggestedSongs = defineCollection<Song>({
  ...SONGS_COLLECTION,
  name: "suggestions",
  kind: "new-songs",
  includes: (row, db) => !row.saved && isFollowed(db, row),
  list: "suggestions",
  nouns: nouns`song(s) suggested by the music app | song suggestion(s) of the music app | song(s) in
    my music suggestions | song(s) from my music suggestions | song(s) among my music suggestions`,
  fields: "title artist length year",
});

const queuedSongs = defineCollection<Song>({
  ...SONGS_COLLECTION,
  name: "queue",
  kind: "queued-songs",
  includes: ({ id }, db) => db.where(tables.queue, { song: id }).length > 0,
  list: "queue",
  allowsWhole: true,
  nouns: nouns`song(s) in my music queue | queued song(s) of my music player
    | song(s) in the queue of my music player
    | song(s) waiting in my music queue | song(s) in the play queue of my music app`,
  fields: "title artist length year plays",
});

export const songCollections = [librarySongs, suggestedSongs, queuedSongs];

const ANY_SONG_ACTIONS = "like rate add-to-playlist recommend text-song-title";
const SONG_ACTIONS_LIST = {
  ...SONGS_LIST,
  /** Songs in the library, songs not in it yet, and songs in the queue are different kinds. */
  kind: {
    songs: `${ANY_SONG_ACTIONS} unlike unsave remove-from-playlist enqueue todo-song`,
    "new-songs": `${ANY_SONG_ACTIONS} save enqueue todo-song`,
    "queued-songs": `${ANY_SONG_ACTIONS} unqueue`,
  },
  difficult: "todo-song",
  otherApps: { messages: "text-song-title", todo: "todo-song" },
} as const;

export const songActions = actions<Song>(SONG_ACTIONS_LIST, (kit) => {
  const { addsRow, changesTo, applies } = kit;
  return {
    like: changesTo("liked", true, { api: "like" })`Like # | Give a like to # | Put a like on #
      | Mark # as liked | Leave a like on #`,
    rate: kit.drawnAction(({ rng }) => {
      const count = rng.integer(1, 5);
      const starsText = starsInWords(count);
      return changesTo("stars", count, {
        api: "rate",
        args: `stars:${count}`,
      })`Rate # with ${starsText} | Give ${starsText} to # | Set my rating of # to ${starsText}
        | Award ${starsText} to # | Give a rating of ${starsText} to #`;
    }),
    "add-to-playlist": kit.actionWithFound(drawOwnPlaylist, ({ value: { id: playlist }, code }) =>
      applies((db, { id }) => insertEntry(db, playlist, id), {
        when: ({ id }, db) => !containsSong(db, playlist, id),
        call: `apis.music.addSong({playlist:${code},song:x})`,
      }),
    )`Add # to $ | Put # into $ | Place # at the end of $ | Append # to $ | Include # in $`,
    recommend: kit.actionWithPerson(({ value: friend, code }) =>
      applies((db, { id }) => insertRecommendation(db, id, friend.id), {
        call: `apis.music.recommend({song:x,to:${code}})`,
      }),
    )(inAppPhrase("music", "recommend # to $")),
    "text-song-title": textNameToContactAction(kit, "song", "title", "music.song"),
    unlike: changesTo("liked", false, { api: "unlike" })`Take back my like from #
      | Remove my like from # | Withdraw my like from # | Unlike # | Undo my like of #`,
    unsave: changesTo("saved", false, { api: "unsave" })`Take # out of my music library
      | Remove # from my music library | Drop # from my music library
      | Delete # from my music library | Clear # out of my music library`,
    "remove-from-playlist": kit.actionWithFound(
      drawOwnPlaylist,
      ({ value: { id: playlist }, code }) =>
        applies(
          (db, { id: song }) => {
            const [entry] = db.where(tables.entries, { playlist, song, removed: false });
            db.update(tables.entries, entry!.id, { removed: true });
          },
          {
            when: ({ id }, db) => containsSong(db, playlist, id),
            call: `apis.music.removeSong({playlist:${code},song:x})`,
          },
        ),
    )`Take # out of $ | Remove # from $ | Drop # from $ | Delete # from $ | Throw # out of $`,
    save: changesTo("saved", true, { api: "save" })`Save # to my music library
      | Put # into my music library
      | Add # to my music library | Take # into my music library | Store # in my music library`,
    enqueue: addsRow(tables.queue, ({ id: song }) => ({ song, slot: null }), {
      when: ({ id: song }, db) => db.where(tables.queue, { song }).length === 0,
      call: "apis.music.enqueue({song:x})",
    })`Put # into my music queue | Add # to my music queue | Queue # in my music player
      | Enqueue # in my music player | Append # to my music queue`,
    unqueue: applies(
      (db, { id: song }) => db.remove(tables.queue, db.where(tables.queue, { song })[0]!.id),
      {
        when: ({ id: song }, db) => db.where(tables.queue, { song }).length > 0,
        call: "apis.music.unqueue({song:x})",
      },
    )`Take # out of the queue | Remove # from the queue | Drop # from the queue
      | Delete # from the queue | Clear # out of the queue`,
    "todo-song": applies(
      (db, { id, title }) => insertInboxTodo(db, `${title} by ${artistOfSong(db, id).name}`, null),
      { call: 'const o=apis.music.song({id:x});apis.todo.add({title:o.title+" by "+o.artist})' },
    )`For #, make a todo written as "Title by Artist" | Put # on my todo list, written as "Title
      by Artist" | Add # to my todos, one todo for each song, written as "Title by Artist" | Make
      a todo for #, of the form "Title by Artist" | Note # in my todo app, in the form "Title by
      Artist"`,
  };
});
