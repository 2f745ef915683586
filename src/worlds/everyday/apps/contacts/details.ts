/** The facts about each contact: what they are to the owner, when they were born, where they live and work. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  day,
  dayOf,
  given,
  handle,
  line,
  named,
  paged,
  pageOf,
  paging,
  personBy,
  query,
  same,
} from "../shared.ts";
import { groups, members, type Person, people } from "../tables.ts";
import { favourite, someone } from "./examples.ts";
import { byName, expectKnown, type Facts, factsOf, writeFacts } from "./facts.ts";
import { RELATIONSHIPS } from "./tables.ts";
import { knownItem, knownView, profileReturn, profileView } from "./views.ts";

const person = handle("the contact");
const relationship = z.enum(RELATIONSHIPS).describe("what they are to the owner");

const profile = defineApi({
  summary: "Show all facts about a contact, with the partner's handle.",
  params: z.strictObject({ person }),
  returns: profileReturn,
  example: (db) => ({ person: someone(db).handle }),
  handler: ({ db }, args) => profileView(db)(personBy(db, args.person, "person")),
});

const filters = {
  relationship: relationship.optional(),
  group: line("only members of this group").optional(),
  city: line("only this city").optional(),
  workplace: line("only those who work there").optional(),
  bornIn: z.int().min(1).max(12).optional().describe("only those born in this month, 1 to 12"),
  favourite: z.boolean().optional().describe("only favourites, or only others"),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

const directory = defineApi({
  summary:
    "List contacts with what is known about them, by name or from the oldest to the youngest.",
  params: z.strictObject({
    ...filters,
    sort: z.enum(["name", "age"]).default("name").describe("unknown birthdays come last"),
    ...paging,
  }),
  returns: pageOf(knownItem),
  example: () => ({ relationship: "family" }) as const,
  handler: ({ db }, { page, size, sort, ...filters }) => {
    const rows = byName(db.all(people).filter(matches(db, filters)));
    const sorted = sort === "name" ? rows : oldestFirst(db, rows);
    return paged(sorted, { page, size }, knownView(db));
  },
});

function matches(db: Reader, args: Filters): (row: Person) => boolean {
  const { group, city, workplace, bornIn, ...exact } = args;
  const inside = group === undefined ? undefined : membersOf(db, group);
  const tests = Object.entries(given(exact)) as [keyof Facts, Facts[keyof Facts]][];
  return (row) => {
    const facts = factsOf(db, row.id);
    const month = facts.birthday === null ? 0 : Number(facts.birthday.slice(5, 7));
    return (
      tests.every(([name, value]) => facts[name] === value) &&
      (inside?.has(row.id) ?? true) &&
      (city === undefined || same(row.city, city)) &&
      (workplace === undefined || same(facts.workplace ?? "", workplace)) &&
      (bornIn === undefined || month === bornIn)
    );
  };
}

function membersOf(db: Reader, name: string): Set<number> {
  const group = named(db, groups, name, "group").id;
  return new Set(db.where(members, { group }).map((member) => member.person));
}

function oldestFirst(db: Reader, rows: readonly Person[]): Person[] {
  const born = new Map(rows.map((row) => [row, factsOf(db, row.id).birthday ?? "9999"]));
  return rows.toSorted((a, b) =>
    born.get(a)! < born.get(b)! ? -1 : born.get(a)! > born.get(b)! ? 1 : 0,
  );
}

/** Writes facts that differ from what is known; a 409 when none does. */
function change({ db }: CallContext, handle: string, facts: Partial<Facts>, param: string) {
  const row = personBy(db, handle, "person");
  const before = factsOf(db, row.id);
  const names = Object.keys(facts) as (keyof Facts)[];
  if (names.every((name) => before[name] === facts[name])) {
    throw new ApiError(409, `${param}: expected something new, "${row.handle}" has that already`);
  }
  writeFacts(db, row.id, facts);
  return profileView(db)(row);
}

/** Forgets facts; a 404 when the first of them is not known. */
function clear({ db }: CallContext, handle: string, names: readonly (keyof Facts)[]) {
  const row = personBy(db, handle, "person");
  expectKnown(factsOf(db, row.id)[names[0]!], row, names[0]!);
  writeFacts(db, row.id, Object.fromEntries(names.map((name) => [name, null])));
  return profileView(db)(row);
}

