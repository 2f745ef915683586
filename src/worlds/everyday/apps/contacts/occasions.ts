/** When to think of whom: birthdays to come, couples, and when the owner met somebody. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  day,
  dayOf,
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
  query,
  rowBy,
} from "../shared.ts";
import { people } from "../tables.ts";
import { paired, single, someone } from "./examples.ts";
import { coupleOf, factsOf, nextBirthday, partnerOf } from "./facts.ts";
import { type Couple, couples, type Meeting, meetings } from "./tables.ts";

const person = handle("the contact");
const DAY = 86_400_000;

const birthdays = defineApi({
  summary: "List the birthdays to come from today, the next first, then by name.",
  params: z.strictObject({
    days: z.int().min(0).max(366).default(366).describe("only within so many days"),
    person: handle("only of this person").optional(),
    ...paging,
  }),
  returns: pageOf(
    z.strictObject({ name: z.string(), handle: z.string(), day: z.string(), turns: z.int() }),
  ),
  example: () => ({ days: 30 }),
  handler: ({ db, now }, { days, person, ...page }) => {
    const only = personId(db, person, "person");
    const last = new Date(Date.parse(dayOf(now)) + days * DAY).toISOString().slice(0, 10);
    const rows = db
      .all(people)
      .flatMap((row) => {
        const { birthday } = factsOf(db, row.id);
        if (birthday === null || (only !== undefined && row.id !== only)) return [];
        const day = nextBirthday(birthday, now);
        const turns = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4));
        return [{ name: row.name, handle: row.handle, day, turns }];
      })
      .filter(({ day }) => day <= last);
    const key = ({ day, name }: { day: string; name: string }) => `${day} ${name}`;
    const sorted = rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
    return paged(sorted, page, (row) => row);
  },
});

// --- couples ---

const coupleItem = z.strictObject({ first: z.string(), second: z.string() });
const coupleView =
  (db: Reader) =>
  ({ first, second }: Couple) => ({ first: handleOf(db, first), second: handleOf(db, second) });

const listCouples = defineApi({
  summary: "List the couples among the contacts, in the order in which they were made known.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(coupleItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(couples), page, coupleView(db)),
});

const pair = defineApi({
  summary: "Note that two contacts are a couple.",
  params: z.strictObject({ person, with: handle("the other one") }),
  returns: coupleItem,
  example: (db) => ({ person: single(db), with: single(db, 1) }),
  handler: ({ db }, args) => {
    const one = personBy(db, args.person, "person");
    const other = personBy(db, args.with, "with");
    if (one.id === other.id) throw new ApiError(422, "with: expected someone else than person");
    for (const [param, { id, handle }] of [
      ["person", one],
      ["with", other],
    ] as const) {
      const partner = partnerOf(db, id);
      if (partner === undefined) continue;
      const taken = `"${handle}" is in a couple with "${handleOf(db, partner)}"`;
      throw new ApiError(409, `${param}: ${taken}; contacts.unpair first`);
    }
    const [first, second] = [one.id, other.id].toSorted((a, b) => a - b) as [number, number];
    return coupleView(db)(db.insert(couples, { first, second }));
  },
});

const unpair = defineApi({
  summary: "Note that a contact and the partner are no couple any more.",
  params: z.strictObject({ person }),
  returns: coupleItem,
  example: (db) => ({ person: paired(db) }),
  handler: ({ db }, args) => {
    const row = personBy(db, args.person, "person");
    const couple = coupleOf(db, row.id);
    if (!couple) throw new ApiError(404, `person: "${row.handle}" is in no couple`);
    const shown = coupleView(db)(couple);
    db.remove(couples, couple.id);
    return shown;
  },
});

// --- meetings ---

const meetingItem = z.strictObject({
  occasion: z.string(),
  id: z.int(),
  with: z.string(),
  day: z.string(),
});
const meetingView =
  (db: Reader) =>
  ({ occasion, id, person, day }: Meeting) => ({ occasion, id, with: handleOf(db, person), day });

const listMeetings = defineApi({
  summary: "List when the owner met whom, the last first.",
  params: z.strictObject({
    with: handle("only with this person").optional(),
    after: day("only after this day").optional(),
    before: day("only before this day").optional(),
    query: query.optional(),
    ...paging,
  }),
  returns: pageOf(meetingItem),
  example: () => ({ size: 10 }),
  handler: ({ db }, { after = "", before = "9999", query = "", with: other, ...page }) => {
    const found = db.where(meetings, given({ person: personId(db, other, "with") }));
    const rows = found.filter(
      ({ day, occasion }) => day > after && day < before && contains(occasion, query),
    );
    const sorted = rows.toSorted((a, b) =>
      a.day === b.day ? b.id - a.id : a.day < b.day ? 1 : -1,
    );
    return paged(sorted, page, meetingView(db));
  },
});

const logMeeting = defineApi({
  summary: "Note that the owner met a contact.",
  params: z.strictObject({
    with: handle("whom the owner met"),
    day: day("when"),
    occasion: line("what it was, such as a dinner"),
  }),
  returns: meetingItem,
  example: (db) => ({ with: someone(db).handle, day: "2026-03-11", occasion: "Tea in town" }),
  handler: ({ db, now }, args) => {
    const row = personBy(db, args.with, "with");
    if (args.day > dayOf(now)) {
      throw new ApiError(422, `day: expected a day until today (${dayOf(now)}), got ${args.day}`);
    }
    const meeting = { person: row.id, day: args.day, occasion: args.occasion };
    if (db.where(meetings, meeting).length > 0) {
      throw new ApiError(409, `occasion: that meeting with "${row.handle}" is noted already`);
    }
    return meetingView(db)(db.insert(meetings, meeting));
  },
});

const dropMeeting = defineApi({
  summary: "Remove the note of a meeting.",
  params: z.strictObject({ id: idOf("meeting") }),
  returns: meetingItem,
  example: (db) => ({ id: db.all(meetings)[0]?.id ?? 1 }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, meetings, id, "meeting");
    db.remove(meetings, id);
    return meetingView(db)(row);
  },
});

export const occasionApis = {
  birthdays,
  couples: listCouples,
  pair,
  unpair,
  meetings: listMeetings,
  logMeeting,
  dropMeeting,
};
