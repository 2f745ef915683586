/** Defines the APIs of likes and comments on payments, and of favourite people. */

import { newestFirst, refuseUnless, resource } from "bowline/resources";
import { z } from "bowline/world";
import { handleField, handleOf, handleParam, nameField, requirePerson } from "../shared.ts";
import { payments, people } from "../tables.ts";
import { isLiked } from "./payment-overview.ts";
import { payment } from "./payments.ts";
import { comments, favourites, likes } from "./tables.ts";

const comment = resource({
  noun: "comment",
  item: comments.item({
    ...comments.fields("text", "id"),
    by: [
      z.string(),
      ({ outgoing, payment }, { db }) =>
        outgoing ? "me" : handleOf(db, db.get(payments, payment)!.person),
    ],
  }),
});

const person = handleParam("the contact");

const favourite = resource({
  noun: "favourite",
  item: favourites.item({ name: nameField, handle: handleField }),
  keys: { person },
  find: ({ person: handle }, { db }) => {
    const [row] = db.where(favourites, { person: requirePerson(db, handle, "person").id });
    refuseUnless(row, 404, `person: "${handle}" is no favourite; see pay.favourites`);
    return row;
  },
  example: (db) => ({ person: handleOf(db, db.all(favourites)[0]!.person) }),
});

export const likeAndFavouriteApis = {
  like: payment.act("Like a payment.", {
    isExample: ({ id }, db) => !isLiked(db, id),
    checkRow: (_, { id }, { db }) =>
      refuseUnless(!isLiked(db, id), 409, `id: payment ${id} is liked already`),
    run: ({ id }, _, { db }) => void db.insert(likes, { payment: id }),
  }),
  unlike: payment.act("Take the like of a payment back.", {
    run: (_, { id }, { db }) => {
      const [mark] = db.where(likes, { payment: id });
      refuseUnless(mark, 409, `id: payment ${id} is not liked`);
      db.remove(likes, mark.id);
    },
    example: (db) => ({ id: db.all(likes)[0]!.payment }),
  }),
  comments: comment.list(
    "List the comments under a payment, newest first; `by` is a handle or `me`.",
    { parent: [payment, "payment"], order: newestFirst },
  ),
  comment: comment.add("Write a comment under a payment; the other side sees it.", {
    parent: [payment, "payment"],
    params: { text: z.string().trim().min(1).max(300).describe("what to write") },
    row: ({ text }, { now }) => ({ outgoing: true, text, at: now }),
    example: { text: "Thanks for the lovely evening!" },
  }),
  favourites: favourite.list(
    "List the people whom the owner pays often, in order of being added.",
    { example: { size: 10 } },
  ),
  addFavourite: favourite.add("Make a contact a favourite.", {
    params: { person },
    row: ({ person: handle }, { db }) => {
      const person = requirePerson(db, handle, "person").id;
      const known = db.where(favourites, { person }).length > 0;
      refuseUnless(!known, 409, `person: "${handle}" is a favourite already`);
      return { person };
    },
    example: (db) => {
      const isNew = ({ id }: { id: number }) => db.where(favourites, { person: id }).length === 0;
      return { person: db.all(people).find(isNew)!.handle };
    },
  }),
  removeFavourite: favourite.remove("Make a contact no favourite any more."),
};
