/** What the owner wrote down about people: remarks, and ideas for gifts. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  contains,
  dollars,
  given,
  handle,
  handleOf,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
  query,
  rowBy,
  same,
} from "../shared.ts";
import { someone } from "./examples.ts";
import { type Gift, gifts, type Remark, remarks } from "./tables.ts";

const about = handle("the contact");

const remarkItem = z.strictObject({ text: z.string(), id: z.int(), about: z.string() });
const remarkView =
  (db: Reader) =>
  ({ text, id, person }: Remark) => ({ text, id, about: handleOf(db, person) });

const listRemarks = defineApi({
  summary: "List remarks about contacts, the oldest first.",
  params: z.strictObject({
    about: handle("only about this person").optional(),
    query: query.optional(),
    ...paging,
  }),
  returns: pageOf(remarkItem),
  example: () => ({ query: "allergic" }),
  handler: ({ db }, { about, query = "", ...page }) => {
    const rows = db.where(remarks, given({ person: personId(db, about, "about") }));
    const found = rows.filter(({ text }) => contains(text, query));
    return paged(found, page, remarkView(db));
  },
});

const remark = defineApi({
  summary: "Write down a remark about a contact.",
  params: z.strictObject({ about, text: line("the remark") }),
  returns: remarkItem,
  example: (db) => ({ about: someone(db).handle, text: "Likes ginger tea." }),
  handler: ({ db }, { about, text }) => {
    const { id, handle } = personBy(db, about, "about");
    if (db.where(remarks, { person: id }).some((row) => same(row.text, text))) {
      throw new ApiError(409, `text: the same is remarked about "${handle}" already`);
    }
    return remarkView(db)(db.insert(remarks, { person: id, text }));
  },
});

const changeRemark = defineApi({
  summary: "Change the text of a remark.",
  params: z.strictObject({ id: idOf("remark"), text: line("the new text") }),
  returns: remarkItem,
  example: (db) => ({ id: db.all(remarks)[0]?.id ?? 1, text: "Likes ginger tea." }),
  handler: ({ db }, { id, text }) => {
    rowBy(db, remarks, id, "remark");
    return remarkView(db)(db.update(remarks, id, { text }));
  },
});

const dropRemark = defineApi({
  summary: "Remove a remark.",
  params: z.strictObject({ id: idOf("remark") }),
  returns: remarkItem,
  example: (db) => ({ id: db.all(remarks)[0]?.id ?? 1 }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, remarks, id, "remark");
    db.remove(remarks, id);
    return remarkView(db)(row);
  },
});

// --- gifts ---

const giftItem = z.strictObject({
  idea: z.string(),
  id: z.int(),
  for: z.string(),
  amount: z.number(),
  given: z.boolean(),
});
const giftView =
  (db: Reader) =>
  ({ idea, id, person, cents, given }: Gift) => ({
    idea,
    id,
    for: handleOf(db, person),
    amount: dollars(cents),
    given,
  });

const listGifts = defineApi({
  summary: "List ideas for gifts with what they cost, the oldest idea first.",
  params: z.strictObject({
    for: handle("only for this person").optional(),
    given: z.boolean().optional().describe("only given ones, or only open ideas"),
    ...paging,
  }),
  returns: pageOf(giftItem),
  example: () => ({ given: false }),
  handler: ({ db }, args) => {
    const match = given({ person: personId(db, args.for, "for"), given: args.given });
    return paged(db.where(gifts, match), args, giftView(db));
  },
});

const addGift = defineApi({
  summary: "Write down an idea for a gift and what it costs.",
  params: z.strictObject({ for: handle("who shall get it"), idea: line("what to give"), amount }),
  returns: giftItem,
  example: (db) => ({ for: someone(db).handle, idea: "a juggling set", amount: 18.75 }),
  handler: ({ db }, { for: receiver, idea, amount }) => {
    const { id, handle } = personBy(db, receiver, "for");
    if (db.where(gifts, { person: id }).some((row) => same(row.idea, idea))) {
      throw new ApiError(409, `idea: "${handle}" has that idea already; expected a new one`);
    }
    const row = { person: id, idea, cents: centsOf(amount), given: false };
    return giftView(db)(db.insert(gifts, row));
  },
});

/** An idea that was not given yet; a 409 for one that was. */
function openGift(db: Reader, id: number): Gift {
  const row = rowBy(db, gifts, id, "gift");
  if (!row.given) return row;
  throw new ApiError(409, `id: gift ${id} was given already; contacts.ungiveGift takes that back`);
}

const openId = (db: Reader) => db.where(gifts, { given: false })[0]?.id ?? 1;

const giveGift = defineApi({
  summary: "Note that a gift was given.",
  params: z.strictObject({ id: idOf("gift") }),
  returns: giftItem,
  example: (db) => ({ id: openId(db) }),
  handler: ({ db }, { id }) => {
    openGift(db, id);
    return giftView(db)(db.update(gifts, id, { given: true }));
  },
});

const ungiveGift = defineApi({
  summary: "Note that a gift was not given after all.",
  params: z.strictObject({ id: idOf("given gift") }),
  returns: giftItem,
  example: (db) => ({ id: db.where(gifts, { given: true })[0]?.id ?? 1 }),
  handler: ({ db }, { id }) => {
    if (!rowBy(db, gifts, id, "gift").given) {
      throw new ApiError(409, `id: gift ${id} was not given yet`);
    }
    return giftView(db)(db.update(gifts, id, { given: false }));
  },
});

const repriceGift = defineApi({
  summary: "Change what an open idea for a gift costs.",
  params: z.strictObject({ id: idOf("gift"), amount }),
  returns: giftItem,
  example: (db) => ({ id: openId(db), amount: 33.4 }),
  handler: ({ db }, { id, amount }) => {
    openGift(db, id);
    return giftView(db)(db.update(gifts, id, { cents: centsOf(amount) }));
  },
});

const dropGift = defineApi({
  summary: "Remove an open idea for a gift.",
  params: z.strictObject({ id: idOf("gift") }),
  returns: giftItem,
  example: (db) => ({ id: openId(db) }),
  handler: ({ db }, { id }) => {
    const row = openGift(db, id);
    db.remove(gifts, id);
    return giftView(db)(row);
  },
});

export const remarkApis = {
  remarks: listRemarks,
  remark,
  changeRemark,
  dropRemark,
  gifts: listGifts,
  addGift,
  giveGift,
  ungiveGift,
  repriceGift,
  dropGift,
};
