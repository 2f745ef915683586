/** Albums: the owner's own, and those that contacts share with the owner. */
import {
  type Collection,
  columns,
  js,
  listOf,
  nouns,
  ranked,
  rows,
  titled,
  within,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Album, albums } from "../../apps/photos/tables.ts";
import { isJoined, isOwned, joinedColumns, ownColumns } from "../music/sharing.ts";
import { photosIn } from "./looks.ts";
import { shared } from "./writes.ts";

const sizeOf = ({ id }: Album, db: Reader) =>
  photosIn(db, id).reduce((sum, { kilobytes }) => sum + kilobytes, 0);

const ofBoth = columns<Album>(({ text, number, is }) => ({
  title: text((row) => row.title, { item: "title", noun: "title" }),
  photos: number(
    ({ id }, db) => photosIn(db, id).length,
    { item: "photos", noun: "number of photos" },
    within("count", { says: (count) => (count === 1 ? "1 photo" : `${count} photos`) })`
      with $ | that have $ | holding $ | that contain $ | which hold $`,
  ),
  bytes: number(sizeOf, {
    code: "apis.photos.album({id:x.id}).kilobytes",
    noun: "size in kilobytes",
    ranks: ranked`largest (in kilobytes) / smallest (in kilobytes)
      | biggest (in kilobytes) / tiniest (in kilobytes)
      | most space-consuming / least space-consuming
      | heaviest (in kilobytes) / lightest (in kilobytes)
      | bulkiest (in kilobytes) / least bulky (in kilobytes)`,
  }),
  "with-video": is(({ id }, db) => photosIn(db, id).some(({ kind }) => kind === "video"), {
    test: 'apis.photos.albumPhotos({id:x.id,kind:"video"}).items.length>0',
  })`that contain at least one video | with at least one video | which include at least one video
    | that hold one or more videos | where one photo or more is a video`,
}));

const found = (title: string, whose: string) =>
  `apis.photos.findAlbums({query:${js(title)},size:20}).items.filter(x=>x.title===${js(title)}&&x.owner${whose}).map(x=>x.id)`;

const own = rows<Album>({
  name: "own-albums",
  kind: "albums",
  app: "photos",
  table: albums,
  base: isOwned,
  list: { api: "albums", args: "own:true" },
  nouns: nouns`own album(s) in my photo app | album(s) of mine in the photos app
    | own album(s) in the photos app | photo album(s) of mine | photo album(s) of my own`,
  columns: { ...ofBoth, ...ownColumns(shared, { chance: 0.4 }) },
  title: titled<Album>({
    of: (row) => row.title,
    find: (title) => found(title, "===null"),
    missing: listOf("Penguins | Castle ruins | Submarines | Rooftop bees"),
  })`my album "$" | my photo album "$" | my own album "$" | the album of mine called "$"
    | the photo album "$" that I own`,
});

const ofContacts = rows<Album>({
  kind: "contacts-albums",
  app: "photos",
  table: albums,
  base: isJoined,
  list: { api: "albums", args: "own:false" },
  nouns: nouns`contact's photo album / albums of my contacts in the photo app
    | album of a contact in the photos app / albums of contacts in the photos app
    | photo album belonging to a contact / photo albums belonging to my contacts
    | photo album of a contact / photo albums of my contacts
    | photo album owned by a contact / photo albums owned by my contacts`,
  columns: { ...ofBoth, ...joinedColumns(shared) },
  title: titled<Album>({
    of: (row) => row.title,
    find: (title) => found(title, "!==null"),
    missing: listOf("Sledge race | The ice hotel | Harvest choir | Night swim"),
  })`the photo album "$" of a contact | my contact's photo album "$"
    | the photo album "$" of one of my contacts | the photo album "$" that a contact owns
    | the contact's photo album "$"`,
});

export const albumCollections: readonly Collection[] = [own, ofContacts];
