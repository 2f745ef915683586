/**
 * Chooses whom and what a task names. A training task names people, cities and groups that were invented for this task
 * alone.
 *
 * If all tasks named the same people, a small model would learn these names by heart instead of learning to copy names,
 * and would fail at the first unknown name. So a training task adds people with invented names to the population. Dev
 * and the test splits name people, cities and groups of their own part of the population, which no training task
 * mentions.
 */
import type { Rng, Writer } from "bowline/world";
import { groups, makeHandle, members, people } from "../apps/index.ts";
import { groupsOf, PARTS, POOLS } from "../population.ts";
import type { DrawContext } from "./algebra.ts";

const ONSETS =
  "b br c ch d dr f fl g gr h j k kl l m n p pr qu r s sh sk st t th tr v w x y z".split(" ");
const VOWELS = "a a e e i i o o u y ai ei ia io ou ee".split(" ");
const CODAS = "n r l s m t k d x ck nd rt ng h ss z w v".split(" ");

const toLowerCase = (names: readonly string[]) => names.map((name) => name.toLowerCase());
/** The names of the training part of the population. Invented names are combinations of these. */
const MODEL_NAMES = toLowerCase([...POOLS.train.first, ...POOLS.train.last, ...POOLS.train.cities]);
const RESERVED = new Set(
  PARTS.flatMap((part) =>
    toLowerCase([...POOLS[part].first, ...POOLS[part].last, ...POOLS[part].cities]),
  ),
);

function drawSyllable(rng: Rng, isLast: boolean): string {
  const coda = rng.chance(isLast ? 0.6 : 0.2) ? rng.pick(CODAS) : "";
  return rng.pick(ONSETS) + rng.pick(VOWELS) + coda;
}

function nameFromSyllables(rng: Rng): string {
  const length = rng.pick([1, 2, 2, 2, 3]);
  const start = rng.chance(0.2) ? rng.pick(VOWELS) : "";
  return start + Array.from({ length }, (_, i) => drawSyllable(rng, i === length - 1)).join("");
}

/** Combines the beginning of one name with the end of another: `amara` and `dmitri` make `amitri`. */
function nameFromTwoNames(rng: Rng): string {
  const [left, right] = rng.sample(MODEL_NAMES, 2) as [string, string];
  const start = left.slice(0, rng.integer(1, Math.min(4, left.length - 1)));
  return start + right.slice(rng.integer(1, right.length - 2));
}

/** Invents a word with a capital letter. It is never one of the population's names. */
export function inventWord(rng: Rng): string {
  for (;;) {
    const word = rng.chance(0.5) ? nameFromTwoNames(rng) : nameFromSyllables(rng);
    if (word.length < 3 || RESERVED.has(word)) continue;
    return word[0]!.toUpperCase() + word.slice(1);
  }
}

export interface NamedPerson {
  readonly name: string;
  readonly city: string;
  readonly setup: (db: Writer) => void;
}

/**
 * Chooses a person whom the task names. In training the person is invented and has a namesake, who is found first in
 * half of the cases.
 */
export function choosePerson(draw: DrawContext): NamedPerson {
  const { rng, split } = draw;
  if (split !== "train") return { ...rng.pick(draw.people), setup: () => {} };
  const first = inventWord(rng);
  const name = `${first} ${inventWord(rng)}`;
  const namesake = `${first} ${inventWord(rng)}`;
  const city = rng.pick(draw.people).city;
  return {
    name,
    city,
    setup: (db) => {
      for (const someone of [name, namesake]) addPerson(db, someone, city);
    },
  };
}

/** Chooses a city where several contacts live. */
export function chooseCity(draw: DrawContext): Pick<NamedPerson, "name" | "setup"> {
  const { rng, split } = draw;
  if (split !== "train") return { name: rng.pick(citiesOfPeople(draw)), setup: () => {} };
  const name = inventWord(rng);
  const residents = Array.from(
    { length: rng.integer(3, 11) },
    () => `${inventWord(rng)} ${inventWord(rng)}`,
  );
  return {
    name,
    setup: (db) => {
      for (const someone of residents) addPerson(db, someone, name);
    },
  };
}

/**
 * Chooses a group with several members. In training an invented group combines any activity with any word for a group.
 */
export function chooseGroup(draw: DrawContext): Pick<NamedPerson, "name" | "setup"> {
  const { rng, split, base } = draw;
  if (split !== "train") return { name: rng.pick(groupsOf(base, split)).name, setup: () => {} };
  const groupMembers = rng.sample(draw.people, rng.integer(3, 12));
  const name = rng.chance(0.5)
    ? rng.pick(TRAIN_GROUPS)
    : `${inventWord(rng).toLowerCase()} ${rng.pick(GROUP_WORDS)}`;
  return {
    name,
    setup: (db) => {
      if (db.where(groups, { name })[0]) return;
      const group = db.insert(groups, { name }).id;
      for (const person of groupMembers) db.insert(members, { group, person: person.id });
    },
  };
}

const TRAIN_GROUPS = POOLS.train.groups;
const GROUP_WORDS = [...new Set(TRAIN_GROUPS.map((name) => name.split(" ")[1]!))];

const citiesOfPeople = (draw: DrawContext) => [
  ...new Set(draw.people.map((person) => person.city)),
];

function addPerson(db: Writer, name: string, city: string): void {
  const phone = `555-${2000 + db.all(people).length}`;
  db.insert(people, { name, handle: makeHandle(db, name), city, phone, blocked: false });
}
