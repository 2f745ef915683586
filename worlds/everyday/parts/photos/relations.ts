/** Relations from photos to people and albums, and back. */
import { relationBetween, relations, storeAndPrint } from "bowline/goals";
import { albums, faces, photoRows, sentPhotos } from "../../apps/photos/tables.ts";
import {
  distinctFromCall,
  distinctFromItems,
  distinctFromPages,
  readAllItemsCode,
} from "../music/music-and-photos.ts";
import {
  containedItemsRelation,
  isOwnedByOwner,
  membersRelation,
  ownedByRelation,
  ownersRelation,
} from "../music/shared-things.ts";
import {
  containsPhoto,
  idsOfCommenters,
  idsOfLikers,
  idsOfPeopleShown,
  isListed,
  photosInAlbum,
  sharedAlbums,
} from "./photo-rows.ts";

const photosInAlbumRelation = containedItemsRelation(sharedAlbums, {
  item: "photo",
  api: "albumPhotos",
  idsOf: (db, album) => photosInAlbum(db, album).map(({ id }) => id),
});

/**
 * Writes code for the contacts who made the items that a list returns for each photo. The owner is null and is left
 * out.
 */
const contactsOfItemsCode = (api: string) => (from: string) =>
  `[...new Set(${from}.flatMap(x=>apis.photos.${api}({id:x,size:20}).items.map(y=>y.by)).filter(y=>y!==null))]`;

export const photosRelations = relations("photos", {
  "photos-in": photosInAlbumRelation("albums", "photos"),
  "photos-in-contacts": photosInAlbumRelation("contacts-albums", "shared-photos"),
  "people-in": relationBetween("photos", "people", {
    relatedIds: (id, db) => idsOfPeopleShown(db, id),
    code: distinctFromItems("photos.peopleIn({id:x,size:20})", "handle"),
  })`the people in # | everyone who can be seen in any of # | whoever is in any of #
    | all people that any of # shows | each person tagged in any of #`,
  "photos-of": relationBetween("people", "photos", {
    relatedIds: (person, db) =>
      db
        .where(faces, { person })
        .map(({ photo }) => photo)
        .filter((photo) => isListed(db.get(photoRows, photo)!)),
    cells: distinctFromPages("photos.list({person:x,size:20,page:p++})"),
  })`my photos that show any of # | all photos of mine with any of # in them
    | those of my photos on which there is any of #
    | each photo of mine that shows any of # | whatever photos I have of any of #`,
  likers: relationBetween("photos", "people", {
    relatedIds: (id, db) => idsOfLikers(db, id),
    code: contactsOfItemsCode("likes"),
  })`all contacts who like any of # | the contacts that have liked any of #
    | every contact who gave a like to any of #
    | those contacts from whom any of # has a like | each contact whose like is on any of #`,
  commenters: relationBetween("photos", "people", {
    relatedIds: (id, db) => idsOfCommenters(db, id),
    code: contactsOfItemsCode("comments"),
  })`all contacts who commented on any of # | the contacts that have commented on any of # | every
    contact who wrote a comment on any of # | those contacts from whom any of # has a comment
    | each contact whose comment is under any of #`,
  "sent-to": relationBetween("photos", "people", {
    relatedIds: (photo, db) => db.where(sentPhotos, { photo }).map(({ person }) => person),
    cells: (from, to) => [
      `${readAllItemsCode("sent", "photos.sent({size:20,page:p++})")}${storeAndPrint(to, `[...new Set(sent.filter(x=>${from}.includes(x.photo)).map(x=>x.to))]`)}`,
    ],
  })`everyone to whom I sent any of # | the people I have sent any of # to
    | whoever got any of # from me in the photo app
    | those people to whom any of # was sent by me | each contact to whom I have sent any of #`,
  "albums-with": relationBetween("photos", "albums", {
    map: (db, ids) =>
      db
        .all(albums)
        .filter((row) => isOwnedByOwner(row) && ids.some((id) => containsPhoto(db, row.id, id)))
        .map(({ id }) => id),
    cells: (from, to) => [
      `${readAllItemsCode("own", "photos.albums({own:true,size:20,page:p++})")}print(own.map(x=>x.title))`,
      `var titles=new Set(${from}.flatMap(x=>apis.photos.show({id:x}).albums)),${to}=own.filter(x=>titles.has(x.title)).map(x=>x.id);print(${to})`,
    ],
  })`my own albums that contain any of # | those of my own albums in which there is any of #
    | all albums of my own that hold any of #
    | the albums that I own and that have any of # | my own albums with any of # in them`,
  "album-owners": ownersRelation(sharedAlbums),
  "album-members": membersRelation(sharedAlbums),
  "albums-of": ownedByRelation(sharedAlbums, "photo album"),
  "photos-of-faces": relationBetween("faces", "photos", {
    relatedIds: (id, db) => db.get(faces, id)!.photo,
    code: distinctFromCall("photos.face({id:x}).photo"),
  })`the photos in which one finds # | all photos on which one sees #
    | every photo that has any of # | the photos that have # on them | each photo with any of #`,
});
