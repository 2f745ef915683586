/** Actions on photos: changing the owner's photos, sending and sharing, and actions on photos of other kinds. */
import {
  actions,
  actionWithFound,
  actionWithOneOf,
  actionWithPerson,
  actionWithValue,
  jsLiteral,
  wordList,
} from "bowline/goals";
import {
  comments,
  edits,
  likes,
  links,
  type Photo,
  photoRows,
  tags,
} from "../../apps/photos/tables.ts";
import { NOW, TODAY } from "../../population/time.ts";
import { insertInboxTodo, textNameToContactAction } from "../music/music-and-photos.ts";
import {
  containsPhoto,
  drawOwnAlbum,
  idsOfPeopleShown,
  inPhotoAppPhrase,
  insertAlbumPhoto,
  insertFace,
  insertSentPhoto,
  isOwnPhoto,
  removeFromAlbum,
  wasEverInAlbum,
} from "./photo-rows.ts";

const PHOTOS_LIST = { app: "photos", table: photoRows } as const;
const OWN_PHOTOS_LIST = { ...PHOTOS_LIST, kind: "photos", when: isOwnPhoto } as const;

const NEW_TAGS = wordList(
  "send to grandma | for the poster | winter book | keep forever | slideshow",
);

const ownPhotoActions = actions<Photo>(
  OWN_PHOTOS_LIST,
  ({ addsRow, changesTo, applies, drawnAction, sets }) => ({
    favourite: drawnAction(({ rng }) =>
      rng.chance(0.7)
        ? changesTo("favourite", true, {
            api: "favourite",
          })`Give the favourite mark to # | Add # to my favourites in the photo app | Count #
            among my favourites in the photo app | Put # among my favourites in the photo app |
            Set the favourite mark on #`
        : changesTo("favourite", false, {
            api: "unfavourite",
          })`Take # out of my favourites in the photo app | Remove the favourite mark from # | No
            longer count # among my favourites in the photo app | Drop # from my favourites in the
            photo app | Clear the favourite mark of #`,
    ),
    hide: changesTo("hidden", true, { api: "hide" })`Hide # | Set # to hidden | Make # hidden in
      the photo app | Let # be hidden from now on | Have # hidden in the photo app`,
    tag: actionWithOneOf(NEW_TAGS, (tag) =>
      addsRow(tags, ({ id }) => ({ photo: id, tag }), {
        when: ({ id: photo }, db) => db.where(tags, { photo, tag }).length === 0,
        api: "tag",
        args: `tag:${jsLiteral(tag)}`,
      }),
    )`Tag # with "$" | Add the tag "$" to # | Put the tag "$" on # | Give the tag "$" to #
    | Attach the tag "$" to #`,
    caption: actionWithValue("text", ({ value: caption, code }) =>
      sets("caption", caption, {
        when: () => caption.length <= 200,
        api: "caption",
        args: `caption:${code}`,
      }),
    )`Set the caption of # to $ | Use $ as the caption of # | Replace the caption of # with $
    | Make $ the caption of # | Take $ for the caption of #`,
    "add-person": actionWithPerson(({ value: friend, code }) =>
      applies((db, { id }) => insertFace(db, id, friend.id), {
        when: ({ id }, db) => !idsOfPeopleShown(db, id).includes(friend.id),
        api: "addPerson",
        args: `person:${code}`,
      }),
    )`Note that $ is in # | Add $ to the people in # | Enter $ as a person in #
    | Add $ to the people in # | Record that $ can be seen in #`,
    "add-to-album": actionWithFound(drawOwnAlbum, ({ value: album, code }) =>
      applies((db, { id }) => insertAlbumPhoto(db, album.id, id), {
        when: ({ id }, db) => !wasEverInAlbum(db, album.id, id),
        call: `apis.photos.addToAlbum({album:${code},photo:x})`,
      }),
    )`Put # into $ | Add # to $ | Place # in $ | Include # in $ | File # in $`,
    "remove-from-album": actionWithFound(drawOwnAlbum, ({ value: album, code }) =>
      applies((db, { id }) => removeFromAlbum(db, album.id, id), {
        when: ({ id }, db) => album.cover !== id && containsPhoto(db, album.id, id),
        call: `apis.photos.removeFromAlbum({album:${code},photo:x})`,
      }),
    )`Take # out of $ | Remove # from $ | Drop # from $ | Delete # from $, but from nowhere else
    | Clear # out of $`,
    trash: sets("trashed", true, { api: "remove" })`Move # to the trash | Delete # | Get rid of #
      | Put # into the trash | Trash #`,
    rotate: drawnAction(({ rng }) => {
      const degrees = 90 * rng.integer(1, 3);
      return addsRow(
        edits,
        ({ id }) => ({ photo: id, kind: "rotate", amount: degrees, reverted: false }),
        { api: "rotate", args: `degrees:${degrees}` },
      )`Rotate # clockwise by ${degrees} degrees | Turn # clockwise by ${degrees} degrees
      | Give # a clockwise rotation of ${degrees} degrees | Apply a clockwise
      rotation of ${degrees} degrees to # | Edit # with a clockwise rotation of ${degrees} degrees`;
    }),
    monochrome: addsRow(
      edits,
      ({ id }) => ({ photo: id, kind: "monochrome", amount: null, reverted: false }),
      {
        when: ({ id: photo }, db) =>
          db.where(edits, { photo, kind: "monochrome", reverted: false }).length === 0,
        api: "monochrome",
      },
    )`Make # black and white | Turn # black and white | Edit # to be black and white
    | Convert # to black and white | Change # to black and white`,
    revert: drawnAction((draw) => {
      return applies(
        (db, { id: photo }) => {
          for (const { id } of db.where(edits, { photo, reverted: false })) {
            db.update(edits, id, { reverted: true });
          }
        },
        {
          when: ({ id: photo }, db) =>
            db.where(edits, { photo, reverted: false }).length > 0 &&
            // If another action of the same task edited the photo, the order of the two actions would decide which edit
            // is reverted.
            db.where(edits, { photo }).length === draw.db.where(edits, { photo }).length,
          api: "revert",
          args: "all:true",
        },
      )`Revert all edits of # | Bring # back to the original by reverting every edit
      | Undo every edit of # | Restore the original look of # by undoing all edits
      | Take back all edits of #`;
    }),
  }),
);

