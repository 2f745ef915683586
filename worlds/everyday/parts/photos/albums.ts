/**
 * Goals about albums, the owner's and those that contacts share with the owner: their collections, their actions, and
 * actions on people.
 */
import { actions, declareColumns, defineCollection, nouns, titleBy } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Album, albums, links } from "../../apps/photos/tables.ts";
import { type Person, people } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { countWithNoun, findByExactNameCode } from "../music/music-and-photos.ts";
import {
  activeShares,
  columnsOfJoinedThings,
  columnsOfOwnThings,
  isJoinedByOwner,
  isNotBlocked,
  isOwnedByOwner,
  leaveThingAction,
  letInAndShutOutActions,
  shareAndUnshareActions,
} from "../music/shared-things.ts";
import {
  drawListedPhoto,
  idsOfPeopleShown,
  inPhotoAppPhrase,
  insertAlbumPhoto,
  insertFace,
  insertSentPhoto,
  photosInAlbum,
  sharedAlbums,
  wasEverInAlbum,
} from "./photo-rows.ts";

const albumKilobytes = ({ id }: Album, db: Reader) =>
  photosInAlbum(db, id).reduce((sum, { kilobytes }) => sum + kilobytes, 0);

const columnsOfAllAlbums = declareColumns<Album>(
  ({ withProperty, number, superlatives, text, atLeastOrAtMost }) => ({
    title: text((row) => row.title, { item: "title", noun: "title" }),
    photos: number(
      ({ id }, db) => photosInAlbum(db, id).length,
      { item: "photos", noun: "number of photos" },
      atLeastOrAtMost("count", {
        toWords: countWithNoun("photo"),
      })`with $ | that have $ | holding $ | that contain $ | which hold $`,
    ),
    bytes: number(
      albumKilobytes,
      { code: "apis.photos.album({id:x.id}).kilobytes", noun: "size in kilobytes" },
      superlatives`largest (in kilobytes) / smallest (in kilobytes)
          | biggest (in kilobytes) / smallest (in kilobytes)
          | largest (in kilobytes) / smallest (in kilobytes)
          | biggest (in kilobytes) / smallest (in kilobytes)
          | largest (in kilobytes) / smallest (in kilobytes)`,
    ),
    "with-video": withProperty(
      ({ id }, db) => photosInAlbum(db, id).some(({ kind }) => kind === "video"),
      {
        test: 'apis.photos.albumPhotos({id:x.id,kind:"video"}).items.length>0',
      },
    )`that contain at least one video | with at least one video | which include at least one video
    | that hold one or more videos | where one photo or more is a video`,
  }),
);

const ALBUMS_LIST = { app: "photos", table: albums } as const;

const ownAlbums = defineCollection<Album>({
  ...ALBUMS_LIST,
  name: "own-albums",
  kind: "albums",
  includes: isOwnedByOwner,
  list: { api: "albums", args: "own:true" },
  nouns: nouns`album(s) of my own in my photo app | album(s) of mine in the photos app | album(s)
    of my own in the photos app | photo album(s) of mine | photo album(s) of my own`,
  columns: { ...columnsOfAllAlbums, ...columnsOfOwnThings(sharedAlbums, 0.4) },
  title: titleBy<Album>(
    "title",
    findByExactNameCode("photos.findAlbums", "title", "&&x.owner===null"),
    "Penguins | Castle ruins | Submarines | Rooftop bees",
  )`my album "$" | my photo album "$" | my own album "$" | the album of mine called "$"
    | the photo album "$" that I own`,
});

const albumsOfContacts = defineCollection<Album>({
  ...ALBUMS_LIST,
  kind: "contacts-albums",
  includes: isJoinedByOwner,
  list: { api: "albums", args: "own:false" },
  nouns: nouns`contact's photo album / albums of my contacts in the photo app | album of a contact
    in the photos app / albums of contacts in the photos app | photo album belonging to a contact
    / photo albums belonging to my contacts | photo album of a contact / photo albums of my contacts
    | photo album owned by a contact / photo albums owned by my contacts`,
  columns: { ...columnsOfAllAlbums, ...columnsOfJoinedThings(sharedAlbums) },
  title: titleBy<Album>(
    "title",
    findByExactNameCode("photos.findAlbums", "title", "&&x.owner!==null"),
    "Sledge race | The ice hotel | Harvest choir | Night swim",
  )`the photo album "$" of a contact | my contact's photo album "$" | the photo album "$" of one of
    my contacts | the photo album "$" that a contact owns | the contact's photo album "$"`,
});

