/** Things done once, values found in the photo app, and numbers about it. */
import type { Deed, Fact, Source } from "../../../../goals/index.ts";
import { albums, edits, links, photoRows, placed } from "../../apps/photos/tables.ts";
import { NOW } from "../../population/time.ts";
import { albumValue, holdsPhoto, isOwn, js, photoValue } from "./looks.ts";

const TODAY = NOW.slice(0, 10);

const TITLES = [
  "For the hallway",
  "Ten good ones",
  "Slides for the party",
  "To show at work",
  "Postcards",
  "Before and after",
  "Only the funny ones",
  "The old flat",
];

const plain = { person: null, role: "editor", removed: false, left: false } as const;

// --- deeds ---

const createWith: Deed = {
  name: "create-album",
  app: "photos",
  draw: (draw) => {
    const first = photoValue(draw);
    const second = photoValue(draw, ({ id }) => id !== first?.value.id);
    if (!first || !second) return undefined;
    const title = draw.rng.pick(TITLES);
    const code = draw.variable("album");
    const both = `${first.words} and ${second.words}`;
    return {
      sentences: [
        `Create a photo album "${title}" with ${both}`,
        `Make a new photo album called "${title}" that holds ${both}`,
        `Set up a photo album "${title}" and put ${both} into it`,
        `I need a new photo album named "${title}" with ${both} in it`,
        `Start a new photo album "${title}" and add ${both}`,
      ],
      apply: (db) => {
        const album = db.insert(albums, { title, cover: null, ...plain }).id;
        for (const { value } of [first, second]) {
          db.insert(placed, { album, photo: value.id, removed: false });
        }
      },
      cells: [
        `var ${code}=apis.photos.createAlbum({title:${js(title)}}).id;print(${code})`,
        `apis.photos.addToAlbum({album:${code},photo:${first.code}});apis.photos.addToAlbum({album:${code},photo:${second.code}})`,
      ],
      uses: [first, second],
    };
  },
};

const rename: Deed = {
  name: "rename-album",
  app: "photos",
  draw: (draw) => {
    const album = albumValue(draw);
    if (!album) return undefined;
    const title = draw.rng.pick(TITLES);
    return {
      sentences: [
        `Rename ${album.words} to "${title}"`,
        `Change the title of ${album.words} to "${title}"`,
        `Call ${album.words} "${title}" from now on`,
        `Let ${album.words} have the new title "${title}"`,
        `Give ${album.words} the title "${title}" in place of the old one`,
      ],
      apply: (db) => {
        db.update(albums, album.value.id, { title });
      },
      cells: [`apis.photos.renameAlbum({id:${album.code},title:${js(title)}})`],
      uses: [album],
    };
  },
};

const setCover: Deed = {
  name: "set-cover",
  app: "photos",
  draw: (draw) => {
    const album = albumValue(draw);
    if (!album) return undefined;
    const photo = photoValue(draw, ({ id }) => holdsPhoto(draw.db, album.value.id, id));
    if (!photo || photo.value.id === album.value.cover) return undefined;
    return {
      sentences: [
        `Make ${photo.words} the cover of ${album.words}`,
        `Set the cover of ${album.words} to ${photo.words}`,
        `Use ${photo.words} as the cover of ${album.words}`,
        `Let ${photo.words} be the cover of ${album.words}`,
        `Give ${album.words} a new cover: ${photo.words}`,
      ],
      apply: (db) => {
        db.update(albums, album.value.id, { cover: photo.value.id });
      },
      cells: [`apis.photos.setCover({album:${album.code},photo:${photo.code}})`],
      uses: [album, photo],
    };
  },
};

const moveBetween: Deed = {
  name: "move-photo",
  app: "photos",
  draw: (draw) => {
    const from = albumValue(draw);
    if (!from) return undefined;
    const photo = photoValue(draw, ({ id }) => holdsPhoto(draw.db, from.value.id, id));
    if (!photo || photo.value.id === from.value.cover) return undefined;
    const id = photo.value.id;
    const to = albumValue(
      draw,
      (row) => draw.db.where(placed, { album: row.id, photo: id }).length === 0,
    );
    if (!to) return undefined;
    return {
      sentences: [
        `Move ${photo.words} from ${from.words} to ${to.words}`,
        `Take ${photo.words} out of ${from.words} and put it into ${to.words}`,
        `Let ${photo.words} move from ${from.words} to ${to.words}`,
        `Transfer ${photo.words} from ${from.words} to ${to.words}`,
        `Shift ${photo.words} out of ${from.words} into ${to.words}`,
      ],
      apply: (db) => {
        const [row] = db.where(placed, { album: from.value.id, photo: id });
        db.update(placed, row!.id, { removed: true });
        db.insert(placed, { album: to.value.id, photo: id, removed: false });
      },
      cells: [`apis.photos.moveToAlbum({photo:${photo.code},from:${from.code},to:${to.code}})`],
      uses: [from, photo, to],
    };
  },
};