const isNotTrashed = ({ trashed }: Photo) => !trashed;

const SENDING_LIST = {
  ...PHOTOS_LIST,
  kind: { photos: "send-photo send-to-shown link-photo comment", "shared-photos": "comment like" },
  difficult: "send-to-shown link-photo",
} as const;

const sendingActions = actions<Photo>(
  SENDING_LIST,
  ({ addsRow, applies, drawnAction, actionWithValue, actionWithPerson }) => ({
    "send-photo": actionWithPerson(({ value: friend, code }) =>
      applies((db, { id }) => insertSentPhoto(db, id, friend.id), {
        when: isOwnPhoto,
        api: "send",
        args: `to:${code}`,
      }),
    )(inPhotoAppPhrase("send # to $")),
    /** Sends each photo to all people in it. */
    "send-to-shown": drawnAction((draw) => {
      return applies(
        (db, { id }) => {
          for (const person of idsOfPeopleShown(db, id)) insertSentPhoto(db, id, person);
        },
        {
          // If another action of the same task added a person to the photo, the order of the two actions would decide
          // whether this person gets the photo.
          when: (row, db) => {
            const shownCount = idsOfPeopleShown(db, row.id).length;
            return (
              isOwnPhoto(row) &&
              shownCount > 0 &&
              shownCount === idsOfPeopleShown(draw.db, row.id).length
            );
          },
          call: "for(const y of apis.photos.peopleIn({id:x,size:20}).items)apis.photos.send({id:x,to:y.handle})",
        },
      )`In the photo app, send # to everyone who is in the respective photo
      | Let the photo app send # to each person shown in the respective photo
      | Use the photo app to send # to whoever is in the very photo
      | In the photo app, send # to the people in the picture
      | Through the photo app, send # to the people in the picture`;
    }),
    "link-photo": actionWithValue("day", ({ value: expires, code }) =>
      addsRow(links, ({ id }) => ({ photo: id, album: null, expires, revoked: false }), {
        when: (row) => isOwnPhoto(row) && expires >= TODAY,
        call: `apis.photos.createLink({photo:x,expires:${code}})`,
      }),
    )`Make links to #, one for each photo, that expire on $ | Set up photo links to #, one each,
      that work until $ | Prepare links to #, one per photo; their last day is $ | Create links
      that expire on $ to #, one for each photo | Create links with $ as the last day to #, one
      for each photo`,
    comment: actionWithValue("text", ({ value: text, code }) =>
      addsRow(
        comments,
        ({ id }) => ({ photo: id, person: null, text, withdrawn: false, at: NOW }),
        {
          when: isNotTrashed,
          api: "comment",
          args: `text:${code}`,
        },
      ),
    )`Comment on # with $ | Write $ as a comment on # | Add the comment $ to #
    | Leave $ as a comment on # | Put $ as a comment under #`,
    like: addsRow(likes, ({ id }) => ({ photo: id, person: null, withdrawn: false }), {
      when: (row, db) =>
        isNotTrashed(row) && db.where(likes, { photo: row.id, person: null }).length === 0,
      api: "like",
    })`Like # | Give a like to # | Put a like on # | Leave a like on # | Leave a like on #`,
  }),
);

