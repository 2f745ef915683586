/** Playlists, the owner's own and those that contacts share with the owner, and what can be done with them. */
import {
  actions,
  declareColumns,
  defineCollection,
  drawSelectiveValue,
  jsLiteral,
  nouns,
  titleBy,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { GENRES, type Playlist, playlists, songs } from "../../apps/music/tables.ts";
import { called, telling } from "./common.ts";
import {
  addEntry,
  holdsSong,
  newPlaylist,
  playlistValue,
  secondsOf,
  shared,
  songsOf,
  songValue,
  span,
} from "./looks.ts";
import {
  isJoined,
  isOwned,
  joinedColumns,
  leaving,
  ownColumns,
  sharesOf,
  sharing,
} from "./sharing.ts";

const hasGenre = (db: Reader, { id }: Playlist, genre: string) =>
  songsOf(db, id).some((song) => db.get(songs, song)!.genre === genre);

const ofBoth = declareColumns<Playlist>(
  ({ drawnClause, alternatives, number, superlatives, text, atLeastOrAtMost }) => ({
    name: text((row) => row.name, { item: "name", noun: "name" }),
    size: number(
      ({ id }, db) => songsOf(db, id).length,
      { item: "songs", field: "songs", noun: "number of songs" },
      superlatives`largest / smallest | biggest / tiniest | most extensive / least extensive
      | fullest / emptiest | most song-rich / least song-rich`,
      atLeastOrAtMost(
        "size",
      )`with $ songs | that have $ songs | holding $ songs | that contain $ songs
      | which hold $ songs`,
    ),
    duration: number(
      ({ id }, db) => secondsOf(db, id),
      { item: "seconds", noun: "length in seconds" },
      superlatives`longest / shortest | longest-running / shortest-running | longest-playing /
      shortest-playing | longest-lasting / shortest-lasting | lengthiest / briefest`,
      atLeastOrAtMost("duration", {
        below: 0,
        limit: (seconds) => 60 * Math.floor(seconds / 60),
        toWords: span,
        excludes: ["size"],
      })`that last $ | with $ of music | that play for $ | whose total length is $
      | which take $ to play`,
    ),
    "with-genre": drawnClause(({ rng, db }, all) => {
      const having = all.flatMap((row) => GENRES.filter((genre) => hasGenre(db, row, genre)));
      const genre = drawSelectiveValue(rng, having);
      if (genre === undefined || all.every((row) => hasGenre(db, row, genre))) return undefined;
      return {
        words: alternatives`that contain at least one ${genre} song | with at least one song of the genre
        ${genre} | which include at least one ${genre} song | that hold
        one or more songs of the genre ${genre} | where one song or more is of the genre ${genre}`,
        holds: (row, reader) => hasGenre(reader, row, genre),
        code: {
          test: `apis.music.playlistSongs({id:x.id,genre:${jsLiteral(genre)}}).items.length>0`,
        },
      };
    }),
  }),
);

const ofOwn = declareColumns<Playlist>(({ withProperty, number }) => ({
  ...ownColumns(shared, 0.3, "edited"),
  edited: withProperty(
    ({ id }, db) => sharesOf(shared, db, id).some(({ role }) => role === "editor"),
    {
      test: 'apis.music.sharedWith({id:x.id,size:20}).items.some(y=>y.role==="editor")',
    },
  )`that somebody else may edit | with at least one editor besides me
    | where someone I let in has the role editor
    | that at least one other person is an editor of | which I let someone else edit`,
  people: number(({ id }, db) => sharesOf(shared, db, id).length, {
    item: "shared",
    noun: "number of people I share it with",
  }),
}));

const PLAYLISTS = { app: "music", table: playlists } as const;

const own = defineCollection<Playlist>({
  ...PLAYLISTS,
  name: "own-playlists",
  kind: "playlists",
  includes: isOwned,
  list: { api: "playlists", args: "own:true" },
  nouns: nouns`playlist(s) of my own | own playlist(s) in my music app | playlist(s) of mine
    | music playlist(s) of my own | playlist(s) of mine in the music app`,
  columns: { ...ofBoth, ...ofOwn },
  clauses: "size duration with-genre shared-with shared edited",
  title: titleBy<Playlist>(
    "name",
    called("music.findPlaylists", "name", "&&x.owner===null"),
    "Pirate choirs | Elevator hits | Songs for the moon | Monday tango",
  )`my playlist "$" | my own playlist "$" | the playlist "$" that I own | my playlist called "$"
    | the playlist "$", which is mine`,
});

const ofContacts = defineCollection<Playlist>({
  ...PLAYLISTS,
  kind: "contacts-playlists",
  includes: isJoined,
  list: { api: "playlists", args: "own:false" },
  nouns: nouns`playlist of a contact / playlists of my contacts | playlist owned by a contact /
    playlists owned by my contacts | playlist of a contact in the music app / playlists
    of contacts in the music app | contact's music playlist / music playlists of my contacts
    | music playlist owned by a contact / music playlists owned by my contacts`,
  columns: { ...ofBoth, ...joinedColumns(shared) },
  clauses: "size duration with-genre from role",
  title: titleBy<Playlist>(
    "name",
    called("music.findPlaylists", "name", "&&x.owner!==null"),
    "Dungeon jazz | Yodel school | Snowed in | Radio aquarium",
  )`the playlist "$" that a contact shares with me | my contact's playlist "$"
    | the playlist "$" of one of my contacts
    | the playlist "$" that is not mine but a contact's | the playlist "$", owned by somebody else`,
});

export const playlistCollections = [own, ofContacts];

const isSeen = ({ removed, left }: Playlist) => !removed && !left;

/** Whether its songs are those of the start: what reads them does not go together with what adds to them. */
const isUnchanged = (db: Reader, start: Reader, id: number) =>
  songsOf(db, id).length === songsOf(start, id).length;

const WHOSE = {
  playlists: "share-playlist unshare-playlist describe-playlist remove-playlist",
  "contacts-playlists": "leave-playlist copy-playlist",
};

const byOwner = actions<Playlist>({ ...PLAYLISTS, kind: WHOSE }, (kit) => ({
  ...sharing(kit, shared),
  "describe-playlist": kit.actionWithValue("text", ({ value: description, code }) =>
    kit.sets("description", description, {
      when: isOwned,
      api: "describePlaylist",
      args: `description:${code}`,
    }),
  )`Use $ as the description of # | Take $ for the description of # | Make $ the description of #
    | Replace the description of # with $ | Set the description of # to $`,
  "remove-playlist": kit.sets("removed", true, {
    when: (row, db) => isOwned(row) && sharesOf(shared, db, row.id).length === 0,
    api: "removePlaylist",
  })`Remove # | Delete # | Get rid of # | Throw away # | Dispose of #`,
  "leave-playlist": leaving(kit, shared),
  "copy-playlist": kit.drawnAction((draw) => {
    const form = `"Copy of" and the old name`;
    return kit.applies(
      (db, { id, name, description }) => {
        const copy = newPlaylist(db, `Copy of ${name}`, description);
        for (const song of songsOf(db, id)) addEntry(db, copy.id, song);
      },
      { when: (row, db) => isSeen(row) && isUnchanged(db, draw.db, row.id), api: "copyPlaylist" },
    )`Copy # to own playlists of mine, named ${form} | Make own copies of # for me, named ${form}
      | Duplicate # for me under names made of ${form} | Save copies of # as playlists of my
      own, named ${form} | Turn # into playlists of my own by copying, with names made of ${form}`;
  }),
}));

const ANY = "add-song merge-playlist text-playlist-name";
const EITHER = {
  ...PLAYLISTS,
  kind: { playlists: ANY, "contacts-playlists": ANY },
  otherApps: { messages: "text-playlist-name" },
};

const withEither = actions<Playlist>(EITHER, (kit) => ({
  "add-song": kit.actionWithFound(songValue, ({ value: song, code }) =>
    kit.applies((db, { id }) => addEntry(db, id, song.id), {
      when: (row, db) => isSeen(row) && row.role === "editor" && !holdsSong(db, row.id, song.id),
      call: `apis.music.addSong({playlist:x,song:${code}})`,
    }),
  )`Add $ to # | Put $ at the end of # | Include $ in # | Append $ to # | Place $ in #`,
  "merge-playlist": kit.actionWithFound(playlistValue, ({ value: { id: into }, code }, draw) => {
    const lackingIn = (db: Reader, id: number) =>
      songsOf(db, id).filter((song) => !holdsSong(db, into, song));
    return kit.applies(
      (db, { id }) => {
        for (const song of lackingIn(db, id)) addEntry(db, into, song);
      },
      {
        when: (row, db) =>
          row.id !== into &&
          isSeen(row) &&
          isUnchanged(db, draw.db, row.id) &&
          lackingIn(db, row.id).length > 0,
        call: `apis.music.mergePlaylists({from:x,into:${code}})`,
      },
    );
  })`Merge # into $ | Add the songs of # to $, none twice
    | Complete $ with whatever songs of # it lacks
    | Fill $ with the songs of # that it lacks | Extend $ by the songs of # that are missing there`,
  "text-playlist-name": telling(kit, "playlist", "name", "music.playlist", isSeen),
}));

export const playlistActions = [...byOwner, ...withEither];
