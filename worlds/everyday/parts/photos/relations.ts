/** From photos to people and albums, and the other ways round. */
import { relationBetween, relations, storeAndPrint } from "bowline/goals";
import { albums, faces, photoRows, sentPhotos } from "../../apps/photos/tables.ts";
import { ofEach, ofItems, ofPages, pages } from "../music/common.ts";
import { inside, isOwned, members, ownedBy, owners } from "../music/sharing.ts";
import {
  commentersOf,
  holdsPhoto,
  isListed,
  likersOf,
  peopleIn,
  photosIn,
  shared,
} from "./looks.ts";

const photosInside = inside(shared, {
  item: "photo",
  api: "albumPhotos",
  of: (db, album) => photosIn(db, album).map(({ id }) => id),
});

/** The contacts by whom the items are that a list gives for each photo; the owner is null. */
const contactsBy = (api: string) => (from: string) =>
  `[...new Set(${from}.flatMap(x=>apis.photos.${api}({id:x,size:20}).items.map(y=>y.by)).filter(y=>y!==null))]`;

export const photosRelations = relations("photos", {
  "photos-in": photosInside("albums", "photos"),
  "photos-in-contacts": photosInside("contacts-albums", "shared-photos"),
  "people-in": relationBetween("photos", "people", {
    relatedIds: (id, db) => peopleIn(db, id),
    code: ofItems("photos.peopleIn({id:x,size:20})", "handle"),
  })`the people in # | everyone who can be seen in any of # | whoever is in any of #
    | all people that any of # shows | each person tagged in any of #`,
  "photos-of": relationBetween("people", "photos", {
    relatedIds: (person, db) =>
      db
        .where(faces, { person })
        .map(({ photo }) => photo)
        .filter((photo) => isListed(db.get(photoRows, photo)!)),
    cells: ofPages("photos.list({person:x,size:20,page:p++})"),
  })`my photos that show any of # | all photos of mine with any of # in them
    | those of my photos on which there is any of #
    | each photo of mine that shows any of # | whatever photos I have of any of #`,
  likers: relationBetween("photos", "people", {
    relatedIds: (id, db) => likersOf(db, id),
    code: contactsBy("likes"),
  })`all contacts who like any of # | the contacts that have liked any of #
    | every contact who gave a like to any of #
    | those contacts from whom any of # has a like | each contact whose like is on any of #`,
  commenters: relationBetween("photos", "people", {
    relatedIds: (id, db) => commentersOf(db, id),
    code: contactsBy("comments"),
  })`all contacts who commented on any of # | the contacts that have commented on any of # | every
    contact who wrote a comment on any of # | those contacts from whom any of # has a comment
    | each contact whose comment is under any of #`,
  "sent-to": relationBetween("photos", "people", {
    relatedIds: (photo, db) => db.where(sentPhotos, { photo }).map(({ person }) => person),
    cells: (from, to) => [
      `${pages("sent", "photos.sent({size:20,page:p++})")}${storeAndPrint(to, `[...new Set(sent.filter(x=>${from}.includes(x.photo)).map(x=>x.to))]`)}`,
    ],
  })`everyone to whom I sent any of # | the people I have sent any of # to
    | whoever got any of # from me in the photo app
    | those people to whom any of # was sent by me | each contact to whom I have sent any of #`,
  "albums-with": relationBetween("photos", "albums", {
    map: (db, ids) =>
      db
        .all(albums)
        .filter((row) => isOwned(row) && ids.some((id) => holdsPhoto(db, row.id, id)))
        .map(({ id }) => id),
    cells: (from, to) => [
      `${pages("own", "photos.albums({own:true,size:20,page:p++})")}print(own.map(x=>x.title))`,
      `var titles=new Set(${from}.flatMap(x=>apis.photos.show({id:x}).albums)),${to}=own.filter(x=>titles.has(x.title)).map(x=>x.id);print(${to})`,
    ],
  })`my own albums that contain any of # | those of my own albums in which there is any of #
    | all albums of my own that hold any of #
    | the albums that I own and that have any of # | my own albums with any of # in them`,
  "album-owners": owners(shared),
  "album-members": members(shared),
  "albums-of": ownedBy(shared, "photo album"),
  "photos-of-faces": relationBetween("faces", "photos", {
    relatedIds: (id, db) => db.get(faces, id)!.photo,
    code: ofEach("photos.face({id:x}).photo"),
  })`the photos in which one finds # | all photos on which one sees #
    | every photo that has any of # | the photos that have # on them | each photo with any of #`,
});
