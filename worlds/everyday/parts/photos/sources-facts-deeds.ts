/** Single tasks in photos, values that other parts can look up there, and facts about the storage. */
import { type DrawContext, deeds, fact, facts, jsLiteral, sources, wordList } from "bowline/goals";
import type { Reader } from "bowline/world";
import { albums, edits, links, photoRows } from "../../apps/photos/tables.ts";
import { TODAY } from "../../population/time.ts";
import { readAllItemsCode } from "../music/music-and-photos.ts";
import { createWithTwoPhrases, renamePhrases } from "../music/shared-things.ts";
import {
  containsPhoto,
  drawListedPhoto,
  drawOwnAlbum,
  insertAlbumPhoto,
  isOwnPhoto,
  removeFromAlbum,
  wasEverInAlbum,
} from "./photo-rows.ts";

const ALBUM_TITLES = wordList(
  `For the hallway | Ten good ones | Slides for the party | To show at work | Postcards
    | Before and after | Only the funny ones | The old flat`,
);

const OWN_ALBUM = { person: null, role: "editor", removed: false, left: false } as const;

const activeEdits = (db: Reader, photo: number) => db.where(edits, { photo, reverted: false });
const drawPhotoEditedTwice = (draw: DrawContext) =>
  drawListedPhoto(draw, ({ id }) => activeEdits(draw.db, id).length > 1);

export const photosDeeds = deeds(
  "photos",
  ({ storeAndPrint, drawThenMake, drawnDeed, drawnDeedWithValue, deedWithOne }) => ({
    "create-album": (draw) => {
      const first = drawListedPhoto(draw);
      const second = drawListedPhoto(draw, ({ id }) => id !== first?.value.id);
      if (!first || !second) return undefined;
      const title = draw.rng.pick(ALBUM_TITLES);
      const code = draw.variable("album");
      return {
        sentences: createWithTwoPhrases("photo album", title, `${first.words} and ${second.words}`),
        apply: (db) => {
          const album = db.insert(albums, { title, cover: null, ...OWN_ALBUM }).id;
          insertAlbumPhoto(db, album, first.value.id);
          insertAlbumPhoto(db, album, second.value.id);
        },
        cells: [
          storeAndPrint(code, `apis.photos.createAlbum({title:${jsLiteral(title)}}).id`),
          `apis.photos.addToAlbum({album:${code},photo:${first.code}});apis.photos.addToAlbum({album:${code},photo:${second.code}})`,
        ],
        uses: [first, second],
      };
    },
    "rename-album": drawThenMake(drawOwnAlbum, (album, { rng }) => {
      const title = rng.pick(ALBUM_TITLES);
      return {
        sentences: renamePhrases(album.words, "title", title),
        apply: (db) => void db.update(albums, album.value.id, { title }),
        cells: [`apis.photos.renameAlbum({id:${album.code},title:${jsLiteral(title)}})`],
      };
    }),
    "set-cover": (draw) => {
      const album = drawOwnAlbum(draw);
      if (!album) return undefined;
      const photo = drawListedPhoto(draw, ({ id }) => containsPhoto(draw.db, album.value.id, id));
      if (!photo || photo.value.id === album.value.cover) return undefined;
      return drawnDeed({
        apply: (db) => void db.update(albums, album.value.id, { cover: photo.value.id }),
        cells: [`apis.photos.setCover({album:${album.code},photo:${photo.code}})`],
        uses: [album, photo],
      })`Make ${photo.words} the cover of ${album.words} | Set the cover of ${album.words} to
      ${photo.words} | Use ${photo.words} as the cover of ${album.words} | Let ${photo.words}
      be the cover of ${album.words} | Give ${album.words} a new cover: ${photo.words}`;
    },
    "move-photo": (draw) => {
      const from = drawOwnAlbum(draw);
      if (!from) return undefined;
      const photo = drawListedPhoto(draw, ({ id }) => containsPhoto(draw.db, from.value.id, id));
      if (!photo || photo.value.id === from.value.cover) return undefined;
      const to = drawOwnAlbum(draw, ({ id }) => !wasEverInAlbum(draw.db, id, photo.value.id));
      if (!to) return undefined;
      return drawnDeed({
        apply: (db) => {
          removeFromAlbum(db, from.value.id, photo.value.id);
          insertAlbumPhoto(db, to.value.id, photo.value.id);
        },
        cells: [`apis.photos.moveToAlbum({photo:${photo.code},from:${from.code},to:${to.code}})`],
        uses: [from, photo, to],
      })`Move ${photo.words} from ${from.words} to ${to.words}
      | Take ${photo.words} out of ${from.words} and put it into ${to.words}
      | Let ${photo.words} move from ${from.words} to ${to.words} | Transfer ${photo.words} from
      ${from.words} to ${to.words} | Shift ${photo.words} out of ${from.words} into ${to.words}`;
    },
    "undo-last-edit": deedWithOne(
      drawPhotoEditedTwice,
      ({ value: { id: photo }, code }, { db: startState }) => {
        const last = activeEdits(startState, photo).at(-1)!.id;
        return {
          apply: (db) => void db.update(edits, last, { reverted: true }),
          cells: [`apis.photos.revert({id:${code}})`],
        };
      },
    )`Undo only the last edit of $ | Revert the last edit of $ and no other | Take back just the most
    recent edit of $ | Let the last edit of $ be reverted, but not those before it
    | Revert $ by one edit, the last one`,
    "link-album": drawnDeedWithValue("day", (day, draw) => {
      const album = drawOwnAlbum(draw);
      if (!album || day.value < TODAY) return undefined;
      const link = { photo: null, album: album.value.id, expires: day.value, revoked: false };
      return drawnDeed({
        apply: (db) => void db.insert(links, link),
        cells: [`apis.photos.createLink({album:${album.code},expires:${day.code}})`],
        uses: [album],
      })`Make a link to ${album.words} that expires on ${day.words} | Create a link to ${album.words}
      with ${day.words} as its last day | Set up a link to ${album.words} that
      works until ${day.words} | I need a link to ${album.words}; its last day shall be ${day.words}
      | Generate a link to ${album.words}, valid until ${day.words}`;
    }),
  }),
);

