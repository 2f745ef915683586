/** What needs the owner's care: faces without a name, links, the trash, pictures that are there twice. */

import {
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Field,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  albums,
  type Face,
  faces,
  KINDS,
  type Link,
  links,
  type Photo,
  photoRows,
  SIDES,
} from "../../apps/photos/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { atLeast, atMost } from "../bounds.ts";
import { isOwn, js } from "./looks.ts";

// --- faces ---

const needsName = ({ person, ignored, photo }: Face, db: Reader) =>
  person === null && !ignored && !db.get(photoRows, photo)!.trashed;

const guessed: Clause<Face> = {
  name: "guessed",
  draw: (draw, rows) => {
    const friend = draw.person(rows.flatMap(({ guess }) => (guess === null ? [] : [guess])));
    if (!friend) return undefined;
    return {
      words: [
        `that the app takes for ${friend.words}`,
        `guessed to be ${friend.words}`,
        `that the app guesses to be ${friend.words}`,
        `whose guess is ${friend.words}`,
        `that by the app's guess belong to ${friend.words}`,
      ],
      holds: ({ guess }) => guess === friend.value.id,
      code: { test: `x.guess===${friend.code}` },
      uses: [friend],
    };
  },
};

const side: Clause<Face> = {
  name: "side",
  draw: ({ rng }) => {
    const chosen = rng.pick(SIDES);
    const where = chosen === "middle" ? "in the middle" : `on the ${chosen}`;
    return {
      words: [
        `${where} of the picture`,
        `that are ${where} of the picture`,
        `which appear ${where} of the picture`,
        `to be seen ${where} of the picture`,
        `that can be seen ${where} of the picture`,
      ],
      holds: (row) => row.side === chosen,
      code: { test: `x.side==="${chosen}"` },
    };
  },
};

const unguessed: Clause<Face> = {
  name: "unguessed",
  excludes: ["guessed"],
  draw: () => ({
    words: [
      "that the app has no guess for",
      "without a guess by the app",
      "without a guess about the person",
      "that the app cannot guess a person for",
      "that come without a guess",
    ],
    holds: ({ guess }) => guess === null,
    code: { test: "x.guess===null" },
  }),
};

const openFaces: Collection = collection<Face>({
  name: "faces",
  kind: "faces",
  app: "photos",
  table: faces,
  base: needsName,
  nouns: [
    { one: "unnamed face", many: "unnamed faces in my photos" },
    { one: "face without a name", many: "faces without a name in my photos" },
    { one: "nameless face", many: "nameless faces in my photos" },
    { one: "face that needs a name", many: "faces in my photos still without a name" },
    { one: "face to be named", many: "still unnamed faces in my photos" },
  ],
  list: { api: "photos.faces" },
  key: "id",
  whole: false,
  clauses: [guessed, side, unguessed],
  fields: [
    {
      name: "photo",
      unit: "text",
      noun: "name of the photo",
      value: ({ photo }, db) => db.get(photoRows, photo)!.name,
      code: "x.name",
    },
  ],
});

// --- links ---

const TODAY = dayAfter(0);
const works = ({ revoked, expires }: Link) => !revoked && expires >= TODAY;

const ofWhat: Clause<Link> = {
  name: "of-what",
  draw: ({ rng }) => {
    const album = rng.chance(0.5);
    const what = album ? "an album" : "a single photo";
    return {
      words: [
        `to ${what}`,
        `that lead to ${what}`,
        `which show ${what}`,
        `that open ${what}`,
        `which lead to ${what}`,
      ],
      holds: (row) => (row.album !== null) === album,
      code: { test: album ? "x.album!==null" : "x.photo!==null" },
    };
  },
};

const expiring: Clause<Link> = {
  name: "expiring",
  draw: ({ rng }, rows) => {
    const edge = atMost(
      rng,
      rows.map(({ expires }) => expires),
    );
    if (edge === undefined) return undefined;
    const day = dayWords(edge);
    return {
      words: [
        `that expire on ${day} or earlier`,
        `expiring no later than ${day}`,
        `whose last day is ${day} or earlier`,
        `that work until ${day} at the latest`,
        `which expire on ${day} or before`,
      ],
      holds: ({ expires }) => expires <= edge,
      code: { test: `x.expires<=${js(edge)}` },
    };
  },
};

