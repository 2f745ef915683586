/** What guests say: their answers, a question to those who are silent, and proposals of another time, both ways. */

import { day, idOf, itemOf, listing, must, resource, through, where } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  anyHandle,
  clock,
  dayOf,
  handle,
  handleOf,
  notPast,
  ofPerson,
  receiver,
  theirHandle,
  who,
} from "../shared.ts";
import { type CalendarEvent, events, guests, people } from "../tables.ts";
import {
  ahead,
  anyEvent,
  eventsBy,
  hostedEvent,
  invited,
  inviteItem,
  openEvent,
  openGuests,
  ownEvent,
  ownEvents,
  theirs,
} from "./events.ts";
import { ANSWERS, answers, nudges, PROPOSAL_STATUSES, type Proposal, proposals } from "./tables.ts";
import { byDay } from "./times.ts";

const SAID = [...ANSWERS, "open"] as const;

function said(db: Reader, event: number, person: number): (typeof SAID)[number] {
  return db.where(answers, { event, person })[0]?.answer ?? "open";
}

const nudged = (db: Reader, event: number, person: number) =>
  db.where(nudges, { event, person }).length > 0;

const title = through(events, "event", "title", "removed");

const nudge = resource({
  noun: "nudge",
  item: itemOf(nudges, { title, id: [z.int(), ({ event }) => event], person: theirHandle }),
});

/** A guest who can still be asked once more. */
function silent(db: Reader): { id: number; person: string } {
  const quiet = (row: CalendarEvent) =>
    openGuests(db, row.id).find(
      ({ event, person }) =>
        said(db, event, person) === "open" &&
        db.get(people, person)?.blocked === false &&
        !nudged(db, event, person),
    );
  const row = ahead(db, (candidate) => quiet(candidate) !== undefined);
  const guest = row && quiet(row);
  return { id: row?.id ?? 1, person: guest ? handleOf(db, guest.person) : "amara.o" };
}

// --- proposals ---

const proposal = resource({
  noun: "proposal",
  item: itemOf(proposals, {
    title,
    ...proposals.fields("id", "event"),
    by: anyHandle,
    ...proposals.fields("day", "time", "status"),
  }),
});

/** Only open ones, of a guest or of the owner. */
function openBy(who: "a guest" | "the owner") {
  const theirs = ({ person }: Proposal) => (person === null) === (who === "the owner");
  return {
    fits: (row: Proposal) => row.status === "open" && theirs(row),
    unless: (row: Proposal) => {
      must(theirs(row), 403, `id: expected a proposal by ${who}, ${row.id} is not`);
      must(row.status === "open", 409, `id: proposal ${row.id} is already ${row.status}`);
    },
  };
}

export const answerApis = {
  answers: listing("List the guests of an own event with their answers.", {
    item: itemOf(guests, {
      ...who,
      answer: [z.enum(SAID), ({ event, person }, { db }) => said(db, event, person)],
    }),
    of: [eventsBy("own event", hostedEvent), "event"],
    rows: { uninvited: false },
    filters: {
      answer: [
        z.enum(SAID).describe("only guests with this answer; open: none yet"),
        where(({ event, person }, answer, { db }) => said(db, event, person) === answer),
      ],
    },
    example: (db) => ({ id: invited(db).id }),
  }),
  nudge: nudge.add("Ask a guest of an own event who has not answered once more.", {
    params: { ...ownEvents.keys, person: handle("the guest") },
    row: (args, { db, now }) => {
      const event = ownEvent(db, args.id, now).id;
      const { id: person, handle } = receiver(db, args.person, "person");
      const guest = openGuests(db, event).some((row) => row.person === person);
      must(guest, 404, `person: "${handle}" is not invited to event ${event}`);
      const answer = said(db, event, person);
      must(answer === "open", 409, `person: "${handle}" has already answered ${answer}`);
      const asked = nudged(db, event, person);
      must(!asked, 409, `person: "${handle}" was already asked once more`);
      return { event, person };
    },
    example: silent,
  }),
  declined: anyEvent.list(
    "List invitations by others that the owner declined and could still accept, by day.",
    {
      item: inviteItem,
      rows: (_, { db, now }) =>
        db
          .where(events, { response: "declined", cancelled: false })
          .filter((row) => row.day >= dayOf(now)),
      filters: { from: ofPerson("only by this person", "from", "host") },
      order: byDay,
    },
  ),
  proposals: proposal.list(
    "List proposals of another time, by proposed day and time; by is null for the owner's.",
    {
      filters: {
        by: [
          z.enum(["guests", "me"]).default("guests").describe("whose proposals"),
          where(({ person }, whose) => (person === null) === (whose === "me")),
        ],
        status: z.enum(PROPOSAL_STATUSES).default("open").describe("which ones"),
        from: ofPerson("only by this guest", "from"),
      },
      order: byDay,
    },
  ),
  acceptProposal: proposal.act(
    "Accept a guest's proposal: the own event moves to that day and time.",
    {
      ...openBy("a guest"),
      run: ({ event, day, time }, { id }, { db, now }) => {
        ownEvent(db, event, now);
        notPast(day, now, `id: proposal ${id}`);
        db.update(events, event, { day, time });
        return db.update(proposals, id, { status: "accepted" });
      },
    },
  ),
  declineProposal: proposal.change("Decline a guest's proposal; the own event stays as it is.", {
    ...openBy("a guest"),
    set: { status: "declined" },
  }),
  propose: proposal.add("Propose another time to the host of an event of someone else.", {
    params: { id: idOf("event of someone else"), day: day("the day"), time: clock("the time") },
    row: ({ id, day, time }, { db, now }) => {
      const event = openEvent(db, id);
      must(event.host !== null, 422, `id: ${id} is an own event; calendar.move it`);
      notPast(event.day, now, `id: event ${id}`);
      notPast(day, now, "day");
      const open = { event: id, person: null, status: "open" } as const;
      must(
        db.where(proposals, open).length === 0,
        409,
        `id: event ${id} has an open proposal already; calendar.withdraw first`,
      );
      return { event: id, person: null, day, time, status: "open" };
    },
    example: (db) => ({ id: theirs(db), day: "2026-04-09", time: "17:30" }),
  }),
  withdraw: proposal.change("Withdraw the owner's own proposal.", {
    ...openBy("the owner"),
    set: { status: "withdrawn" },
  }),
};
