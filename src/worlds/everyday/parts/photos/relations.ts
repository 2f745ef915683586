/** From photos to people and albums, and the other ways round. */
import { eachOf, type Relation } from "../../../../goals/index.ts";
import {
  albumShares,
  albums,
  comments,
  faces,
  likes,
  photoRows,
  sentPhotos,
} from "../../apps/photos/tables.ts";
import { distinct, holdsPhoto, isListed, isOwnAlbum, peopleIn, photosIn } from "./looks.ts";

/** Own albums hold own photos, those of contacts also photos of others: two kinds. */
const photosInside = (name: string, source: string, target: string): Relation => ({
  name,
  from: source,
  to: target,
  app: "photos",
  words: [
    (noun) => `the photos in ${noun}`,
    (noun) => `all photos that are in ${noun}`,
    (noun) => `every photo of ${noun}`,
    (noun) => `the photos contained in ${noun}`,
    (noun) => `each photo to be found in ${noun}`,
  ],
  map: (db, ids) => distinct(ids.flatMap((album) => photosIn(db, album).map(({ id }) => id))),
  cells: (from, to) => [
    `var ${to}=[],p,r;for(const x of ${from}){p=1;do{r=apis.photos.albumPhotos({id:x,size:20,page:p++});${to}.push(...r.items.map(y=>y.id))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
  ],
});

export const relations: readonly Relation[] = [
  photosInside("photos-in", "albums", "photos"),
  photosInside("photos-in-contacts", "contacts-albums", "shared-photos"),
  {
    name: "people-in",
    from: "photos",
    to: "people",
    app: "photos",
    words: [
      (noun) => `the people in ${noun}`,
      (noun) => `everyone who can be seen in any of ${noun}`,
      (noun) => `whoever is in any of ${noun}`,
      (noun) => `all people that any of ${noun} shows`,
      (noun) => `each person tagged in any of ${noun}`,
    ],
    map: (db, ids) => distinct(ids.flatMap((id) => peopleIn(db, id))),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.flatMap(x=>apis.photos.peopleIn({id:x,size:20}).items.map(y=>y.handle)))];print(${to})`,
    ],
  },
  {
    name: "photos-of",
    from: "people",
    to: "photos",
    app: "photos",
    words: [
      (noun) => `my photos that show any of ${noun}`,
      (noun) => `all photos of mine with any of ${noun} in them`,
      (noun) => `those of my photos on which there is any of ${noun}`,
      (noun) => `each photo of mine that shows any of ${noun}`,
      (noun) => `whatever photos I have of any of ${noun}`,
    ],
    map: (db, ids) =>
      distinct(
        ids.flatMap((person) =>
          db
            .where(faces, { person })
            .map(({ photo }) => photo)
            .filter((photo) => isListed(db.get(photoRows, photo)!)),
        ),
      ),
    cells: (from, to) => [
      `var ${to}=[],p,r;for(const x of ${from}){p=1;do{r=apis.photos.list({person:x,size:20,page:p++});${to}.push(...r.items.map(y=>y.id))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
    ],
  },
  {
    name: "likers",
    from: "photos",
    to: "people",
    app: "photos",
    words: [
      (noun) => `all contacts who like any of ${noun}`,
      (noun) => `the contacts that have liked any of ${noun}`,
      (noun) => `every contact who gave a like to any of ${noun}`,
      (noun) => `those contacts from whom any of ${noun} has a like`,
      (noun) => `each contact whose like is on any of ${noun}`,
    ],
    map: (db, ids) =>
      distinct(
        ids.flatMap((photo) =>
          db
            .where(likes, { photo, withdrawn: false })
            .flatMap(({ person }) => (person === null ? [] : [person])),
        ),
      ),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.flatMap(x=>apis.photos.likes({id:x,size:20}).items.map(y=>y.by)).filter(y=>y!==null))];print(${to})`,
    ],
  },
  {
    name: "commenters",
    from: "photos",
    to: "people",
    app: "photos",
    words: [
      (noun) => `all contacts who commented on any of ${noun}`,
      (noun) => `the contacts that have commented on any of ${noun}`,
      (noun) => `every contact who wrote a comment on any of ${noun}`,
      (noun) => `those contacts from whom any of ${noun} has a comment`,
      (noun) => `each contact whose comment is under any of ${noun}`,
    ],
    map: (db, ids) =>
      distinct(
        ids.flatMap((photo) =>
          db
            .where(comments, { photo, withdrawn: false })
            .flatMap(({ person }) => (person === null ? [] : [person])),
        ),
      ),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.flatMap(x=>apis.photos.comments({id:x,size:20}).items.map(y=>y.by)).filter(y=>y!==null))];print(${to})`,
    ],
  },
  {
    name: "sent-to",
    from: "photos",
    to: "people",
    app: "photos",
    words: [
      (noun) => `everyone to whom I sent any of ${noun}`,
      (noun) => `the people I have sent any of ${noun} to`,
      (noun) => `whoever got any of ${noun} from me in the photo app`,
      (noun) => `those people to whom any of ${noun} was sent by me`,
      (noun) => `each contact to whom I have sent any of ${noun}`,
    ],
    map: (db, ids) =>
      distinct(ids.flatMap((photo) => db.where(sentPhotos, { photo }).map(({ person }) => person))),
    cells: (from, to) => [
      `var sent=[],p=1,r;do{r=apis.photos.sent({size:20,page:p++});sent.push(...r.items)}while(r.more);var ${to}=[...new Set(sent.filter(x=>${from}.includes(x.photo)).map(x=>x.to))];print(${to})`,
    ],
  },
  {
    name: "albums-with",
    from: "photos",
    to: "albums",
    app: "photos",
    words: [
      (noun) => `my own albums that contain any of ${noun}`,
      (noun) => `those of my own albums in which there is any of ${noun}`,
      (noun) => `all albums of my own that hold any of ${noun}`,
      (noun) => `the albums that I own and that have any of ${noun}`,
      (noun) => `my own albums with any of ${noun} in them`,
    ],
    map: (db, ids) =>
      db
        .all(albums)
        .filter((row) => isOwnAlbum(row) && ids.some((id) => holdsPhoto(db, row.id, id)))
        .map(({ id }) => id),
    cells: (from, to) => [
      `var own=[],p=1,r;do{r=apis.photos.albums({own:true,size:20,page:p++});own.push(...r.items)}while(r.more);print(own.map(x=>x.title))`,
      `var titles=new Set(${from}.flatMap(x=>apis.photos.show({id:x}).albums)),${to}=own.filter(x=>titles.has(x.title)).map(x=>x.id);print(${to})`,
    ],
  },
  {
    name: "album-owners",
    from: "contacts-albums",
    to: "people",
    app: "photos",
    words: [
      (noun) => `the owners of ${noun}`,
      (noun) => `everyone who owns any of ${noun}`,
      (noun) => `all contacts who own any of ${noun}`,
      (noun) => `each contact who is an owner of any of ${noun}`,
      (noun) => `whichever contacts own any of ${noun}`,
    ],
    map: (db, ids) => distinct(ids.map((id) => db.get(albums, id)!.person!)),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.map(x=>apis.photos.album({id:x}).owner))];print(${to})`,
    ],
  },
  {
    name: "album-members",
    from: "albums",
    to: "people",
    app: "photos",
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
        ids.flatMap((album) =>
          db.where(albumShares, { album, ended: false }).map(({ person }) => person),
        ),
      ),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.flatMap(x=>apis.photos.sharedWith({id:x,size:20}).items.map(y=>y.handle)))];print(${to})`,
    ],
  },
  {
    name: "albums-of",
    from: "people",
    to: "contacts-albums",
    app: "photos",
    words: [
      (noun) => `the photo albums owned by ${noun}`,
      (noun) => `every photo album that belongs to ${noun}`,
      (noun) => `all photo albums of which the owner is among ${noun}`,
      (noun) => `whatever photo albums belong to ${noun}`,
      (noun) => `each photo album whose owner is among ${noun}`,
    ],
    map: (db, ids) =>
      ids.flatMap((person) =>
        db.where(albums, { person, left: false, removed: false }).map(({ id }) => id),
      ),
    cells: (from, to) => [
      `var ${to}=${from}.flatMap(x=>apis.photos.albums({from:x,size:20}).items.map(y=>y.id));print(${to})`,
    ],
  },
  {
    name: "photos-of-faces",
    from: "faces",
    to: "photos",
    app: "photos",
    words: [
      (noun) => `the photos in which one finds ${noun}`,
      (noun) => `all photos on which one sees ${noun}`,
      (noun) => `every photo that has any of ${noun}`,
      (noun) => `the photos that have ${noun} on them`,
      (noun) => `each photo with any of ${noun}`,
    ],
    map: (db, ids) => distinct(ids.map((id) => db.get(faces, id)!.photo)),
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.map(x=>apis.photos.face({id:x}).photo))];print(${to})`,
    ],
  },
];
