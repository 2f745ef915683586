/** What members wrote under expenses. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { idOf, newestFirst, paged, pageOf, paging, rowBy } from "../shared.ts";
import { sideName } from "./sides.ts";
import { type ExpenseComment, expenseComments, expenses } from "./tables.ts";

const commentItem = z.strictObject({ text: z.string(), id: z.int(), by: z.string() });

const view =
  (db: Reader) =>
  ({ text, id, person }: ExpenseComment) => ({ text, id, by: sideName(db, person) });

const id = idOf("expense");

const list = defineApi({
  summary: "List the comments under an expense, newest first; `by` is a handle or `me`.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(commentItem),
  example: (db) => ({ id: db.where(expenseComments, { removed: false })[0]!.expense }),
  handler: ({ db }, { id, ...page }) => {
    rowBy(db, expenses, id, "expense");
    const rows = db.where(expenseComments, { expense: id, removed: false });
    return paged(newestFirst(rows), page, view(db));
  },
});

const comment = defineApi({
  summary: "Write a comment under an expense; all members see it.",
  params: z.strictObject({ id, text: z.string().trim().min(1).max(300).describe("what to write") }),
  returns: commentItem,
  example: (db) => ({
    id: db.where(expenses, { removed: false })[0]!.id,
    text: "Receipt follows.",
  }),
  handler: ({ db, now }, { id, text }) => {
    if (rowBy(db, expenses, id, "expense").removed) {
      throw new ApiError(409, `id: expected an expense that counts, ${id} is removed`);
    }
    const row = { expense: id, person: null, text, removed: false, at: now };
    return view(db)(db.insert(expenseComments, row));
  },
});

const removeComment = defineApi({
  summary: "Remove a comment of the owner.",
  params: z.strictObject({ id: idOf("comment") }),
  returns: commentItem,
  example: (db) => ({ id: db.where(expenseComments, { person: null, removed: false })[0]!.id }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, expenseComments, id, "comment");
    if (row.person !== null) {
      const by = sideName(db, row.person);
      throw new ApiError(403, `id: expected a comment of the owner, ${id} is by ${by}`);
    }
    if (row.removed) throw new ApiError(409, `id: comment ${id} is removed already`);
    return view(db)(db.update(expenseComments, id, { removed: true }));
  },
});

export const commentApis = { comments: list, comment, removeComment };
