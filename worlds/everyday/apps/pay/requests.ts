/**
 * Defines the APIs of requests for money. The owner can approve or decline requests of others. The owner can also make
 * requests, cancel them, and remind people of them.
 */

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
import { note, payment, sendPayment } from "./payments.ts";

const status = z.enum(REQUEST_STATUSES);
const requestItem = requests.item({
  ...requests.fields("note", "id"),
  amount: dollarsField,
  status,
});

const noun = "request";
/** Requests by the owner or by others, for APIs that only show requests. */
export const anyRequest = resource({ table: requests, noun, item: requestItem });

/**
 * Makes a resource of pending requests: those of the owner when `isOwn` is true, else those of others. The guard throws
 * a 422 or 409 for any other request.
 */
const pendingRequest = (isOwn: boolean, item: typeof requestItem) =>
  resource({
    noun,
    item,
    guard: ({ id, outgoing, status: is }) => {
      refuseUnless(outgoing === isOwn, 422, () => {
        const [owner, other] = ["the owner", "someone else"];
        const [expected, actual] = isOwn ? [owner, other] : [other, owner];
        return `id: expected a request made by ${expected}, ${id} is by ${actual}`;
      });
      refuseUnless(is === "pending", 409, `id: expected a pending request, ${id} is already ${is}`);
    },
    example: (db, fits) => ({
      id: db.where(requests, { outgoing: isOwn, status: "pending" }).find(fits)!.id,
    }),
  });

const incomingRequest = pendingRequest(false, requestItem.with({ from: handleField }));

const isReminded = (db: Reader, { id }: PayRequest) =>
  db.where(reminders, { request: id }).length > 0;

const incomingApis = {
  requests: incomingRequest.list("List what others ask the owner to pay, newest first.", {
    rows: { outgoing: false },
    filters: {
      from: personColumnFilter("only from this person", "from"),
      status: status.describe("only in this state"),
    },
    order: newestFirst,
    example: { status: "pending" },
  }),
  approve: payment.add("Pay a pending request.", {
    params: { id: idParam(noun) },
    row: ({ id }, context) => {
      const { person, cents, note } = incomingRequest.find({ id }, context);
      context.db.update(requests, id, { status: "paid" });
      return sendPayment(context, { person, cents, note, request: id }, "id");
    },
    example: incomingRequest.example,
  }),
  decline: incomingRequest.set("Decline a pending request.", { status: "declined" }),
};

/**
 * Makes the APIs of the requests that the owner makes. `payer` is what lists and answers call the person who shall pay:
 * `to`, as in the starter, or `from`, as `request` takes it.
 */
export function makeOwnRequestApis(payer: "to" | "from") {
  const item =
    payer === "to"
      ? requestItem.with({ to: handleField })
      : requestItem.with({ from: handleField });
  const outgoingRequest = pendingRequest(true, item);
  return {
    requested: outgoingRequest.list("List what the owner asked others to pay, newest first.", {
      rows: { outgoing: true },
      filters: {
        [payer]: personColumnFilter(`only ${payer} this person`, payer),
        status: status.describe("only in this state"),
      },
      order: newestFirst,
      example: { status: "pending" } as object,
    }),
    request: outgoingRequest.add("Ask someone to pay the owner.", {
      params: { from: handleParam("who shall pay"), amount, note },
      row: ({ from, amount, note }, { db, now }) => {
        const person = requireReceiver(db, from, "from").id;
        const cents = toCents(amount);
        return { person, outgoing: true, cents, note, status: "pending", at: now };
      },
      example: (db) => ({ from: exampleHandleWhere(db), amount: 12.5, note: "taxi home" }),
    }),
    cancel: outgoingRequest.set("Cancel a pending request that the owner made.", {
      status: "cancelled",
    }),
    remind: outgoingRequest.act(
      "Remind someone of a pending request that the owner made; once for each request.",
      {
        isExample: (row, db) => !isReminded(db, row),
        checkRow: (row, { id }, { db }) =>
          refuseUnless(
            !isReminded(db, row),
            409,
            `id: a reminder of request ${id} was sent already`,
          ),
        run: (row, _, { db }) => void db.insert(reminders, { request: row.id }),
      },
    ),
  };
}

const { requested, ...ownApis } = makeOwnRequestApis("to");
const { requests: received, ...answers } = incomingApis;

/** The APIs of requests in the starter, in the order of its documentation. */
export const requestApis = {
  requests: received,
  requested,
  request: ownApis.request,
  ...answers,
  cancel: ownApis.cancel,
  remind: ownApis.remind,
};
