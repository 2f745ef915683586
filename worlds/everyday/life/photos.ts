/**
 * Writes the rows of the photos app: photos of happenings with the people who were there, photos of everyday life and
 * of earlier years, and scans of paper.
 *
 * A photo of a happening was taken on one of its days and at its place, and shows only people who took part. Its album,
 * comments and likes are also only by people who took part. The album of a host contains the host's photos, and the
 * owner may add photos to some of these albums. The sizes of the owner's photos are all different.
 */
import type { Rng, Writer } from "bowline/world";
import * as tables from "../apps/photos/tables.ts";
import type { Person } from "../apps/tables.ts";
import { dayFromStart, NOW } from "../population/time.ts";
import type { Happening, Life } from "./life.ts";
import * as words from "./photo-words.ts";

export function addPhotos(db: Writer, rng: Rng, life: Life): void {
  const camera = new Camera(db, rng.child("camera"));
  const today = NOW.slice(0, 10);
  for (const happening of life.happenings.filter(({ day }) => day < today)) {
    addHappening(camera, rng.child(happening.title), happening);
  }
  addEverydayPhotos(camera, rng.child("everyday"), life.density);
  addScans(camera, rng.child("scans"), life.density);
  addPhotosOfEarlierYears(camera, rng.child("memories"));
  addOwnAlbums(camera, rng.child("albums"), life);
  addCopies(camera, rng.child("copies"));
  addFavouritesAndTags(db, rng.child("marks"));
  addEdits(db, rng.child("edits"));
  addSent(db, rng.child("sent"), life);
  addLinks(db, rng.child("links"));
}

type NewPhoto = Partial<tables.Photo> & Pick<tables.Photo, "day">;

const FILE_NAMES: { readonly [K in tables.PhotoKind]: readonly [string, string] } = {
  photo: ["IMG", "jpg"],
  video: ["VID", "mp4"],
  scan: ["SCAN", "pdf"],
};

/** The least and the largest size of each kind, in kilobytes. */
const SIZE_RANGES: { readonly [K in tables.PhotoKind]: readonly [number, number] } = {
  photo: [900, 7_800],
  video: [18_000, 96_000],
  scan: [120, 880],
};

/** Inserts photos. It numbers them one after the other and never gives the same size twice. */
class Camera {
  readonly db: Writer;
  readonly #rng: Rng;
  readonly #sizes = new Set<number>();
  #number = 211;

  constructor(db: Writer, rng: Rng) {
    this.db = db;
    this.#rng = rng;
  }

