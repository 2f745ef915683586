/** What can be done with playlists: those of the owner, and those of contacts. */
import { type Action, actions, using } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Playlist, playlists } from "../../apps/music/tables.ts";
import { holdsSong, playlistValue, songsOf, songValue } from "./looks.ts";
import { isOwned, leaving, sharing } from "./sharing.ts";
import { elsewhere, telling } from "./telling.ts";
import { addEntry, newPlaylist, shared } from "./writes.ts";

const isSeen = ({ removed, left }: Playlist) => !removed && !left;
const isEditable = (row: Playlist) => isSeen(row) && row.role === "editor";

/** Whether its songs are those of the start: what reads them does not go together with what adds to them. */
const isUnchanged = (db: Reader, start: Reader, id: number) =>
  songsOf(db, id).length === songsOf(start, id).length;

const ownActions = actions<Playlist>(
  { kind: "playlists", app: "music", table: playlists },
  (kit) => ({
    ...sharing(kit, shared),
    "describe-playlist": kit.taking("text", (text) => {
      return kit.sets(
        { description: text.value },
        { when: isOwned, api: "describePlaylist", args: `description:${text.code}` },
      )`Use ${text.words} as the description of # | Take ${text.words} for the description of #
        | Make ${text.words} the description of # | Replace the description of # with ${text.words}
        | Set the description of # to ${text.words}`;
    }),
    "remove-playlist": kit.sets(
      { removed: true },
      {
        when: (row, db) => isOwned(row) && shared.sharesOf(db, row.id).length === 0,
        api: "removePlaylist",
      },
    )`Remove # | Delete # | Get rid of # | Throw away # | Dispose of #`,
  }),
);

const joinedActions = actions<Playlist>(
  { kind: "contacts-playlists", app: "music", table: playlists },
  (kit) => ({
    "leave-playlist": leaving(kit, shared),
    "copy-playlist": kit.drawn((draw) => {
      const form = `"Copy of" and the old name`;
      return kit.does(
        (db, { id, name, description }) => {
          const copy = newPlaylist(db, `Copy of ${name}`, description);
          for (const song of songsOf(db, id)) addEntry(db, copy.id, song);
        },
        { when: (row, db) => isSeen(row) && isUnchanged(db, draw.db, row.id), api: "copyPlaylist" },
      )`Copy # to own playlists of mine, named ${form} | Make own copies of # for me, named ${form}
        | Duplicate # for me under names made of ${form}
        | Save copies of # as playlists of my own, named ${form}
        | Turn # into playlists of my own by copying, with names made of ${form}`;
    }),
  }),
);

const anyActions = (kind: string) =>
  actions<Playlist>({ kind, app: "music", table: playlists, difficulty: 2 }, (kit) => ({
    "add-song": using(songValue, ({ value, words, code }) => {
      return kit.does((db, { id }) => addEntry(db, id, value.id), {
        when: (row, db) => isEditable(row) && !holdsSong(db, row.id, value.id),
        call: `apis.music.addSong({playlist:x,song:${code}})`,
      })`Add ${words} to # | Put ${words} at the end of # | Include ${words} in #
        | Append ${words} to # | Place ${words} in #`;
    }),
    "merge-playlist": using(playlistValue, ({ value: { id: into }, words, code }, draw) => {
      return kit.does(
        (db, { id }) => {
          const lacking = songsOf(db, id).filter((song) => !holdsSong(db, into, song));
          for (const song of lacking) addEntry(db, into, song);
        },
        {
          when: (row, db) =>
            row.id !== into &&
            isSeen(row) &&
            isUnchanged(db, draw.db, row.id) &&
            songsOf(db, row.id).some((song) => !holdsSong(db, into, song)),
          call: `apis.music.mergePlaylists({from:x,into:${code}})`,
        },
      )`Merge # into ${words} | Add the songs of # to ${words}, none twice
        | Complete ${words} with whatever songs of # it lacks
        | Fill ${words} with the songs of # that it lacks
        | Extend ${words} by the songs of # that are missing there`;
    }),
    "text-playlist-name": telling(
      kit,
      { thing: "playlist", property: "name", api: "music.playlist" },
      isSeen,
    ),
  }));

export const playlistActions: readonly Action[] = elsewhere({ "text-playlist-name": "messages" }, [
  ...ownActions,
  ...joinedActions,
  ...anyActions("playlists"),
  ...anyActions("contacts-playlists"),
]);
