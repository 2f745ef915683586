/** What can be done with own photos in the house: marks, albums, the trash, edits. */
import { type Action, actions, js, listOf, using, withFriend } from "../../../../goals/index.ts";
import { edits, type Photo, photoRows, tags } from "../../apps/photos/tables.ts";
import { albumValue, holdsPhoto, isOwn, peopleIn, wasPlaced } from "./looks.ts";
import { addFace, place, takeOut } from "./writes.ts";

const NEW_TAGS = listOf(
  "send to grandma | for the poster | winter book | keep forever | slideshow",
);

export const photoActions: readonly Action[] = actions<Photo>(
  { kind: "photos", app: "photos", table: photoRows },
  ({ sets, adds, does, drawn, taking }) => ({
    favourite: drawn(({ rng }) =>
      rng.chance(0.7)
        ? sets(
            { favourite: true },
            { when: (row) => isOwn(row) && !row.favourite, api: "favourite" },
          )`Make favourites of # | Add # to my favourites in the photo app | Mark # as favourites
            | Put # among my favourites in the photo app | Set the favourite mark on #`
        : sets(
            { favourite: false },
            { when: (row) => isOwn(row) && row.favourite, api: "unfavourite" },
          )`Take # out of my favourites in the photo app | Remove the favourite mark from #
            | No longer mark # as favourites | Drop # from my favourites in the photo app
            | Clear the favourite mark of #`,
    ),
    hide: sets({ hidden: true }, { when: (row) => isOwn(row) && !row.hidden, api: "hide" })`
      Hide # | Set # to hidden | Make # hidden in the photo app | Let # be hidden from now on
      | Turn # into hidden photos`,
    tag: drawn(({ rng }) => {
      const tag = rng.pick(NEW_TAGS);
      return adds(tags, ({ id }) => ({ photo: id, tag }), {
        when: (row, db) => isOwn(row) && db.where(tags, { photo: row.id, tag }).length === 0,
        api: "tag",
        args: `tag:${js(tag)}`,
      })`Tag # with "${tag}" | Add the tag "${tag}" to # | Put the tag "${tag}" on #
        | Give the tag "${tag}" to # | Attach the tag "${tag}" to #`;
    }),
    caption: taking("text", ({ value, words, code }) => {
      return sets(
        { caption: value },
        {
          when: (row) => isOwn(row) && value.length <= 200,
          api: "caption",
          args: `caption:${code}`,
        },
      )`Set the caption of # to ${words} | Use ${words} as the caption of #
        | Replace the caption of # with ${words} | Make ${words} the caption of #
        | Take ${words} for the caption of #`;
    }),
    "add-person": withFriend(({ value, words, code }) => {
      return does((db, { id }) => addFace(db, id, value.id), {
        when: (row, db) => isOwn(row) && !peopleIn(db, row.id).includes(value.id),
        api: "addPerson",
        args: `person:${code}`,
      })`Note that ${words} is in # | Add ${words} to the people in #
        | Enter ${words} as a person in # | Put ${words} on the list of people in #
        | Record that ${words} can be seen in #`;
    }),
    "add-to-album": using(albumValue, ({ value, words, code }) => {
      return does((db, { id }) => place(db, value.id, id), {
        when: (row, db) => isOwn(row) && !wasPlaced(db, value.id, row.id),
        call: `apis.photos.addToAlbum({album:${code},photo:x})`,
      })`Put # into ${words} | Add # to ${words} | Place # in ${words} | Include # in ${words}
        | File # in ${words}`;
    }),
    "remove-from-album": using(albumValue, ({ value, words, code }) => {
      return does((db, { id }) => takeOut(db, value.id, id), {
        when: (row, db) => isOwn(row) && value.cover !== row.id && holdsPhoto(db, value.id, row.id),
        call: `apis.photos.removeFromAlbum({album:${code},photo:x})`,
      })`Take # out of ${words} | Remove # from ${words} | Drop # from ${words}
        | Delete # from ${words}, but from nowhere else | Clear # out of ${words}`;
    }),
    trash: sets({ trashed: true }, { when: isOwn, api: "remove" })`
      Move # to the trash | Delete # | Throw # away | Put # into the trash | Trash #`,
    rotate: drawn(({ rng }) => {
      const degrees = 90 * rng.integer(1, 3);
      return adds(
        edits,
        ({ id }) => ({ photo: id, kind: "rotate", amount: degrees, reverted: false }),
        { when: isOwn, api: "rotate", args: `degrees:${degrees}` },
      )`Rotate # clockwise by ${degrees} degrees | Turn # clockwise by ${degrees} degrees
        | Give # a clockwise rotation of ${degrees} degrees
        | Apply a clockwise rotation of ${degrees} degrees to #
        | Edit # with a clockwise rotation of ${degrees} degrees`;
    }),
    monochrome: adds(
      edits,
      ({ id }) => ({ photo: id, kind: "monochrome", amount: null, reverted: false }),
      {
        when: (row, db) =>
          isOwn(row) &&
          db.where(edits, { photo: row.id, kind: "monochrome", reverted: false }).length === 0,
        api: "monochrome",
      },
    )`Make # black and white | Turn # black and white | Edit # to be black and white
      | Convert # to black and white | Change # to black and white`,
    revert: drawn((draw) => {
      return does(
        (db, { id: photo }) => {
          for (const { id } of db.where(edits, { photo, reverted: false })) {
            db.update(edits, id, { reverted: true });
          }
        },
        {
          when: (row, db) =>
            isOwn(row) &&
            db.where(edits, { photo: row.id, reverted: false }).length > 0 &&
            // Another edit of the same task would be reverted or not, depending on which comes first.
            db.where(edits, { photo: row.id }).length ===
              draw.db.where(edits, { photo: row.id }).length,
          api: "revert",
          args: "all:true",
        },
      )`Revert all edits of # | Bring # back to the original by reverting every edit
        | Undo every edit of # | Restore the original look of # by undoing all edits
        | Take back all edits of #`;
    }),
  }),
);
