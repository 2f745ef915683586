/** The facts about each contact: what they are to the owner, when they were born, where they live and work. */
import { z } from "zod";
import { asIs, by, either, listOf, must, type Reader, where } from "../../../../world/index.ts";
import { contains, day, dayOf, line, query, same } from "../shared.ts";
import { type Person, people } from "../tables.ts";
import { expectKnown, type Facts, factsOf } from "./facts.ts";
import { byName, inGroup } from "./index.ts";
import { RELATIONSHIPS } from "./tables.ts";
import { knownItem, profiles } from "./views.ts";

const relationship = z.enum(RELATIONSHIPS).describe("what they are to the owner");

const has = (handle: string) => `expected something new, "${handle}" has that already`;

/** A 409 where all of it is known. */
function mustBeNew(db: Reader, { id, handle }: Person, facts: Partial<Facts>): void {
  const before = factsOf(db, id);
  const names = Object.keys(facts) as (keyof Facts)[];
  const isNew = names.some((name) => before[name] !== facts[name]);
  must(isNew, 409, `${names[0]}: ${has(handle)}`);
}

const monthOf = (birthday: string | null) => (birthday === null ? 0 : Number(birthday.slice(5, 7)));

/** How often each occurs, by name. */
function counted(names: readonly string[]) {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, size]) => ({ name, size }));
}

const sizes = asIs({ name: z.string(), size: z.int() });

export const detailApis = {
  profile: profiles.show("Show all facts about a contact, with the partner's handle."),
  directory: profiles.list(
    "List contacts with what is known about them, by name or from the oldest to the youngest.",
    {
      filters: {
        relationship: [
          relationship,
          where(({ id }, wanted, { db }) => factsOf(db, id).relationship === wanted),
        ],
        group: inGroup,
        city: [line("only this city"), where((row, city) => same(row.city, city))],
        workplace: [
          line("only those who work there"),
          where(({ id }, place, { db }) => same(factsOf(db, id).workplace ?? "", place)),
        ],
        bornIn: [
          z.int().min(1).max(12).describe("only those born in this month, 1 to 12"),
          where(({ id }, month, { db }) => monthOf(factsOf(db, id).birthday) === month),
        ],
        favourite: [
          either("only favourites, or only others"),
          where(({ id }, wanted, { db }) => factsOf(db, id).favourite === wanted),
        ],
      },
      sorts: {
        name: byName,
        age: by(
          ({ id }, { db }) => factsOf(db, id).birthday ?? "9999",
          ({ name }) => name,
        ),
      },
      sort: "unknown birthdays come last",
      item: knownItem,
      example: { relationship: "family" },
    },
  ),
  setRelationship: profiles.change("Set what a contact is to the owner.", {
    params: { relationship },
    unless: (row, { relationship }, { db }) => mustBeNew(db, row, { relationship }),
    fits: ({ id }, db) => factsOf(db, id).relationship !== "friend",
    example: { relationship: "friend" },
  }),
  setBirthday: profiles.change("Set the day on which a contact was born.", {
    params: { birthday: day("the day of birth with its year") },
    check: ({ birthday }, { now }) => {
      const today = dayOf(now);
      const past = birthday <= today;
      must(past, 422, `birthday: expected a day until today (${today}), got ${birthday}`);
    },
    unless: (row, { birthday }, { db }) => mustBeNew(db, row, { birthday }),
    example: { birthday: "1990-02-28" },
  }),
  clearBirthday: profiles.change("Forget when a contact was born.", {
    unless: (row, _, { db }) => expectKnown(factsOf(db, row.id).birthday, row, "birthday"),
    set: { birthday: null },
  }),
  setStreet: profiles.change("Set the street and number where a contact lives.", {
    params: { street: line('street and number, such as "4 Linden Road"') },
    unless: (row, { street }, { db }) => mustBeNew(db, row, { street }),
    example: { street: "4 Linden Road" },
  }),
  setWork: profiles.change(
    "Set where a contact works, and as what. A new workplace without a job clears the job.",
    {
      params: {
        workplace: line("name of the workplace"),
        job: line('what they do there, such as "nurse"').optional(),
      },
      set: (row, { workplace, job = null }, { db }) => {
        mustBeNew(db, row, { workplace, job });
        return { workplace, job };
      },
      example: { workplace: "City Library", job: "librarian" },
    },
  ),
  clearWork: profiles.change("Forget where a contact works and as what.", {
    unless: (row, _, { db }) => expectKnown(factsOf(db, row.id).workplace, row, "workplace"),
    set: { workplace: null, job: null },
    fits: ({ id }, db) => factsOf(db, id).workplace !== null,
  }),
  favour: profiles.change("Make a contact a favourite.", {
    set: { favourite: true },
    already: ({ handle }) => `person: ${has(handle)}`,
  }),
  unfavour: profiles.change("Make a contact no longer a favourite.", {
    set: { favourite: false },
    already: ({ handle }) => `person: ${has(handle)}`,
  }),
  workplaces: listOf(sizes, "List workplaces by name with their number of contacts.", {
    params: { query: query.optional() },
    rows: ({ query = "" }, { db }) => {
      const places = db.all(people).flatMap(({ id }) => factsOf(db, id).workplace ?? []);
      return counted(places.filter((place) => contains(place, query)));
    },
  }),
  cities: listOf(sizes, "List cities by name with their number of contacts.", {
    rows: (_, { db }) => counted(db.all(people).map(({ city }) => city)),
  }),
};
