/** From songs to artists, people and playlists, and the other ways round; what music offers to do with people. */
import { actions, distinctIds, jsLiteral, relationBetween, relations } from "bowline/goals";
import * as tables from "../../apps/music/tables.ts";
import { type Person, people } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { inThe, ofEach, ofItems, pages } from "./common.ts";
import {
  concertValue,
  inviteTo,
  isInvited,
  recommendTo,
  shared,
  songsOf,
  songValue,
} from "./looks.ts";
import { admitting, inside, isOwned, isWelcome, members, ownedBy, owners } from "./sharing.ts";

const songsIn = inside(shared, { item: "song", api: "playlistSongs", of: songsOf });

export const musicRelations = relations("music", {
  "artists-of": relationBetween("songs", "artists", {
    relatedIds: (id, db) => db.get(tables.songs, id)!.artist,
    code: ofEach("music.song({id:x}).artistId"),
  })`the artists of # | each artist of # | the artists who recorded # | every artist of #
    | whichever artists recorded #`,
  "library-of": relationBetween("artists", "songs", {
    relatedIds: (artist, db) => db.where(tables.songs, { artist, saved: true }).map(({ id }) => id),
    cells: (from, to) => [
      `var ${to}=[];for(const x of ${from})${to}.push(...apis.music.library({artist:x,size:20}).items.map(y=>y.id));print(${to})`,
    ],
  })`the songs in my library by # | all songs by # that are in my library
    | everything that my music library has by #
    | whatever songs I have in my library by # | each song by # in my music library`,
  "songs-in": songsIn("playlists", "songs"),
  "songs-in-contacts": songsIn("contacts-playlists", "new-songs"),
  "playlists-with": relationBetween("songs", "playlists", {
    map: (db, ids) => {
      const own = db.all(tables.playlists).filter(isOwned);
      return own.filter(({ id }) => songsOf(db, id).some((x) => ids.includes(x))).map((x) => x.id);
    },
    code: ofItems("music.playlistsWith({id:x,size:20})", "id"),
  })`my own playlists that contain any of # | those of my own playlists in which there is any of #
    | all playlists of my own that hold any of #
    | the playlists that I own and that have any of # | my own playlists with any of # in them`,
  recommenders: relationBetween("songs", "people", {
    map: (db, ids) => {
      const tips = db.where(tables.recommendations, { outgoing: false });
      return distinctIds(tips.filter(({ song }) => ids.includes(song)).map(({ person }) => person));
    },
    cells: (from, to) => [
      `${pages("tips", "music.recommended({size:20,page:p++})")}var ${to}=[...new Set(tips.filter(x=>${from}.includes(x.songId)).map(x=>x.from))];print(${to})`,
    ],
  })`everyone who recommended any of # to me | the people who have recommended any of # to me
    | whoever recommended any of # to me | all contacts from whom I got any of # as a recommendation
    | those who have sent me any of # as a recommendation`,
  "recommended-by": relationBetween("people", "new-songs", {
    relatedIds: (person, db) =>
      db.where(tables.recommendations, { person, outgoing: false }).map(({ song }) => song),
    code: ofItems("music.recommended({from:x,size:20})", "songId"),
  })`the songs that were recommended to me by # | every song recommended to me by # | all songs that
    I got as recommendations from # | whatever songs have been recommended to me by #
    | each song that came to me as a recommendation from #`,
  "playlist-owners": owners(shared),
  "playlists-of": ownedBy(shared, "playlist"),
  "playlist-members": members(shared),
  "shared-playlists": relationBetween("people", "playlists", {
    relatedIds: (person, db) =>
      db
        .where(tables.playlistShares, { person, ended: false })
        .map(({ playlist }) => playlist)
        .filter((id) => isOwned(db.get(tables.playlists, id)!)),
    code: ofItems("music.playlists({own:true,sharedWith:x,size:20})", "id"),
  })`my own playlists that are shared with any of # | those of my own playlists into which I let any
    of # | all playlists of my own that I share with any of # | the playlists
    I own that any of # was let into | each playlist of mine that is shared with any of #`,
  "concerts-of": relationBetween("artists", "concerts", {
    relatedIds: (artist, db) =>
      db
        .where(tables.concerts, { artist })
        .filter(({ day }) => day >= TODAY)
        .map(({ id }) => id),
    code: (from) =>
      `${from}.flatMap(x=>apis.music.concerts({artist:x,from:${jsLiteral(TODAY)},size:20}).items.map(y=>y.id))`,
  })`the upcoming concerts of # | all concerts of # that are still ahead | every concert that is
    still to come of # | each concert of # that is still ahead | each future concert of #`,
  "concert-artists": relationBetween("concerts", "artists", {
    relatedIds: (id, db) => db.get(tables.concerts, id)!.artist,
    code: ofEach("music.concert({id:x}).artistId"),
  })`the artists of # | each artist who plays at any of # | the artists who play at #
    | every artist of any of # | whichever artists play at #`,
  "concert-guests": relationBetween("concerts", "people", {
    relatedIds: (concert, db) =>
      db.where(tables.concertInvites, { concert, withdrawn: false }).map(({ person }) => person),
    code: ofItems("music.invited({id:x,size:20})", "handle"),
  })`everyone whom I invited to any of # | the people I have invited to any of #
    | all contacts with an invitation from me to any of #
    | whoever has been invited by me to any of # | those whom I asked to come along to any of #`,
});

const PEOPLE = { kind: "people", app: "music", table: people, difficulty: 2 } as const;

export const peopleActions = actions<Person>(PEOPLE, (kit) => ({
  "recommend-song": kit.actionWithFound(songValue, ({ value: song, code }) =>
    kit.applies((db, { id }) => recommendTo(db, song.id, id), {
      when: isWelcome,
      call: `apis.music.recommend({song:${code},to:x})`,
    }),
  )(inThe("music", "recommend $ to #")),
  ...admitting(kit, shared),
  "take-to-concert": kit.actionWithFound(concertValue, ({ value: concert, code }) =>
    kit.applies((db, { id }) => inviteTo(db, concert.id, id), {
      when: (row, db) => isWelcome(row) && !isInvited(db, concert.id, row.id),
      call: `apis.music.invite({id:${code},person:x})`,
    }),
  )(inThe("music", "invite # to $")),
}));
