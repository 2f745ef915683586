/**
 * Defines the APIs that find photos: by day, place, people, tags, in the trash, on the same day of earlier years. These
 * APIs change nothing.
 */

import {
  apiWithoutParameters,
  atLeast,
  atMost,
  booleanParam,
  countReferencingRows,
  dayParam,
  defineItem,
  defineObjectItem,
  equalIgnoringCase,
  filterWhere,
  listApi,
  shortTextParam,
  tally,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handleOrExample } from "../music/shared-collections.ts";
import {
  handleField,
  handleOf,
  handleParam,
  leavingOut,
  nameField,
  nullableHandleField,
  personFilter,
  requirePerson,
} from "../shared.ts";
import * as views from "./photo-items.ts";
import { comments, edits, faces, KINDS, likes, type Photo, photoRows } from "./tables.ts";

const OWN = { person: null, trashed: false };

const showsPerson = ({ id }: Photo, person: number, db: Reader) =>
  views.findFace(db, id, person) !== undefined;

/** Returns the own photos that are neither hidden nor in the trash. */
const visiblePhotos = (db: Reader) => db.where(photoRows, { ...OWN, hidden: false });

/** Counts the visible photos by a value that `readValue` reads from each photo. The most frequent value comes first. */
function countByValue(db: Reader, readValue: (row: Photo) => string | null): [string, number][] {
  const values = visiblePhotos(db).flatMap((row) => readValue(row) ?? []);
  return tally(values).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

/** The item for a person, with the number of photos that show the person. */
const pictureCountItem = defineItem({} as { readonly row?: { person: number; photos: number } }, {
  name: nameField,
  handle: handleField,
  photos: z.int(),
});

export const findingApis = {
  list: views.ownPhotoResource.list(
    "List the owner's photos, newest first; hidden ones and the trash are left out.",
    {
      rows: OWN,
      filters: {
        kind: z.enum(KINDS).describe("only of this kind"),
        since: [dayParam("only taken on this day or later"), atLeast("day")],
        until: [dayParam("only taken on this day or earlier"), atMost("day")],
        place: shortTextParam("only taken at this place"),
        city: shortTextParam("only taken in this city"),
        person: personFilter<Photo>("only those that show this person", "person", showsPerson),
        tag: [
          shortTextParam("only with this tag"),
          filterWhere(({ id }, tag, { db }) =>
            views.photoTags(db, id).some((one) => equalIgnoringCase(one, tag)),
          ),
        ],
        favourite: booleanParam("only favourites, or only others"),
        hidden: z.boolean().default(false).describe("hidden ones instead"),
      },
      order: views.sortLatestFirst,
      example: { since: "2026-01-01", kind: "photo" },
    },
  ),
  show: views.visiblePhoto.show(
    "Show a photo with its people, tags, albums, likes, comments and edits.",
    {
      item: views.visiblePhoto.item.with({
        owner: nullableHandleField,
        people: [
          z.array(z.string()).describe("handles"),
          ({ id }, { db }) => views.namedFaces(db, id).map(({ person }) => handleOf(db, person!)),
        ],
        tags: [z.array(z.string()), ({ id }, { db }) => views.photoTags(db, id)],
        albums: [
          z.array(z.string()),
          ({ id }, { db }) => views.visibleAlbumsWith(db, id).map((row) => row.title),
        ],
        likes: countReferencingRows(likes, "photo", { withdrawn: false }),
        comments: countReferencingRows(comments, "photo", { withdrawn: false }),
        edits: countReferencingRows(edits, "photo", { reverted: false }),
      }),
    },
  ),
  search: views.ownPhotoResource.list(
    leavingOut(
      "Search names, captions, places and cities of the owner's photos, newest first.",
      "hidden ones and the trash are",
    ),
    {
      searchIn: ["name", "caption", "place", "city"],
      rows: { ...OWN, hidden: false },
      order: views.sortLatestFirst,
      example: { query: "IMG" },
    },
  ),
  days: listApi(
    "List the days on which the owner's photos were taken, newest first; hidden ones and the trash are left out.",
    {
      item: defineObjectItem({ day: z.string(), photos: z.int() }),
      rows: (_, { db }) =>
        countByValue(db, ({ day }) => day).map(([day, photos]) => ({ day, photos })),
      order: "-day",
      example: { size: 10 },
    },
  ),
  people: listApi(
    "List the people in the owner's photos, most photos first; hidden photos and the trash are left out.",
    {
      item: pictureCountItem,
      rows: (_, { db }) => {
        const visibleIds = new Set(visiblePhotos(db).map(({ id }) => id));
        const namedFaces = db.all(faces).filter(({ photo }) => visibleIds.has(photo));
        return tally(namedFaces.flatMap(({ person }) => person ?? []))
          .sort(([a, x], [b, y]) => y - x || a - b)
          .map(([person, photos]) => ({ person, photos }));
      },
      example: { size: 10 },
    },
  ),
  together: views.ownPhotoResource.list(
    "List the owner's photos that show all of these people, newest first; hidden ones and the trash are left out.",
    {
      params: { people: z.array(handleParam("somebody")).min(1).max(6).describe("handles") },
      rows: ({ people }, { db }) => {
        const all = people.map((handle) => requirePerson(db, handle, "person").id);
        return visiblePhotos(db).filter((row) =>
          all.every((person) => showsPerson(row, person, db)),
        );
      },
      order: views.sortLatestFirst,
      example: (db) => ({ people: [handleOrExample(db, db.all(faces)[0]?.person)] }),
    },
  ),
  storage: apiWithoutParameters(
    "Show how much space the owner's photos take, in kilobytes, and the trash.",
    {
      used: z.int().describe("without the trash"),
      trash: z.int(),
      limit: z.int(),
      photos: z.int().describe("how many of kind photo"),
      videos: z.int(),
      scans: z.int(),
      favourites: z.int(),
    },
    ({ db }) => {
      const all = db.where(photoRows, { person: null });
      const size = (trashed: boolean) =>
        all.reduce((sum, row) => sum + (row.trashed === trashed ? row.kilobytes : 0), 0);
      const live = all.filter(({ trashed }) => !trashed);
      const kind = (wanted: string) => live.filter((row) => row.kind === wanted).length;
      return {
        used: size(false),
        trash: size(true),
        limit: 5_000_000,
        photos: kind("photo"),
        videos: kind("video"),
        scans: kind("scan"),
        favourites: live.filter(({ favourite }) => favourite).length,
      };
    },
  ),
};
