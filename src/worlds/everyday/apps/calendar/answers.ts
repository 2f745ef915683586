/** What guests say: their answers, a question to those who are silent, and proposals of another time, both ways. */
import { z } from "zod";
import { ApiError, defineApi, type Reader, type Writer } from "../../../../world/index.ts";
import {
  day,
  given,
  handle,
  handleOf,
  idOf,
  notPast,
  paged,
  pageOf,
  paging,
  personBy,
  receiver,
  rowBy,
} from "../shared.ts";
import { type CalendarEvent, events, people } from "../tables.ts";
import { eventItem, eventView, openEvent, openGuests, ownEvent } from "./events.ts";
import { ahead, idIn, invited, theirs } from "./examples.ts";
import {
  ANSWERS,
  answers,
  nudges,
  PROPOSAL_STATUSES,
  type Proposal,
  type ProposalStatus,
  proposals,
} from "./tables.ts";
import { byDay, timeOfDay } from "./times.ts";

const SAID = [...ANSWERS, "open"] as const;

/** An event that the owner hosts, past ones too. */
function hosted(db: Reader, id: number): CalendarEvent {
  const row = openEvent(db, id);
  if (row.host === null) return row;
  throw new ApiError(
    422,
    `id: expected an own event, ${id} is hosted by "${handleOf(db, row.host)}"`,
  );
}

function said(db: Reader, event: number, person: number): (typeof SAID)[number] {
  return db.where(answers, { event, person })[0]?.answer ?? "open";
}

const list = defineApi({
  summary: "List the guests of an own event with their answers.",
  params: z.strictObject({
    id: idOf("own event"),
    answer: z.enum(SAID).optional().describe("only guests with this answer; open: none yet"),
    ...paging,
  }),
  returns: pageOf(z.strictObject({ name: z.string(), handle: z.string(), answer: z.enum(SAID) })),
  example: (db) => ({ id: invited(db).id }),
  handler: ({ db }, { id, answer, ...page }) => {
    hosted(db, id);
    const rows = openGuests(db, id).map(({ person }) => ({ person, answer: said(db, id, person) }));
    const kept = rows.filter((row) => answer === undefined || row.answer === answer);
    return paged(kept, page, (row) => ({
      name: db.get(people, row.person)?.name ?? "removed",
      handle: handleOf(db, row.person),
      answer: row.answer,
    }));
  },
});

const nudge = defineApi({
  summary: "Ask a guest of an own event who has not answered once more.",
  params: z.strictObject({ id: idOf("own event"), person: handle("the guest") }),
  returns: z.strictObject({ title: z.string(), id: z.int(), person: z.string() }),
  example: silent,
  handler: ({ db, now }, args) => {
    const { id, title } = ownEvent(db, args.id, now);
    const person = receiver(db, args.person, "person");
    if (!openGuests(db, id).some((guest) => guest.person === person.id)) {
      throw new ApiError(404, `person: "${person.handle}" is not invited to event ${id}`);
    }
    const answer = said(db, id, person.id);
    if (answer !== "open") {
      throw new ApiError(409, `person: "${person.handle}" has already answered ${answer}`);
    }
    if (db.where(nudges, { event: id, person: person.id }).length > 0) {
      throw new ApiError(409, `person: "${person.handle}" was already asked once more`);
    }
    db.insert(nudges, { event: id, person: person.id });
    return { title, id, person: person.handle };
  },
});

/** A guest who can still be asked once more. */
function silent(db: Reader): { id: number; person: string } {
  const quiet = (row: CalendarEvent) =>
    openGuests(db, row.id).find(
      ({ event, person }) =>
        said(db, event, person) === "open" &&
        db.get(people, person)?.blocked === false &&
        db.where(nudges, { event, person }).length === 0,
    );
  const row = ahead(db, (candidate) => quiet(candidate) !== undefined);
  const guest = row && quiet(row);
  return { id: row?.id ?? 1, person: guest ? handleOf(db, guest.person) : "amara.o" };
}

// --- proposals ---

const proposalItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  event: z.int(),
  by: z.string().nullable(),
  day: z.string(),
  time: z.string(),
  status: z.enum(PROPOSAL_STATUSES),
});

const proposalView =
  (db: Reader) =>
  ({ id, event, person, day, time, status }: Proposal) => ({
    title: db.get(events, event)!.title,
    id,
    event,
    by: person === null ? null : handleOf(db, person),
    day,
    time,
    status,
  });

