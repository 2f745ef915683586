/** What can be done with albums, and with people by means of albums and photos. */
import { type Action, actions, using } from "../../../../goals/index.ts";
import { type Album, albums, links } from "../../apps/photos/tables.ts";
import { type Person, people } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { admitting, isJoined, isOwned, isWelcome, leaving, sharing } from "../music/sharing.ts";
import { peopleIn, photoValue, wasPlaced } from "./looks.ts";
import { addFace, place, send, shared } from "./writes.ts";

const ownActions = actions<Album>({ kind: "albums", app: "photos", table: albums }, (kit) => ({
  ...sharing(kit, shared),
  "remove-album": kit.sets(
    { removed: true },
    {
      when: (row, db) => isOwned(row) && shared.sharesOf(db, row.id).length === 0,
      api: "removeAlbum",
    },
  )`Remove #, but not the photos inside | Delete # without touching the photos inside
    | Get rid of # and leave the photos inside alone | Without touching any photos, remove #
    | While all photos stay, delete #`,
  "add-photo": using(photoValue, ({ value, words, code }) => {
    return kit.does((db, { id }) => place(db, id, value.id), {
      when: (row, db) => isOwned(row) && !wasPlaced(db, row.id, value.id),
      call: `apis.photos.addToAlbum({album:x,photo:${code}})`,
    })`Add ${words} to # | Put ${words} into # | Include ${words} in # | Place ${words} in #
      | File ${words} in #`;
  }),
  "link-album": kit.hard(
    kit.taking("day", ({ value: expires, words, code }) => {
      return kit.adds(links, ({ id }) => ({ photo: null, album: id, expires, revoked: false }), {
        when: (row) => isOwned(row) && expires >= TODAY,
        call: `apis.photos.createLink({album:x,expires:${code}})`,
      })`Make links to #, one an album, that expire on ${words}
        | Set up links to #, one each, that work until ${words}
        | Prepare links to #, one per album; their last day is ${words}
        | Let links that expire on ${words} be made, one an album, to #
        | With ${words} as the last day, create a link to each album among #`;
    }),
  ),
}));

const joinedActions = actions<Album>(
  { kind: "contacts-albums", app: "photos", table: albums },
  (kit) => ({
    "leave-album": leaving(kit, shared),
    "contribute-photo": using(photoValue, ({ value, words, code }) => {
      return kit.does((db, { id }) => place(db, id, value.id), {
        when: (row, db) =>
          isJoined(row) && row.role === "editor" && !wasPlaced(db, row.id, value.id),
        call: `apis.photos.addToAlbum({album:x,photo:${code}})`,
      })`Contribute ${words} to # | Put ${words} into # | Add ${words} to # | Place ${words} in #
        | Include ${words} in #`;
    }),
  }),
);

export const albumActions: readonly Action[] = [...ownActions, ...joinedActions];

export const peopleActions: readonly Action[] = actions<Person>(
  { kind: "people", app: "photos", table: people, difficulty: 2 },
  (kit) => ({
    ...admitting(kit, shared),
    "send-named-photo": using(photoValue, ({ value, words, code }) => {
      return kit.does((db, { id }) => send(db, value.id, id), {
        when: isWelcome,
        call: `apis.photos.send({id:${code},to:x})`,
      })`In the photo app, send ${words} to # | Use the photo app to send ${words} to #
        | Let the photo app send ${words} to # | Through the photo app, send ${words} to #
        | With the photo app, send ${words} to #`;
    }),
    "note-in-photo": using(
      (draw) => photoValue(draw, ({ kind }) => kind !== "scan"),
      ({ value, words, code }) => {
        return kit.does((db, { id }) => addFace(db, value.id, id), {
          when: ({ id }, db) => !peopleIn(db, value.id).includes(id),
          call: `apis.photos.addPerson({id:${code},person:x})`,
        })`Note in the photo app that ${words} shows # | Add # to the people in ${words}
          | Enter # as people in ${words} | Put # on the list of people in ${words}
          | Record in the photo app that ${words} shows #`;
      },
    ),
  }),
);
