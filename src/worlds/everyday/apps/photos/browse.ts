/** Finding photos: by day, place, people, tags, in the trash, on a day of earlier years. Reads only. */
import { z } from "zod";
import { defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  day,
  dayOf,
  given,
  handle,
  handleOf,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personBy,
  query,
  same,
} from "../shared.ts";
import { people } from "../tables.ts";
import { handleIn, somePhoto } from "./examples.ts";
import { comments, edits, faces, KINDS, likes, type Photo, photoRows, tags } from "./tables.ts";
import {
  albumsWith,
  facesOf,
  latestFirst,
  ownPhotos,
  photoBy,
  photoItem,
  photoView,
  tagsOf,
} from "./views.ts";

const id = idOf("photo");

const list = defineApi({
  summary: "List the owner's photos, newest first; hidden ones and the trash are left out.",
  params: z.strictObject({
    kind: z.enum(KINDS).optional().describe("only of this kind"),
    from: day("only taken on this day or later").optional(),
    until: day("only taken on this day or earlier").optional(),
    place: line("only taken at this place").optional(),
    city: line("only taken in this city").optional(),
    person: handle("only those that show this person").optional(),
    tag: line("only with this tag").optional(),
    favourite: z.boolean().optional().describe("only favourites, or only others"),
    hidden: z.boolean().default(false).describe("hidden ones instead"),
    ...paging,
  }),
  returns: pageOf(photoItem),
  example: () => ({ from: "2026-01-01", kind: "photo" }) as const,
  handler: ({ db }, { from, until, person, tag, page, size, ...match }) => {
    const shown = person === undefined ? undefined : showing(db, person);
    const tagged = tag === undefined ? undefined : withTag(db, tag);
    const rows = db
      .where(photoRows, given({ ...match, person: null, trashed: false }))
      .filter((row) => row.day >= (from ?? row.day) && row.day <= (until ?? row.day))
      .filter(({ id }) => (shown?.has(id) ?? true) && (tagged?.has(id) ?? true));
    return paged(latestFirst(rows), { page, size }, photoView);
  },
});

function showing(db: Reader, came: string): Set<number> {
  const person = personBy(db, came, "person").id;
  return new Set(db.where(faces, { person }).map(({ photo }) => photo));
}

function withTag(db: Reader, tag: string): Set<number> {
  return new Set(
    db
      .all(tags)
      .filter((row) => same(row.tag, tag))
      .map(({ photo }) => photo),
  );
}

const show = defineApi({
  summary: "Show a photo with its people, tags, albums, likes, comments and edits.",
  params: z.strictObject({ id }),
  returns: z.strictObject({
    ...photoItem.shape,
    owner: z.string().nullable(),
    people: z.array(z.string()).describe("handles"),
    tags: z.array(z.string()),
    albums: z.array(z.string()),
    likes: z.int(),
    comments: z.int(),
    edits: z.int(),
  }),
  example: (db) => ({ id: somePhoto(db) }),
  handler: ({ db }, { id }) => {
    const row = photoBy(db, id);
    return {
      ...photoView(row),
      owner: row.person === null ? null : handleOf(db, row.person),
      people: facesOf(db, id).map(({ person }) => handleOf(db, person!)),
      tags: tagsOf(db, id),
      albums: albumsWith(db, id).map(({ title }) => title),
      likes: db.where(likes, { photo: id, withdrawn: false }).length,
      comments: db.where(comments, { photo: id, withdrawn: false }).length,
      edits: db.where(edits, { photo: id, reverted: false }).length,
    };
  },
});

const search = defineApi({
  summary: "Search names, captions, places and cities of the owner's photos, newest first.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(photoItem),
  example: () => ({ query: "IMG" }),
  handler: ({ db }, { query, ...page }) => {
    const hit = ({ name, caption, place, city, hidden }: Photo) =>
      !hidden && [name, caption, place, city].some((text) => text && contains(text, query));
    return paged(latestFirst(ownPhotos(db).filter(hit)), page, photoView);
  },
});