const setRelationship = defineApi({
  summary: "Set what a contact is to the owner.",
  params: z.strictObject({ person, relationship }),
  returns: profileReturn,
  example: (db) => {
    const other = someone(db, ({ id }) => factsOf(db, id).relationship !== "friend");
    return { person: other.handle, relationship: "friend" as const };
  },
  handler: (context, { person, relationship }) =>
    change(context, person, { relationship }, "relationship"),
});

const setBirthday = defineApi({
  summary: "Set the day on which a contact was born.",
  params: z.strictObject({ person, birthday: day("the day of birth with its year") }),
  returns: profileReturn,
  example: (db) => ({ person: someone(db).handle, birthday: "1990-02-28" }),
  handler: (context, { person, birthday }) => {
    const today = dayOf(context.now);
    if (birthday > today) {
      throw new ApiError(422, `birthday: expected a day until today (${today}), got ${birthday}`);
    }
    return change(context, person, { birthday }, "birthday");
  },
});

const clearBirthday = defineApi({
  summary: "Forget when a contact was born.",
  params: z.strictObject({ person }),
  returns: profileReturn,
  example: (db) => ({
    person: someone(db, ({ id }) => factsOf(db, id).birthday !== null).handle,
  }),
  handler: (context, args) => clear(context, args.person, ["birthday"]),
});

const setStreet = defineApi({
  summary: "Set the street and number where a contact lives.",
  params: z.strictObject({ person, street: line('street and number, such as "4 Linden Road"') }),
  returns: profileReturn,
  example: (db) => ({ person: someone(db).handle, street: "4 Linden Road" }),
  handler: (context, { person, street }) => change(context, person, { street }, "street"),
});

const setWork = defineApi({
  summary: "Set where a contact works, and as what. A new workplace without a job clears the job.",
  params: z.strictObject({
    person,
    workplace: line("name of the workplace"),
    job: line('what they do there, such as "nurse"').optional(),
  }),
  returns: profileReturn,
  example: (db) => ({ person: someone(db).handle, workplace: "City Library", job: "librarian" }),
  handler: (context, { person, workplace, job = null }) =>
    change(context, person, { workplace, job }, "workplace"),
});

const clearWork = defineApi({
  summary: "Forget where a contact works and as what.",
  params: z.strictObject({ person }),
  returns: profileReturn,
  example: (db) => ({
    person: someone(db, ({ id }) => factsOf(db, id).workplace !== null).handle,
  }),
  handler: (context, args) => clear(context, args.person, ["workplace", "job"]),
});

const favour = defineApi({
  summary: "Make a contact a favourite.",
  params: z.strictObject({ person }),
  returns: profileReturn,
  example: (db) => ({ person: favourite(db, false) }),
  handler: (context, args) => change(context, args.person, { favourite: true }, "person"),
});

const unfavour = defineApi({
  summary: "Make a contact no longer a favourite.",
  params: z.strictObject({ person }),
  returns: profileReturn,
  example: (db) => ({ person: favourite(db, true) }),
  handler: (context, args) => change(context, args.person, { favourite: false }, "person"),
});

const workplaces = defineApi({
  summary: "List workplaces by name with their number of contacts.",
  params: z.strictObject({ query: query.optional(), ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), size: z.int() })),
  example: () => ({}),
  handler: ({ db }, { query = "", ...page }) => {
    const places = db.all(people).map(({ id }) => factsOf(db, id).workplace);
    const here = places.filter((place) => place !== null && contains(place, query)) as string[];
    return paged(counted(here), page, ([name, size]) => ({ name, size }));
  },
});

const cities = defineApi({
  summary: "List cities by name with their number of contacts.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), size: z.int() })),
  example: () => ({}),
  handler: ({ db }, page) => {
    const rows = counted(db.all(people).map(({ city }) => city));
    return paged(rows, page, ([name, size]) => ({ name, size }));
  },
});

/** How often each occurs, by name. */
function counted(names: readonly string[]): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

export const detailApis = {
  profile,
  directory,
  setRelationship,
  setBirthday,
  clearBirthday,
  setStreet,
  setWork,
  clearWork,
  favour,
  unfavour,
  workplaces,
  cities,
};
