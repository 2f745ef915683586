/**
 * Saved lists: the owner's own, which can be shared, and wish lists that contacts share with the owner.
 *
 * On a contact's list an `editor` may save and drop products; everyone who sees it may claim one as a gift.
 */

import {
  booleanParam,
  countReferencingRows,
  filterWhether,
  firstRowId,
  idParam,
  refuseUnless,
  resource,
  rowById,
  shortTextParam,
  textOfReferencedRow,
  type ViewContext,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  exampleHandleWhere,
  handleField,
  handleOf,
  handleOrNull,
  handleParam,
  nameField,
  nullableHandleField,
  personColumnFilter,
  personFilter,
  requirePerson,
  requireReceiver,
} from "../shared.ts";
import { ofProduct, price, product, productBy } from "./lookup.ts";
import * as tables from "./tables.ts";

const list = idParam("list");
const name = shortTextParam("name of the new list");

function listBy(db: Reader, list: number): tables.SavedList {
  const hint = "shop.lists shows them";
  return rowById(db, tables.savedLists, list, { noun: "list", param: "list", hint });
}

/** A list that the owner may change: an own one, or a contact's as editor. */
function editable(db: Reader, list: number, param: string): tables.SavedList {
  const row = listBy(db, list);
  const whose = `${param}: list ${list} belongs to "${handleOrNull(db, row.person)}"`;
  const may = row.person === null || row.role === "editor";
  refuseUnless(may, 403, `${whose} and the owner is only a viewer there`);
  return row;
}

function own(db: Reader, list: number): tables.SavedList {
  const row = listBy(db, list);
  const whose = `${list} belongs to "${handleOrNull(db, row.person)}"`;
  refuseUnless(row.person === null, 403, `list: expected an own list, ${whose}`);
  return row;
}

/** Of whom the item's list is; null for the owner. */
const whose = (db: Reader, { list }: tables.SavedItem) =>
  db.get(tables.savedLists, list)?.person ?? null;

const ownLists = resource({
  noun: "list",
  item: tables.savedLists.item({
    ...tables.savedLists.fields("name", "id"),
    of: nullableHandleField,
    role: [z.enum([...tables.ROLES, "owner"]), ({ role }) => role ?? "owner"],
    size: countReferencingRows(tables.savedItems, "list"),
  }),
  keys: { list },
  find: ({ list }, { db }) => own(db, list),
  unique: true,
  isExample: ({ person }) => person === null,
});

const ownId = (db: Reader) => firstRowId(db, tables.savedLists, (row) => row.person === null);

const saved = resource({
  noun: "saved item",
  item: tables.savedItems.item({
    ...ofProduct,
    list: textOfReferencedRow(tables.savedLists, "list", "name", "removed"),
    of: [z.string().nullable(), (row, { db }) => handleOrNull(db, whose(db, row))],
    price,
    claim: z.enum(tables.CLAIMS),
  }),
});

/** A product that is not on the list, for examples. */
function absent(db: Reader, list: number): number {
  const there = new Set(db.where(tables.savedItems, { list }).map((row) => row.product));
  return firstRowId(db, tables.products, (row) => !there.has(row.id));
}

/** Of an item of a contact's list, from one claim to another. */
const claiming = (from: tables.SavedItem["claim"], claim: tables.SavedItem["claim"]) => ({
  checkRow: (row: tables.SavedItem, _: unknown, { db }: ViewContext) => {
    const { id } = row;
    const theirs = listBy(db, row.list).person !== null;
    refuseUnless(theirs, 422, `id: expected an item of a contact's list, ${id} is on an own one`);
    const message = `id: expected an item whose claim is ${from}, ${id} is ${row.claim}`;
    refuseUnless(row.claim === from, 409, message);
  },
  set: { claim },
  isExample: (row: tables.SavedItem, db: Reader) => row.claim === from && whose(db, row) !== null,
});