export const albumCollections = [ownAlbums, albumsOfContacts];

const ALBUM_ACTIONS_LIST = {
  ...ALBUMS_LIST,
  kind: {
    albums: "share-album unshare-album remove-album add-photo link-album",
    "contacts-albums": "leave-album contribute-photo",
  },
  difficult: "link-album",
} as const;

export const albumActions = actions<Album>(ALBUM_ACTIONS_LIST, (kit) => ({
  ...shareAndUnshareActions(kit, sharedAlbums),
  "remove-album": kit.sets("removed", true, {
    when: (row, db) => isOwnedByOwner(row) && activeShares(sharedAlbums, db, row.id).length === 0,
    api: "removeAlbum",
  })`Remove #, but not the photos inside | Delete # without touching the photos inside
    | Get rid of # and leave the photos inside alone
    | Remove # without touching any photos | Delete # but keep all photos`,
  "add-photo": kit.actionWithFound(drawListedPhoto, ({ value: photo, code }) =>
    kit.applies((db, { id }) => insertAlbumPhoto(db, id, photo.id), {
      when: (row, db) => isOwnedByOwner(row) && !wasEverInAlbum(db, row.id, photo.id),
      call: `apis.photos.addToAlbum({album:x,photo:${code}})`,
    }),
  )`Add $ to # | Put $ into # | Include $ in # | Place $ in # | File $ in #`,
  "link-album": kit.actionWithValue("day", ({ value: expires, code }) =>
    kit.addsRow(links, ({ id }) => ({ photo: null, album: id, expires, revoked: false }), {
      when: (row) => isOwnedByOwner(row) && expires >= TODAY,
      call: `apis.photos.createLink({album:x,expires:${code}})`,
    }),
  )`Make links to #, one for each album, that expire on $ | Set up links to #, one each, that work
    until $ | Prepare links to #, one per album; their last day is $ | Create links that expire on
    $ to #, one for each album | Create links with $ as the last day to #, one for each album`,
  "leave-album": leaveThingAction(kit, sharedAlbums),
  "contribute-photo": kit.actionWithFound(drawListedPhoto, ({ value: photo, code }) =>
    kit.applies((db, { id }) => insertAlbumPhoto(db, id, photo.id), {
      when: (row, db) =>
        isJoinedByOwner(row) && row.role === "editor" && !wasEverInAlbum(db, row.id, photo.id),
      call: `apis.photos.addToAlbum({album:x,photo:${code}})`,
    }),
  )`Contribute $ to # | Put $ into # | Add $ to # | Place $ in # | Include $ in #`,
}));

const PEOPLE_LIST = { kind: "people", app: "photos", table: people, difficulty: 2 } as const;

export const peopleActions = actions<Person>(PEOPLE_LIST, (kit) => ({
  ...letInAndShutOutActions(kit, sharedAlbums),
  "send-named-photo": kit.actionWithFound(drawListedPhoto, ({ value: photo, code }) =>
    kit.applies((db, { id }) => insertSentPhoto(db, photo.id, id), {
      when: isNotBlocked,
      call: `apis.photos.send({id:${code},to:x})`,
    }),
  )(inPhotoAppPhrase("send $ to #")),
  "note-in-photo": kit.actionWithFound(
    (draw) => drawListedPhoto(draw, ({ kind }) => kind !== "scan"),
    ({ value: photo, code }) =>
      kit.applies((db, { id }) => insertFace(db, photo.id, id), {
        when: ({ id }, db) => !idsOfPeopleShown(db, photo.id).includes(id),
        call: `apis.photos.addPerson({id:${code},person:x})`,
      }),
  )`Note in the photo app that $ shows # | Add # to the people in $ | Enter # among the people in $
    | List # among the people in $ | Record in the photo app that $ shows #`,
}));
