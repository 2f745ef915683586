/**
 * Defines the APIs of the owner's balance in the shop with its ledger, and of stored cards, vouchers and addresses.
 * Amounts are dollars in calls and cents in the tables.
 */

import {
  apiWithoutParameters,
  booleanParam,
  filterWhether,
  firstRowId,
  idParam,
  listApi,
  refuseUnless,
  resource,
  rowByName,
  shortTextParam,
} from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import { amount, dayOf, toCents, toDollars } from "../shared.ts";
import { bookEntry, isVoucherUsed } from "./checkout.ts";
import { requireAccount, requireCard } from "./lookup.ts";
import * as tables from "./tables.ts";

export const moneyApis = {
  balance: apiWithoutParameters(
    "Show how many dollars the owner has in the shop.",
    { balance: z.number() },
    ({ db }) => ({ balance: toDollars(requireAccount(db).cents) }),
  ),
  topUp: defineApi({
    summary: "Move money from a stored card to the shop balance.",
    params: z.strictObject({ amount, card: idParam("card") }),
    returns: z.strictObject({ balance: z.number() }),
    example: (db) => ({ amount: 20, card: firstRowId(db, tables.cards) }),
    handler: (context, args) => {
      const { db, now } = context;
      const cents = toCents(args.amount);
      const card = requireCard(db, args.card, now).id;
      db.insert(tables.topUps, { cents, card });
      bookEntry(context, { kind: "top-up", cents, order: null, card: null });
      return { balance: toDollars(requireAccount(db).cents) };
    },
  }),
  cards: listApi(
    "List stored cards; `digits` are the last four, `expires` is the last good month.",
    {
      item: tables.cards.item("name", "id", "digits", "expires"),
    },
  ),
  vouchers: listApi("List the owner's vouchers, the first to expire first.", {
    item: tables.vouchers.item({
      ...tables.vouchers.fields("code", "percent"),
      amount: [z.number().nullable(), ({ cents }) => (cents === null ? null : toDollars(cents))],
      least: [z.number(), ({ least }) => toDollars(least)],
      ...tables.vouchers.fields("category", "expires"),
      used: [z.boolean(), ({ id }, { db }) => isVoucherUsed(db, id)],
    }),
    filters: {
      usable: [
        booleanParam("only those good today, or only used and expired ones"),
        filterWhether(
          ({ id, expires }, { db, now }) => !isVoucherUsed(db, id) && expires >= dayOf(now),
        ),
      ],
    },
    order: "expires",
    example: { usable: true },
  }),
};

/** The owner's addresses, of which exactly one is preferred. */
const addressResource = resource({
  noun: "address",
  item: tables.addresses.item("name", "line", "city", "preferred"),
  keys: { name: shortTextParam('name of the address, such as "home"') },
  keyIsName: true,
  find: ({ name }, { db }) => rowByName(db, tables.addresses, name, "address"),
  example: (db, fits) => ({ name: db.all(tables.addresses).find(fits)?.name ?? "home" }),
});

/** Returns an order that is still to be delivered to this address. Such an address cannot be removed. */
function findOpenOrderTo(db: Reader, address: number) {
  const open = ["processing", "shipped"];
  return db.where(tables.orders, { address }).find(({ status }) => open.includes(status));
}

export const addressApis = {
  addresses: addressResource.list("List delivery addresses."),
  addAddress: addressResource.add(
    "Add a delivery address; the first one becomes the preferred one.",
    {
      params: {
        ...addressResource.keys,
        line: shortTextParam("street and number"),
        city: shortTextParam("the city"),
      },
      row: (args, { db }) => ({ ...args, preferred: db.all(tables.addresses).length === 0 }),
      example: { name: "workshop", line: "8 Mill Lane", city: "Delft" },
    },
  ),
  preferAddress: addressResource.act("Send orders to this address unless told otherwise.", {
    run: ({ id }, _, { db }) => {
      for (const other of db.where(tables.addresses, { preferred: true })) {
        db.update(tables.addresses, other.id, { preferred: false });
      }
      return db.update(tables.addresses, id, { preferred: true });
    },
    isExample: ({ preferred }) => !preferred,
  }),
  removeAddress: addressResource.remove(
    "Remove an address that no open order goes to and that is not the preferred one.",
    {
      checkRow: ({ id, name, preferred }, _, { db }) => {
        refuseUnless(
          !preferred,
          409,
          `name: "${name}" is the preferred address; prefer another first`,
        );
        const order = findOpenOrderTo(db, id);
        refuseUnless(!order, 409, `name: order ${order?.id} is on its way to "${name}"`);
      },
      isExample: ({ id, preferred }, db) => !preferred && !findOpenOrderTo(db, id),
    },
  ),
};
