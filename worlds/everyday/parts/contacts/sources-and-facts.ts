/**
 * Values that other parts can look up in contacts (prices, days, streets and phone numbers), and facts about their
 * numbers.
 */
import {
  type DrawContext,
  fact,
  facts,
  jsLiteral,
  type Source,
  someone,
  source,
  sources,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { couples, type Details, details, gifts, remarks } from "../../apps/contacts/tables.ts";
import { groups, people } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { findContact } from "../reachable-people.ts";
import { drawPersonWithRows } from "./contacts-and-messages.ts";

const OWED_PATTERN = /^I owe them \$(\d+\.\d\d) /;
const AWAY_PATTERN = /^Is away until (\d{4}-\d\d-\d\d)\.$/;

/** Draws a person who has exactly one remark that matches the pattern. */
function drawPersonWithRemark(draw: DrawContext, pattern: RegExp) {
  const fitting = draw.db.all(remarks).filter(({ text }) => pattern.test(text));
  const onlyRemarks = fitting.filter(
    (row) => fitting.filter(({ person }) => person === row.person).length === 1,
  );
  const found = drawPersonWithRows(draw, onlyRemarks);
  return found && { person: found.person, told: pattern.exec(found.own[0]!.text)![1]! };
}

/** Writes an expression for the text that the pattern finds in the person's only remark with these words. */
const remarkMatchCode = (person: string, words: string, pattern: RegExp) =>
  `apis.contacts.remarks({person:${person},query:"${words}"}).items.map(x=>${pattern}.exec(x.text)).find(x=>x)[1]`;

/** Returns the next birthday that is today or later. Nobody in the population was born on 29 February. */
export function nextBirthday(birthday: string): string {
  const day = `${TODAY.slice(0, 5)}${birthday.slice(5)}`;
  return day >= TODAY ? day : `${Number(TODAY.slice(0, 4)) + 1}${day.slice(4)}`;
}

const drawPersonWithBirthdayAhead = (draw: DrawContext) => {
  const hasBirthdayAhead = ({ birthday }: Details) => birthday && nextBirthday(birthday) > TODAY;
  return drawPersonWithRows(draw, draw.db.all(details).filter(hasBirthdayAhead));
};

/**
 * Adds the app `contacts` to the apps that a source's value uses, because the solution looks up the person and the
 * value there.
 */
const addContactsApp = (one: Source): Source => ({
  ...one,
  draw: (draw) => {
    const value = one.draw(draw);
    return value && { ...value, apps: [one.app, ...value.apps] };
  },
});

export const contactSources = sources("contacts", {
  owed: source.money(
    "v",
    (draw) => drawPersonWithRemark(draw, OWED_PATTERN),
    ({ person, told }) => ({
      value: Math.round(Number(told) * 100),
      words: `the amount that I owe ${person.words} by my remark about them in Contacts`,
      code: `Number(${remarkMatchCode(person.code, "I owe them", OWED_PATTERN)})`,
      uses: [person],
    }),
  ),
  "gift-price": source.money(
    "v",
    (draw) => drawPersonWithRows(draw, draw.db.where(gifts, { given: false })),
    ({ person, own }, { rng }) => {
      const { idea, cents } = rng.pick(own);
      return {
        value: cents,
        words: `the price of my gift idea "${idea}" for ${person.words} in Contacts`,
        code: `apis.contacts.gifts({person:${person.code},size:20}).items.find(x=>x.idea===${jsLiteral(idea)}).amount`,
        uses: [person],
      };
    },
  ),
  away: source.day(
    "v",
    (draw) => drawPersonWithRemark(draw, AWAY_PATTERN),
    ({ person, told }) => ({
      value: told,
      words: `the day until which ${person.words} is away by my remark in Contacts`,
      code: remarkMatchCode(person.code, "Is away until", AWAY_PATTERN),
      uses: [person],
    }),
  ),
  birthday: source.day("v", drawPersonWithBirthdayAhead, ({ person, own }) => ({
    value: nextBirthday(own[0]!.birthday!),
    words: `the next birthday of ${person.words}`,
    code: `apis.contacts.birthdays({person:${person.code}}).items[0].day`,
    uses: [person],
  })),
  street: source.text(
    "v",
    (draw) =>
      drawPersonWithRows(
        draw,
        draw.db.all(details).filter(({ street }) => street),
      ),
    ({ person, own }) => ({
      value: own[0]!.street!,
      words: `the street and number of ${person.words} as Contacts has it`,
      code: `apis.contacts.profile({person:${person.code}}).street`,
      uses: [person],
    }),
  ),
  phone: source.text("v", someone(), (person, { db }) => ({
    value: findContact(db, person.value).phone,
    words: `the phone number of ${person.words} as Contacts has it`,
    code: `apis.contacts.show({person:${person.code}}).phone`,
  })),
}).map(addContactsApp);

/** Makes a fact of one of the numbers that the overview returns. */
const overviewFact = (value: (db: Reader) => number, what: string) =>
  fact("number", value, `apis.contacts.overview({}).${what}`);

export const contactFacts = facts("contacts", {
  contacts: overviewFact((db) => db.all(people).length, "contacts")`the number of my contacts
    | the count of people in my contacts | the number of people in Contacts
    | the total number of contacts I have | the size of my address book in people`,
  favourites: overviewFact((db) => db.where(details, { favourite: true }).length, "favourites")`
    the number of favourites in Contacts | the count of my favourite contacts
    | the number of contacts marked as favourites | the total number of favourites among my contacts
    | the size of my favourites in Contacts`,
  couples: overviewFact((db) => db.all(couples).length, "couples")`the number of couples in Contacts
    | the count of couples among my contacts | the number of couples that Contacts has
    | the total number of couples among my contacts
    | the number of pairs noted as couples in Contacts`,
  groups: overviewFact((db) => db.all(groups).length, "groups")`the number of my contact groups
    | the count of groups in Contacts | the number of groups that Contacts has
    | the total number of contact groups | the number of groups in my address book`,
});
