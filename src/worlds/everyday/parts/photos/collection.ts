/** The owner's own photos: by what they show, where, when and whom, how large they are, and who likes them. */
import {
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Field,
} from "../../../../goals/index.ts";
import { KINDS, likes, type Photo, photoRows, tags } from "../../apps/photos/tables.ts";
import { placesOf } from "../../life/life.ts";
import { atLeast, atMost, oneOfSome } from "../bounds.ts";
import { citiesOf } from "../mentionable.ts";
import { albumValue, holdsPhoto, isListed, js, peopleIn } from "./looks.ts";

const MANY_OF = { photo: "still pictures", video: "videos", scan: "scans" } as const;

const kind: Clause<Photo> = {
  name: "kind",
  draw: ({ rng }, rows) => {
    const some = KINDS.filter((one) => {
      const count = rows.filter((row) => row.kind === one).length;
      return count > 0 && count < rows.length;
    });
    if (some.length === 0) return undefined;
    const chosen = rng.pick(some);
    const many = MANY_OF[chosen];
    return {
      words: [
        `that are ${many} (kind "${chosen}")`,
        `of the kind "${chosen}"`,
        `whose kind is "${chosen}"`,
        `which are of the kind "${chosen}"`,
        `that have the kind "${chosen}"`,
      ],
      holds: (row) => row.kind === chosen,
      code: { args: `kind:"${chosen}"` },
    };
  },
};

const shows: Clause<Photo> = {
  name: "shows",
  excludes: ["crowd"],
  draw: (draw, rows) => {
    const friend = draw.person(rows.flatMap(({ id }) => peopleIn(draw.db, id)));
    if (!friend) return undefined;
    return {
      words: [
        `of ${friend.words}`,
        `that show ${friend.words}`,
        `with ${friend.words} in them`,
        `showing ${friend.words}`,
        `that ${friend.words} appears in`,
      ],
      holds: ({ id }, db) => peopleIn(db, id).includes(friend.value.id),
      code: { args: `person:${friend.code}` },
      uses: [friend],
    };
  },
};

const crowd: Clause<Photo> = {
  name: "crowd",
  draw: ({ rng, db }, rows) => {
    const edge = atLeast(
      rng,
      rows.map(({ id }) => peopleIn(db, id).length),
    );
    if (edge === undefined || edge < 2) return undefined;
    return {
      words: [
        `with at least ${edge} people in them`,
        `that show at least ${edge} people`,
        `with at least ${edge} tagged people`,
        `showing at least ${edge} people`,
        `where at least ${edge} people are in the picture`,
      ],
      holds: ({ id }, reader) => peopleIn(reader, id).length >= edge,
      code: { test: `apis.photos.peopleIn({id:x.id,size:20}).items.length>=${edge}` },
    };
  },
};

const city: Clause<Photo> = {
  name: "city",
  excludes: ["place"],
  draw: ({ rng, split }, rows) => {
    const cities = citiesOf(split).filter((name) => rows.some((row) => row.city === name));
    if (cities.length === 0) return undefined;
    const chosen = rng.pick(cities);
    return {
      words: [
        `taken in ${chosen}`,
        `from ${chosen}`,
        `that were taken in ${chosen}`,
        `whose city is ${chosen}`,
        `which I took in ${chosen}`,
      ],
      holds: (row) => row.city === chosen,
      code: { args: `city:${js(chosen)}` },
    };
  },
};

const place: Clause<Photo> = {
  name: "place",
  draw: ({ rng, split }, rows) => {
    const places = placesOf(split).filter((name) => rows.some((row) => row.place === name));
    if (places.length === 0) return undefined;
    const chosen = rng.pick(places);
    return {
      words: [
        `taken at the ${chosen}`,
        `from the ${chosen}`,
        `that were taken at the ${chosen}`,
        `whose place is the ${chosen}`,
        `which I took at the ${chosen}`,
      ],
      holds: (row) => row.place === chosen,
      code: { args: `place:${js(chosen)}` },
    };
  },
};

const taken: Clause<Photo> = {
  name: "taken",
  draw: ({ rng }, rows) => {
    const days = rows.map(({ day }) => day);
    const early = rng.chance(0.4);
    const edge = early ? atMost(rng, days) : atLeast(rng, days);
    if (edge === undefined) return undefined;
    const when = `${dayWords(edge)} or ${early ? "earlier" : "later"}`;
    return {
      words: [
        `taken on ${when}`,
        `from ${when}`,
        `that were taken on ${when}`,
        `dated ${when}`,
        `which I took on ${when}`,
      ],
      holds: ({ day }) => (early ? day <= edge : day >= edge),
      code: { args: `${early ? "until" : "from"}:${js(edge)}` },
    };
  },
};

const size: Clause<Photo> = {
  name: "size",
  draw: ({ rng }, rows) => {
    const sizes = rows.map(({ kilobytes }) => kilobytes);
    const small = rng.chance(0.5);
    const edge = small ? atMost(rng, sizes) : atLeast(rng, sizes);
    if (edge === undefined) return undefined;
    const than = small ? "at most" : "at least";
    return {
      words: [
        `of ${than} ${edge} kilobytes`,
        `that take ${than} ${edge} kilobytes`,
        `with a size of ${than} ${edge} kilobytes`,
        `whose size is ${than} ${edge} kilobytes`,
        `that are ${than} ${edge} kilobytes large`,
      ],
      holds: ({ kilobytes }) => (small ? kilobytes <= edge : kilobytes >= edge),
      code: { test: `x.kilobytes${small ? "<=" : ">="}${edge}` },
    };
  },
};

