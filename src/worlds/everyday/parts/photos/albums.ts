/** Albums: the owner's own, and those that contacts share with the owner. */

import { type Clause, type Collection, collection, type Field } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Album, albumShares, albums, type PhotoKind } from "../../apps/photos/tables.ts";
import { atLeast, atMost } from "../bounds.ts";
import { isContactsAlbum, isOwnAlbum, isSharedWith, js, photosIn } from "./looks.ts";

// --- albums ---

const count: Clause<Album> = {
  name: "count",
  draw: ({ rng, db }, rows) => {
    const counts = rows.map(({ id }) => photosIn(db, id).length);
    const small = rng.chance(0.5);
    const edge = small ? atMost(rng, counts) : atLeast(rng, counts);
    if (edge === undefined) return undefined;
    const than = small ? "at most" : "at least";
    const many = edge === 1 ? "1 photo" : `${edge} photos`;
    return {
      words: [
        `with ${than} ${many}`,
        `that have ${than} ${many}`,
        `holding ${than} ${many}`,
        `that contain ${than} ${many}`,
        `which hold ${than} ${many}`,
      ],
      holds: ({ id }, reader) => {
        const size = photosIn(reader, id).length;
        return small ? size <= edge : size >= edge;
      },
      code: { test: `x.photos${small ? "<=" : ">="}${edge}` },
    };
  },
};

const hasKind = (db: Reader, { id }: Album, kind: PhotoKind) =>
  photosIn(db, id).some((photo) => photo.kind === kind);

const withVideo: Clause<Album> = {
  name: "with-video",
  draw: () => ({
    words: [
      "that contain at least one video",
      "with at least one video",
      "which include at least one video",
      "that hold one or more videos",
      "where one photo or more is a video",
    ],
    holds: (row, db) => hasKind(db, row, "video"),
    code: { test: 'apis.photos.albumPhotos({id:x.id,kind:"video"}).items.length>0' },
  }),
};

const sharedWith: Clause<Album> = {
  name: "shared-with",
  excludes: ["shared"],
  draw: (draw, rows) => {
    const known = rows.flatMap(({ id }) =>
      draw.db.where(albumShares, { album: id, ended: false }).map(({ person }) => person),
    );
    const friend = draw.person(known);
    if (!friend) return undefined;
    return {
      words: [
        `that I share with ${friend.words}`,
        `shared with ${friend.words}`,
        `that are shared with ${friend.words}`,
        `that I let ${friend.words} into`,
        `which ${friend.words} was let into`,
      ],
      holds: ({ id }, db) => isSharedWith(db, id, friend.value.id),
      code: { args: `sharedWith:${friend.code}` },
      uses: [friend],
    };
  },
};

const shared: Clause<Album> = {
  name: "shared",
  draw: ({ rng }) => {
    const wanted = rng.chance(0.4);
    return {
      words: wanted
        ? [
            "that I share with somebody",
            "shared with at least one person",
            "which are shared with someone",
            "that one person or more was let into",
            "that are shared with one person or more",
          ]
        : [
            "that I share with nobody",
            "shared with no one",
            "which are not shared with anybody",
            "that nobody else was let into",
            "that are not shared at all",
          ],
      holds: ({ id }, db) =>
        db.where(albumShares, { album: id, ended: false }).length > 0 === wanted,
      code: { test: wanted ? "x.shared>0" : "x.shared===0" },
    };
  },
};

const from: Clause<Album> = {
  name: "from",
  excludes: ["role"],
  draw: (draw, rows) => {
    const friend = draw.person(rows.flatMap(({ person }) => (person === null ? [] : [person])));
    if (!friend) return undefined;
    return {
      words: [
        `that belong to ${friend.words}`,
        `whose owner is ${friend.words}`,
        `that are owned by ${friend.words}`,
        `which ${friend.words} owns`,
        `which belong to ${friend.words}`,
      ],
      holds: ({ person }) => person === friend.value.id,
      code: { args: `from:${friend.code}` },
      uses: [friend],
    };
  },
};