const shares = resource({
  noun: "share",
  item: tables.listShares.item({
    name: nameField,
    handle: handleField,
    role: z.enum(tables.ROLES),
  }),
  keys: { list, person: handleParam("who sees it") },
  find: (args, { db }) => {
    const list = own(db, args.list).id;
    const { id: person, handle } = requirePerson(db, args.person, "person");
    const [row] = db.where(tables.listShares, { list, person, ended: false });
    refuseUnless(row, 404, `person: "${handle}" does not see list ${list}`);
    return row;
  },
  example: (db) => {
    const row = db.all(tables.listShares).find((share) => !share.ended);
    return { list: row?.list ?? 1, person: row ? handleOf(db, row.person) : "amara.o" };
  },
});

export const listApis = {
  lists: ownLists.list("List saved lists: own ones and those that contacts share.", {
    filters: {
      of: personColumnFilter("only lists of this contact", "of"),
      shared: [
        booleanParam("only lists of contacts, or only own ones"),
        filterWhether(({ person }) => person !== null),
      ],
    },
    example: { shared: false },
  }),
  saved: saved.list("List the products on lists, oldest first; on all lists when none is named.", {
    params: { list: list.describe("only this list").optional() },
    rows: ({ list }, { db }) => (list === undefined ? {} : { list: listBy(db, list).id }),
    filters: {
      of: personFilter<tables.SavedItem>(
        "only on lists of this contact",
        "of",
        (row, person, db) => whose(db, row) === person,
      ),
      mine: [
        booleanParam("only on own lists, or only on lists of contacts"),
        filterWhether((row, { db }) => whose(db, row) === null),
      ],
      claim: z.enum(tables.CLAIMS).describe("only with this claim"),
    },
    example: { mine: true },
  }),
  addList: ownLists.add("Start an empty list.", {
    params: { name },
    defaults: { person: null, role: null },
    example: { name: "summer house" },
  }),
  renameList: ownLists.change("Rename an own list.", {
    params: { name: name.describe("the new name") },
    example: { name: "summer house" },
  }),
  save: saved.add("Save a product to a list.", {
    params: { list, product },
    row: (args, { db }) => {
      const { id: list, name } = editable(db, args.list, "list");
      const product = productBy(db, args.product).id;
      const old = db.where(tables.savedItems, { list, product }).length;
      refuseUnless(old === 0, 409, `product: ${product} is on "${name}" already`);
      return { list, product };
    },
    defaults: { claim: "open" },
    example: (db) => ({ list: ownId(db), product: absent(db, ownId(db)) }),
  }),
  unsave: saved.remove("Take a product off a list.", {
    checkRow: (row, _, { db }) => editable(db, row.list, "id"),
    isExample: (row, db) => db.get(tables.savedLists, row.list)?.person === null,
  }),
  claim: saved.change(
    "Promise to give an item of a contact's list, so that nobody else does.",
    claiming("open", "mine"),
  ),
  unclaim: saved.change("Take back the promise to give an item.", claiming("mine", "open")),
  sharedWith: shares.list("List the contacts who see an own list.", {
    parent: [ownLists, "list"],
    rows: { ended: false },
    example: ownLists.example,
  }),
  shareList: shares.add("Let a contact see an own list, or change what they may do with it.", {
    params: {
      list,
      person: handleParam("who shall see it"),
      role: z.enum(tables.ROLES).default("viewer").describe("editors may save and drop products"),
    },
    row: ({ role, ...args }, { db }) => {
      const list = own(db, args.list).id;
      const person = requireReceiver(db, args.person, "person").id;
      const [old] = db.where(tables.listShares, { list, person, ended: false });
      return old
        ? db.update(tables.listShares, old.id, { role })
        : { list, person, role, ended: false };
    },
    example: (db) => ({
      list: ownId(db),
      person: exampleHandleWhere(db),
      role: "editor",
    }),
  }),
  unshareList: shares.set("End a contact's view of an own list.", { ended: true }),
};
