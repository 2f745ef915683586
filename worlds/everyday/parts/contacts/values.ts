/** What contacts know that other parts may need: prices and days from remarks, birthdays, streets, phone numbers. */
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
import { contactOf } from "../contact.ts";
import { whose } from "./common.ts";

const OWED = /^I owe them \$(\d+\.\d\d) /;
const AWAY = /^Is away until (\d{4}-\d\d-\d\d)\.$/;

/** The only remark about each person that fits. */
function remarkOf(draw: DrawContext, pattern: RegExp) {
  const fitting = draw.db.all(remarks).filter(({ text }) => pattern.test(text));
  const once = fitting.filter(
    (row) => fitting.filter(({ person }) => person === row.person).length === 1,
  );
  const found = whose(draw, once);
  return found && { person: found.person, told: pattern.exec(found.own[0]!.text)![1]! };
}

/** An expression for what the pattern finds in the only remark that has the words. */
const inRemark = (person: string, words: string, pattern: RegExp) =>
  `apis.contacts.remarks({about:${person},query:"${words}"}).items.map(x=>${pattern}.exec(x.text)).find(x=>x)[1]`;

/** The first one after today; nobody is born on a leap day. */
export function nextBirthday(birthday: string): string {
  const day = `${TODAY.slice(0, 5)}${birthday.slice(5)}`;
  return day >= TODAY ? day : `${Number(TODAY.slice(0, 4)) + 1}${day.slice(4)}`;
}

const birthdayAhead = (draw: DrawContext) => {
  const ahead = ({ birthday }: Details) => birthday && nextBirthday(birthday) > TODAY;
  return whose(draw, draw.db.all(details).filter(ahead));
};

/** The person stands in contacts and so does the value: the app is asked twice. */
const twice = (one: Source): Source => ({
  ...one,
  draw: (draw) => {
    const value = one.draw(draw);
    return value && { ...value, apps: [one.app, ...value.apps] };
  },
});

export const contactSources = sources("contacts", {
  owed: source.money(
    "v",
    (draw) => remarkOf(draw, OWED),
    ({ person, told }) => ({
      value: Math.round(Number(told) * 100),
      words: `the amount that I owe ${person.words} by my remark about them in Contacts`,
      code: `Number(${inRemark(person.code, "I owe them", OWED)})`,
      uses: [person],
    }),
  ),
  "gift-price": source.money(
    "v",
    (draw) => whose(draw, draw.db.where(gifts, { given: false })),
    ({ person, own }, { rng }) => {
      const { idea, cents } = rng.pick(own);
      return {
        value: cents,
        words: `the price of my gift idea "${idea}" for ${person.words} in Contacts`,
        code: `apis.contacts.gifts({for:${person.code},size:20}).items.find(x=>x.idea===${jsLiteral(idea)}).amount`,
        uses: [person],
      };
    },
  ),
  away: source.day(
    "v",
    (draw) => remarkOf(draw, AWAY),
    ({ person, told }) => ({
      value: told,
      words: `the day until which ${person.words} is away by my remark in Contacts`,
      code: inRemark(person.code, "Is away until", AWAY),
      uses: [person],
    }),
  ),
  birthday: source.day("v", birthdayAhead, ({ person, own }) => ({
    value: nextBirthday(own[0]!.birthday!),
    words: `the next birthday of ${person.words}`,
    code: `apis.contacts.birthdays({person:${person.code}}).items[0].day`,
    uses: [person],
  })),
  street: source.text(
    "v",
    (draw) =>
      whose(
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
    value: contactOf(db, person.value).phone,
    words: `the phone number of ${person.words} as Contacts has it`,
    code: `apis.contacts.show({person:${person.code}}).phone`,
  })),
}).map(twice);

/** One of the numbers of the overview. */
const counted = (value: (db: Reader) => number, what: string) =>
  fact("number", value, `apis.contacts.overview({}).${what}`);

export const contactFacts = facts("contacts", {
  contacts: counted((db) => db.all(people).length, "contacts")`the number of my contacts
    | the count of people in my contacts | the number of people in Contacts
    | the total number of contacts I have | the size of my address book in people`,
  favourites: counted((db) => db.where(details, { favourite: true }).length, "favourites")`
    the number of favourites in Contacts | the count of my favourite contacts
    | the number of contacts marked as favourites | the total number of favourites among my contacts
    | the size of my favourites in Contacts`,
  couples: counted((db) => db.all(couples).length, "couples")`the number of couples in Contacts
    | the count of couples among my contacts | the number of couples that Contacts has
    | the total number of couples among my contacts
    | the number of pairs noted as couples in Contacts`,
  groups: counted((db) => db.all(groups).length, "groups")`the number of my contact groups
    | the count of groups in Contacts | the number of groups that Contacts has
    | the total number of contact groups | the number of groups in my address book`,
});
