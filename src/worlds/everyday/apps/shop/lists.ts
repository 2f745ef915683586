/**
 * Saved lists: the owner's own, which can be shared, and wish lists that contacts share with the owner.
 *
 * On a contact's list an `editor` may save and drop products; everyone who sees it may claim one as a gift.
 */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  dollars,
  freeName,
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
  receiver,
  rowBy,
} from "../shared.ts";
import { people } from "../tables.ts";
import { exampleId, nameOf, productBy } from "./lookup.ts";
import {
  CLAIMS,
  listShares,
  products,
  ROLES,
  type SavedItem,
  type SavedList,
  savedItems,
  savedLists,
} from "./tables.ts";

const listItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  of: z.string().nullable(),
  role: z.enum([...ROLES, "owner"]),
  size: z.int(),
});

const listView = (db: Reader) => (row: SavedList) => ({
  name: row.name,
  id: row.id,
  of: row.person === null ? null : handleOf(db, row.person),
  role: row.role ?? ("owner" as const),
  size: db.where(savedItems, { list: row.id }).length,
});

const savedItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  product: z.int(),
  list: z.string(),
  of: z.string().nullable(),
  price: z.number(),
  claim: z.enum(CLAIMS),
});

const savedView = (db: Reader) => (row: SavedItem) => {
  const list = db.get(savedLists, row.list);
  return {
    name: nameOf(db, row.product),
    id: row.id,
    product: row.product,
    list: list?.name ?? "removed",
    of: list?.person ? handleOf(db, list.person) : null,
    price: dollars(db.get(products, row.product)?.cents ?? 0),
    claim: row.claim,
  };
};

const list = idOf("list");
const product = idOf("product");

function listBy(db: Reader, id: number): SavedList {
  const row = db.get(savedLists, id);
  if (row) return row;
  throw new ApiError(404, `list: there is no list with id ${id}; shop.lists shows them`);
}

/** A list that the owner may change: an own one, or a contact's as editor. */
function editable(db: Reader, id: number, param: string): SavedList {
  const row = listBy(db, id);
  if (row.person === null || row.role === "editor") return row;
  const of = handleOf(db, row.person);
  throw new ApiError(
    403,
    `${param}: list ${id} belongs to "${of}" and the owner is only a viewer there`,
  );
}

function own(db: Reader, id: number): SavedList {
  const row = listBy(db, id);
  if (row.person === null) return row;
  throw new ApiError(
    403,
    `list: expected an own list, ${id} belongs to "${handleOf(db, row.person)}"`,
  );
}

const ownId = (db: Reader) => exampleId(db, savedLists, (row) => row.person === null);

const lists = defineApi({
  summary: "List saved lists: own ones and those that contacts share.",
  params: z.strictObject({
    of: handle("only lists of this contact").optional(),
    shared: z.boolean().optional().describe("only lists of contacts, or only own ones"),
    ...paging,
  }),
  returns: pageOf(listItem),
  example: () => ({ shared: false }),
  handler: ({ db }, { of, shared, ...page }) => {
    const rows = db.where(savedLists, given({ person: personId(db, of, "of") }));
    const kept = rows.filter((row) => shared === undefined || (row.person !== null) === shared);
    return paged(kept, page, listView(db));
  },
});

const saved = defineApi({
  summary: "List the products on lists, oldest first; on all lists when none is named.",
  params: z.strictObject({
    list: list.optional().describe("only this list"),
    of: handle("only on lists of this contact").optional(),
    mine: z.boolean().optional().describe("only on own lists, or only on lists of contacts"),
    claim: z.enum(CLAIMS).optional().describe("only with this claim"),
    ...paging,
  }),
  returns: pageOf(savedItem),
  example: () => ({ mine: true }),
  handler: ({ db }, { list, of, mine, claim, ...page }) => {
    const person = personId(db, of, "of");
    if (list !== undefined) listBy(db, list);
    const rows = db.where(savedItems, given({ list, claim })).filter((row) => {
      const whose = db.get(savedLists, row.list)?.person ?? null;
      return (
        (person === undefined || whose === person) &&
        (mine === undefined || (whose === null) === mine)
      );
    });
    return paged(rows, page, savedView(db));
  },
});

const addList = defineApi({
  summary: "Start an empty list.",
  params: z.strictObject({ name: line("name of the new list") }),
  returns: listItem,
  example: () => ({ name: "summer house" }),
  handler: ({ db }, { name }) => {
    freeName(db, savedLists, name);
    return listView(db)(db.insert(savedLists, { name, person: null, role: null }));
  },
});

const renameList = defineApi({
  summary: "Rename an own list.",
  params: z.strictObject({ list, name: line("the new name") }),
  returns: listItem,
  example: (db) => ({ list: ownId(db), name: "summer house" }),
  handler: ({ db }, args) => {
    const { id } = own(db, args.list);
    freeName(db, savedLists, args.name, id);
    return listView(db)(db.update(savedLists, id, { name: args.name }));
  },
});

