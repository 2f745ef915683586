/** Defines the APIs of comments and likes, by the owner and by contacts, on every photo that the owner can see. */

import {
  countReferencingRows,
  listApi,
  longTextParam,
  newestFirst,
  refuseUnless,
  resource,
  type ViewContext,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";

import { dayField, handleOf, handleOrNull } from "../shared.ts";
import { examplePhotoId, visibleAlbumsWith, visiblePhoto } from "./photo-items.ts";
import { comments, likes, photoRows } from "./tables.ts";

const authorField = [
  z.string().nullable().describe("handle; null: the owner"),
  ({ person }: { person: number | null }, { db }: ViewContext) => handleOrNull(db, person),
] as const;

const ownComments = resource({
  noun: "comment",
  item: comments.item({
    ...comments.fields("text", "id", "photo"),
    by: authorField,
    day: dayField,
  }),
  guard: ({ id, person }, { db }) =>
    refuseUnless(person === null, 403, () => `id: comment ${id} is by "${handleOf(db, person!)}"`),
  isExample: ({ person }) => person === null,
});

const likedItem = photoRows.item({
  ...photoRows.fields("name", "id"),
  likes: countReferencingRows(likes, "photo", { withdrawn: false }),
});

const isLiked = (db: Reader, photo: number) =>
  db.where(likes, { photo, person: null, withdrawn: false }).length > 0;

export const commentAndLikeApis = {
  comments: ownComments.list(
    "List the comments on a photo, newest first; withdrawn ones are left out.",
    {
      parent: [visiblePhoto, "photo"],
      rows: { withdrawn: false },
      order: newestFirst,
      example: (db) => {
        const commented = new Set(db.where(comments, { withdrawn: false }).map((row) => row.photo));
        const isOwnAndLive = (id: number) => {
          const row = db.get(photoRows, id);
          return row?.person === null && !row.trashed;
        };
        return { id: [...commented].find(isOwnAndLive) ?? 1 };
      },
    },
  ),
  comment: ownComments.add("Comment on a photo.", {
    parent: [visiblePhoto, "photo"],
    params: { text: longTextParam("the comment") },
    row: ({ text }, { now }) => ({ person: null, text, withdrawn: false, at: now }),
    example: { text: "What a day that was." },
  }),
  withdrawComment: ownComments.set(
    "Withdraw one of the owner's comments.",
    { withdrawn: true },
    "is withdrawn already",
  ),
  likes: listApi("List who likes a photo, in the order of liking; likes taken back are left out.", {
    item: likes.item({ by: authorField }),
    parent: [visiblePhoto, "photo"],
    rows: { withdrawn: false },
    example: (db) => ({ id: examplePhotoId(db) }),
  }),
  like: visiblePhoto.act("Like a photo.", {
    item: likedItem,
    run: ({ id }, _, { db }) => {
      refuseUnless(!isLiked(db, id), 409, `id: photo ${id} is liked already`);
      const [row] = db.where(likes, { photo: id, person: null });
      if (row) db.update(likes, row.id, { withdrawn: false });
      else db.insert(likes, { photo: id, person: null, withdrawn: false });
    },
    isExample: ({ id }, db) => !isLiked(db, id),
  }),
  unlike: visiblePhoto.act("Take back a like.", {
    item: likedItem,
    run: ({ id }, _, { db }) => {
      const [row] = db.where(likes, { photo: id, person: null, withdrawn: false });
      refuseUnless(row, 409, `id: photo ${id} is not liked by the owner`);
      db.update(likes, row.id, { withdrawn: true });
    },
    example: (db) => {
      const own = db.where(likes, { person: null, withdrawn: false });
      return { id: own.find(({ photo }) => visibleAlbumsWith(db, photo).length > 0)?.photo ?? 1 };
    },
  }),
};