  take(shot: NewPhoto): tables.Photo {
    const kind = shot.kind ?? (this.#rng.chance(0.09) ? "video" : "photo");
    const [stem, ending] = FILE_NAMES[kind];
    this.#number += this.#rng.integer(1, 4);
    const defaults = { place: null, city: null, caption: "", person: null };
    const flags = { favourite: false, hidden: false, trashed: false };
    return this.db.insert(tables.photoRows, {
      name: `${stem}_${String(this.#number).padStart(4, "0")}.${ending}`,
      kind,
      time: this.#time(),
      kilobytes: this.#size(kind),
      digest: `d${this.#number}`,
      ...defaults,
      ...flags,
      ...shot,
    });
  }

  #time(): string {
    const [hour, minute] = [this.#rng.integer(8, 22), this.#rng.integer(0, 59)];
    return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  }

  #size(kind: tables.PhotoKind): number {
    const [from, to] = SIZE_RANGES[kind];
    let size = this.#rng.integer(from, to);
    while (this.#sizes.has(size)) size++;
    this.#sizes.add(size);
    return size;
  }
}

function addFaces(db: Writer, photo: tables.Photo, people: readonly Person[]): void {
  for (const { id } of people) {
    const row = { photo: photo.id, person: id, side: null, guess: null, ignored: false };
    db.insert(tables.faces, row);
  }
}

/**
 * Adds the photos of a happening, which are spread over its days, and often an album. Some photos have a face without a
 * name.
 */
function addHappening(camera: Camera, rng: Rng, happening: Happening): void {
  const { db } = camera;
  const { kind, place, city, people, nights, host } = happening;
  const takePhoto = (person: number | null) => {
    const day = addDaysTo(happening.day, rng.integer(0, nights));
    const caption = rng.chance(0.7) ? rng.pick(words.CAPTIONS[kind]) : "";
    const photo = camera.take({ day, place, city, caption, person });
    const shown = rng.sample(people, rng.integer(0, Math.min(4, people.length)));
    addFaces(db, photo, shown);
    const rest = people.filter((someone) => !shown.includes(someone));
    if (rest.length > 0 && person === null && rng.chance(0.2)) addUnnamedFace(db, rng, photo, rest);
    return photo;
  };
  const ownPhotos = Array.from({ length: rng.integer(3, 5) }, () => takePhoto(null));
  if (host === null ? rng.chance(0.6) : rng.chance(0.7)) {
    const hostsPhotos = host
      ? Array.from({ length: rng.integer(3, 6) }, () => takePhoto(host.id))
      : [];
    const album = addHappeningAlbum(db, rng, happening);
    const albumPhotos = host
      ? [...hostsPhotos, ...(album.role === "editor" ? ownPhotos.slice(0, 2) : [])]
      : ownPhotos;
    addToAlbum(db, album, albumPhotos);
    addCommentsAndLikes(db, rng, albumPhotos, people);
  }
}

/** Returns the day that is so many days after a day. */
function addDaysTo(day: string, days: number): string {
  const daysFromToday = Math.round((Date.parse(day) - Date.parse(NOW.slice(0, 10))) / 86_400_000);
  return dayFromStart(daysFromToday + days);
}

function addUnnamedFace(
  db: Writer,
  rng: Rng,
  photo: tables.Photo,
  candidates: readonly Person[],
): void {
  db.insert(tables.faces, {
    photo: photo.id,
    person: null,
    side: rng.pick(tables.SIDES),
    guess: rng.chance(0.8) ? rng.pick(candidates).id : null,
    ignored: rng.chance(0.1),
  });
}

type NewAlbum = Partial<tables.Album> & Pick<tables.Album, "title">;

function insertAlbum(db: Writer, row: NewAlbum): tables.Album {
  const plain = { person: null, role: "editor", cover: null } as const;
  return db.insert(tables.albums, { ...plain, removed: false, left: false, ...row });
}

/** Adds an album of the host, or an album of the owner that is shared with some of those who took part. */
function addHappeningAlbum(db: Writer, rng: Rng, { title, host, people }: Happening): tables.Album {
  if (host) {
    const role = rng.chance(0.5) ? "editor" : "viewer";
    return insertAlbum(db, { title, person: host.id, role, left: rng.chance(0.2) });
  }
  const album = insertAlbum(db, { title });
  for (const { id } of rng.sample(people, rng.integer(1, people.length))) {
    const role = rng.chance(0.3) ? "editor" : "viewer";
    const row = { album: album.id, person: id, role, ended: rng.chance(0.08) } as const;
    db.insert(tables.albumShares, row);
  }
  return album;
}

function addToAlbum(db: Writer, album: tables.Album, photos: readonly tables.Photo[]): void {
  for (const { id } of photos) {
    db.insert(tables.albumPhotos, { album: album.id, photo: id, removed: false });
  }
}

/** Adds likes, and comments on some of the photos. The owner likes photos by others. */
function addCommentsAndLikes(
  db: Writer,
  rng: Rng,
  photos: readonly tables.Photo[],
  people: readonly Person[],
): void {
  for (const { id: photo, person: taker, day } of photos) {
    for (const { id: person } of rng.sample(people, rng.integer(0, 2))) {
      if (person !== taker) db.insert(tables.likes, { photo, person, withdrawn: false });
    }
    if (taker !== null && rng.chance(0.12)) {
      db.insert(tables.likes, { photo, person: null, withdrawn: false });
    }
    if (!rng.chance(0.45)) continue;
    const person = rng.chance(0.25) ? null : rng.pick(people).id;
    const at = `${day}T23:${String(rng.integer(10, 59))}:00Z`;
    const text = rng.pick(words.COMMENTS);
    db.insert(tables.comments, { photo, person, text, withdrawn: false, at });
  }
}

/** Adds photos of everyday life at home, without a place. */
function addEverydayPhotos(camera: Camera, rng: Rng, density: number): void {
  for (let i = 0; i < Math.round(36 * density); i++) {
    const day = dayFromStart(-rng.integer(1, 120));
    camera.take({ day, caption: rng.pick(words.EVERYDAY) });
  }
}

function addScans(camera: Camera, rng: Rng, density: number): void {
  const subjects = rng.shuffle(words.SCANS);
  for (let i = 0; i < Math.round(24 * density); i++) {
    const day = dayFromStart(-rng.integer(3, 400));
    camera.take({ kind: "scan", day, caption: subjects[i % subjects.length]! });
  }
}

/** Adds photos of days around today in earlier years. Some were taken on exactly today's date. */
function addPhotosOfEarlierYears(camera: Camera, rng: Rng): void {
  for (const year of [2021, 2022, 2023, 2024, 2025]) {
    for (let i = 0; i < 5; i++) {
      const day = dayFromStart(i < 2 ? 0 : rng.integer(-8, 12)).replace(/^\d+/, String(year));
      camera.take({ day, caption: rng.pick(words.EVERYDAY) });
    }
  }
}

/** Adds albums of everyday photos. Some are shared with a few people of the circle, and one was removed. */
function addOwnAlbums({ db }: Camera, rng: Rng, { everyone }: Life): void {
  const everydayPhotos = db.where(tables.photoRows, { person: null, place: null });
  for (const [i, title] of words.ALBUMS.entries()) {
    const album = insertAlbum(db, { title, removed: i === words.ALBUMS.length - 1 });
    const kind = /paper|receipt|recipe/i.test(title) ? "scan" : "photo";
    const fitting = everydayPhotos.filter((photo) => photo.kind === kind);
    addToAlbum(db, album, rng.sample(fitting, rng.integer(4, 12)));
    if (i % 3 !== 0 || album.removed) continue;
    for (const { id } of rng.sample(everyone.circle, 2)) {
      db.insert(tables.albumShares, { album: album.id, person: id, role: "viewer", ended: false });
    }
  }
}

/** Adds copies of ten photos, and moves some photos to the trash. */
function addCopies(camera: Camera, rng: Rng): void {
  const { db } = camera;
  const ownPhotos = db.where(tables.photoRows, { person: null, kind: "photo" });
  for (const { digest, day, time, place, city, caption } of rng.sample(ownPhotos, 10)) {
    camera.take({ kind: "photo", digest, day, time, place, city, caption });
  }
  const rest = db.where(tables.photoRows, { person: null }).filter(({ kind }) => kind !== "photo");
  for (const { id } of [...rng.sample(ownPhotos, 8), ...rng.sample(rest, 5)]) {
    db.update(tables.photoRows, id, { trashed: true });
  }
}

/** Sets favourites and hidden photos, and adds tags. There are only fourteen favourites. */
function addFavouritesAndTags(db: Writer, rng: Rng): void {
  const ownPhotos = db.where(tables.photoRows, { person: null, trashed: false });
  const best = new Set(rng.sample(ownPhotos, 14));
  for (const row of ownPhotos) {
    const { id } = row;
    db.update(tables.photoRows, id, { favourite: best.has(row), hidden: rng.chance(0.04) });
    if (!rng.chance(0.2)) continue;
    for (const tag of rng.sample(words.TAGS, rng.chance(0.25) ? 2 : 1)) {
      db.insert(tables.tags, { photo: id, tag });
    }
  }
}

function addEdits(db: Writer, rng: Rng): void {
  const ownPhotos = db.where(tables.photoRows, { person: null, kind: "photo", trashed: false });
  for (const { id } of rng.sample(ownPhotos, 40)) {
    for (const kind of rng.sample(tables.EDITS, rng.integer(1, 2))) {
      const amount = {
        rotate: 90 * rng.integer(1, 3),
        crop: rng.integer(50, 95),
        brighten: rng.integer(5, 40),
        monochrome: null,
      }[kind];
      db.insert(tables.edits, { photo: id, kind, amount, reverted: rng.chance(0.15) });
    }
  }
}

/** Adds photos that the owner sent to people who are in them. */
function addSent(db: Writer, rng: Rng, { density }: Life): void {
  const named = db.all(tables.faces).filter(({ person, photo }) => {
    const row = db.get(tables.photoRows, photo)!;
    return person !== null && row.person === null && !row.trashed;
  });
  for (const { photo, person } of rng.sample(named, Math.round(40 * density))) {
    const { day } = db.get(tables.photoRows, photo)!;
    const at = `${day}T23:59:00Z`;
    db.insert(tables.sentPhotos, { photo, person: person!, note: rng.pick(words.NOTES), at });
  }
}

/** Adds links. Some of them still work. */
function addLinks(db: Writer, rng: Rng): void {
  const own = db.where(tables.photoRows, { person: null, trashed: false });
  const albums = db.where(tables.albums, { person: null, removed: false });
  const link = (photo: number | null, album: number | null) => {
    const expires = dayFromStart(rng.chance(0.6) ? rng.integer(1, 60) : -rng.integer(1, 40));
    db.insert(tables.links, { photo, album, expires, revoked: rng.chance(0.15) });
  };
  for (const { id } of rng.sample(own, 14)) link(id, null);
  for (const { id } of rng.sample(albums, 8)) link(null, id);
}
