/** The facts about each contact: what they are to the owner, when they were born, where they live and work. */

import {
  by,
  contains,
  day,
  either,
  line,
  listing,
  must,
  query,
  same,
  sizeItem,
  sizesOf,
  when,
  where,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { dayOf } from "../shared.ts";
import { type Person, people } from "../tables.ts";
import { expectKnown, type Facts, factsOf } from "./facts.ts";
import { memberOf } from "./groups.ts";
import { RELATIONSHIPS } from "./tables.ts";
import { knownItem, profiles } from "./views.ts";

const relationship = z.enum(RELATIONSHIPS).describe("what they are to the owner");

/** Those facts, of which one at least is new; a 409 when none is. */
function fresh(db: Reader, { id, handle }: Person, facts: Partial<Facts>, param: string) {
  const before = factsOf(db, id);
  const names = Object.keys(facts) as (keyof Facts)[];
  const news = names.some((name) => before[name] !== facts[name]);
  must(news, 409, `${param}: ${hasAlready(handle)}`);
  return facts;
}

const hasAlready = (handle: string) => `expected something new, "${handle}" has that already`;
const already = ({ handle }: Person) => `person: ${hasAlready(handle)}`;

/** The month of birth, 0 where it is not known. */
const bornIn = (birthday: string | null) => (birthday === null ? 0 : Number(birthday.slice(5, 7)));

export const detailApis = {
  profile: profiles.show("Show all facts about a contact, with the partner's handle."),
  directory: profiles.list(
    "List contacts with what is known about them, by name or from the oldest to the youngest.",
    {
      item: knownItem,
      filters: {
        relationship: [
          relationship,
          where(({ id }, wanted, { db }) => factsOf(db, id).relationship === wanted),
        ],
        group: [line("only members of this group"), memberOf],
        city: [line("only this city"), where((row, city) => same(row.city, city))],
        workplace: [
          line("only those who work there"),
          where(({ id }, place, { db }) => same(factsOf(db, id).workplace ?? "", place)),
        ],
        bornIn: [
          z.int().min(1).max(12).describe("only those born in this month, 1 to 12"),
          where(({ id }, month, { db }) => bornIn(factsOf(db, id).birthday) === month),
        ],
        favourite: [
          either("only favourites, or only others"),
          when(({ id }, { db }) => factsOf(db, id).favourite),
        ],
      },
      sorts: {
        name: by(({ name }) => name),
        age: by(
          ({ id }, { db }) => factsOf(db, id).birthday ?? "9999",
          ({ name }) => name,
        ),
      },
      sort: "unknown birthdays come last",
      example: { relationship: "family" },
    },
  ),
  setRelationship: profiles.change("Set what a contact is to the owner.", {
    params: { relationship },
    set: (row, { relationship }, { db }) => fresh(db, row, { relationship }, "relationship"),
    example: { relationship: "friend" },
    fits: ({ id }, db) => factsOf(db, id).relationship !== "friend",
  }),
  setBirthday: profiles.change("Set the day on which a contact was born.", {
    params: { birthday: day("the day of birth with its year") },
    check: ({ birthday }, { now }) => {
      const today = dayOf(now);
      const past = birthday <= today;
      must(past, 422, `birthday: expected a day until today (${today}), got ${birthday}`);
    },
    set: (row, { birthday }, { db }) => fresh(db, row, { birthday }, "birthday"),
    example: { birthday: "1990-02-28" },
  }),
  clearBirthday: profiles.change("Forget when a contact was born.", {
    set: { birthday: null },
    unless: (row, _, { db }) => expectKnown(db, row, "birthday"),
  }),
  setStreet: profiles.change("Set the street and number where a contact lives.", {
    params: { street: line('street and number, such as "4 Linden Road"') },
    set: (row, { street }, { db }) => fresh(db, row, { street }, "street"),
    example: { street: "4 Linden Road" },
  }),
  setWork: profiles.change(
    "Set where a contact works, and as what. A new workplace without a job clears the job.",
    {
      params: {
        workplace: line("name of the workplace"),
        job: line('what they do there, such as "nurse"').optional(),
      },
      set: (row, { workplace, job = null }, { db }) =>
        fresh(db, row, { workplace, job }, "workplace"),
      example: { workplace: "City Library", job: "librarian" },
    },
  ),
  clearWork: profiles.change("Forget where a contact works and as what.", {
    set: { workplace: null, job: null },
    unless: (row, _, { db }) => expectKnown(db, row, "workplace"),
    fits: ({ id }, db) => factsOf(db, id).workplace !== null,
  }),
  favour: profiles.change("Make a contact a favourite.", { set: { favourite: true }, already }),
  unfavour: profiles.change("Make a contact no longer a favourite.", {
    set: { favourite: false },
    already,
  }),
  workplaces: listing("List workplaces by name with their number of contacts.", {
    item: sizeItem,
    filters: { query: [query, where(({ name }, words) => contains(name, words))] },
    rows: (_, { db }) =>
      sizesOf(db.all(people).flatMap(({ id }) => factsOf(db, id).workplace ?? [])),
  }),
  cities: listing("List cities by name with their number of contacts.", {
    item: sizeItem,
    rows: (_, { db }) => sizesOf(db.all(people).map(({ city }) => city)),
  }),
};
