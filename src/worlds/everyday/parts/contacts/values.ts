/** What contacts know that other parts may need: prices and days from remarks, birthdays, streets, phone numbers. */

import type { Fact, Source } from "../../../../goals/index.ts";
import { couples, details, gifts, remarks } from "../../apps/contacts/tables.ts";
import { groups, people } from "../../apps/tables.ts";
import { contactOf } from "../contact.ts";
import { looked, TODAY } from "./common.ts";

const OWED = /^I owe them \$(\d+\.\d\d) /;
const AWAY = /^Is away until (\d{4}-\d\d-\d\d)\.$/;

/** The only remark about each person that fits. */
function remarkOf(draw: Parameters<Source["draw"]>[0], pattern: RegExp) {
  const fitting = draw.db.all(remarks).filter(({ text }) => pattern.test(text));
  const once = fitting.filter(
    (row) => fitting.filter(({ person }) => person === row.person).length === 1,
  );
  const person = draw.person(once.map((row) => row.person));
  const row = person && once.find((row) => row.person === person.value.id);
  return row && { person, found: pattern.exec(row.text)![1]! };
}

/** An expression for what the pattern finds in the only remark that has the words. */
const inRemark = (person: string, words: string, pattern: RegExp) =>
  `apis.contacts.remarks({about:${person},query:"${words}"}).items.map(x=>${pattern}.exec(x.text)).find(x=>x)[1]`;

const owed: Source<"money"> = {
  name: "owed",
  type: "money",
  app: "contacts",
  draw: (draw) => {
    const remark = remarkOf(draw, OWED);
    if (!remark) return undefined;
    const { person, found } = remark;
    return looked(draw, person, "contacts", {
      value: Math.round(Number(found) * 100),
      words: `the amount that I owe ${person.words} by my remark about them in Contacts`,
      code: `Number(${inRemark(person.code, "I owe them", OWED)})`,
    });
  },
};

const giftPrice: Source<"money"> = {
  name: "gift-price",
  type: "money",
  app: "contacts",
  draw: (draw) => {
    const open = draw.db.where(gifts, { given: false });
    const person = draw.person(open.map((row) => row.person));
    const own = open.filter((row) => row.person === person?.value.id);
    if (!person || own.length === 0) return undefined;
    const { idea, cents } = draw.rng.pick(own);
    return looked(draw, person, "contacts", {
      value: cents,
      words: `the price of my gift idea "${idea}" for ${person.words} in Contacts`,
      code: `apis.contacts.gifts({for:${person.code},size:20}).items.find(x=>x.idea===${JSON.stringify(idea)}).amount`,
    });
  },
};

const away: Source<"day"> = {
  name: "away",
  type: "day",
  app: "contacts",
  draw: (draw) => {
    const remark = remarkOf(draw, AWAY);
    if (!remark) return undefined;
    const { person, found } = remark;
    return looked(draw, person, "contacts", {
      value: found,
      words: `the day until which ${person.words} is away by my remark in Contacts`,
      code: inRemark(person.code, "Is away until", AWAY),
    });
  },
};

/** The first one after today; nobody is born on a leap day. */
export function nextBirthday(birthday: string): string {
  const day = `${TODAY.slice(0, 5)}${birthday.slice(5)}`;
  return day >= TODAY ? day : `${Number(TODAY.slice(0, 4)) + 1}${day.slice(4)}`;
}

const birthday: Source<"day"> = {
  name: "birthday",
  type: "day",
  app: "contacts",
  draw: (draw) => {
    const known = draw.db
      .all(details)
      .filter((row) => row.birthday && nextBirthday(row.birthday) > TODAY);
    const person = draw.person(known.map((row) => row.person));
    const born = known.find((row) => row.person === person?.value.id)?.birthday;
    if (!person || !born) return undefined;
    return looked(draw, person, "contacts", {
      value: nextBirthday(born),
      words: `the next birthday of ${person.words}`,
      code: `apis.contacts.birthdays({person:${person.code}}).items[0].day`,
    });
  },
};

const street: Source<"text"> = {
  name: "street",
  type: "text",
  app: "contacts",
  draw: (draw) => {
    const known = draw.db.all(details).filter((row) => row.street !== null);
    const person = draw.person(known.map((row) => row.person));
    const found = known.find((row) => row.person === person?.value.id)?.street;
    if (!person || !found) return undefined;
    return looked(draw, person, "contacts", {
      value: found,
      words: `the street and number of ${person.words} as Contacts has it`,
      code: `apis.contacts.profile({person:${person.code}}).street`,
    });
  },
};

const phone: Source<"text"> = {
  name: "phone",
  type: "text",
  app: "contacts",
  draw: (draw) => {
    const person = draw.person();
    return (
      person &&
      looked(draw, person, "contacts", {
        value: contactOf(draw.db, person.value).phone,
        words: `the phone number of ${person.words} as Contacts has it`,
        code: `apis.contacts.show({person:${person.code}}).phone`,
      })
    );
  },
};

export const contactSources: readonly Source[] = [owed, giftPrice, away, birthday, street, phone];

export const contactFacts: readonly Fact[] = [
  {
    name: "contacts",
    app: "contacts",
    unit: "number",
    words: [
      "the number of my contacts",
      "the count of people in my contacts",
      "the number of people in Contacts",
      "the total number of contacts I have",
      "the size of my address book in people",
    ],
    value: (db) => db.all(people).length,
    code: "apis.contacts.overview({}).contacts",
  },
  {
    name: "favourites",
    app: "contacts",
    unit: "number",
    words: [
      "the number of favourites in Contacts",
      "the count of my favourite contacts",
      "the number of contacts marked as favourites",
      "the total number of favourites among my contacts",
      "the size of my favourites in Contacts",
    ],
    value: (db) => db.where(details, { favourite: true }).length,
    code: "apis.contacts.overview({}).favourites",
  },
  {
    name: "couples",
    app: "contacts",
    unit: "number",
    words: [
      "the number of couples in Contacts",
      "the count of couples among my contacts",
      "the number of couples that Contacts has",
      "the total number of couples among my contacts",
      "the number of pairs noted as couples in Contacts",
    ],
    value: (db) => db.all(couples).length,
    code: "apis.contacts.overview({}).couples",
  },
  {
    name: "groups",
    app: "contacts",
    unit: "number",
    words: [
      "the number of my contact groups",
      "the count of groups in Contacts",
      "the number of groups that Contacts has",
      "the total number of contact groups",
      "the number of groups in my address book",
    ],
    value: (db) => db.all(groups).length,
    code: "apis.contacts.overview({}).groups",
  },
];
