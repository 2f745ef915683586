/** Comments and likes, of the owner and of contacts, on every photo that the owner can see. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { dayOf, handleOf, idOf, newestFirst, paged, pageOf, paging, prose } from "../shared.ts";
import { idIn, somePhoto } from "./examples.ts";
import { type Comment, comments, likes, photoRows } from "./tables.ts";
import { albumsWith, photoBy, rowIn } from "./views.ts";

const id = idOf("photo");
const by = z.string().nullable().describe("handle; null: the owner");

const commentItem = z.strictObject({
  text: z.string(),
  id: z.int(),
  photo: z.int(),
  by,
  day: z.string(),
});

const commentView =
  (db: Reader) =>
  ({ text, id, photo, person, at }: Comment) => ({
    text,
    id,
    photo,
    by: person === null ? null : handleOf(db, person),
    day: dayOf(at),
  });

const listComments = defineApi({
  summary: "List the comments on a photo, newest first.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(commentItem),
  example: (db) => ({ id: commented(db) }),
  handler: ({ db }, { id, ...page }) => {
    const rows = db.where(comments, { photo: photoBy(db, id).id, withdrawn: false });
    return paged(newestFirst(rows), page, commentView(db));
  },
});

const live = (db: Reader, photo: number) => {
  const row = db.get(photoRows, photo);
  return row?.person === null && !row.trashed;
};
const commented = (db: Reader) =>
  db.where(comments, { withdrawn: false }).find(({ photo }) => live(db, photo))?.photo ?? 1;

const comment = defineApi({
  summary: "Comment on a photo.",
  params: z.strictObject({ id, text: prose("the comment") }),
  returns: commentItem,
  example: (db) => ({ id: somePhoto(db), text: "What a day that was." }),
  handler: ({ db, now }, { id, text }) => {
    const photo = photoBy(db, id).id;
    const row = { photo, person: null, text, withdrawn: false, at: now };
    return commentView(db)(db.insert(comments, row));
  },
});

const withdrawComment = defineApi({
  summary: "Withdraw one of the owner's comments.",
  params: z.strictObject({ id: idOf("comment") }),
  returns: commentItem,
  example: (db) => ({
    id: idIn(db, comments, ({ person, withdrawn }) => person === null && !withdrawn),
  }),
  handler: ({ db }, { id }) => {
    const row = rowIn(db, comments, id, "id", "comment");
    if (row.person !== null) {
      throw new ApiError(403, `id: comment ${id} is by "${handleOf(db, row.person)}"`);
    }
    if (row.withdrawn) throw new ApiError(409, `id: comment ${id} is withdrawn already`);
    return commentView(db)(db.update(comments, id, { withdrawn: true }));
  },
});

// --- likes ---

const likeItem = z.strictObject({ name: z.string(), id: z.int(), likes: z.int() });

const countOf = (db: Reader, photo: number) => ({
  name: db.get(photoRows, photo)!.name,
  id: photo,
  likes: db.where(likes, { photo, withdrawn: false }).length,
});

const listLikes = defineApi({
  summary: "List who likes a photo, in the order of liking.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(z.strictObject({ by })),
  example: (db) => ({ id: somePhoto(db) }),
  handler: ({ db }, { id, ...page }) =>
    paged(db.where(likes, { photo: photoBy(db, id).id, withdrawn: false }), page, ({ person }) => ({
      by: person === null ? null : handleOf(db, person),
    })),
});

const isLiked = (db: Reader, photo: number) =>
  db.where(likes, { photo, person: null, withdrawn: false }).length > 0;

const like = defineApi({
  summary: "Like a photo.",
  params: z.strictObject({ id }),
  returns: likeItem,
  example: (db) => ({ id: somePhoto(db, ({ id }) => !isLiked(db, id)) }),
  handler: ({ db }, { id }) => {
    const photo = photoBy(db, id).id;
    const [row] = db.where(likes, { photo, person: null });
    if (row?.withdrawn === false) throw new ApiError(409, `id: photo ${id} is liked already`);
    if (row) db.update(likes, row.id, { withdrawn: false });
    else db.insert(likes, { photo, person: null, withdrawn: false });
    return countOf(db, photo);
  },
});

const unlike = defineApi({
  summary: "Take back a like.",
  params: z.strictObject({ id }),
  returns: likeItem,
  example: (db) => {
    const own = db.where(likes, { person: null, withdrawn: false });
    return { id: own.find(({ photo }) => albumsWith(db, photo).length > 0)?.photo ?? 1 };
  },
  handler: ({ db }, { id }) => {
    const photo = photoBy(db, id).id;
    const [row] = db.where(likes, { photo, person: null, withdrawn: false });
    if (!row) throw new ApiError(409, `id: photo ${id} is not liked by the owner`);
    db.update(likes, row.id, { withdrawn: true });
    return countOf(db, photo);
  },
});

export const talkApis = {
  comments: listComments,
  comment,
  withdrawComment,
  likes: listLikes,
  like,
  unlike,
};
