/** Relations between songs, artists, playlists, concerts and people, and actions of the music app on people. */
import { actions, distinctIds, jsLiteral, relationBetween, relations } from "bowline/goals";
import * as tables from "../../apps/music/tables.ts";
import { type Person, people } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import {
  distinctFromCall,
  distinctFromItems,
  inAppPhrase,
  readAllItemsCode,
} from "./music-and-photos.ts";
import {
  drawOnlyConcert,
  drawSong,
  insertConcertInvite,
  insertRecommendation,
  isInvited,
  sharedPlaylists,
  songIdsOfPlaylist,
} from "./music-rows.ts";
import {
  containedItemsRelation,
  isNotBlocked,
  isOwnedByOwner,
  letInAndShutOutActions,
  membersRelation,
  ownedByRelation,
  ownersRelation,
} from "./shared-things.ts";

const songsInPlaylist = containedItemsRelation(sharedPlaylists, {
  item: "song",
  api: "playlistSongs",
  idsOf: songIdsOfPlaylist,
});

export const musicRelations = relations("music", {
  "artists-of": relationBetween("songs", "artists", {
    relatedIds: (id, db) => db.get(tables.songs, id)!.artist,
    code: distinctFromCall("music.song({id:x}).artistId"),
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
  "songs-in": songsInPlaylist("playlists", "songs"),
  "songs-in-contacts": songsInPlaylist("contacts-playlists", "new-songs"),
  "playlists-with": relationBetween("songs", "playlists", {
    map: (db, ids) => {
      const ownPlaylists = db.all(tables.playlists).filter(isOwnedByOwner);
      return ownPlaylists
        .filter(({ id }) => songIdsOfPlaylist(db, id).some((x) => ids.includes(x)))
        .map((x) => x.id);
    },
    code: distinctFromItems("music.playlistsWith({id:x,size:20})", "id"),
  })`my own playlists that contain any of # | those of my own playlists in which there is any of #
    | all playlists of my own that hold any of #
    | the playlists that I own and that have any of # | my own playlists with any of # in them`,
  recommenders: relationBetween("songs", "people", {
    map: (db, ids) => {
      const tips = db.where(tables.recommendations, { outgoing: false });
      return distinctIds(tips.filter(({ song }) => ids.includes(song)).map(({ person }) => person));
    },
    cells: (from, to) => [
      `${readAllItemsCode("tips", "music.recommended({size:20,page:p++})")}var ${to}=[...new Set(tips.filter(x=>${from}.includes(x.songId)).map(x=>x.from))];print(${to})`,
    ],
  })`everyone who recommended any of # to me | the people who have recommended any of # to me
    | whoever recommended any of # to me | all contacts from whom I got any of # as a recommendation
    | those who have sent me any of # as a recommendation`,
  "recommended-by": relationBetween("people", "new-songs", {
    relatedIds: (person, db) =>
      db.where(tables.recommendations, { person, outgoing: false }).map(({ song }) => song),
    code: distinctFromItems("music.recommended({from:x,size:20})", "songId"),
  })`the songs that were recommended to me by # | every song recommended to me by # | all songs that
    I got as recommendations from # | whatever songs have been recommended to me by #
    | each song that came to me as a recommendation from #`,
  "playlist-owners": ownersRelation(sharedPlaylists),
  "playlists-of": ownedByRelation(sharedPlaylists, "playlist"),
  "playlist-members": membersRelation(sharedPlaylists),
  "shared-playlists": relationBetween("people", "playlists", {
    relatedIds: (person, db) =>
      db
        .where(tables.playlistShares, { person, ended: false })
        .map(({ playlist }) => playlist)
        .filter((id) => isOwnedByOwner(db.get(tables.playlists, id)!)),
    code: distinctFromItems("music.playlists({own:true,person:x,size:20})", "id"),
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
      `${from}.flatMap(x=>apis.music.concerts({artist:x,since:${jsLiteral(TODAY)},size:20}).items.map(y=>y.id))`,
  })`the upcoming concerts of # | all concerts of # that are still ahead | every concert that is
    still to come of # | each concert of # that is still ahead | each future concert of #`,
  "concert-artists": relationBetween("concerts", "artists", {
    relatedIds: (id, db) => db.get(tables.concerts, id)!.artist,
    code: distinctFromCall("music.concert({id:x}).artistId"),
  })`the artists of # | each artist who plays at any of # | the artists who play at #
    | every artist of any of # | whichever artists play at #`,
  "concert-guests": relationBetween("concerts", "people", {
    relatedIds: (concert, db) =>
      db.where(tables.concertInvites, { concert, withdrawn: false }).map(({ person }) => person),
    code: distinctFromItems("music.invited({id:x,size:20})", "handle"),
  })`everyone whom I invited to any of # | the people I have invited to any of #
    | all contacts with an invitation from me to any of #
    | whoever has been invited by me to any of # | those whom I asked to come along to any of #`,
});

const PEOPLE_LIST = { kind: "people", app: "music", table: people, difficulty: 2 } as const;

export const peopleActions = actions<Person>(PEOPLE_LIST, (kit) => ({
  "recommend-song": kit.actionWithFound(drawSong, ({ value: song, code }) =>
    kit.applies((db, { id }) => insertRecommendation(db, song.id, id), {
      when: isNotBlocked,
      call: `apis.music.recommend({song:${code},to:x})`,
    }),
  )(inAppPhrase("music", "recommend $ to #")),
  ...letInAndShutOutActions(kit, sharedPlaylists),
  "take-to-concert": kit.actionWithFound(drawOnlyConcert, ({ value: concert, code }) =>
    kit.applies((db, { id }) => insertConcertInvite(db, concert.id, id), {
      when: (row, db) => isNotBlocked(row) && !isInvited(db, concert.id, row.id),
      call: `apis.music.invite({id:${code},person:x})`,
    }),
  )(inAppPhrase("music", "invite # to $")),
}));
