/** Requests for money: others ask the owner (approve, decline), the owner asks others (cancel, remind). */

import { idParam, newestFirst, refuseUnless, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  amount,
  dollarsField,
  exampleHandleWhere,
  handleField,
  handleParam,
  personColumnFilter,
  requireReceiver,
  toCents,
} from "../shared.ts";
import { type PayRequest, REQUEST_STATUSES, reminders, requests } from "../tables.ts";
import { note, payment, transfer } from "./transfer.ts";

const status = z.enum(REQUEST_STATUSES);
const requestItem = requests.item({
  ...requests.fields("note", "id"),
  amount: dollarsField,
  status,
});

const noun = "request";
/** Anybody's, for looking at. */
export const anyRequest = resource({ table: requests, noun, item: requestItem });

/** Pending ones of others (`mine` false) or of the owner (`mine` true); for the rest a 404, 422 or 409. */
const pending = (mine: boolean, item: typeof requestItem) =>
  resource({
    noun,
    item,
    guard: ({ id, outgoing, status: is }) => {
      refuseUnless(outgoing === mine, 422, () => {
        const [owner, other] = ["the owner", "someone else"];
        const [expected, came] = mine ? [owner, other] : [other, owner];
        return `id: expected a request made by ${expected}, ${id} is by ${came}`;
      });
      refuseUnless(is === "pending", 409, `id: expected a pending request, ${id} is already ${is}`);
    },
    example: (db, fits) => ({
      id: db.where(requests, { outgoing: mine, status: "pending" }).find(fits)!.id,
    }),
  });

const asked = pending(false, requestItem.with({ from: handleField }));
const claim = pending(true, requestItem.with({ to: handleField }));

const isReminded = (db: Reader, { id }: PayRequest) =>
  db.where(reminders, { request: id }).length > 0;

export const requestApis = {
  requests: asked.list("List what others ask the owner to pay, newest first.", {
    rows: { outgoing: false },
    filters: {
      from: personColumnFilter("only from this person", "from"),
      status: status.describe("only in this state"),
    },
    order: newestFirst,
    example: { status: "pending" },
  }),
  requested: claim.list("List what the owner asked others to pay, newest first.", {
    rows: { outgoing: true },
    filters: {
      to: personColumnFilter("only to this person", "to"),
      status: status.describe("only in this state"),
    },
    order: newestFirst,
    example: { status: "pending" },
  }),
  request: claim.add("Ask someone to pay the owner.", {
    params: { from: handleParam("who shall pay"), amount, note },
    row: ({ from, amount, note }, { db, now }) => {
      const person = requireReceiver(db, from, "from").id;
      const cents = toCents(amount);
      return { person, outgoing: true, cents, note, status: "pending", at: now };
    },
    example: (db) => ({ from: exampleHandleWhere(db), amount: 12.5, note: "taxi home" }),
  }),
  approve: payment.add("Pay a pending request.", {
    params: { id: idParam(noun) },
    row: ({ id }, context) => {
      const { person, cents, note } = asked.find({ id }, context);
      context.db.update(requests, id, { status: "paid" });
      return transfer(context, { person, cents, note, request: id }, "id");
    },
    example: asked.example,
  }),
  decline: asked.set("Decline a pending request.", { status: "declined" }),
  cancel: claim.set("Cancel a pending request that the owner made.", { status: "cancelled" }),
  remind: claim.act(
    "Remind someone of a pending request that the owner made; once for each request.",
    {
      isExample: (row, db) => !isReminded(db, row),
      checkRow: (row, { id }, { db }) =>
        refuseUnless(!isReminded(db, row), 409, `id: a reminder of request ${id} was sent already`),
      run: (row, _, { db }) => void db.insert(reminders, { request: row.id }),
    },
  ),
};
