/** Collections of photos: the owner's photos, those in the trash, and originals that have duplicates. */
import {
  type Alternatives,
  aboutFound,
  alternatives,
  byItemProperty,
  declareColumns,
  defineCollection,
  drawnClause,
  type FilterCode,
  jsLiteral,
  nouns,
  titleBy,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { KINDS, type Photo, type PhotoKind, photoRows, tags } from "../../apps/photos/tables.ts";
import { placesOfPart } from "../../life/life.ts";
import { citiesOfSplit } from "../mentionable.ts";
import { mentionableNameColumn, yesOrNoColumn } from "../music/music-and-photos.ts";
import {
  containsPhoto,
  drawOwnAlbum,
  idsOfLikers,
  idsOfPeopleShown,
  isListed,
  isOwnPhoto,
} from "./photo-rows.ts";

/** Makes a column for the kind of photo. Only kinds that some rows have, but not all, are drawn. */
const kindColumn = (
  words: (kind: PhotoKind) => Alternatives,
  code: (literal: string) => FilterCode,
) =>
  drawnClause<Photo>(({ rng }, all) => {
    const mixedKinds = KINDS.filter((kind) => {
      const count = all.filter((row) => row.kind === kind).length;
      return count > 0 && count < all.length;
    });
    if (mixedKinds.length === 0) return undefined;
    const kind = rng.pick(mixedKinds);
    return { words: words(kind), holds: (row) => row.kind === kind, code: code(jsLiteral(kind)) };
  });

const columnsOfAllPhotos = declareColumns<Photo>(
  ({ byArgument, atLeast, day, number, superlatives, text, atLeastOrAtMost }) => ({
    name: text((row) => row.name, { item: "name", noun: "file name" }),
    size: number(
      (row) => row.kilobytes,
      { item: "kilobytes", noun: "size in kilobytes" },
      superlatives`largest / smallest | biggest / smallest | largest / smallest
          | biggest / smallest | largest / smallest`,
      atLeastOrAtMost("size")`of $ kilobytes | that take $ kilobytes | with a size of $ kilobytes
      | whose size is $ kilobytes | that are $ kilobytes large`,
      atLeast("large")`of at least $ kilobytes | that take at least $ kilobytes | with a size of at
      least $ kilobytes | whose size is at least $ kilobytes | that are at least $ kilobytes large`,
    ),
    day: day(
      (row) => row.day,
      { noun: "day", item: "day" },
      superlatives`newest / oldest | latest / earliest | most recent / oldest | newest / oldest
          | most recent / earliest`,
      atLeastOrAtMost("taken", {
        below: 0.4,
        code: (day, below) => byArgument(below ? "until" : "since")(day),
      })`taken on $ | from $ | that were taken on $ | dated $ | which I took on $`,
    ),
  }),
);

const PLURAL_BY_KIND = { photo: "still pictures", video: "videos", scan: "scans" } as const;

const columnsOfOwnPhotos = declareColumns<Photo>(
  ({ byArgument, choice, alternatives, number, person, atLeastOrAtMost }) => ({
    kind: kindColumn(
      (kind) =>
        alternatives`that are ${PLURAL_BY_KIND[kind]} (kind "${kind}") | of the kind "${kind}"
        | whose kind is "${kind}" | which are of the kind "${kind}" | that have the kind "${kind}"`,
      byArgument("kind"),
    ),
    shows: person(({ id }, db) => idsOfPeopleShown(db, id), byArgument("person"), {
      excludes: ["crowd"],
    })`of $ | that show $ | with $ in them | showing $ | that $ appears in`,
    crowd: number(
      ({ id }, db) => idsOfPeopleShown(db, id).length,
      { code: "apis.photos.peopleIn({id:x.id,size:20}).items.length" },
      atLeastOrAtMost("crowd", { below: 0, limit: (count) => (count < 2 ? undefined : count) })`
      with $ people in them | that show $ people
      | with $ tagged people | showing $ people | where $ people are in the picture`,
    ),
    city: mentionableNameColumn(citiesOfSplit, (row: Photo) => row.city, byArgument("city"), {
      excludes: ["place"],
    })`taken in $ | from $ | that were taken in $ | whose city is $ | which I took in $`,
    place: mentionableNameColumn(
      placesOfPart,
      (row: Photo) => row.place,
      byArgument("place"),
    )`taken at the $ | from the $
    | that were taken at the $ | whose place is the $ | which I took at the $`,
    favourite: yesOrNoColumn<Photo>(0.7, "favourite", {
      arg: "favourite",
    })`that are among my favourites | marked as favourites | which are favourites of mine
    | that I made favourites | which I have marked as favourites``
      that are not among my favourites | not marked as favourites | which are no favourites of mine
      | that I did not make favourites | which I have not marked as favourites`,
    tagged: choice(({ id }, db) => db.where(tags, { photo: id }).map(({ tag }) => tag), {
      arg: "tag",
    })`with the tag "$" | tagged "$" | that have the tag "$" | that carry the tag "$"
    | which are tagged "$"`,
    captioned: choice(({ caption }) => caption || null, { item: "caption" })`with the caption "$"
    | captioned "$" | that have the caption "$" | whose caption is "$" | that are captioned "$"`,
    "liked-by": person(
      ({ id }, db) => idsOfLikers(db, id),
      (friend) => ({
        test: `apis.photos.likes({id:x.id,size:20}).items.some(y=>y.by===${friend})`,
      }),
    )`that $ likes | liked by $ | which $ has liked | that have a like from $
    | which $ has given a like`,
    album: aboutFound(
      (draw, all: readonly Photo[]) => {
        const holdsSome = (album: number) =>
          all.some(({ id }) => containsPhoto(draw.db, album, id));
        const album = drawOwnAlbum(draw, ({ id }) => holdsSome(id));
        if (!album) return undefined;
        const { code } = album;
        const readAlbumCell = `var ${code}s=[],p=1,r;do{r=apis.photos.albumPhotos({id:${code},size:20,page:p++});${code}s.push(...r.items.map(x=>x.id))}while(r.more);print(${code}s)`;
        return { ...album, cells: [...album.cells, readAlbumCell] };
      },
      (row, db, { id }) => containsPhoto(db, id, row.id),
      (album) => ({ test: `${album}s.includes(x.id)` }),
    )`in $ | that are in $ | which $ holds | that belong to $ | which are part of $`,
  }),
);

const PHOTOS_LIST = { app: "photos", table: photoRows } as const;

const ownPhotos = defineCollection<Photo>({
  ...PHOTOS_LIST,
  kind: "photos",
  includes: isListed,
  list: "list",
  nouns: nouns`photo(s) of my own in my photo app | photo(s) of mine in the photo app | photo(s)
    of my own in the photos app | photo(s) of mine | photo(s) of my own`,
  columns: { ...columnsOfAllPhotos, ...columnsOfOwnPhotos },
  clauses: "kind shows crowd city place taken size favourite tagged captioned liked-by album",
  title: titleBy<Photo>(
    "name",
    (name) =>
      `apis.photos.search({query:${jsLiteral(name)}}).items.filter(x=>x.name===${jsLiteral(name)}).map(x=>x.id)`,
    "IMG_9017.jpg | IMG_8125.jpg | VID_7714.mp4 | SCAN_6601.pdf",
  )`my photo $ | the photo $ | my picture $ | the photo of mine with the file name $
    | my photo with the file name $`,
});

const trashedPhotos = defineCollection<Photo>({
  ...PHOTOS_LIST,
  name: "trash",
  kind: "trashed-photos",
  includes: (row) => row.person === null && row.trashed,
  list: "trash",
  allowsWhole: true,
  nouns: nouns`photo in the trash / photos in the trash of my photo app | trashed photo / trashed
    photos in my photo app | thrown-away photo / thrown-away photos in the trash of my photo app
    | photo in the trash / photos in the trash of the photos app
    | trashed photo / photos that lie in the trash of the photos app`,
  columns: {
    ...columnsOfAllPhotos,
    kind: kindColumn(
      (kind) =>
        alternatives`that have the kind "${kind}" | of the kind "${kind}" | whose kind is "${kind}"
          | which are of the kind "${kind}" | of kind "${kind}"`,
      byItemProperty("kind"),
    ),
  },
  clauses: "kind large",
  fields: "name size",
});

const ownCopies = (db: Reader, { digest }: Photo) =>
  db.where(photoRows, { digest }).filter(isOwnPhoto);

const originalsOfDuplicates = defineCollection<Photo>({
  ...PHOTOS_LIST,
  name: "duplicates",
  kind: "originals",
  includes: (row, db) =>
    isOwnPhoto(row) &&
    ownCopies(db, row).length > 1 &&
    ownCopies(db, row).every(({ kilobytes }) => kilobytes <= row.kilobytes),
  list: "duplicates",
  allowsWhole: true,
  nouns: nouns`duplicated photo / duplicated photos in my photo app | photo with copies / photos of
    mine with copies in my photo app | photo kept twice / photos kept more than once in my photo app
    | duplicated photo / duplicated photos in the photos app
    | photo with copies / photos of mine with duplicates in the photos app`,
  columns: columnsOfAllPhotos,
  clauses: "large",
  fields: "name size",
});

export const photoCollection = ownPhotos;
export const trashAndDuplicates = [trashedPhotos, originalsOfDuplicates];
