/** Requests for money: others ask the owner (approve, decline), the owner asks others (cancel, remind). */

import { idOf, must, newestFirst, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  amount,
  centsOf,
  handle,
  inDollars,
  ofPerson,
  receiver,
  someHandle,
  theirHandle,
} from "../shared.ts";
import { type PayRequest, REQUEST_STATUSES, reminders, requests } from "../tables.ts";
import { note, payment, transfer } from "./transfer.ts";

const status = z.enum(REQUEST_STATUSES);
const requestItem = requests.item({
  ...requests.fields("note", "id"),
  amount: inDollars,
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
      must(outgoing === mine, 422, () => {
        const [owner, other] = ["the owner", "someone else"];
        const [expected, came] = mine ? [owner, other] : [other, owner];
        return `id: expected a request made by ${expected}, ${id} is by ${came}`;
      });
      must(is === "pending", 409, `id: expected a pending request, ${id} is already ${is}`);
    },
    example: (db, fits) => ({
      id: db.where(requests, { outgoing: mine, status: "pending" }).find(fits)!.id,
    }),
  });

const asked = pending(false, requestItem.with({ from: theirHandle }));
const claim = pending(true, requestItem.with({ to: theirHandle }));

const isReminded = (db: Reader, { id }: PayRequest) =>
  db.where(reminders, { request: id }).length > 0;

export const requestApis = {
  requests: asked.list("List what others ask the owner to pay, newest first.", {
    rows: { outgoing: false },
    filters: {
      from: ofPerson("only from this person", "from"),
      status: status.describe("only in this state"),
    },
    order: newestFirst,
    example: { status: "pending" },
  }),
  requested: claim.list("List what the owner asked others to pay, newest first.", {
    rows: { outgoing: true },
    filters: {
      to: ofPerson("only to this person", "to"),
      status: status.describe("only in this state"),
    },
    order: newestFirst,
    example: { status: "pending" },
  }),
  request: claim.add("Ask someone to pay the owner.", {
    params: { from: handle("who shall pay"), amount, note },
    row: ({ from, amount, note }, { db, now }) => {
      const person = receiver(db, from, "from").id;
      const cents = centsOf(amount);
      return { person, outgoing: true, cents, note, status: "pending", at: now };
    },
    example: (db) => ({ from: someHandle(db), amount: 12.5, note: "taxi home" }),
  }),
  approve: payment.add("Pay a pending request.", {
    params: { id: idOf(noun) },
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
      fits: (row, db) => !isReminded(db, row),
      unless: (row, { id }, { db }) =>
        must(!isReminded(db, row), 409, `id: a reminder of request ${id} was sent already`),
      run: (row, _, { db }) => void db.insert(reminders, { request: row.id }),
    },
  ),
};
