/**
 * Defines the APIs of guests' answers, of asking guests who have not answered once more, and of proposals of another
 * time by guests or by the owner.
 */

import {
  dayParam,
  defineItem,
  filterWhere,
  idParam,
  listApi,
  refuseUnless,
  resource,
  textOfReferencedRow,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  dayOf,
  handleField,
  handleOf,
  handleParam,
  nullableHandleField,
  personColumnFilter,
  personFields,
  requireReceiver,
  requireTodayOrLater,
  timeParam,
} from "../shared.ts";
import { type CalendarEvent, events, guests, people } from "../tables.ts";
import {
  anyEvent,
  eventResource,
  exampleFutureEvent,
  exampleInvitationId,
  exampleInvitedGuest,
  invitationItem,
  invitedGuests,
  ownEvents,
  requireActiveEvent,
  requireChangeableEvent,
  requireHostedEvent,
} from "./events.ts";
import { ANSWERS, answers, nudges, PROPOSAL_STATUSES, type Proposal, proposals } from "./tables.ts";
import { sortByTime } from "./times.ts";

const ANSWERS_OR_OPEN = [...ANSWERS, "open"] as const;

function guestAnswer(db: Reader, event: number, person: number): (typeof ANSWERS_OR_OPEN)[number] {
  return db.where(answers, { event, person })[0]?.answer ?? "open";
}

const wasNudged = (db: Reader, event: number, person: number) =>
  db.where(nudges, { event, person }).length > 0;

const title = textOfReferencedRow(events, "event", "title", "removed");

const nudge = resource({
  noun: "nudge",
  item: defineItem(nudges, { title, id: [z.int(), ({ event }) => event], person: handleField }),
});

/**
 * Returns one of the owner's events, and a guest of it who has neither answered nor been asked once more. An example of
 * an API call uses it.
 */
function exampleUnansweredGuest(db: Reader): { id: number; person: string } {
  const findUnanswered = (row: CalendarEvent) =>
    invitedGuests(db, row.id).find(
      ({ event, person }) =>
        guestAnswer(db, event, person) === "open" &&
        db.get(people, person)?.blocked === false &&
        !wasNudged(db, event, person),
    );
  const row = exampleFutureEvent(db, (candidate) => findUnanswered(candidate) !== undefined);
  const guest = row && findUnanswered(row);
  return { id: row?.id ?? 1, person: guest ? handleOf(db, guest.person) : "amara.o" };
}

/** Returns true if a proposal of the owner for this event is open. */
const hasOwnProposal = (db: Reader, event: number): boolean =>
  db.where(proposals, { event, person: null, status: "open" }).length > 0;

const proposal = resource({
  noun: "proposal",
  item: defineItem(proposals, {
    title,
    ...proposals.fields("id", "event"),
    by: nullableHandleField,
    ...proposals.fields("day", "time", "status"),
  }),
});

/** Makes the options of an API that accepts only open proposals by a guest, or only open proposals by the owner. */
function openProposalOptions(author: "a guest" | "the owner") {
  const isByAuthor = ({ person }: Proposal) => (person === null) === (author === "the owner");
  return {
    isExample: (row: Proposal) => row.status === "open" && isByAuthor(row),
    checkRow: (row: Proposal) => {
      refuseUnless(isByAuthor(row), 403, `id: expected a proposal by ${author}, ${row.id} is not`);
      refuseUnless(row.status === "open", 409, `id: proposal ${row.id} is already ${row.status}`);
    },
  };
}

export const answerApis = {
  answers: listApi(
    "List the guests of an own event with their answers; those uninvited are left out.",
    {
      item: defineItem(guests, {
        ...personFields,
        answer: [
          z.enum(ANSWERS_OR_OPEN),
          ({ event, person }, { db }) => guestAnswer(db, event, person),
        ],
      }),
      parent: [eventResource("own event", requireHostedEvent), "event"],
      rows: { uninvited: false },
      filters: {
        answer: [
          z.enum(ANSWERS_OR_OPEN).describe("only guests with this answer; open: none yet"),
          filterWhere(
            ({ event, person }, answer, { db }) => guestAnswer(db, event, person) === answer,
          ),
        ],
      },
      example: (db) => ({ id: exampleInvitedGuest(db).id }),
    },
  ),
  nudge: nudge.add("Ask a guest of an own event who has not answered once more.", {
    params: { ...ownEvents.keys, person: handleParam("the guest") },
    row: (args, { db, now }) => {
      const event = requireChangeableEvent(db, args.id, now).id;
      const { id: person, handle } = requireReceiver(db, args.person, "person");
      const guest = invitedGuests(db, event).some((row) => row.person === person);
      refuseUnless(guest, 404, `person: "${handle}" is not invited to event ${event}`);
      const answer = guestAnswer(db, event, person);
      refuseUnless(answer === "open", 409, `person: "${handle}" has already answered ${answer}`);
      const wasAsked = wasNudged(db, event, person);
      refuseUnless(!wasAsked, 409, `person: "${handle}" was already asked once more`);
      return { event, person };
    },
    example: exampleUnansweredGuest,
  }),
  declined: anyEvent.list(
    "List invitations by others that the owner declined and could still accept, by day.",
    {
      item: invitationItem,
      rows: (_, { db, now }) =>
        db
          .where(events, { response: "declined", cancelled: false })
          .filter((row) => row.day >= dayOf(now)),
      filters: { from: personColumnFilter("only by this person", "from", "host") },
      order: sortByTime,
    },
  ),
  proposals: proposal.list(
    "List proposals of another time, by proposed day and time; by is null for the owner's.",
    {
      filters: {
        by: [
          z.enum(["guests", "me"]).default("guests").describe("whose proposals"),
          filterWhere(({ person }, whose) => (person === null) === (whose === "me")),
        ],
        status: z.enum(PROPOSAL_STATUSES).default("open").describe("which ones"),
        from: personColumnFilter("only by this guest", "from"),
      },
      order: sortByTime,
    },
  ),
  acceptProposal: proposal.act(
    "Accept a guest's proposal: the own event moves to that day and time.",
    {
      ...openProposalOptions("a guest"),
      run: ({ event, day, time }, { id }, { db, now }) => {
        requireChangeableEvent(db, event, now);
        requireTodayOrLater(day, now, `id: proposal ${id}`);
        db.update(events, event, { day, time });
        return db.update(proposals, id, { status: "accepted" });
      },
    },
  ),
  declineProposal: proposal.change("Decline a guest's proposal; the own event stays as it is.", {
    ...openProposalOptions("a guest"),
    set: { status: "declined" },
  }),
  propose: proposal.add("Propose another time to the host of an event of someone else.", {
    params: {
      id: idParam("event of someone else"),
      day: dayParam("the day"),
      time: timeParam("the time"),
    },
    row: ({ id, day, time }, { db, now }) => {
      const event = requireActiveEvent(db, id);
      refuseUnless(event.host !== null, 422, `id: ${id} is an own event; calendar.move it`);
      requireTodayOrLater(event.day, now, `id: event ${id}`);
      requireTodayOrLater(day, now, "day");
      refuseUnless(
        !hasOwnProposal(db, id),
        409,
        `id: event ${id} has an open proposal already; calendar.withdraw first`,
      );
      return { event: id, person: null, day, time, status: "open" };
    },
    example: (db) => ({
      id: exampleInvitationId(db, (row) => !hasOwnProposal(db, row.id)),
      day: "2026-04-09",
      time: "17:30",
    }),
  }),
  withdraw: proposal.change("Withdraw the owner's own proposal.", {
    ...openProposalOptions("the owner"),
    set: { status: "withdrawn" },
  }),
};
