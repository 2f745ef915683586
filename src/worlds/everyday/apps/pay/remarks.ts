/** What the owner thinks of payments and people: likes, comments, favourites. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  handle,
  handleOf,
  idOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  personBy,
  rowBy,
} from "../shared.ts";
import { payments, people } from "../tables.ts";
import { isLiked } from "./ledger.ts";
import { type Comment, comments, favourites, likes } from "./tables.ts";
import { paymentItem, paymentView } from "./transfer.ts";

const id = idOf("payment");

// --- likes ---

const like = defineApi({
  summary: "Like a payment.",
  params: z.strictObject({ id }),
  returns: paymentItem,
  example: (db) => ({ id: db.all(payments).find((row) => !isLiked(db, row.id))!.id }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, payments, id, "payment");
    if (isLiked(db, id)) throw new ApiError(409, `id: payment ${id} is liked already`);
    db.insert(likes, { payment: id });
    return paymentView(db)(row);
  },
});

const unlike = defineApi({
  summary: "Take the like of a payment back.",
  params: z.strictObject({ id }),
  returns: paymentItem,
  example: (db) => ({ id: db.all(likes)[0]!.payment }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, payments, id, "payment");
    const [mark] = db.where(likes, { payment: id });
    if (!mark) throw new ApiError(409, `id: payment ${id} is not liked`);
    db.remove(likes, mark.id);
    return paymentView(db)(row);
  },
});

// --- comments ---

const commentItem = z.strictObject({ text: z.string(), id: z.int(), by: z.string() });

/** `by` is `me` or a handle. */
const commentView =
  (db: Reader) =>
  ({ text, id, outgoing, payment }: Comment) => ({
    text,
    id,
    by: outgoing ? "me" : handleOf(db, db.get(payments, payment)!.person),
  });

const list = defineApi({
  summary: "List the comments under a payment, newest first; `by` is a handle or `me`.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(commentItem),
  example: (db) => ({ id: db.all(comments)[0]!.payment }),
  handler: ({ db }, { id, ...page }) => {
    rowBy(db, payments, id, "payment");
    return paged(newestFirst(db.where(comments, { payment: id })), page, commentView(db));
  },
});

const comment = defineApi({
  summary: "Write a comment under a payment; the other side sees it.",
  params: z.strictObject({
    id,
    text: z.string().trim().min(1).max(300).describe("what to write"),
  }),
  returns: commentItem,
  example: (db) => ({ id: db.all(payments)[0]!.id, text: "Thanks for the lovely evening!" }),
  handler: ({ db, now }, { id, text }) => {
    rowBy(db, payments, id, "payment");
    return commentView(db)(db.insert(comments, { payment: id, outgoing: true, text, at: now }));
  },
});

// --- favourites ---

const favouriteItem = z.strictObject({ name: z.string(), handle: z.string() });

const favouriteView = (db: Reader, person: number) => {
  const row = db.get(people, person);
  return { name: row?.name ?? "removed", handle: row?.handle ?? "removed" };
};

const listFavourites = defineApi({
  summary: "List the people whom the owner pays often, in order of being added.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(favouriteItem),
  example: () => ({ size: 10 }),
  handler: ({ db }, page) =>
    paged(db.all(favourites), page, ({ person }) => favouriteView(db, person)),
});

const person = handle("the contact");

const addFavourite = defineApi({
  summary: "Make a contact a favourite.",
  params: z.strictObject({ person }),
  returns: favouriteItem,
  example: (db) => {
    const isNew = ({ id }: { id: number }) => db.where(favourites, { person: id }).length === 0;
    return { person: db.all(people).find(isNew)!.handle };
  },
  handler: ({ db }, { person: came }) => {
    const person = personBy(db, came, "person").id;
    if (db.where(favourites, { person }).length > 0) {
      throw new ApiError(409, `person: "${came}" is a favourite already`);
    }
    db.insert(favourites, { person });
    return favouriteView(db, person);
  },
});

const removeFavourite = defineApi({
  summary: "Make a contact no favourite any more.",
  params: z.strictObject({ person }),
  returns: favouriteItem,
  example: (db) => ({ person: handleOf(db, db.all(favourites)[0]!.person) }),
  handler: ({ db }, { person: came }) => {
    const person = personBy(db, came, "person").id;
    const [row] = db.where(favourites, { person });
    if (!row) throw new ApiError(404, `person: "${came}" is no favourite; see pay.favourites`);
    db.remove(favourites, row.id);
    return favouriteView(db, person);
  },
});

export const remarkApis = {
  like,
  unlike,
  comments: list,
  comment,
  favourites: listFavourites,
  addFavourite,
  removeFavourite,
};
