/**
 * Defines the APIs of lists of saved products: lists of the owner, which can be shared, and wish lists that contacts
 * share with the owner.
 *
 * On a contact's list, the owner may save and drop products as an editor. On every contact's list, the owner may claim
 * an item, which means to give it as a gift.
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
import { price, product, productFields, requireProduct } from "./lookup.ts";
import * as tables from "./tables.ts";

const list = idParam("list");
const name = shortTextParam("name of the new list");

function requireList(db: Reader, list: number): tables.SavedList {
  const hint = "shop.lists shows them";
  return rowById(db, tables.savedLists, list, { noun: "list", param: "list", hint });
}

/**
 * Returns a list that the owner may change: an own one, or a contact's list on which the owner is an editor. Throws a
 * 404 or 403 otherwise.
 */
function requireEditableList(db: Reader, list: number, param: string): tables.SavedList {
  const row = requireList(db, list);
  const belonging = `${param}: list ${list} belongs to "${handleOrNull(db, row.person)}"`;
  const canEdit = row.person === null || row.role === "editor";
  refuseUnless(canEdit, 403, `${belonging} and the owner is only a viewer there`);
  return row;
}

function requireOwnList(db: Reader, list: number): tables.SavedList {
  const row = requireList(db, list);
  const belonging = `${list} belongs to "${handleOrNull(db, row.person)}"`;
  refuseUnless(row.person === null, 403, `list: expected an own list, ${belonging}`);
  return row;
}

/** Returns the contact to whom the item's list belongs, or null when it is the owner's. */
const ownerOfList = (db: Reader, { list }: tables.SavedItem) =>
  db.get(tables.savedLists, list)?.person ?? null;

const ownList = resource({
  noun: "list",
  item: tables.savedLists.item({
    ...tables.savedLists.fields("name", "id"),
    of: nullableHandleField,
    role: [z.enum([...tables.ROLES, "owner"]), ({ role }) => role ?? "owner"],
    size: countReferencingRows(tables.savedItems, "list"),
  }),
  keys: { list },
  find: ({ list }, { db }) => requireOwnList(db, list),
  unique: true,
  isExample: ({ person }) => person === null,
});

const exampleOwnListId = (db: Reader) =>
  firstRowId(db, tables.savedLists, (row) => row.person === null);

const savedItem = resource({
  noun: "saved item",
  item: tables.savedItems.item({
    ...productFields,
    list: textOfReferencedRow(tables.savedLists, "list", "name", "removed"),
    of: [z.string().nullable(), (row, { db }) => handleOrNull(db, ownerOfList(db, row))],
    price,
    claim: z.enum(tables.CLAIMS),
  }),
});

/** Returns the id of a product that is not on the list. Examples of API calls use it. */
function exampleUnsavedProduct(db: Reader, list: number): number {
  const savedIds = new Set(db.where(tables.savedItems, { list }).map((row) => row.product));
  return firstRowId(db, tables.products, (row) => !savedIds.has(row.id));
}

/** Makes the options of an API that changes the claim on an item of a contact's list from one value to another. */
const claimChangeOptions = (from: tables.SavedItem["claim"], claim: tables.SavedItem["claim"]) => ({
  checkRow: (row: tables.SavedItem, _: unknown, { db }: ViewContext) => {
    const { id } = row;
    const isContactsList = requireList(db, row.list).person !== null;
    refuseUnless(
      isContactsList,
      422,
      `id: expected an item of a contact's list, ${id} is on an own one`,
    );
    const message = `id: expected an item whose claim is ${from}, ${id} is ${row.claim}`;
    refuseUnless(row.claim === from, 409, message);
  },
  set: { claim },
  isExample: (row: tables.SavedItem, db: Reader) =>
    row.claim === from && ownerOfList(db, row) !== null,
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
    const list = requireOwnList(db, args.list).id;
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

export const savedListApis = {
  lists: ownList.list("List saved lists: own ones and those that contacts share.", {
    filters: {
      person: personColumnFilter("only lists of this contact", "person"),
      shared: [
        booleanParam("only lists of contacts, or only own ones"),
        filterWhether(({ person }) => person !== null),
      ],
    },
    example: { shared: false },
  }),
  saved: savedItem.list(
    "List the products on lists, oldest first; on all lists when none is named.",
    {
      params: { list: list.describe("only this list").optional() },
      rows: ({ list }, { db }) => (list === undefined ? {} : { list: requireList(db, list).id }),
      filters: {
        person: personFilter<tables.SavedItem>(
          "only on lists of this contact",
          "person",
          (row, person, db) => ownerOfList(db, row) === person,
        ),
        mine: [
          booleanParam("only on own lists, or only on lists of contacts"),
          filterWhether((row, { db }) => ownerOfList(db, row) === null),
        ],
        claim: z.enum(tables.CLAIMS).describe("only with this claim"),
      },
      example: { mine: true },
    },
  ),
  addList: ownList.add("Start an empty list.", {
    params: { name },
    defaults: { person: null, role: null },
    example: { name: "summer house" },
  }),
  renameList: ownList.change("Rename an own list.", {
    params: { name: name.describe("the new name") },
    example: { name: "summer house" },
  }),
  save: savedItem.add("Save a product to a list.", {
    params: { list, product },
    row: (args, { db }) => {
      const { id: list, name } = requireEditableList(db, args.list, "list");
      const product = requireProduct(db, args.product).id;
      const existing = db.where(tables.savedItems, { list, product }).length;
      refuseUnless(existing === 0, 409, `product: ${product} is on "${name}" already`);
      return { list, product };
    },
    defaults: { claim: "open" },
    example: (db) => ({
      list: exampleOwnListId(db),
      product: exampleUnsavedProduct(db, exampleOwnListId(db)),
    }),
  }),
  unsave: savedItem.remove("Take a product off a list.", {
    checkRow: (row, _, { db }) => requireEditableList(db, row.list, "id"),
    isExample: (row, db) => db.get(tables.savedLists, row.list)?.person === null,
  }),
  claim: savedItem.change(
    "Promise to give an item of a contact's list, so that nobody else does.",
    claimChangeOptions("open", "mine"),
  ),
  unclaim: savedItem.change(
    "Take back the promise to give an item.",
    claimChangeOptions("mine", "open"),
  ),
  sharedWith: shares.list(
    "List the contacts who see an own list; shares that ended are left out.",
    {
      parent: [ownList, "list"],
      rows: { ended: false },
      example: ownList.example,
    },
  ),
  shareList: shares.add("Let a contact see an own list, or change what they may do with it.", {
    params: {
      list,
      person: handleParam("who shall see it"),
      role: z.enum(tables.ROLES).default("viewer").describe("editors may save and drop products"),
    },
    row: ({ role, ...args }, { db }) => {
      const list = requireOwnList(db, args.list).id;
      const person = requireReceiver(db, args.person, "person").id;
      const [existing] = db.where(tables.listShares, { list, person, ended: false });
      return existing
        ? db.update(tables.listShares, existing.id, { role })
        : { list, person, role, ended: false };
    },
    example: (db) => ({
      list: exampleOwnListId(db),
      person: exampleHandleWhere(db),
      role: "editor",
    }),
  }),
  unshareList: shares.set("End a contact's view of an own list.", { ended: true }),
};