/** A product that is not on the list, for examples. */
function absent(db: Reader, list: number): number {
  const there = new Set(db.where(savedItems, { list }).map((row) => row.product));
  return exampleId(db, products, (row) => !there.has(row.id));
}

const save = defineApi({
  summary: "Save a product to a list.",
  params: z.strictObject({ list, product }),
  returns: savedItem,
  example: (db) => ({ list: ownId(db), product: absent(db, ownId(db)) }),
  handler: ({ db }, args) => {
    const { id: list, name } = editable(db, args.list, "list");
    const product = productBy(db, args.product).id;
    if (db.where(savedItems, { list, product }).length > 0) {
      throw new ApiError(409, `product: ${product} is on "${name}" already`);
    }
    return savedView(db)(db.insert(savedItems, { list, product, claim: "open" }));
  },
});

const id = idOf("saved item");

const unsave = defineApi({
  summary: "Take a product off a list.",
  params: z.strictObject({ id }),
  returns: savedItem,
  example: (db) => ({
    id: exampleId(db, savedItems, (row) => db.get(savedLists, row.list)?.person === null),
  }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, savedItems, id, "saved item");
    editable(db, row.list, "id");
    const removed = savedView(db)(row);
    db.remove(savedItems, id);
    return removed;
  },
});

/** An item of a contact's list with that claim, or a 422 or 409. */
function claimable(db: Reader, id: number, expected: SavedItem["claim"]): SavedItem {
  const row = rowBy(db, savedItems, id, "saved item");
  if (listBy(db, row.list).person === null) {
    throw new ApiError(422, `id: expected an item of a contact's list, ${id} is on an own one`);
  }
  if (row.claim === expected) return row;
  throw new ApiError(409, `id: expected an item whose claim is ${expected}, ${id} is ${row.claim}`);
}

const claimed = (db: Reader, claim: SavedItem["claim"]) =>
  exampleId(
    db,
    savedItems,
    (row) => row.claim === claim && db.get(savedLists, row.list)?.person !== null,
  );

const claim = defineApi({
  summary: "Promise to give an item of a contact's list, so that nobody else does.",
  params: z.strictObject({ id }),
  returns: savedItem,
  example: (db) => ({ id: claimed(db, "open") }),
  handler: ({ db }, { id }) => {
    claimable(db, id, "open");
    return savedView(db)(db.update(savedItems, id, { claim: "mine" }));
  },
});

const unclaim = defineApi({
  summary: "Take back the promise to give an item.",
  params: z.strictObject({ id }),
  returns: savedItem,
  example: (db) => ({ id: claimed(db, "mine") }),
  handler: ({ db }, { id }) => {
    claimable(db, id, "mine");
    return savedView(db)(db.update(savedItems, id, { claim: "open" }));
  },
});

const shareItem = z.strictObject({ name: z.string(), handle: z.string(), role: z.enum(ROLES) });

const sharedWith = defineApi({
  summary: "List the contacts who see an own list.",
  params: z.strictObject({ list, ...paging }),
  returns: pageOf(shareItem),
  example: (db) => ({ list: ownId(db) }),
  handler: ({ db }, args) => {
    const rows = db.where(listShares, { list: own(db, args.list).id, ended: false });
    return paged(rows, args, (row) => ({
      name: db.get(people, row.person)?.name ?? "removed",
      handle: handleOf(db, row.person),
      role: row.role,
    }));
  },
});

const role = z.enum(ROLES).default("viewer").describe("editors may save and drop products");

const share = defineApi({
  summary: "Let a contact see an own list, or change what they may do with it.",
  params: z.strictObject({ list, person: handle("who shall see it"), role }),
  returns: shareItem,
  example: (db) => ({
    list: ownId(db),
    person: db.all(people).find((person) => !person.blocked)?.handle ?? "amara.o",
    role: "editor" as const,
  }),
  handler: ({ db }, args) => {
    const list = own(db, args.list).id;
    const { id: person, name, handle } = receiver(db, args.person, "person");
    const [row] = db.where(listShares, { list, person, ended: false });
    if (row) db.update(listShares, row.id, { role: args.role });
    else db.insert(listShares, { list, person, role: args.role, ended: false });
    return { name, handle, role: args.role };
  },
});

const unshare = defineApi({
  summary: "End a contact's view of an own list.",
  params: z.strictObject({ list, person: handle("who sees it") }),
  returns: shareItem,
  example: (db) => {
    const row = db.all(listShares).find((share) => !share.ended);
    return { list: row?.list ?? 1, person: row ? handleOf(db, row.person) : "amara.o" };
  },
  handler: ({ db }, args) => {
    const list = own(db, args.list).id;
    const { id: person, name, handle } = personBy(db, args.person, "person");
    const [row] = db.where(listShares, { list, person, ended: false });
    if (!row) throw new ApiError(404, `person: "${handle}" does not see list ${list}`);
    db.update(listShares, row.id, { ended: true });
    return { name, handle, role: row.role };
  },
});

export const listApis = {
  lists,
  saved,
  addList,
  renameList,
  save,
  unsave,
  claim,
  unclaim,
  sharedWith,
  shareList: share,
  unshareList: unshare,
};
