/** Finding photos: by day, place, people, tags, in the trash, on a day of earlier years. Reads only. */
import { z } from "zod";
import {
  asIs,
  by,
  defineApi,
  either,
  falling,
  listOf,
  type Reader,
  where,
} from "../../../../world/index.ts";
import { handleIn, whose } from "../music/letting-in.ts";
import { contains, day, dayOf, handle, handleOf, line, personBy, query, same } from "../shared.ts";
import { people } from "../tables.ts";
import { comments, edits, faces, KINDS, likes, type Photo, photoRows, tags } from "./tables.ts";
import {
  albumsWith,
  facesOf,
  latestFirst,
  ownedPhotos,
  ownPhotos,
  seenPhotos,
  tagsOf,
} from "./views.ts";

/** Ids of the photos that show a person. */
function showing(db: Reader, came: string): Set<number> {
  const person = personBy(db, came, "person").id;
  return new Set(db.where(faces, { person }).map(({ photo }) => photo));
}

/** How many photos share a property, most first. */
function counted(db: Reader, of: (row: Photo) => string | null): [string, number][] {
  const counts = new Map<string, number>();
  for (const row of ownPhotos(db)) {
    const key = row.hidden ? null : of(row);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].toSorted(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : y - x));
}

const countedBy = (column: "place" | "city", summary: string) =>
  listOf(asIs({ name: z.string(), photos: z.int() }), summary, {
    rows: (_, { db }) =>
      counted(db, (row) => row[column]).map(([name, photos]) => ({ name, photos })),
    example: { size: 10 },
  });

/** Own photos that are not hidden. */
const shown = (db: Reader, fits: (row: Photo) => boolean) =>
  ownPhotos(db).filter((row) => !row.hidden && fits(row));

export const browseApis = {
  list: ownedPhotos.list(
    "List the owner's photos, newest first; hidden ones and the trash are left out.",
    {
      rows: { person: null, trashed: false },
      filters: {
        kind: z.enum(KINDS).describe("only of this kind"),
        from: [day("only taken on this day or later"), where((row, first) => row.day >= first)],
        until: [day("only taken on this day or earlier"), where((row, last) => row.day <= last)],
        place: line("only taken at this place"),
        city: line("only taken in this city"),
        person: [
          handle("only those that show this person"),
          (came, { db }) => {
            const ids = showing(db, came);
            return ({ id }) => ids.has(id);
          },
        ],
        tag: [
          line("only with this tag"),
          where(({ id }, tag, { db }) =>
            db.where(tags, { photo: id }).some((row) => same(row.tag, tag)),
          ),
        ],
        favourite: either("only favourites, or only others"),
        hidden: z.boolean().default(false).describe("hidden ones instead"),
      },
      order: latestFirst,
      example: { from: "2026-01-01", kind: "photo" },
    },
  ),
  show: seenPhotos.show("Show a photo with its people, tags, albums, likes, comments and edits.", {
    item: seenPhotos.item.with({
      owner: [z.string().nullable(), ({ person }, { db }) => whose(db, person)],
      people: [
        z.array(z.string()).describe("handles"),
        ({ id }, { db }) => facesOf(db, id).map(({ person }) => handleOf(db, person!)),
      ],
      tags: [z.array(z.string()), ({ id }, { db }) => tagsOf(db, id)],
      albums: [z.array(z.string()), ({ id }, { db }) => albumsWith(db, id).map((row) => row.title)],
      likes: [
        z.int(),
        ({ id: photo }, { db }) => db.where(likes, { photo, withdrawn: false }).length,
      ],
      comments: [
        z.int(),
        ({ id: photo }, { db }) => db.where(comments, { photo, withdrawn: false }).length,
      ],
      edits: [
        z.int(),
        ({ id: photo }, { db }) => db.where(edits, { photo, reverted: false }).length,
      ],
    }),
  }),
  search: ownedPhotos.list(
    "Search names, captions, places and cities of the owner's photos, newest first.",
    {
      params: { query },
      rows: ({ query }, { db }) =>
        shown(db, ({ name, caption, place, city }) =>
          [name, caption, place, city].some((text) => text && contains(text, query)),
        ),
      order: latestFirst,
      example: { query: "IMG" },
    },
  ),
  places: countedBy(
    "place",
    "List the places where the owner's photos were taken, most photos first.",
  ),
  cities: countedBy(
    "city",
    "List the cities where the owner's photos were taken, most photos first.",
  ),
  days: listOf(
    asIs({ day: z.string(), photos: z.int() }),
    "List the days on which the owner's photos were taken, newest first.",
    {
      rows: (_, { db }) => counted(db, ({ day }) => day).map(([day, photos]) => ({ day, photos })),
      order: by(falling(({ day }) => day)),
      example: { size: 10 },
    },
  ),
  people: listOf(
    asIs({ name: z.string(), handle: z.string(), photos: z.int() }),
    "List the people in the owner's photos, most photos first.",
    {
      rows: (_, { db }) => {
        const seen = new Set(shown(db, () => true).map(({ id }) => id));
        const counts = new Map<number, number>();
        for (const { person, photo } of db.all(faces)) {
          if (person !== null && seen.has(photo)) counts.set(person, (counts.get(person) ?? 0) + 1);
        }
        const rows = [...counts].toSorted(([a, x], [b, y]) => y - x || a - b);
        return rows.map(([person, photos]) => {
          const name = db.get(people, person)?.name ?? "removed";
          return { name, handle: handleOf(db, person), photos };
        });
      },
      example: { size: 10 },
    },
  ),
  together: ownedPhotos.list(
    "List the owner's photos that show all of these people, newest first.",
    {
      params: { people: z.array(handle("somebody")).min(1).max(6).describe("handles") },
      rows: ({ people }, { db }) => {
        const sets = people.map((person) => showing(db, person));
        return shown(db, ({ id }) => sets.every((set) => set.has(id)));
      },
      order: latestFirst,
      example: (db) => ({ people: [handleIn(db, db.all(faces)[0]?.person)] }),
    },
  ),
  memories: ownedPhotos.list(
    "List the owner's photos of the same day in earlier years, newest first.",
    {
      params: { day: day("the day to remember; default: today").optional() },
      rows: ({ day }, { db, now }) => {
        const today = day ?? dayOf(now);
        return shown(db, (row) => row.day.slice(5) === today.slice(5) && row.day < today);
      },
      order: latestFirst,
    },
  ),
  storage: defineApi({
    summary: "Show how much space the owner's photos take, in kilobytes, and the trash.",
    params: z.strictObject({}),
    returns: z.strictObject({
      used: z.int().describe("without the trash"),
      trash: z.int(),
      limit: z.int(),
      photos: z.int().describe("how many of kind photo"),
      videos: z.int(),
      scans: z.int(),
      favourites: z.int(),
    }),
    example: () => ({}),
    handler: ({ db }) => {
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
  }),
};
