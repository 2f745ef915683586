/** Goals about playlists, the owner's and those that contacts share with the owner: their collections and actions. */
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
import { findByExactNameCode, textNameToContactAction } from "./music-and-photos.ts";
import {
  containsSong,
  drawOwnPlaylist,
  drawSong,
  durationInWords,
  insertEntry,
  insertPlaylist,
  playlistSeconds,
  sharedPlaylists,
  songIdsOfPlaylist,
} from "./music-rows.ts";
import {
  activeShares,
  columnsOfJoinedThings,
  columnsOfOwnThings,
  isJoinedByOwner,
  isOwnedByOwner,
  leaveThingAction,
  shareAndUnshareActions,
} from "./shared-things.ts";

const hasGenre = (db: Reader, { id }: Playlist, genre: string) =>
  songIdsOfPlaylist(db, id).some((song) => db.get(songs, song)!.genre === genre);

const columnsOfAllPlaylists = declareColumns<Playlist>(
  ({ drawnClause, alternatives, number, superlatives, text, atLeastOrAtMost }) => ({
    name: text((row) => row.name, { item: "name", noun: "name" }),
    size: number(
      ({ id }, db) => songIdsOfPlaylist(db, id).length,
      { item: "songs", field: "songs", noun: "number of songs" },
      superlatives`largest / smallest | biggest / smallest | fullest / emptiest
          | largest / smallest | biggest / smallest`,
      atLeastOrAtMost(
        "size",
      )`with $ songs | that have $ songs | holding $ songs | that contain $ songs
      | which hold $ songs`,
    ),
    duration: number(
      ({ id }, db) => playlistSeconds(db, id),
      { item: "seconds", noun: "length in seconds" },
      superlatives`longest-playing / shortest-playing | longest-playing / shortest-playing
          | longest-playing / shortest-playing | longest-playing / shortest-playing
          | longest-playing / shortest-playing`,
      atLeastOrAtMost("duration", {
        below: 0,
        limit: (seconds) => 60 * Math.floor(seconds / 60),
        toWords: durationInWords,
        excludes: ["size"],
      })`that last $ | with $ of music | that play for $ | whose total length is $
      | which take $ to play`,
    ),
    "with-genre": drawnClause(({ rng, db }, all) => {
      const genresOfRows = all.flatMap((row) => GENRES.filter((genre) => hasGenre(db, row, genre)));
      const genre = drawSelectiveValue(rng, genresOfRows);
      if (genre === undefined || all.every((row) => hasGenre(db, row, genre))) return undefined;
      return {
        words: alternatives`that contain at least one ${genre} song
        | with at least one song of the genre ${genre} | which include at least one ${genre} song
        | that hold one or more songs of the genre ${genre}
        | where one song or more is of the genre ${genre}`,
        holds: (row, reader) => hasGenre(reader, row, genre),
        code: {
          test: `apis.music.playlistSongs({id:x.id,genre:${jsLiteral(genre)}}).items.length>0`,
        },
      };
    }),
  }),
);

const columnsOfOwnPlaylists = declareColumns<Playlist>(({ withProperty, number }) => ({
  ...columnsOfOwnThings(sharedPlaylists, 0.3, "edited"),
  edited: withProperty(
    ({ id }, db) => activeShares(sharedPlaylists, db, id).some(({ role }) => role === "editor"),
    {
      test: 'apis.music.sharedWith({id:x.id,size:20}).items.some(y=>y.role==="editor")',
    },
  )`that somebody else may edit | with at least one editor besides me
    | where someone I let in has the role editor
    | of which at least one other person is an editor | which I let someone else edit`,
  people: number(({ id }, db) => activeShares(sharedPlaylists, db, id).length, {
    item: "shared",
    noun: "number of people I share it with",
  }),
}));

const PLAYLISTS_LIST = { app: "music", table: playlists } as const;

const ownPlaylists = defineCollection<Playlist>({
  ...PLAYLISTS_LIST,
  name: "own-playlists",
  kind: "playlists",
  includes: isOwnedByOwner,
  list: { api: "playlists", args: "own:true" },
  nouns: nouns`playlist(s) of my own | playlist(s) of my own in the music app | playlist(s) of mine
    | music playlist(s) of my own | playlist(s) of mine in the music app`,
  columns: { ...columnsOfAllPlaylists, ...columnsOfOwnPlaylists },
  clauses: "size duration with-genre shared-with shared edited",
  title: titleBy<Playlist>(
    "name",
    findByExactNameCode("music.findPlaylists", "name", "&&x.owner===null"),
    "Pirate choirs | Elevator hits | Songs for the moon | Monday tango",
  )`my playlist "$" | my own playlist "$" | the playlist "$" that I own | my playlist called "$"
    | the playlist "$" of mine`,
});

