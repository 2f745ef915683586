/** Defines the APIs of the facts about each contact: the relationship to the owner, birthday, address and work. */

import {
  booleanParam,
  containsIgnoringCase,
  countNames,
  dayParam,
  equalIgnoringCase,
  filterWhere,
  filterWhether,
  listApi,
  nameCountItem,
  orderBy,
  queryParam,
  refuseUnless,
  shortTextParam,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { dayOf } from "../shared.ts";
import { type Person, people } from "../tables.ts";
import { exampleContact } from "./examples.ts";
import { type Facts, readFacts, requireKnownFact } from "./facts.ts";
import { groupMemberFilter } from "./groups.ts";
import { matchByName, sortByName } from "./index.ts";
import { knownItem, personItem, profiles } from "./person-items.ts";
import { RELATIONSHIPS } from "./tables.ts";

const relationship = z.enum(RELATIONSHIPS).describe("what they are to the owner");

/** Returns the facts when at least one of them is new. Throws a 409 when all are known already. */
function requireNewFact(db: Reader, { id, handle }: Person, facts: Partial<Facts>, param: string) {
  const before = readFacts(db, id);
  const names = Object.keys(facts) as (keyof Facts)[];
  const hasNews = names.some((name) => before[name] !== facts[name]);
  refuseUnless(hasNews, 409, `${param}: ${alreadyKnownText(handle)}`);
  return facts;
}

const alreadyKnownText = (handle: string) => `expected something new, "${handle}" has that already`;
const alreadyKnownMessage = ({ handle }: Person) => `person: ${alreadyKnownText(handle)}`;

/** Returns the month of birth from 1 to 12, or 0 when the birthday is not known. */
const birthMonth = (birthday: string | null) =>
  birthday === null ? 0 : Number(birthday.slice(5, 7));

export const detailApis = {
  profile: profiles.show("Show all facts about a contact, with the partner's handle."),
  list: profiles.list(
    "List contacts, blocked ones too, with what is known about them, by name or from the oldest to the youngest.",
    {
      item: knownItem,
      filters: {
        blocked: booleanParam("only blocked ones, or only others"),
        relationship: [
          relationship,
          filterWhere(({ id }, wanted, { db }) => readFacts(db, id).relationship === wanted),
        ],
        group: [shortTextParam("only members of this group"), groupMemberFilter],
        city: [
          shortTextParam("only this city"),
          filterWhere((row, city) => equalIgnoringCase(row.city, city)),
        ],
        workplace: [
          shortTextParam("only those who work there"),
          filterWhere(({ id }, place, { db }) =>
            equalIgnoringCase(readFacts(db, id).workplace ?? "", place),
          ),
        ],
        bornIn: [
          z.int().min(1).max(12).describe("only those born in this month, 1 to 12"),
          filterWhere(({ id }, month, { db }) => birthMonth(readFacts(db, id).birthday) === month),
        ],
        favourite: [
          booleanParam("only favourites, or only others"),
          filterWhether(({ id }, { db }) => readFacts(db, id).favourite),
        ],
      },
      sorts: {
        name: orderBy(({ name }) => name),
        age: orderBy(
          ({ id }, { db }) => readFacts(db, id).birthday ?? "9999",
          ({ name }) => name,
        ),
      },
      sortDescription: "unknown birthdays come last",
      example: { relationship: "family" },
    },
  ),
  find: profiles.list(
    "Find contacts by name: the one with exactly this name, else those whose names begin so.",
    {
      item: personItem,
      params: { name: shortTextParam("a full name, or the beginning of a first or last name") },
      rows: ({ name }, { db }) => matchByName(db.all(people), name),
      order: sortByName,
      example: (db) => ({ name: exampleContact(db).name }),
    },
  ),
  setRelationship: profiles.change("Set what a contact is to the owner.", {
    params: { relationship },
    set: (row, { relationship }, { db }) =>
      requireNewFact(db, row, { relationship }, "relationship"),
    example: { relationship: "friend" },
    isExample: ({ id }, db) => readFacts(db, id).relationship !== "friend",
  }),
  setBirthday: profiles.change("Set the day on which a contact was born.", {
    params: { birthday: dayParam("the day of birth with its year") },
    checkArguments: ({ birthday }, { now }) => {
      const today = dayOf(now);
      const isPast = birthday <= today;
      refuseUnless(isPast, 422, `birthday: expected a day until today (${today}), got ${birthday}`);
    },
    set: (row, { birthday }, { db }) => requireNewFact(db, row, { birthday }, "birthday"),
    example: { birthday: "1990-02-28" },
  }),
  clearBirthday: profiles.change("Forget when a contact was born.", {
    set: { birthday: null },
    checkRow: (row, _, { db }) => requireKnownFact(db, row, "birthday"),
  }),
  setStreet: profiles.change("Set the street and number where a contact lives.", {
    params: { street: shortTextParam('street and number, such as "4 Linden Road"') },
    set: (row, { street }, { db }) => requireNewFact(db, row, { street }, "street"),
    example: { street: "4 Linden Road" },
  }),
  setWork: profiles.change(
    "Set where a contact works, and as what. A new workplace without a job clears the job.",
    {
      params: {
        workplace: shortTextParam("name of the workplace"),
        job: shortTextParam('what they do there, such as "nurse"').optional(),
      },
      set: (row, { workplace, job = null }, { db }) =>
        requireNewFact(db, row, { workplace, job }, "workplace"),
      example: { workplace: "City Library", job: "librarian" },
    },
  ),
  favour: profiles.change("Make a contact a favourite.", {
    set: { favourite: true },
    already: alreadyKnownMessage,
  }),
  unfavour: profiles.change("Make a contact no longer a favourite.", {
    set: { favourite: false },
    already: alreadyKnownMessage,
  }),
  workplaces: listApi("List workplaces by name with their number of contacts.", {
    item: nameCountItem,
    filters: {
      query: [queryParam, filterWhere(({ name }, words) => containsIgnoringCase(name, words))],
    },
    rows: (_, { db }) =>
      countNames(db.all(people).flatMap(({ id }) => readFacts(db, id).workplace ?? [])),
  }),
};