/** How many photos share a property, most first. */
function counted(db: Reader, of: (row: Photo) => string | null): [string, number][] {
  const counts = new Map<string, number>();
  for (const row of ownPhotos(db)) {
    const key = row.hidden ? null : of(row);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].toSorted(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : y - x));
}

const countItem = pageOf(z.strictObject({ name: z.string(), photos: z.int() }));

const places = defineApi({
  summary: "List the places where the owner's photos were taken, most photos first.",
  params: z.strictObject({ ...paging }),
  returns: countItem,
  example: () => ({ size: 10 }),
  handler: ({ db }, page) =>
    paged(
      counted(db, ({ place }) => place),
      page,
      ([name, photos]) => ({ name, photos }),
    ),
});

const cities = defineApi({
  summary: "List the cities where the owner's photos were taken, most photos first.",
  params: z.strictObject({ ...paging }),
  returns: countItem,
  example: () => ({ size: 10 }),
  handler: ({ db }, page) =>
    paged(
      counted(db, ({ city }) => city),
      page,
      ([name, photos]) => ({ name, photos }),
    ),
});

const days = defineApi({
  summary: "List the days on which the owner's photos were taken, newest first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(z.strictObject({ day: z.string(), photos: z.int() })),
  example: () => ({ size: 10 }),
  handler: ({ db }, page) =>
    paged(
      counted(db, ({ day }) => day).toSorted(([a], [b]) => (a < b ? 1 : -1)),
      page,
      ([day, photos]) => ({ day, photos }),
    ),
});

const listPeople = defineApi({
  summary: "List the people in the owner's photos, most photos first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), handle: z.string(), photos: z.int() })),
  example: () => ({ size: 10 }),
  handler: ({ db }, page) => {
    const seen = new Set(ownPhotos(db).flatMap(({ id, hidden }) => (hidden ? [] : [id])));
    const counts = new Map<number, number>();
    for (const { person, photo } of db.all(faces)) {
      if (person !== null && seen.has(photo)) counts.set(person, (counts.get(person) ?? 0) + 1);
    }
    const rows = [...counts].toSorted(([a, x], [b, y]) => y - x || a - b);
    return paged(rows, page, ([person, photos]) => ({
      name: db.get(people, person)?.name ?? "removed",
      handle: handleOf(db, person),
      photos,
    }));
  },
});

const together = defineApi({
  summary: "List the owner's photos that show all of these people, newest first.",
  params: z.strictObject({
    people: z.array(handle("somebody")).min(1).max(6).describe("handles"),
    ...paging,
  }),
  returns: pageOf(photoItem),
  example: (db) => ({ people: [handleIn(db, db.all(faces)[0]?.person)] }),
  handler: ({ db }, { people, ...page }) => {
    const sets = people.map((person) => showing(db, person));
    const rows = ownPhotos(db).filter(
      ({ id, hidden }) => !hidden && sets.every((set) => set.has(id)),
    );
    return paged(latestFirst(rows), page, photoView);
  },
});

const memories = defineApi({
  summary: "List the owner's photos of the same day in earlier years, newest first.",
  params: z.strictObject({ day: day("the day to remember; default: today").optional(), ...paging }),
  returns: pageOf(photoItem),
  example: () => ({}),
  handler: ({ db, now }, { day, ...page }) => {
    const today = day ?? dayOf(now);
    const hit = (row: Photo) =>
      !row.hidden && row.day.slice(5) === today.slice(5) && row.day < today;
    return paged(latestFirst(ownPhotos(db).filter(hit)), page, photoView);
  },
});

const storage = defineApi({
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
});

export const browseApis = {
  list,
  show,
  search,
  places,
  cities,
  days,
  people: listPeople,
  together,
  memories,
  storage,
};
