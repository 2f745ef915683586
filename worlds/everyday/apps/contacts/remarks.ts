/** What the owner wrote down about people: remarks, and ideas for gifts. */

import {
  contains,
  either,
  idOf,
  itemOf,
  line,
  must,
  query,
  resource,
  same,
  where,
} from "bowline/resources";
import { z } from "bowline/world";
import { amount, centsOf, dollars, handle, ofPerson, personBy, theirHandle } from "../shared.ts";
import { someone } from "./examples.ts";
import { gifts, remarks } from "./tables.ts";

const remark = resource({
  noun: "remark",
  item: itemOf(remarks, { ...remarks.fields("text", "id"), about: theirHandle }),
});

const allGifts = {
  table: gifts,
  noun: "gift",
  item: itemOf(gifts, {
    ...gifts.fields("idea", "id"),
    for: theirHandle,
    amount: [z.number(), ({ cents }) => dollars(cents)],
    given: z.boolean(),
  }),
};
const givenGift = resource({ ...allGifts, keys: { id: idOf("given gift") } });

/** An idea that was not given yet; a 409 for one that was. */
const gift = resource({
  ...allGifts,
  guard: ({ id, given }) =>
    must(!given, 409, `id: gift ${id} was given already; contacts.ungiveGift takes that back`),
  example: (db) => ({ id: db.where(gifts, { given: false })[0]?.id ?? 1 }),
});

export const remarkApis = {
  remarks: remark.list("List remarks about contacts, the oldest first.", {
    filters: {
      about: ofPerson("only about this person", "about"),
      query: [query, where(({ text }, words) => contains(text, words))],
    },
    example: { query: "allergic" },
  }),
  remark: remark.add("Write down a remark about a contact.", {
    params: { about: handle("the contact"), text: line("the remark") },
    row: ({ about, text }, { db }) => {
      const { id: person, handle } = personBy(db, about, "about");
      const isNew = !db.where(remarks, { person }).some((row) => same(row.text, text));
      must(isNew, 409, `text: the same is remarked about "${handle}" already`);
      return { person, text };
    },
    example: (db) => ({ about: someone(db).handle, text: "Likes ginger tea." }),
  }),
  changeRemark: remark.change("Change the text of a remark.", {
    params: { text: line("the new text") },
    example: { text: "Likes ginger tea." },
  }),
  dropRemark: remark.remove("Remove a remark."),
  gifts: gift.list("List ideas for gifts with what they cost, the oldest idea first.", {
    filters: {
      for: ofPerson("only for this person", "for"),
      given: either("only given ones, or only open ideas"),
    },
    example: { given: false },
  }),
  addGift: gift.add("Write down an idea for a gift and what it costs.", {
    params: { for: handle("who shall get it"), idea: line("what to give"), amount },
    row: ({ idea, amount, ...args }, { db }) => {
      const { id: person, handle } = personBy(db, args.for, "for");
      const isNew = !db.where(gifts, { person }).some((row) => same(row.idea, idea));
      must(isNew, 409, `idea: "${handle}" has that idea already; expected a new one`);
      return { person, idea, cents: centsOf(amount), given: false };
    },
    example: (db) => ({ for: someone(db).handle, idea: "a juggling set", amount: 18.75 }),
  }),
  giveGift: gift.set("Note that a gift was given.", { given: true }),
  ungiveGift: givenGift.set(
    "Note that a gift was not given after all.",
    { given: false },
    "was not given yet",
  ),
  repriceGift: gift.change("Change what an open idea for a gift costs.", {
    params: { amount },
    set: (_, { amount }) => ({ cents: centsOf(amount) }),
    example: { amount: 33.4 },
  }),
  dropGift: gift.remove("Remove an open idea for a gift."),
};