const playlistsOfContacts = defineCollection<Playlist>({
  ...PLAYLISTS_LIST,
  kind: "contacts-playlists",
  includes: isJoinedByOwner,
  list: { api: "playlists", args: "own:false" },
  nouns: nouns`playlist of a contact / playlists of my contacts | playlist owned by a contact /
    playlists owned by my contacts | playlist of a contact in the music app / playlists
    of contacts in the music app | contact's music playlist / music playlists of my contacts
    | music playlist owned by a contact / music playlists owned by my contacts`,
  columns: { ...columnsOfAllPlaylists, ...columnsOfJoinedThings(sharedPlaylists) },
  clauses: "size duration with-genre from role",
  title: titleBy<Playlist>(
    "name",
    findByExactNameCode("music.findPlaylists", "name", "&&x.owner!==null"),
    "Dungeon jazz | Yodel school | Snowed in | Radio aquarium",
  )`the playlist "$" that a contact shares with me | my contact's playlist "$"
    | the playlist "$" of one of my contacts
    | the playlist "$" that is not mine but a contact's | the contact's playlist "$"`,
});

export const playlistCollections = [ownPlaylists, playlistsOfContacts];

const isVisible = ({ removed, left }: Playlist) => !removed && !left;

/**
 * Returns true when a playlist has as many songs as at the start. A task that reads the songs of a playlist must not
 * also add songs to it.
 */
const hasSongsOfStart = (db: Reader, start: Reader, id: number) =>
  songIdsOfPlaylist(db, id).length === songIdsOfPlaylist(start, id).length;

const KINDS_BY_OWNER = {
  playlists: "share-playlist unshare-playlist describe-playlist remove-playlist",
  "contacts-playlists": "leave-playlist copy-playlist",
};

const actionsByOwner = actions<Playlist>({ ...PLAYLISTS_LIST, kind: KINDS_BY_OWNER }, (kit) => ({
  ...shareAndUnshareActions(kit, sharedPlaylists),
  "describe-playlist": kit.actionWithValue("text", ({ value: description, code }) =>
    kit.sets("description", description, {
      when: isOwnedByOwner,
      api: "describePlaylist",
      args: `description:${code}`,
    }),
  )`Use $ as the description of # | Take $ for the description of # | Make $ the description of #
    | Replace the description of # with $ | Set the description of # to $`,
  "remove-playlist": kit.sets("removed", true, {
    when: (row, db) =>
      isOwnedByOwner(row) && activeShares(sharedPlaylists, db, row.id).length === 0,
    api: "removePlaylist",
  })`Remove # | Delete # | Get rid of # | Throw away # | Dispose of #`,
  "leave-playlist": leaveThingAction(kit, sharedPlaylists),
  "copy-playlist": kit.drawnAction((draw) => {
    const newNameText = `"Copy of" and the old name`;
    return kit.applies(
      (db, { id, name, description }) => {
        const copy = insertPlaylist(db, `Copy of ${name}`, description);
        for (const song of songIdsOfPlaylist(db, id)) insertEntry(db, copy.id, song);
      },
      {
        when: (row, db) => isVisible(row) && hasSongsOfStart(db, draw.db, row.id),
        api: "copyPlaylist",
      },
    )`Copy # to my own playlists, named ${newNameText}
      | Make me my own copy of #, named ${newNameText}
      | Duplicate # for me, named ${newNameText}
      | Save a copy of # among my own playlists, named ${newNameText}
      | Copy # for me, the new name being ${newNameText}`;
  }),
}));

const ANY_PLAYLIST_ACTIONS = "add-song merge-playlist text-playlist-name";
const ANY_PLAYLIST_LIST = {
  ...PLAYLISTS_LIST,
  kind: { playlists: ANY_PLAYLIST_ACTIONS, "contacts-playlists": ANY_PLAYLIST_ACTIONS },
  otherApps: { messages: "text-playlist-name" },
};

const actionsOnAnyPlaylist = actions<Playlist>(ANY_PLAYLIST_LIST, (kit) => ({
  "add-song": kit.actionWithFound(drawSong, ({ value: song, code }) =>
    kit.applies((db, { id }) => insertEntry(db, id, song.id), {
      when: (row, db) =>
        isVisible(row) && row.role === "editor" && !containsSong(db, row.id, song.id),
      call: `apis.music.addSong({playlist:x,song:${code}})`,
    }),
  )`Add $ to # | Put $ at the end of # | Include $ in # | Append $ to # | Place $ in #`,
  "merge-playlist": kit.actionWithFound(
    drawOwnPlaylist,
    ({ value: { id: targetId }, code }, draw) => {
      const songsNotInTarget = (db: Reader, id: number) =>
        songIdsOfPlaylist(db, id).filter((song) => !containsSong(db, targetId, song));
      return kit.applies(
        (db, { id }) => {
          for (const song of songsNotInTarget(db, id)) insertEntry(db, targetId, song);
        },
        {
          when: (row, db) =>
            row.id !== targetId &&
            isVisible(row) &&
            hasSongsOfStart(db, draw.db, row.id) &&
            songsNotInTarget(db, row.id).length > 0,
          call: `apis.music.mergePlaylists({from:x,into:${code}})`,
        },
      );
    },
  )`Merge # into $ | Add the songs of # to $, none twice
    | Complete $ with whatever songs of # it lacks
    | Fill $ with the songs of # that it lacks | Extend $ by the songs of # that are missing there`,
  "text-playlist-name": textNameToContactAction(
    kit,
    "playlist",
    "name",
    "music.playlist",
    isVisible,
  ),
}));

export const playlistActions = [...actionsByOwner, ...actionsOnAnyPlaylist];
