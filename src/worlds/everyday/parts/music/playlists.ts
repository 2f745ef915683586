/** Playlists: the owner's own, and those that contacts share with the owner. */
import {
  type Collection,
  columns,
  forms,
  js,
  listOf,
  nouns,
  oneOfSome,
  ranked,
  rows,
  titled,
  within,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { GENRES, type Playlist, playlists, songs } from "../../apps/music/tables.ts";
import { secondsOf, songsOf, span } from "./looks.ts";
import { isJoined, isOwned, joinedColumns, ownColumns } from "./sharing.ts";
import { shared } from "./writes.ts";

const hasGenre = (db: Reader, { id }: Playlist, genre: string) =>
  songsOf(db, id).some((song) => db.get(songs, song)!.genre === genre);

const ofBoth = columns<Playlist>(({ text, number, clause }) => ({
  name: text((row) => row.name, { item: "name", noun: "name" }),
  size: number(
    ({ id }, db) => songsOf(db, id).length,
    {
      item: "songs",
      field: "songs",
      noun: "number of songs",
      ranks: ranked`largest / smallest | biggest / tiniest | most extensive / least extensive
        | fullest / emptiest | most song-rich / least song-rich`,
    },
    within("size")`with $ songs | that have $ songs | holding $ songs | that contain $ songs
      | which hold $ songs`,
  ),
  duration: number(
    ({ id }, db) => secondsOf(db, id),
    {
      item: "seconds",
      noun: "length in seconds",
      ranks: ranked`
        longest / shortest | longest-running / shortest-running | longest-playing / shortest-playing
        | longest-lasting / shortest-lasting | lengthiest / briefest`,
    },
    within("duration", {
      below: 0,
      limit: (seconds) => 60 * Math.floor(seconds / 60),
      says: span,
      excludes: ["size"],
    })`that last $ | with $ of music | that play for $ | whose total length is $
      | which take $ to play`,
  ),
  "with-genre": clause(({ rng, db }, all) => {
    const having = all.flatMap((row) => GENRES.filter((genre) => hasGenre(db, row, genre)));
    const genre = oneOfSome(rng, having);
    if (genre === undefined || all.every((row) => hasGenre(db, row, genre))) return undefined;
    return {
      words: forms`that contain at least one ${genre} song
        | with at least one song of the genre ${genre} | which include at least one ${genre} song
        | that hold one or more songs of the genre ${genre}
        | where one song or more is of the genre ${genre}`,
      holds: (row, reader) => hasGenre(reader, row, genre),
      code: { test: `apis.music.playlistSongs({id:x.id,genre:${js(genre)}}).items.length>0` },
    };
  }),
}));

const ofOwn = columns<Playlist>(({ is, number }) => ({
  ...ownColumns(shared, { chance: 0.3, excludes: ["edited"] }),
  edited: is(({ id }, db) => shared.sharesOf(db, id).some(({ role }) => role === "editor"), {
    test: 'apis.music.sharedWith({id:x.id,size:20}).items.some(y=>y.role==="editor")',
  })`that somebody else may edit | with at least one editor besides me
    | where someone I let in has the role editor | that at least one other person is an editor of
    | which I let someone else edit`,
  people: number(({ id }, db) => shared.sharesOf(db, id).length, {
    item: "shared",
    noun: "number of people I share it with",
  }),
}));

const found = (name: string, whose: string) =>
  `apis.music.findPlaylists({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)}&&x.owner${whose}).map(x=>x.id)`;

const own = rows<Playlist>({
  name: "own-playlists",
  kind: "playlists",
  app: "music",
  table: playlists,
  base: isOwned,
  list: { api: "playlists", args: "own:true" },
  nouns: nouns`playlist(s) of my own | own playlist(s) in my music app | playlist(s) of mine
    | music playlist(s) of my own | playlist(s) of mine in the music app`,
  columns: { ...ofBoth, ...ofOwn },
  clauses: "size duration with-genre shared-with shared edited",
  title: titled<Playlist>({
    of: (row) => row.name,
    find: (name) => found(name, "===null"),
    missing: listOf("Pirate choirs | Elevator hits | Songs for the moon | Monday tango"),
  })`my playlist "$" | my own playlist "$" | the playlist "$" that I own | my playlist called "$"
    | the playlist "$", which is mine`,
});

const ofContacts = rows<Playlist>({
  kind: "contacts-playlists",
  app: "music",
  table: playlists,
  base: isJoined,
  list: { api: "playlists", args: "own:false" },
  nouns: nouns`playlist of a contact / playlists of my contacts
    | playlist owned by a contact / playlists owned by my contacts
    | playlist of a contact in the music app / playlists of contacts in the music app
    | contact's music playlist / music playlists of my contacts
    | music playlist owned by a contact / music playlists owned by my contacts`,
  columns: { ...ofBoth, ...joinedColumns(shared) },
  clauses: "size duration with-genre from role",
  title: titled<Playlist>({
    of: (row) => row.name,
    find: (name) => found(name, "!==null"),
    missing: listOf("Dungeon jazz | Yodel school | Snowed in | Radio aquarium"),
  })`the playlist "$" that a contact shares with me | my contact's playlist "$"
    | the playlist "$" of one of my contacts | the playlist "$" that is not mine but a contact's
    | the playlist "$", owned by somebody else`,
});

export const playlistCollections: readonly Collection[] = [own, ofContacts];