const role: Clause<Album> = {
  name: "role",
  draw: ({ rng }) => {
    const chosen = rng.pick(["editor", "viewer"] as const);
    const article = chosen === "editor" ? "an editor" : "a viewer";
    return {
      words: [
        `where I have the role ${chosen}`,
        `where I am ${article}`,
        `whose owner gave me the role ${chosen}`,
        `where my role is ${chosen}`,
        `that I can use as ${article}`,
      ],
      holds: (row) => row.role === chosen,
      code: { args: `role:"${chosen}"` },
    };
  },
};

const bytesOf = (db: Reader, { id }: Album) =>
  photosIn(db, id).reduce((sum, { kilobytes }) => sum + kilobytes, 0);

const albumFields: readonly Field<Album>[] = [
  { name: "title", unit: "text", noun: "title", value: ({ title }) => title, code: "x.title" },
  {
    name: "photos",
    unit: "number",
    noun: "number of photos",
    value: ({ id }, db) => photosIn(db, id).length,
    code: "x.photos",
  },
  {
    name: "bytes",
    unit: "number",
    noun: "size in kilobytes",
    value: (row, db) => bytesOf(db, row),
    code: "apis.photos.album({id:x.id}).kilobytes",
    superlatives: {
      most: [
        "largest (in kilobytes)",
        "biggest (in kilobytes)",
        "most space-consuming",
        "heaviest (in kilobytes)",
        "bulkiest (in kilobytes)",
      ],
      least: [
        "smallest (in kilobytes)",
        "tiniest (in kilobytes)",
        "least space-consuming",
        "lightest (in kilobytes)",
        "least bulky (in kilobytes)",
      ],
    },
  },
];

const own: Collection = collection<Album>({
  name: "own-albums",
  kind: "albums",
  app: "photos",
  table: albums,
  base: isOwnAlbum,
  nouns: [
    { one: "own album in my photo app", many: "own albums in my photo app" },
    { one: "album of mine in the photos app", many: "albums of mine in the photos app" },
    { one: "own album in the photos app", many: "own albums in the photos app" },
    { one: "photo album of mine", many: "photo albums of mine" },
    { one: "photo album of my own", many: "photo albums of my own" },
  ],
  list: { api: "photos.albums", args: "own:true" },
  key: "id",
  whole: false,
  clauses: [count, withVideo, sharedWith, shared],
  fields: albumFields,
  title: {
    of: ({ title }) => title,
    nouns: (title) => [
      `my album "${title}"`,
      `my photo album "${title}"`,
      `my own album "${title}"`,
      `the album of mine called "${title}"`,
      `the photo album "${title}" that I own`,
    ],
    cells: (title, out) => [
      `var ${out}=apis.photos.findAlbums({query:${js(title)},size:20}).items.filter(x=>x.title===${js(title)}&&x.owner===null).map(x=>x.id);print(${out})`,
    ],
    missing: ["Penguins", "Castle ruins", "Submarines", "Rooftop bees"],
  },
});

const ofContacts: Collection = collection<Album>({
  name: "contacts-albums",
  kind: "contacts-albums",
  app: "photos",
  table: albums,
  base: isContactsAlbum,
  nouns: [
    { one: "contact's photo album", many: "albums of my contacts in the photo app" },
    { one: "album of a contact in the photos app", many: "albums of contacts in the photos app" },
    { one: "photo album belonging to a contact", many: "photo albums belonging to my contacts" },
    { one: "photo album of a contact", many: "photo albums of my contacts" },
    { one: "photo album owned by a contact", many: "photo albums owned by my contacts" },
  ],
  list: { api: "photos.albums", args: "own:false" },
  key: "id",
  whole: false,
  clauses: [count, withVideo, from, role],
  fields: albumFields,
  title: {
    of: ({ title }) => title,
    nouns: (title) => [
      `the photo album "${title}" of a contact`,
      `my contact's photo album "${title}"`,
      `the photo album "${title}" of one of my contacts`,
      `the photo album "${title}" that a contact owns`,
      `the contact's photo album "${title}"`,
    ],
    cells: (title, out) => [
      `var ${out}=apis.photos.findAlbums({query:${js(title)},size:20}).items.filter(x=>x.title===${js(title)}&&x.owner!==null).map(x=>x.id);print(${out})`,
    ],
    missing: ["Sledge race", "The ice hotel", "Harvest choir", "Night swim"],
  },
});

export const albumCollections: readonly Collection[] = [own, ofContacts];
