/**
 * What happened in the owner's life, before any app records it: who is who, and what they did together.
 *
 * Every app's rows are traces of the same happenings: a dinner is a calendar event, the messages before it, the shared
 * expense after it, a line on the bank statement and a photo. `life/<app>.ts` writes an app's traces. A happening lies
 * within one part (`population/names.ts`), so what a test task mentions was never mentioned in training.
 */

import type { Profile, Writer } from "bowline/world";
import { Rng } from "bowline/world";
import type { Person } from "../apps/tables.ts";
import { PARTS, type Part, POOLS } from "../population/names.ts";
import { addGroups, addPeople, type Everyone } from "../population/people.ts";
import { dayAfter } from "../population/time.ts";

export type Relationship = "family" | "colleague" | "neighbour" | "friend" | "acquaintance";

export interface Cost {
  /** In lower case, without an article: `dinner`, `boat hire`. */
  readonly what: string;
  readonly cents: number;
  /** Null: the owner paid. */
  readonly payer: Person | null;
}

export const HAPPENING_KINDS = [
  "dinner",
  "trip",
  "concert",
  "birthday",
  "match",
  "workshop",
  "picnic",
] as const;
export type HappeningKind = (typeof HAPPENING_KINDS)[number];

/** Something that the owner and others do together. */
export interface Happening {
  readonly kind: HappeningKind;
  readonly part: Part;
  /** Unique: `Dinner at the Copper Fox`. */
  readonly title: string;
  /** Unique: `Copper Fox`. */
  readonly place: string;
  readonly city: string;
  /** First day; the world's today is `NOW`. About two thirds lie in the past. */
  readonly day: string;
  readonly time: string;
  /** Nights away; 0 unless a trip. */
  readonly nights: number;
  /** Null: the owner. Otherwise one of `people`. */
  readonly host: Person | null;
  /** Everyone but the owner; 2 to 7, all of one part. */
  readonly people: readonly Person[];
  /** Empty for what lies ahead. */
  readonly costs: readonly Cost[];
}

export interface Life {
  readonly owner: Profile;
  readonly everyone: Everyone;
  readonly relationships: ReadonlyMap<number, Relationship>;
  /** Couples among the contacts, of one part each. */
  readonly couples: readonly (readonly [Person, Person])[];
  /** By day, oldest first. */
  readonly happenings: readonly Happening[];
  /** How much unrelated background each app gets; 1 is normal (`distractors` dial). */
  readonly density: number;
}

export const OWNER: Profile = {
  name: "Robin Vale",
  email: "robin.vale@example.com",
  phone: "555-0100",
};

/** Adds people and groups, and thinks up the rest. */
export function makeLife(db: Writer, rng: Rng, density = 1): Life {
  const everyone = addPeople(db, rng.child("people"));
  addGroups(db, rng.child("groups"), everyone);
  const all = PARTS.flatMap((part) => everyone[part]);
  return {
    owner: OWNER,
    everyone,
    relationships: new Map(all.map((person) => [person.id, relationship(rng, everyone, person)])),
    couples: PARTS.flatMap((part) => couplesOf(rng.child(part), everyone[part])),
    happenings: makeHappenings(rng.child("happenings"), everyone),
    density,
  };
}

function relationship(rng: Rng, everyone: Everyone, person: Person): Relationship {
  if (everyone.circle.includes(person)) return rng.chance(0.5) ? "family" : "friend";
  return rng.pick(["colleague", "neighbour", "friend", "acquaintance", "friend", "colleague"]);
}

function couplesOf(rng: Rng, people: readonly Person[]): (readonly [Person, Person])[] {
  const shuffled = rng.shuffle(people).slice(0, 2 * Math.floor(people.length / 6));
  return shuffled.flatMap((person, i) => (i % 2 ? [[shuffled[i - 1]!, person] as const] : []));
}

// --- happenings ---

const ADJECTIVES = "Copper Silver Blue Old Little Golden Hidden Green Stone Amber".split(" ");
const NOUNS = "Kettle Lantern Anchor Garden Harbour Mill Fox Olive Swan Bridge".split(" ");

const TITLES: { readonly [K in HappeningKind]: (place: string, city: string) => string } = {
  dinner: (place) => `Dinner at the ${place}`,
  trip: (place, city) => `${city} trip, ${place} lodge`,
  concert: (place) => `Concert at the ${place}`,
  birthday: (place) => `Birthday at the ${place}`,
  match: (place) => `Match at the ${place}`,
  workshop: (place) => `Workshop at the ${place}`,
  picnic: (place) => `Picnic by the ${place}`,
};

const COSTS: { readonly [K in HappeningKind]: readonly string[] } = {
  dinner: ["dinner", "wine", "taxi"],
  trip: ["lodge", "fuel", "groceries", "boat hire"],
  concert: ["tickets", "drinks"],
  birthday: ["gift", "cake", "flowers"],
  match: ["tickets", "train fare"],
  workshop: ["fee", "materials"],
  picnic: ["groceries", "bike hire"],
};

/** How many happenings a part has; each of a kind by turns. */
const A_PART = 18;

/** The same for every seed, so that what belongs to a part is known without its happenings. */
const PLACES = new Rng(1).shuffle(ADJECTIVES.flatMap((a) => NOUNS.map((noun) => `${a} ${noun}`)));

/** The places of a part's happenings; no other part goes there. */
export function placesOf(part: Part): readonly string[] {
  const start = PARTS.indexOf(part) * A_PART;
  return PLACES.slice(start, start + A_PART);
}

function makeHappenings(rng: Rng, everyone: Everyone): readonly Happening[] {
  const happenings = PARTS.flatMap((part) =>
    Array.from({ length: A_PART }, (_, i) => {
      const kind = HAPPENING_KINDS[i % HAPPENING_KINDS.length]!;
      return happening(rng.child(part).child(i), part, kind, placesOf(part)[i]!, everyone[part]);
    }),
  );
  return happenings.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

function happening(
  rng: Rng,
  part: Part,
  kind: HappeningKind,
  place: string,
  candidates: readonly Person[],
): Happening {
  const people = rng.sample(candidates, rng.integer(2, Math.min(7, candidates.length)));
  const city = rng.pick(POOLS[part].cities);
  const days = rng.chance(0.65) ? -rng.integer(2, 75) : rng.integer(1, 40);
  return {
    kind,
    part,
    title: TITLES[kind](place, city),
    place,
    city,
    day: dayAfter(days),
    time: `${String(rng.integer(9, 20)).padStart(2, "0")}:${rng.pick(["00", "15", "30", "45"])}`,
    nights: kind === "trip" ? rng.integer(1, 5) : 0,
    host: rng.chance(0.5) ? null : people[0]!,
    people,
    costs: days < 0 ? costsOf(rng.child("costs"), kind, people) : [],
  };
}

/** Odd amounts, so that no two happen to be equal. */
function costsOf(rng: Rng, kind: HappeningKind, people: readonly Person[]): Cost[] {
  const names = COSTS[kind];
  return rng.sample(names, rng.integer(1, names.length)).map((what) => ({
    what,
    cents: rng.integer(1200, 28_000),
    payer: rng.chance(0.5) ? null : rng.pick(people),
  }));
}
