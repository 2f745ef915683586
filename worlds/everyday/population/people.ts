/**
 * Adds the contacts and their groups. Two people of the same part of the population have each first name, with
 * different last names.
 */
import type { Rng, Writer } from "bowline/world";
import { groups, makeHandle, members, type Person, people } from "../apps/index.ts";
import { PARTS, type Part, POOLS } from "./name-pools.ts";

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
  const arrivals = PARTS.flatMap((part) =>
    drawFullNames(part, rng).map((name) => ({ name, part })),
  );
  for (const [i, { name, part }] of rng.shuffle(arrivals).entries()) {
    const city = chooseCity(everyone[part].length, part, rng);
    const handle = makeHandle(db, name);
    const row = { name, handle, city, phone: phones[i]!, blocked: false };
    everyone[part].push(db.insert(people, row));
  }
  return everyone;
}

/**
 * Draws the full names of a part of the population. Each first name gets two different last names, so that each last
 * name also occurs twice.
 */
function drawFullNames(part: Part, rng: Rng): string[] {
  const { first, last } = POOLS[part];
  const shuffled = rng.shuffle(last);
  const shift = rng.integer(1, last.length - 1);
  return first.flatMap((name, i) => [
    `${name} ${shuffled[i]}`,
    `${name} ${shuffled[(i + shift) % last.length]}`,
  ]);
}

/**
 * Chooses a person's city. The first people of a part of the population are spread over its cities, three in each, so
 * that no city is empty. The cities of all others are random.
 */
function chooseCity(arrival: number, part: Part, rng: Rng): string {
  const { cities } = POOLS[part];
  return arrival < 3 * cities.length ? cities[arrival % cities.length]! : rng.pick(cities);
}

/**
 * Adds the groups. They have 3 to 12 members, so that the members of some groups fit on one page, and those of others
 * need two or three pages.
 */
export function addGroups(db: Writer, rng: Rng, everyone: Everyone): void {
  const all = PARTS.flatMap((part) => POOLS[part].groups.map((name) => ({ name, part })));
  for (const { name, part } of rng.shuffle(all)) {
    const group = db.insert(groups, { name });
    for (const person of rng.sample(everyone[part], rng.integer(3, 12))) {
      db.insert(members, { group: group.id, person: person.id });
    }
  }
}
