/** From songs to artists, people and playlists, and the other ways round. */
import { eachOf, type Relation } from "../../../../goals/index.ts";
import {
  concertInvites,
  concerts,
  playlistShares,
  playlists,
  recommendations,
  songs,
} from "../../apps/music/tables.ts";
import { allPages, isOwn, js, songsOf, TODAY } from "./looks.ts";

const distinct = (ids: readonly number[]) => [...new Set(ids)];

/** Playlists of the owner and of contacts are two kinds, because other things may be done with them. */
const songsInside = (name: string, from: string, to: string): Relation => ({
  name,
  from,
  to,
  app: "music",
  words: [
    (noun) => `the songs in ${noun}`,
    (noun) => `all songs that are in ${noun}`,
    (noun) => `every song of ${noun}`,
    (noun) => `the songs contained in ${noun}`,
    (noun) => `each song to be found in ${noun}`,
  ],
  map: (db, ids) => distinct(ids.flatMap((id) => songsOf(db, id))),
  cells: (from, to) => [
    `var ${to}=[],p,r;for(const x of ${from}){p=1;do{r=apis.music.playlistSongs({id:x,size:20,page:p++});${to}.push(...r.items.map(y=>y.id))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
  ],
});

export const relations: readonly Relation[] = [
  {
    name: "artists-of",
    from: "songs",
    to: "artists",
    app: "music",
    words: [
      (noun) => `the artists of ${noun}`,
      (noun) => `each artist of ${noun}`,
      (noun) => `the artists who recorded ${noun}`,
      (noun) => `every artist of ${noun}`,
      (noun) => `whichever artists recorded ${noun}`,
    ],
    map: (db, ids) => distinct(ids.map((id) => db.get(songs, id)!.artist)),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.map(x=>apis.music.song({id:x}).artistId))];print(${to})`,
    ],
  },
  {
    name: "library-of",
    from: "artists",
    to: "songs",
    app: "music",
    words: [
      (noun) => `the songs in my library by ${noun}`,
      (noun) => `all songs by ${noun} that are in my library`,
      (noun) => `everything that my music library has by ${noun}`,
      (noun) => `whatever songs I have in my library by ${noun}`,
      (noun) => `each song by ${noun} in my music library`,
    ],
    map: (db, ids) =>
      ids.flatMap((id) => db.where(songs, { artist: id, saved: true }).map((song) => song.id)),
    cells: (from, to) => [
      `var ${to}=[];for(const x of ${from})${to}.push(...apis.music.library({artist:x,size:20}).items.map(y=>y.id));print(${to})`,
    ],
  },
  songsInside("songs-in", "playlists", "songs"),
  songsInside("songs-in-contacts", "contacts-playlists", "new-songs"),
  {
    name: "playlists-with",
    from: "songs",
    to: "playlists",
    app: "music",
    words: [
      (noun) => `my own playlists that contain any of ${noun}`,
      (noun) => `those of my own playlists in which there is any of ${noun}`,
      (noun) => `all playlists of my own that hold any of ${noun}`,
      (noun) => `the playlists that I own and that have any of ${noun}`,
      (noun) => `my own playlists with any of ${noun} in them`,
    ],
    map: (db, ids) => {
      const wanted = new Set(ids);
      const own = db.all(playlists).filter(isOwn);
      return own.filter(({ id }) => songsOf(db, id).some((x) => wanted.has(x))).map(({ id }) => id);
    },
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.flatMap(x=>apis.music.playlistsWith({id:x,size:20}).items.map(y=>y.id)))];print(${to})`,
    ],
  },
  {
    name: "recommenders",
    from: "songs",
    to: "people",
    app: "music",
    words: [
      (noun) => `everyone who recommended any of ${noun} to me`,
      (noun) => `the people who have recommended any of ${noun} to me`,
      (noun) => `whoever recommended any of ${noun} to me`,
      (noun) => `all contacts from whom I got any of ${noun} as a recommendation`,
      (noun) => `those who have sent me any of ${noun} as a recommendation`,
    ],
    map: (db, ids) => {
      const wanted = new Set(ids);
      const tips = db.where(recommendations, { outgoing: false });
      return distinct(tips.filter(({ song }) => wanted.has(song)).map(({ person }) => person));
    },
    cells: (from, to) => [
      `${allPages("tips", (paging) => `apis.music.recommended({${paging}})`)}var ${to}=[...new Set(tips.filter(x=>${from}.includes(x.songId)).map(x=>x.from))];print(${to})`,
    ],
  },
  {
    name: "recommended-by",
    from: "people",
    to: "new-songs",
    app: "music",
    words: [
      (noun) => `the songs that were recommended to me by ${noun}`,
      (noun) => `every song recommended to me by ${noun}`,
      (noun) => `all songs that I got as recommendations from ${noun}`,
      (noun) => `whatever songs have been recommended to me by ${noun}`,
      (noun) => `each song that came to me as a recommendation from ${noun}`,
    ],
    map: (db, ids) =>
      distinct(
        ids.flatMap((person) =>
          db.where(recommendations, { person, outgoing: false }).map(({ song }) => song),
        ),
      ),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.flatMap(x=>apis.music.recommended({from:x,size:20}).items.map(y=>y.songId)))];print(${to})`,
    ],
  },
  {
    name: "playlist-owners",
    from: "contacts-playlists",
    to: "people",
    app: "music",
    words: [
      (noun) => `the owners of ${noun}`,
      (noun) => `everyone who owns any of ${noun}`,
      (noun) => `all contacts who own any of ${noun}`,
      (noun) => `each contact who is an owner of any of ${noun}`,
      (noun) => `whichever contacts own any of ${noun}`,
    ],
    map: (db, ids) => distinct(ids.map((id) => db.get(playlists, id)!.person!)),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.map(x=>apis.music.playlist({id:x}).owner))];print(${to})`,
    ],
  },
  {
    name: "playlists-of",
    from: "people",
    to: "contacts-playlists",
    app: "music",
    words: [
      (noun) => `the playlists owned by ${noun}`,
      (noun) => `every playlist that belongs to ${noun}`,
      (noun) => `all playlists of which the owner is among ${noun}`,
      (noun) => `whatever playlists belong to ${noun}`,
      (noun) => `each playlist whose owner is among ${noun}`,
    ],
    map: (db, ids) =>
      ids.flatMap((person) =>
        db.where(playlists, { person, left: false, removed: false }).map(({ id }) => id),
      ),
    cells: (from, to) => [
      `var ${to}=${from}.flatMap(x=>apis.music.playlists({from:x,size:20}).items.map(y=>y.id));print(${to})`,
    ],
  },
  {
    name: "playlist-members",
    from: "playlists",
    to: "people",
    app: "music",
    words: [
      (noun) => `everyone with whom I share any of ${noun}`,
      (noun) => `the people I share any of ${noun} with`,
      (noun) => `all contacts that I let into any of ${noun}`,
      (noun) => `whoever I have let into any of ${noun}`,
      (noun) => `those people who were let into any of ${noun} by me`,
    ],
    each: eachOf("has been let by me into"),
    map: (db, ids) =>
      distinct(
        ids.flatMap((playlist) =>
          db.where(playlistShares, { playlist, ended: false }).map(({ person }) => person),
        ),
      ),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.flatMap(x=>apis.music.sharedWith({id:x,size:20}).items.map(y=>y.handle)))];print(${to})`,
    ],
  },
  {
    name: "shared-playlists",
    from: "people",
    to: "playlists",
    app: "music",
    words: [
      (noun) => `my own playlists that are shared with any of ${noun}`,
      (noun) => `those of my own playlists into which I let any of ${noun}`,
      (noun) => `all playlists of my own that I share with any of ${noun}`,
      (noun) => `the playlists I own that any of ${noun} was let into`,
      (noun) => `each playlist of mine that is shared with any of ${noun}`,
    ],
    map: (db, ids) =>
      distinct(
        ids.flatMap((person) =>
          db
            .where(playlistShares, { person, ended: false })
            .map(({ playlist }) => playlist)
            .filter((id) => isOwn(db.get(playlists, id)!)),
        ),
      ),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.flatMap(x=>apis.music.playlists({own:true,sharedWith:x,size:20}).items.map(y=>y.id)))];print(${to})`,
    ],
  },
  {
    name: "concerts-of",
    from: "artists",
    to: "concerts",
    app: "music",
    words: [
      (noun) => `the upcoming concerts of ${noun}`,
      (noun) => `all concerts of ${noun} that are still ahead`,
      (noun) => `every concert that is still to come of ${noun}`,
      (noun) => `each concert of ${noun} that is still ahead`,
      (noun) => `each future concert of ${noun}`,
    ],
    map: (db, ids) =>
      ids.flatMap((artist) =>
        db
          .where(concerts, { artist })
          .filter(({ day }) => day >= TODAY)
          .map(({ id }) => id),
      ),
    cells: (from, to) => [
      `var ${to}=${from}.flatMap(x=>apis.music.concerts({artist:x,from:${js(TODAY)},size:20}).items.map(y=>y.id));print(${to})`,
    ],
  },
  {
    name: "concert-artists",
    from: "concerts",
    to: "artists",
    app: "music",
    words: [
      (noun) => `the artists of ${noun}`,
      (noun) => `each artist who plays at any of ${noun}`,
      (noun) => `the artists who play at ${noun}`,
      (noun) => `every artist of any of ${noun}`,
      (noun) => `whichever artists play at ${noun}`,
    ],
    map: (db, ids) => distinct(ids.map((id) => db.get(concerts, id)!.artist)),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.map(x=>apis.music.concert({id:x}).artistId))];print(${to})`,
    ],
  },
  {
    name: "concert-guests",
    from: "concerts",
    to: "people",
    app: "music",
    words: [
      (noun) => `everyone whom I invited to any of ${noun}`,
      (noun) => `the people I have invited to any of ${noun}`,
      (noun) => `all contacts with an invitation from me to any of ${noun}`,
      (noun) => `whoever has been invited by me to any of ${noun}`,
      (noun) => `those whom I asked to come along to any of ${noun}`,
    ],
    map: (db, ids) =>
      distinct(
        ids.flatMap((concert) =>
          db.where(concertInvites, { concert, withdrawn: false }).map(({ person }) => person),
        ),
      ),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.flatMap(x=>apis.music.invited({id:x,size:20}).items.map(y=>y.handle)))];print(${to})`,
    ],
  },
];
