/** Where orders go. Exactly one address is preferred; addresses with open orders stay. */
import { z } from "zod";
import { ApiError, defineApi } from "../../../../world/index.ts";
import { freeName, line, paged, pageOf, paging } from "../shared.ts";
import { addressBy } from "./lookup.ts";
import { type Address, addresses, orders } from "./tables.ts";

const addressItem = z.strictObject({
  name: z.string(),
  line: z.string(),
  city: z.string(),
  preferred: z.boolean(),
});
const view = ({ name, line, city, preferred }: Address) => ({ name, line, city, preferred });

const name = line('name of the address, such as "home"');

const list = defineApi({
  summary: "List delivery addresses.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(addressItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(addresses), page, view),
});

const add = defineApi({
  summary: "Add a delivery address; the first one becomes the preferred one.",
  params: z.strictObject({ name, line: line("street and number"), city: line("the city") }),
  returns: addressItem,
  example: () => ({ name: "workshop", line: "8 Mill Lane", city: "Delft" }),
  handler: ({ db }, args) => {
    freeName(db, addresses, args.name);
    return view(db.insert(addresses, { ...args, preferred: db.all(addresses).length === 0 }));
  },
});

const prefer = defineApi({
  summary: "Send orders to this address unless told otherwise.",
  params: z.strictObject({ name }),
  returns: addressItem,
  example: (db) => ({ name: db.all(addresses).find((row) => !row.preferred)?.name ?? "home" }),
  handler: ({ db }, args) => {
    const row = addressBy(db, args.name);
    for (const other of db.where(addresses, { preferred: true })) {
      db.update(addresses, other.id, { preferred: false });
    }
    return view(db.update(addresses, row.id, { preferred: true }));
  },
});

const remove = defineApi({
  summary: "Remove an address that no open order goes to and that is not the preferred one.",
  params: z.strictObject({ name }),
  returns: addressItem,
  example: (db) => {
    const busy = (id: number) => db.where(orders, { address: id }).some((o) => open(o.status));
    const free = db.all(addresses).find((row) => !row.preferred && !busy(row.id));
    return { name: free?.name ?? "home" };
  },
  handler: ({ db }, args) => {
    const row = addressBy(db, args.name);
    if (row.preferred) {
      throw new ApiError(409, `name: "${row.name}" is the preferred address; prefer another first`);
    }
    const busy = db.where(orders, { address: row.id }).find((order) => open(order.status));
    if (busy) throw new ApiError(409, `name: order ${busy.id} is on its way to "${row.name}"`);
    db.remove(addresses, row.id);
    return view(row);
  },
});

const open = (status: string) => status === "processing" || status === "shipped";

export const addressApis = {
  addresses: list,
  addAddress: add,
  preferAddress: prefer,
  removeAddress: remove,
};
