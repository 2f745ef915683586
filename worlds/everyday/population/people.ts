/** Contacts and their groups: every first name is borne by two people of the same part, with different last names. */
import type { Rng, Writer } from "bowline/world";
import { groups, makeHandle, members, type Person, people } from "../apps/index.ts";
import { PARTS, type Part, POOLS } from "./names.ts";

export type Everyone = { readonly [P in Part]: readonly Person[] };

export function addPeople(db: Writer, rng: Rng): Everyone {
  const everyone: { [P in Part]: Person[] } = {
    train: [],
    dev: [],
    "test-normal": [],
    "test-challenge": [],
    circle: [],
  };
  const phones = rng.sample(
    Array.from({ length: 9000 }, (_, i) => `555-${1000 + i}`),
    1000,
  );
  const arrivals = PARTS.flatMap((part) => namesOf(part, rng).map((name) => ({ name, part })));
  for (const [i, { name, part }] of rng.shuffle(arrivals).entries()) {
    const city = cityFor(everyone[part].length, part, rng);
    const handle = makeHandle(db, name);
    const row = { name, handle, city, phone: phones[i]!, blocked: false };
    everyone[part].push(db.insert(people, row));
  }
  return everyone;
}

/** Pairs each first name with two different last names, so that each last name occurs twice as well. */
function namesOf(part: Part, rng: Rng): string[] {
  const { first, last } = POOLS[part];
  const shuffled = rng.shuffle(last);
  const shift = rng.integer(1, last.length - 1);
  return first.flatMap((name, i) => [
    `${name} ${shuffled[i]}`,
    `${name} ${shuffled[(i + shift) % last.length]}`,
  ]);
}

/** The first three of each city are certain, so that none is empty; the rest is chance. */
function cityFor(arrival: number, part: Part, rng: Rng): string {
  const { cities } = POOLS[part];
  return arrival < 3 * cities.length ? cities[arrival % cities.length]! : rng.pick(cities);
}

/** Sizes from 3 to 12, so that some groups fill one page and some need two or three. */
export function addGroups(db: Writer, rng: Rng, everyone: Everyone): void {
  const all = PARTS.flatMap((part) => POOLS[part].groups.map((name) => ({ name, part })));
  for (const { name, part } of rng.shuffle(all)) {
    const group = db.insert(groups, { name });
    for (const person of rng.sample(everyone[part], rng.integer(3, 12))) {
      db.insert(members, { group: group.id, person: person.id });
    }
  }
}