const listProposals = defineApi({
  summary: "List proposals of another time, by proposed day and time; by is null for the owner's.",
  params: z.strictObject({
    by: z.enum(["guests", "me"]).default("guests").describe("whose proposals"),
    status: z.enum(PROPOSAL_STATUSES).default("open").describe("which ones"),
    from: handle("only by this guest").optional(),
    ...paging,
  }),
  returns: pageOf(proposalItem),
  example: () => ({}),
  handler: ({ db }, { by, status, from, ...page }) => {
    const person = from === undefined ? undefined : personBy(db, from, "from").id;
    const rows = db
      .where(proposals, given({ status, person }))
      .filter((row) => (row.person === null) === (by === "me"));
    return paged(byDay(rows), page, proposalView(db));
  },
});

function openProposal(db: Reader, id: number, by: "guest" | "owner"): Proposal {
  const row = rowBy(db, proposals, id, "proposal");
  if ((row.person === null) !== (by === "owner")) {
    throw new ApiError(
      403,
      `id: expected a proposal by ${by === "owner" ? "the owner" : "a guest"}, ${id} is not`,
    );
  }
  if (row.status === "open") return row;
  throw new ApiError(409, `id: proposal ${id} is already ${row.status}`);
}

function decide(db: Writer, id: number, status: ProposalStatus) {
  return proposalView(db)(db.update(proposals, id, { status }));
}

const someOpen = (guest: boolean) => (db: Reader) => ({
  id: idIn(db, proposals, (row) => row.status === "open" && (row.person !== null) === guest),
});

const acceptProposal = defineApi({
  summary: "Accept a guest's proposal: the own event moves to that day and time.",
  params: z.strictObject({ id: idOf("proposal") }),
  returns: proposalItem,
  example: someOpen(true),
  handler: ({ db, now }, { id }) => {
    const { event, day, time } = openProposal(db, id, "guest");
    ownEvent(db, event, now);
    notPast(day, now, `id: proposal ${id}`);
    db.update(events, event, { day, time });
    return decide(db, id, "accepted");
  },
});

const declineProposal = defineApi({
  summary: "Decline a guest's proposal; the own event stays as it is.",
  params: z.strictObject({ id: idOf("proposal") }),
  returns: proposalItem,
  example: someOpen(true),
  handler: ({ db }, { id }) => decide(db, openProposal(db, id, "guest").id, "declined"),
});

const propose = defineApi({
  summary: "Propose another time to the host of an event of someone else.",
  params: z.strictObject({
    id: idOf("event of someone else"),
    day: day("the day"),
    time: timeOfDay("the time"),
  }),
  returns: proposalItem,
  example: (db) => ({ id: theirs(db, "open"), day: "2026-04-09", time: "17:30" }),
  handler: ({ db, now }, { id, day, time }) => {
    const row = openEvent(db, id);
    if (row.host === null) throw new ApiError(422, `id: ${id} is an own event; calendar.move it`);
    notPast(row.day, now, `id: event ${id}`);
    notPast(day, now, "day");
    if (db.where(proposals, { event: id, person: null, status: "open" }).length > 0) {
      throw new ApiError(
        409,
        `id: event ${id} has an open proposal already; calendar.withdraw first`,
      );
    }
    const proposal = { event: id, person: null, day, time, status: "open" } as const;
    return proposalView(db)(db.insert(proposals, proposal));
  },
});

const withdraw = defineApi({
  summary: "Withdraw the owner's own proposal.",
  params: z.strictObject({ id: idOf("proposal") }),
  returns: proposalItem,
  example: someOpen(false),
  handler: ({ db }, { id }) => decide(db, openProposal(db, id, "owner").id, "withdrawn"),
});

const declined = defineApi({
  summary: "List invitations by others that the owner declined and could still accept, by day.",
  params: z.strictObject({ from: handle("only by this person").optional(), ...paging }),
  returns: pageOf(eventItem.extend({ from: z.string() })),
  example: () => ({}),
  handler: ({ db, now }, { from, ...page }) => {
    const host = from === undefined ? undefined : personBy(db, from, "from").id;
    const match = given({ response: "declined" as const, cancelled: false, host });
    const rows = db.where(events, match).filter((row) => row.day >= now.slice(0, 10));
    return paged(byDay(rows), page, (row) => ({
      ...eventView(row),
      from: row.host === null ? "" : handleOf(db, row.host),
    }));
  },
});

export const answerApis = {
  answers: list,
  nudge,
  declined,
  proposals: listProposals,
  acceptProposal,
  declineProposal,
  propose,
  withdraw,
};