const OTHER_KINDS_LIST = {
  ...PHOTOS_LIST,
  kind: {
    photos: "text-caption todo-print",
    "trashed-photos": "restore",
    originals: "remove-copies",
  },
  difficult: "todo-print",
  otherApps: { messages: "text-caption", todo: "todo-print" },
} as const;

const otherKindsActions = actions<Photo>(OTHER_KINDS_LIST, (kit) => ({
  // If another action of the same task changed the caption, the order of the two actions would decide which caption is
  // sent.
  "text-caption": textNameToContactAction(
    kit,
    "photo",
    "caption",
    "photos.show",
    (row, _, before) => {
      const { trashed, caption } = row;
      return !trashed && caption !== "" && caption === before.get(photoRows, row.id)!.caption;
    },
  ),
  "todo-print": kit.applies((db, { name }) => insertInboxTodo(db, `print ${name}`, null), {
    when: isNotTrashed,
    call: 'const o=apis.photos.show({id:x});apis.todo.add({title:"print "+o.name})',
  })`For #, make a todo that says "print" and the file name | Put # on my todo list, as "print"
    and the file name | Add # to my todos, one todo for each photo: "print" and the file name |
    Make a todo for #, of the form "print" and the file name | Note # in my todo app, one todo for
    each photo: "print" and the file name`,
  restore: kit.changesTo("trashed", false, { api: "restore" })`Bring # back from the trash
    | Get # back | Take # out of the trash | Restore # | Undelete #`,
  "remove-copies": kit.applies(
    (db, { id, digest }) => {
      for (const copy of db.where(photoRows, { digest })) {
        if (copy.id !== id && isOwnPhoto(copy)) db.update(photoRows, copy.id, { trashed: true });
      }
    },
    { api: "removeCopies" },
  )`Of #, keep the largest one of each picture and trash its copies | Trash all smaller copies of #,
    so that the largest of each stays | Clean up #: the largest of each stays, its copies
    go to the trash | Move to the trash whatever copies there are of #, except each largest one
    | Get rid of the copies of # but keep the largest one of each`,
}));

export const photoActions = [...ownPhotoActions, ...sendingActions, ...otherKindsActions];
