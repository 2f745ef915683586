/**
 * Defines the APIs of albums that are shared with a role, of photos that are sent, and of links that expire. Rows of
 * shares, sent photos and links are never deleted.
 */

import {
  booleanParam,
  dayParam,
  filterWhether,
  newestFirst,
  refuseUnless,
  resource,
  textOfReferencedRow,
} from "bowline/resources";
import { z } from "bowline/world";
import { handleOrExample, sharingApisOf } from "../music/shared-collections.ts";
import {
  dayField,
  dayOf,
  handleField,
  handleParam,
  personColumnFilter,
  requireReceiver,
  requireTodayOrLater,
} from "../shared.ts";
import {
  examplePhotoId,
  ownPhotoResource,
  requireOwnAlbum,
  requireOwnPhoto,
  sharedAlbums,
} from "./photo-items.ts";
import { albums, links, photoRows, sentPhotos } from "./tables.ts";

const sentPhoto = resource({
  noun: "sent photo",
  item: sentPhotos.item({
    name: textOfReferencedRow(photoRows, "photo", "name", "removed"),
    photo: z.int(),
    to: handleField,
    note: z.string(),
    day: dayField,
  }),
});

const linkResource = resource({
  noun: "link",
  item: links.item({
    of: [
      z.string().describe("name of the photo or title of the album"),
      ({ photo, album }, { db }) =>
        photo === null ? db.get(albums, album!)!.title : db.get(photoRows, photo)!.name,
    ],
    ...links.fields("id", "photo", "album"),
    expires: z.string().describe("the last day"),
    revoked: z.boolean(),
    url: [z.string(), ({ id }) => `https://photos.example.com/l/${id}`],
  }),
  guard: ({ id, revoked }) =>
    refuseUnless(!revoked, 409, `id: link ${id} is revoked; photos.createLink makes a new one`),
  isExample: ({ revoked }) => !revoked,
});

export const sharingApis = {
  ...sharingApisOf(sharedAlbums),
  send: sentPhoto.add("Send an own photo to a contact.", {
    parent: [ownPhotoResource, "photo"],
    params: {
      to: handleParam("to whom"),
      note: z.string().max(200).default("").describe("a few words"),
    },
    row: ({ to, note }, { db, now }) => ({
      person: requireReceiver(db, to, "to").id,
      note,
      at: now,
    }),
    example: (db) => ({ id: examplePhotoId(db), to: handleOrExample(db, null) }),
  }),
  sent: sentPhoto.list("List the photos that the owner sent, newest first.", {
    filters: { to: personColumnFilter("only to this person", "to") },
    order: newestFirst,
  }),
  links: linkResource.list("List links by the day on which they expire, soonest first.", {
    filters: {
      active: [
        booleanParam("only those that work today, or only others"),
        filterWhether(({ revoked, expires }, { now }) => !revoked && expires >= dayOf(now)),
      ],
    },
    order: "expires",
    example: { active: true },
  }),
  createLink: linkResource.add(
    "Make a link to an own photo or an own album that works up to a day.",
    {
      params: {
        photo: z.int().min(1).optional().describe("id of an own photo; or give an album"),
        album: z.int().min(1).optional().describe("id of an own album; or give a photo"),
        expires: dayParam("the last day"),
      },
      row: ({ photo, album, expires }, { db, now }) => {
        const given = photo === undefined ? "none" : "both";
        const isExactlyOne = (photo === undefined) !== (album === undefined);
        refuseUnless(isExactlyOne, 422, `photo, album: expected exactly one of them, got ${given}`);
        requireTodayOrLater(expires, now, "expires");
        return {
          photo: photo === undefined ? null : requireOwnPhoto(db, photo, "photo").id,
          album: album === undefined ? null : requireOwnAlbum(db, album, "album").id,
          expires,
          revoked: false,
        };
      },
      example: (db) => ({ photo: examplePhotoId(db), expires: "2026-04-30" }),
    },
  ),
  extendLink: linkResource.change("Change the last day of a link.", {
    params: { expires: dayParam("the new last day") },
    checkArguments: ({ expires }, { now }) => requireTodayOrLater(expires, now, "expires"),
    example: { expires: "2026-06-30" },
  }),
  revokeLink: linkResource.set("Make a link useless at once.", { revoked: true }),
};