const undoEdit: Deed = {
  name: "undo-last-edit",
  app: "photos",
  draw: (draw) => {
    const standing = (photo: number) => draw.db.where(edits, { photo, reverted: false });
    const photo = photoValue(draw, ({ id }) => standing(id).length > 1);
    if (!photo) return undefined;
    const last = standing(photo.value.id).at(-1)!.id;
    return {
      sentences: [
        `Undo only the last edit of ${photo.words}`,
        `Revert the last edit of ${photo.words} and no other`,
        `Take back just the most recent edit of ${photo.words}`,
        `Let the last edit of ${photo.words} be reverted, but not those before it`,
        `Revert ${photo.words} by one edit, the last one`,
      ],
      apply: (db) => {
        db.update(edits, last, { reverted: true });
      },
      cells: [`apis.photos.revert({id:${photo.code}})`],
      uses: [photo],
    };
  },
};

const linkAlbum: Deed = {
  name: "link-album",
  app: "photos",
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    const album = albumValue(draw);
    if (!album || day.value < TODAY) return undefined;
    return {
      sentences: [
        `Make a link to ${album.words} that expires on ${day.words}`,
        `Create a link to ${album.words} with ${day.words} as its last day`,
        `Set up a link to ${album.words} that works until ${day.words}`,
        `I need a link to ${album.words}; its last day shall be ${day.words}`,
        `Generate a link to ${album.words}, valid until ${day.words}`,
      ],
      apply: (db) => {
        const row = { photo: null, album: album.value.id, expires: day.value, revoked: false };
        db.insert(links, row);
      },
      cells: [`apis.photos.createLink({album:${album.code},expires:${day.code}})`],
      uses: [day, album],
    };
  },
};

export const deeds: readonly Deed[] = [
  createWith,
  rename,
  setCover,
  moveBetween,
  undoEdit,
  linkAlbum,
];

// --- sources ---

const captionOf: Source<"text"> = {
  name: "caption",
  type: "text",
  app: "photos",
  draw: (draw) => {
    const photo = photoValue(draw, ({ caption }) => caption !== "");
    if (!photo) return undefined;
    const code = draw.variable("caption");
    return {
      value: photo.value.caption,
      words: `the caption of ${photo.words}`,
      code,
      cells: [
        ...photo.cells,
        `var ${code}=apis.photos.show({id:${photo.code}}).caption;print(${code})`,
      ],
      apps: ["photos"],
    };
  },
};

/** Of the only link to a photo that still works. */
const lastDay: Source<"day"> = {
  name: "link-expiry",
  type: "day",
  app: "photos",
  draw: (draw) => {
    const active = draw.db.all(links).filter((row) => !row.revoked && row.expires >= TODAY);
    const ofPhoto = (id: number) => active.filter(({ photo }) => photo === id);
    const photo = photoValue(draw, ({ id }) => ofPhoto(id).length === 1);
    if (!photo) return undefined;
    const code = draw.variable("day");
    return {
      value: ofPhoto(photo.value.id)[0]!.expires,
      words: `the last day of the active link to ${photo.words}`,
      code,
      cells: [
        ...photo.cells,
        `var active=[],p=1,r;do{r=apis.photos.links({active:true,size:20,page:p++});active.push(...r.items)}while(r.more);var ${code}=active.find(x=>x.photo===${photo.code}).expires;print(${code})`,
      ],
      apps: ["photos"],
    };
  },
};

export const sources: readonly Source[] = [captionOf, lastDay];

// --- facts ---

export const facts: readonly Fact[] = [
  {
    name: "favourites",
    app: "photos",
    unit: "number",
    words: [
      "the number of my favourites in the photo app",
      "the count of favourites in my photo app",
      "the number of photos of mine that are favourites",
      "the number of favourites among my photos",
      "the count of my photos marked as favourites",
    ],
    value: (db) => db.all(photoRows).filter((row) => isOwn(row) && row.favourite).length,
    code: "apis.photos.storage({}).favourites",
  },
  {
    name: "used",
    app: "photos",
    unit: "number",
    words: [
      "the space in kilobytes that my photos take outside the trash",
      "the number of kilobytes that my photos use outside the trash",
      "the kilobytes used by my photos, not counting the trash",
      "the storage in kilobytes used by my photos without the trash",
      "the size in kilobytes of all my photos together, trash excluded",
    ],
    value: (db) =>
      db
        .all(photoRows)
        .filter(isOwn)
        .reduce((sum, { kilobytes }) => sum + kilobytes, 0),
    code: "apis.photos.storage({}).used",
  },
  {
    name: "videos",
    app: "photos",
    unit: "number",
    words: [
      "the number of videos in my photo app, hidden ones included",
      "the count of my videos in the photo app, hidden ones included",
      "the number of all my videos in the photo app, also hidden ones",
      "the number of videos of mine in the photo app, even hidden ones",
      "the count of all videos of mine in the photo app, also hidden ones",
    ],
    value: (db) => db.all(photoRows).filter((row) => isOwn(row) && row.kind === "video").length,
    code: "apis.photos.storage({}).videos",
  },
];