const favourite: Clause<Photo> = {
  name: "favourite",
  draw: ({ rng }) => {
    const wanted = rng.chance(0.7);
    return {
      words: wanted
        ? [
            "that are among my favourites",
            "marked as favourites",
            "which are favourites of mine",
            "that I made favourites",
            "which I have marked as favourites",
          ]
        : [
            "that are not among my favourites",
            "not marked as favourites",
            "which are no favourites of mine",
            "that I did not make favourites",
            "which I have not marked as favourites",
          ],
      holds: (row) => row.favourite === wanted,
      code: { args: `favourite:${wanted}` },
    };
  },
};

const tagged: Clause<Photo> = {
  name: "tagged",
  draw: ({ rng, db }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.flatMap(({ id }) => db.where(tags, { photo: id }).map(({ tag }) => tag)),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `with the tag "${chosen}"`,
        `tagged "${chosen}"`,
        `that have the tag "${chosen}"`,
        `that carry the tag "${chosen}"`,
        `which are tagged "${chosen}"`,
      ],
      holds: ({ id }, reader) => reader.where(tags, { photo: id, tag: chosen }).length > 0,
      code: { args: `tag:${js(chosen)}` },
    };
  },
};

const captioned: Clause<Photo> = {
  name: "captioned",
  draw: ({ rng }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.flatMap(({ caption }) => (caption === "" ? [] : [caption])),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `with the caption "${chosen}"`,
        `captioned "${chosen}"`,
        `that have the caption "${chosen}"`,
        `whose caption is "${chosen}"`,
        `that are captioned "${chosen}"`,
      ],
      holds: ({ caption }) => caption === chosen,
      code: { test: `x.caption===${js(chosen)}` },
    };
  },
};

const likedBy: Clause<Photo> = {
  name: "liked-by",
  draw: (draw, rows) => {
    const fans = rows.flatMap(({ id }) =>
      draw.db
        .where(likes, { photo: id, withdrawn: false })
        .flatMap(({ person }) => (person === null ? [] : [person])),
    );
    const friend = draw.person(fans);
    if (!friend) return undefined;
    return {
      words: [
        `that ${friend.words} likes`,
        `liked by ${friend.words}`,
        `which ${friend.words} has liked`,
        `that have a like from ${friend.words}`,
        `which ${friend.words} has given a like`,
      ],
      holds: ({ id }, db) =>
        db.where(likes, { photo: id, person: friend.value.id, withdrawn: false }).length > 0,
      code: {
        test: `apis.photos.likes({id:x.id,size:20}).items.some(y=>y.by===${friend.code})`,
      },
      uses: [friend],
    };
  },
};

const inAlbum: Clause<Photo> = {
  name: "album",
  draw: (draw, rows) => {
    const album = albumValue(draw, ({ id }) => rows.some((row) => holdsPhoto(draw.db, id, row.id)));
    if (!album) return undefined;
    return {
      words: [
        `in ${album.words}`,
        `that are in ${album.words}`,
        `which ${album.words} holds`,
        `that belong to ${album.words}`,
        `which are part of ${album.words}`,
      ],
      holds: ({ id }, db) => holdsPhoto(db, album.value.id, id),
      code: { test: `${album.code}s.includes(x.id)` },
      uses: [
        {
          ...album,
          cells: [
            ...album.cells,
            `var ${album.code}s=[],p=1,r;do{r=apis.photos.albumPhotos({id:${album.code},size:20,page:p++});${album.code}s.push(...r.items.map(x=>x.id))}while(r.more);print(${album.code}s)`,
          ],
        },
      ],
    };
  },
};

const fields: readonly Field<Photo>[] = [
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
  {
    name: "day",
    unit: "day",
    noun: "day",
    value: ({ day }) => day,
    code: "x.day",
    superlatives: {
      most: ["newest", "latest", "most recent", "most recently taken", "last taken"],
      least: ["oldest", "earliest", "least recent", "least recently taken", "first taken"],
    },
  },
];

export const photoCollection: Collection = collection<Photo>({
  name: "photos",
  kind: "photos",
  app: "photos",
  table: photoRows,
  base: isListed,
  nouns: [
    { one: "own photo in my photo app", many: "own photos in my photo app" },
    { one: "photo of mine in the photo app", many: "photos of mine in the photo app" },
    { one: "own photo", many: "own photos in the photos app" },
    { one: "photo of mine", many: "photos of mine" },
    { one: "photo of my own", many: "photos of my own" },
  ],
  list: { api: "photos.list" },
  key: "id",
  whole: false,
  clauses: [
    kind,
    shows,
    crowd,
    city,
    place,
    taken,
    size,
    favourite,
    tagged,
    captioned,
    likedBy,
    inAlbum,
  ],
  fields,
  title: {
    of: ({ name }) => name,
    nouns: (name) => [
      `my photo ${name}`,
      `the photo ${name}`,
      `my picture ${name}`,
      `the photo of mine with the file name ${name}`,
      `my photo with the file name ${name}`,
    ],
    cells: (name, out) => [
      `var ${out}=apis.photos.search({query:${js(name)}}).items.filter(x=>x.name===${js(name)}).map(x=>x.id);print(${out})`,
    ],
    missing: ["IMG_9017.jpg", "IMG_8125.jpg", "VID_7714.mp4", "SCAN_6601.pdf"],
  },
});
