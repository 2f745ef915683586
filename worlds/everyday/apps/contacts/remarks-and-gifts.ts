/** Defines the APIs of what the owner wrote down about people: remarks, and ideas for gifts. */

import {
  booleanParam,
  containsIgnoringCase,
  defineItem,
  equalIgnoringCase,
  filterWhere,
  idParam,
  queryParam,
  refuseUnless,
  resource,
  shortTextParam,
} from "bowline/resources";
import { z } from "bowline/world";
import {
  amount,
  handleField,
  handleParam,
  personColumnFilter,
  requirePerson,
  toCents,
  toDollars,
} from "../shared.ts";
import { exampleContact } from "./examples.ts";
import { gifts, remarks } from "./tables.ts";

const remark = resource({
  noun: "remark",
  item: defineItem(remarks, { ...remarks.fields("text", "id"), person: handleField }),
});

const giftOptions = {
  table: gifts,
  noun: "gift",
  item: defineItem(gifts, {
    ...gifts.fields("idea", "id"),
    person: handleField,
    amount: [z.number(), ({ cents }) => toDollars(cents)],
    given: z.boolean(),
  }),
};
const givenGift = resource({ ...giftOptions, keys: { id: idParam("given gift") } });

/** An idea for a gift that was not given yet. The guard throws a 409 for a gift that was given. */
const gift = resource({
  ...giftOptions,
  guard: ({ id, given }) =>
    refuseUnless(
      !given,
      409,
      `id: gift ${id} was given already; contacts.ungiveGift takes that back`,
    ),
  example: (db) => ({ id: db.where(gifts, { given: false })[0]?.id ?? 1 }),
});

export const remarkApis = {
  remarks: remark.list("List remarks about contacts, the oldest first.", {
    filters: {
      person: personColumnFilter("only about this person", "person"),
      query: [queryParam, filterWhere(({ text }, words) => containsIgnoringCase(text, words))],
    },
    example: { query: "allergic" },
  }),
  remark: remark.add("Write down a remark about a contact.", {
    params: { person: handleParam("the contact"), text: shortTextParam("the remark") },
    row: ({ text, ...args }, { db }) => {
      const { id: person, handle } = requirePerson(db, args.person, "person");
      const isNew = !db.where(remarks, { person }).some((row) => equalIgnoringCase(row.text, text));
      refuseUnless(isNew, 409, `text: the same is remarked about "${handle}" already`);
      return { person, text };
    },
    example: (db) => ({ person: exampleContact(db).handle, text: "Likes ginger tea." }),
  }),
  changeRemark: remark.change("Change the text of a remark.", {
    params: { text: shortTextParam("the new text") },
    example: { text: "Likes ginger tea." },
  }),
  dropRemark: remark.remove("Remove a remark."),
  gifts: gift.list("List ideas for gifts with what they cost, the oldest idea first.", {
    filters: {
      person: personColumnFilter("only for this person", "person"),
      given: booleanParam("only given ones, or only open ideas"),
    },
    example: { given: false },
  }),
  addGift: gift.add("Write down an idea for a gift and what it costs.", {
    params: {
      person: handleParam("who shall get it"),
      idea: shortTextParam("what to give"),
      amount,
    },
    row: ({ idea, amount, ...args }, { db }) => {
      const { id: person, handle } = requirePerson(db, args.person, "person");
      const isNew = !db.where(gifts, { person }).some((row) => equalIgnoringCase(row.idea, idea));
      refuseUnless(isNew, 409, `idea: "${handle}" has that idea already; expected a new one`);
      return { person, idea, cents: toCents(amount), given: false };
    },
    example: (db) => ({ person: exampleContact(db).handle, idea: "a juggling set", amount: 18.75 }),
  }),
  giveGift: gift.set("Note that a gift was given.", { given: true }),
  ungiveGift: givenGift.set(
    "Note that a gift was not given after all.",
    { given: false },
    "was not given yet",
  ),
  repriceGift: gift.change("Change what an open idea for a gift costs.", {
    params: { amount },
    set: (_, { amount }) => ({ cents: toCents(amount) }),
    example: { amount: 33.4 },
  }),
  dropGift: gift.remove("Remove an open idea for a gift."),
};