const drawCaptionedPhoto = (draw: DrawContext) =>
  drawListedPhoto(draw, ({ caption }) => caption !== "");

export const photosSources = sources("photos", ({ source, storeAndPrint }) => ({
  caption: source.text("caption", drawCaptionedPhoto, ({ value, words, code }) => ({
    value: value.caption,
    words: `the caption of ${words}`,
    code: `apis.photos.show({id:${code}}).caption`,
  })),
  /** Reads the last day of the only active link to a photo. */
  "link-expiry": {
    type: "day",
    draw: (draw) => {
      const active = draw.db.all(links).filter((row) => !row.revoked && row.expires >= TODAY);
      const activeLinksOfPhoto = (id: number) => active.filter(({ photo }) => photo === id);
      const photo = drawListedPhoto(draw, ({ id }) => activeLinksOfPhoto(id).length === 1);
      if (!photo) return undefined;
      const day = draw.variable("day");
      const lookup = storeAndPrint(day, `active.find(x=>x.photo===${photo.code}).expires`);
      return {
        value: activeLinksOfPhoto(photo.value.id)[0]!.expires as never,
        words: `the last day of the active link to ${photo.words}`,
        code: day,
        cells: [
          ...photo.cells,
          `${readAllItemsCode("active", "photos.links({active:true,size:20,page:p++})")}${lookup}`,
        ],
        apps: ["photos"],
      };
    },
  },
}));

/** Makes a fact of a number that the storage API returns. */
const storageFact = (field: string, value: (db: Reader) => number) =>
  fact("number", value, `apis.photos.storage({}).${field}`);

export const photosFacts = facts("photos", {
  favourites: storageFact(
    "favourites",
    (db) => db.all(photoRows).filter((row) => isOwnPhoto(row) && row.favourite).length,
  )`the number of my favourites in the photo app | the count of favourites in my photo app
    | the number of photos of mine that are favourites
    | the number of favourites among my photos | the count of my photos marked as favourites`,
  used: storageFact("used", (db) => {
    const own = db.all(photoRows).filter(isOwnPhoto);
    return own.reduce((sum, { kilobytes }) => sum + kilobytes, 0);
  })`the space in kilobytes that my photos take outside the trash | the number of kilobytes that my
    photos use outside the trash | the kilobytes used by my photos, not counting the trash
    | the storage in kilobytes used by my photos without the trash
    | the size in kilobytes of all my photos together, trash excluded`,
  videos: storageFact(
    "videos",
    (db) => db.all(photoRows).filter((row) => isOwnPhoto(row) && row.kind === "video").length,
  )`the number of videos in my photo app, hidden ones included | the count of my videos in the photo
    app, hidden ones included | the number of all my videos in the photo app, also hidden ones
    | the number of videos of mine in the photo app, even hidden ones
    | the count of all videos of mine in the photo app, also hidden ones`,
});
