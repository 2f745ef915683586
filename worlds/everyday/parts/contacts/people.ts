/** Collections of contacts and of groups of contacts. */
import {
  alternatives,
  atLeast,
  atMost,
  byArgument,
  defineCollection,
  drawnOnlyIf,
  drawnOnlyIfMixed,
  drawSelectiveValue,
  jsLiteral,
  nouns,
  superlatives,
  titleBy,
  wordList,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { RELATIONSHIPS } from "../../apps/contacts/tables.ts";
import { type Group, groups, members, type Person, people } from "../../apps/tables.ts";
import { findContact } from "../reachable-people.ts";
import { keysWithNameCode, mixedPropertyColumn, nameableGroups } from "./contacts-and-messages.ts";
import { readFacts } from "./facts.ts";

const MONTHS = wordList(`January | February | March | April | May | June | July | August | September
  | October | November | December`);

/**
 * The relationships that a task may name. "family" is left out, because it is also the name of a group, which no task
 * may name.
 */
export const NAMEABLE_RELATIONSHIPS = RELATIONSHIPS.filter(
  (relationship) => relationship !== "family",
);

const readBirthday = ({ id }: Person, db: Reader) => readFacts(db, id).birthday ?? "9999-12-31";
const memberIds = (group: number, db: Reader) =>
  db.where(members, { group }).map(({ person }) => person);

export const peopleCollection = defineCollection<Person>({
  name: "contacts",
  kind: "people",
  app: "contacts",
  table: people,
  list: "list",
  key: "handle",
  nouns: nouns`contact(s) | person I know / people I know | person in Contacts / people in Contacts
    | person in my address book / people in my address book
    | person in my contacts / people in my contacts`,
  columns: ({ choice, drawnClause, day, matchingValue, number, text }) => ({
    relationship: drawnOnlyIfMixed(
      choice(
        ({ id }, db) => readFacts(db, id).relationship,
        { arg: "relationship" },
        { isAllowed: (value) => value !== "family" },
      )`whose relationship to me is "$" | noted with the relationship "$"
        | who have "$" as their relationship to me | who are down as "$" in Contacts
        | with "$" as the relationship`,
    ),
    group: drawnClause((draw, rows) => {
      const countRowsInGroup = (group: number) =>
        rows.filter(({ id }) => memberIds(group, draw.db).includes(id)).length;
      const groups = nameableGroups(draw).filter(
        ({ id }) => countRowsInGroup(id) > 0 && countRowsInGroup(id) < rows.length,
      );
      if (groups.length === 0) return undefined;
      const { id, name } = draw.rng.pick(groups);
      return {
        words: alternatives`in my group "${name}" | who belong to my group "${name}"
          | who are members of the group "${name}" | from the group "${name}"
          | who are in the group "${name}"`,
        holds: (row, db) => memberIds(id, db).includes(row.id),
        code: { args: `group:${jsLiteral(name)}` },
      };
    }),
    /** Draws a city in which somebody lives whom the task may name. */
    city: drawnOnlyIf(
      ({ holds }, _, { db, people }) => people.some((person) => holds(findContact(db, person), db)),
      choice("city", { arg: "city", noun: "city" }, { excludes: ["workplace"] })`in $
        | who live in $ | whose city is $ | with $ as their city | who have their home in $`,
    ),
    workplace: matchingValue(
      ({ rng, db, people }, rows) => {
        const kept = new Set(rows.map(({ id }) => id));
        const own = people.filter(({ id }) => kept.has(id));
        const places = own.flatMap(({ id }) => readFacts(db, id).workplace ?? []);
        return drawSelectiveValue(rng, [...places, ""]) || undefined;
      },
      ({ id }, workplace, db) => readFacts(db, id).workplace === workplace,
      byArgument("workplace"),
    )`who work at $ | employed at $ | whose workplace is $ | with $ as their workplace
      | who have a job at $`,
    "born-in": choice(
      (row, db) => Number(readBirthday(row, db).slice(5, 7)),
      { arg: "bornIn" },
      { toWords: (month) => MONTHS[Number(month) - 1]!, excludes: ["born-before", "born-after"] },
    )`born in $ | whose birthday is in $ | who have their birthday in $ | with a birthday in $
      | whose birthdays fall in $`,
    year: number(
      (row, db) => Number(readBirthday(row, db).slice(0, 4)),
      { code: "Number(x.birthday.slice(0,4))" },
      atMost("born-before", { excludes: ["born-in", "born-after"] })`born in $ or earlier
        | who were born no later than $ | whose year of birth is $ or earlier
        | with $ or an earlier year as their year of birth
        | whose birth was in $ or before that year`,
    ),
    "first-name": matchingValue(
      ({ rng, people }, rows) => {
        const own = new Set(people.map(({ id }) => id));
        const named = rows.filter(({ id }) => own.has(id));
        if (named.length === 0 || rows.length < 3) return undefined;
        return rng.pick(named).name.split(" ")[0]!;
      },
      (row, name) => row.name.startsWith(`${name} `),
      (name) => ({ test: `x.name.startsWith(${name.slice(0, -1)} ")` }),
    )`whose first name is $ | called $ by first name | with the first name $
      | who have $ as their first name | that bear the first name $`,
    favourite: mixedPropertyColumn(({ id }: Person, db) => readFacts(db, id).favourite, {
      args: "favourite:true",
    })`marked as favourites | that are favourites of mine | who are among my favourites | who
      count as favourites of mine | with the favourite mark`,
    name: text("name", { noun: "full name" }),
    phone: text("phone", {
      code: "apis.contacts.show({person:x.handle}).phone",
      noun: "phone number",
    }),
    birthday: day(
      readBirthday,
      {
        item: "birthday",
        noun: "day of birth",
      },
      superlatives`youngest / oldest | youngest / oldest | youngest / oldest | youngest / oldest
          | youngest / oldest`,
      atLeast("born-after", { excludes: ["born-in", "born-before"] })`born on $ or later
        | who were born no earlier than $ | whose day of birth is $ or later
        | with a day of birth on $ or after it | whose birth was on $ or after that day`,
    ),
  }),
  clauses: "relationship group city workplace born-in born-before born-after first-name favourite",
  fields: "name phone city birthday",
  title: titleBy<Person>(
    "name",
    (name) =>
      `apis.contacts.find({name:${jsLiteral(name)}}).items.filter(x=>x.name===${jsLiteral(name)}).map(x=>x.handle)`,
    `Wilhelmina Thornbury | Ruprecht Gallowglass | Perpetua Quillfeather
      | Ottoline Marchbanks | Ignatius Wexcombe | Sybil Underhay`,
  )`$ | my contact $ | $ from my contacts | the contact named $ | the person named $`,
});

export const groupCollection = defineCollection<Group>({
  kind: "groups",
  app: "contacts",
  table: groups,
  list: "groups",
  key: "name",
  allowsWhole: true,
  nouns: nouns`contact group(s) | group(s) in Contacts | group(s) of contacts
    | group(s) kept in Contacts | group(s) in my address book`,
  columns: ({ number, person, text }) => ({
    with: person(({ id }, db) => memberIds(id, db), byArgument("person"))`that $ is in
      | with $ among the members | that have $ as a member | to which $ belongs
      | of which $ is a member`,
    name: text("name", { noun: "name" }),
    size: number(
      ({ id }, db) => memberIds(id, db).length,
      {
        item: "size",
        noun: "number of members",
      },
      superlatives`largest / smallest | biggest / smallest | largest / smallest
          | biggest / smallest | largest / smallest`,
      atLeast("big", { excludes: ["small"] })`with $ or more members | that have at least $ members
        | with at least $ people in them | in which there are $ or more people
        | whose members number $ or more`,
      atMost("small", { excludes: ["big"] })`with $ or fewer members | that have at most $ members
        | with at most $ people in them | in which there are $ or fewer people
        | whose members number $ or fewer`,
    ),
  }),
  title: titleBy<Group>(
    "name",
    keysWithNameCode("contacts.groups"),
    "curling league | pottery evening | beekeepers | skittles side | origami hour",
  )`my contact group "$" | the contact group "$" | the group "$" of my contacts
    | the group called "$" in Contacts | the group "$" in my address book`,
});
