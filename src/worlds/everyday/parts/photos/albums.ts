/** Albums, and what needs the owner's care: faces, links, the trash, pictures that are there twice. */
import type { Reader } from "../../../../world/index.ts";
import { type Clause, type Collection, collection, type Field } from "../../algebra/parts.ts";
import { dayWords } from "../../algebra/words.ts";
import {
  type Album,
  albumShares,
  albums,
  type Face,
  faces,
  KINDS,
  type Link,
  links,
  type Photo,
  type PhotoKind,
  photoRows,
  SIDES,
} from "../../apps/photos/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { atLeast, atMost } from "../bounds.ts";
import { isContactsAlbum, isOwn, isOwnAlbum, isSharedWith, js, photosIn } from "./looks.ts";

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

export const careCollections: readonly Collection[] = [
  own,
  ofContacts,
  openFaces,
  activeLinks,
  trashed,
  originals,
];
