/**
 * Whom and what a task names: in training, people, cities and groups made up for that task alone.
 *
 * With a fixed cast a small model learns the cast by heart instead of learning to copy, and is lost with the first
 * stranger. So a training task adds newcomers with invented names on top of the population; dev and the test splits
 * name people, cities and groups of their own part of the population, which no training task ever mentions.
 */
import type { Rng, Writer } from "bowline/world";
import { groups, makeHandle, members, people } from "../apps/index.ts";
import { groupsOf, PARTS, POOLS } from "../population.ts";
import type { Draw } from "./parts.ts";

const ONSETS =
  "b br c ch d dr f fl g gr h j k kl l m n p pr qu r s sh sk st t th tr v w x y z".split(" ");
const VOWELS = "a a e e i i o o u y ai ei ia io ou ee".split(" ");
const CODAS = "n r l s m t k d x ck nd rt ng h ss z w v".split(" ");

const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
/** What crossings are made of: the training part's own names. */
const MODELS = lower([...POOLS.train.first, ...POOLS.train.last, ...POOLS.train.cities]);
const RESERVED = new Set(
  PARTS.flatMap((part) =>
    lower([...POOLS[part].first, ...POOLS[part].last, ...POOLS[part].cities]),
  ),
);

function syllable(rng: Rng, last: boolean): string {
  const coda = rng.chance(last ? 0.6 : 0.2) ? rng.pick(CODAS) : "";
  return rng.pick(ONSETS) + rng.pick(VOWELS) + coda;
}

function fromSyllables(rng: Rng): string {
  const length = rng.pick([1, 2, 2, 2, 3]);
  const start = rng.chance(0.2) ? rng.pick(VOWELS) : "";
  return start + Array.from({ length }, (_, i) => syllable(rng, i === length - 1)).join("");
}

/** The beginning of one name and the end of another: `amara` and `dmitri` make `amitri`. */
function fromCrossing(rng: Rng): string {
  const [left, right] = rng.sample(MODELS, 2) as [string, string];
  const start = left.slice(0, rng.integer(1, Math.min(4, left.length - 1)));
  return start + right.slice(rng.integer(1, right.length - 2));
}

/** One invented word with a capital letter; never one of the population's names. */
export function newWord(rng: Rng): string {
  for (;;) {
    const word = rng.chance(0.5) ? fromCrossing(rng) : fromSyllables(rng);
    if (word.length < 3 || RESERVED.has(word)) continue;
    return word[0]!.toUpperCase() + word.slice(1);
  }
}

export interface Named {
  readonly name: string;
  readonly city: string;
  readonly setup: (db: Writer) => void;
}

/** A person to name, with a namesake who is found first in half of the cases. */
export function castPerson(draw: Draw): Named {
  const { rng, split } = draw;
  if (split !== "train") return { ...rng.pick(draw.people), setup: () => {} };
  const first = newWord(rng);
  const name = `${first} ${newWord(rng)}`;
  const namesake = `${first} ${newWord(rng)}`;
  const city = rng.pick(draw.people).city;
  return {
    name,
    city,
    setup: (db) => {
      for (const someone of [name, namesake]) addPerson(db, someone, city);
    },
  };
}

/** A city where several contacts live. */
export function castCity(draw: Draw): Pick<Named, "name" | "setup"> {
  const { rng, split } = draw;
  if (split !== "train") return { name: rng.pick(citiesOf(draw)), setup: () => {} };
  const name = newWord(rng);
  const dwellers = Array.from(
    { length: rng.integer(3, 11) },
    () => `${newWord(rng)} ${newWord(rng)}`,
  );
  return {
    name,
    setup: (db) => {
      for (const someone of dwellers) addPerson(db, someone, name);
    },
  };
}

/** A group with several members; in training any activity goes with any word for a group. */
export function castGroup(draw: Draw): Pick<Named, "name" | "setup"> {
  const { rng, split, base } = draw;
  if (split !== "train") return { name: rng.pick(groupsOf(base, split)).name, setup: () => {} };
  const inside = rng.sample(draw.people, rng.integer(3, 12));
  const name = rng.chance(0.5)
    ? rng.pick(TRAIN_GROUPS)
    : `${newWord(rng).toLowerCase()} ${rng.pick(KINDS)}`;
  return {
    name,
    setup: (db) => {
      if (db.where(groups, { name })[0]) return;
      const group = db.insert(groups, { name }).id;
      for (const person of inside) db.insert(members, { group, person: person.id });
    },
  };
}

const TRAIN_GROUPS = POOLS.train.groups;
const KINDS = [...new Set(TRAIN_GROUPS.map((name) => name.split(" ")[1]!))];

const citiesOf = (draw: Draw) => [...new Set(draw.people.map((person) => person.city))];

function addPerson(db: Writer, name: string, city: string): void {
  const phone = `555-${2000 + db.all(people).length}`;
  db.insert(people, { name, handle: makeHandle(db, name), city, phone, blocked: false });
}