const activeLinks: Collection = collection<Link>({
  name: "links",
  kind: "links",
  app: "photos",
  table: links,
  base: works,
  nouns: [
    { one: "working photo link", many: "working links of my photo app" },
    { one: "active photo link", many: "active links of my photo app" },
    { one: "valid photo link", many: "still valid links of my photo app" },
    { one: "active link of the photos app", many: "active links of the photos app" },
    { one: "working link of the photos app", many: "still working links of the photos app" },
  ],
  list: { api: "photos.links", args: "active:true" },
  key: "id",
  whole: true,
  clauses: [ofWhat, expiring],
  fields: [
    {
      name: "of",
      unit: "text",
      noun: "photo or album it shows",
      value: ({ photo, album }, db) =>
        photo === null ? db.get(albums, album!)!.title : db.get(photoRows, photo)!.name,
      code: "x.of",
    },
    {
      name: "expires",
      unit: "day",
      noun: "last day",
      value: ({ expires }) => expires,
      code: "x.expires",
      superlatives: {
        most: [
          "last to expire",
          "longest-lived",
          "latest-expiring",
          "longest-valid",
          "furthest-reaching in time",
        ],
        least: [
          "first to expire",
          "shortest-lived",
          "earliest-expiring",
          "soonest-expiring",
          "next-expiring",
        ],
      },
    },
  ],
});

// --- the trash and copies ---

const trashedKind: Clause<Photo> = {
  name: "kind",
  draw: ({ rng }, rows) => {
    const some = KINDS.filter((kind) => rows.some((row) => row.kind === kind));
    if (some.length < 2) return undefined;
    const kind = rng.pick(some);
    return {
      words: [
        `that have the kind "${kind}"`,
        `of the kind "${kind}"`,
        `whose kind is "${kind}"`,
        `which are of the kind "${kind}"`,
        `of kind "${kind}"`,
      ],
      holds: (row) => row.kind === kind,
      code: { test: `x.kind==="${kind}"` },
    };
  },
};

const large: Clause<Photo> = {
  name: "large",
  draw: ({ rng }, rows) => {
    const edge = atLeast(
      rng,
      rows.map(({ kilobytes }) => kilobytes),
    );
    if (edge === undefined) return undefined;
    return {
      words: [
        `of at least ${edge} kilobytes`,
        `that take at least ${edge} kilobytes`,
        `with a size of at least ${edge} kilobytes`,
        `whose size is at least ${edge} kilobytes`,
        `that are at least ${edge} kilobytes large`,
      ],
      holds: ({ kilobytes }) => kilobytes >= edge,
      code: { test: `x.kilobytes>=${edge}` },
    };
  },
};

const careFields: readonly Field<Photo>[] = [
  { name: "name", unit: "text", noun: "file name", value: ({ name }) => name, code: "x.name" },
  {
    name: "size",
    unit: "number",
    noun: "size in kilobytes",
    value: ({ kilobytes }) => kilobytes,
    code: "x.kilobytes",
    superlatives: {
      most: ["largest", "biggest", "heaviest", "most space-consuming", "bulkiest"],
      least: ["smallest", "tiniest", "lightest", "least space-consuming", "least bulky"],
    },
  },
];

const trashed: Collection = collection<Photo>({
  name: "trash",
  kind: "trashed-photos",
  app: "photos",
  table: photoRows,
  base: (row) => row.person === null && row.trashed,
  nouns: [
    { one: "photo in the trash", many: "photos in the trash of my photo app" },
    { one: "trashed photo", many: "trashed photos in my photo app" },
    { one: "thrown-away photo", many: "thrown-away photos in the trash of my photo app" },
    { one: "photo in the trash", many: "photos in the trash of the photos app" },
    { one: "trashed photo", many: "photos that lie in the trash of the photos app" },
  ],
  list: { api: "photos.trash" },
  key: "id",
  whole: true,
  clauses: [trashedKind, large],
  fields: careFields,
});

const copiesOf = (db: Reader, { digest }: Photo) => db.where(photoRows, { digest }).filter(isOwn);

const originals: Collection = collection<Photo>({
  name: "duplicates",
  kind: "originals",
  app: "photos",
  table: photoRows,
  base: (row, db) =>
    isOwn(row) &&
    copiesOf(db, row).length > 1 &&
    copiesOf(db, row).every(({ kilobytes }) => kilobytes <= row.kilobytes),
  nouns: [
    { one: "duplicated photo", many: "duplicated photos in my photo app" },
    { one: "photo with copies", many: "photos of mine with copies in my photo app" },
    { one: "photo kept twice", many: "photos kept more than once in my photo app" },
    { one: "duplicated photo", many: "duplicated photos in the photos app" },
    { one: "photo with copies", many: "photos of mine with duplicates in the photos app" },
  ],
  list: { api: "photos.duplicates" },
  key: "id",
  whole: true,
  clauses: [large],
  fields: careFields,
});

export const careCollections: readonly Collection[] = [openFaces, activeLinks, trashed, originals];
