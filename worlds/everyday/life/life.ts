/**
 * Makes the owner's life, which all apps record: the people with their relationships, and what the owner and others did
 * together.
 *
 * The rows of all apps are traces of the same happenings. A dinner is a calendar event, the messages before it, the
 * shared expense after it, a line on the bank statement and a photo. `life/<app>.ts` writes the traces in one app. All
 * people of a happening are of one part of the population (`population/name-pools.ts`), so that training never mentions
 * the people, places or titles that a test task mentions.
 */

import type { Profile, Writer } from "bowline/world";
import { Rng } from "bowline/world";
import type { Person } from "../apps/tables.ts";
import { PARTS, type Part, POOLS } from "../population/name-pools.ts";
import { addGroups, addPeople, type Everyone } from "../population/people.ts";
import { destinationsOf, distanceKm, HOME } from "../population/places.ts";
import { dayFromStart } from "../population/time.ts";
import { planSeries, type SeriesPlan } from "./calendar/series-plans.ts";
import { HOURS_OF, longestHappening } from "./calendar/texts.ts";
import { type DayRange, Diary } from "./diary.ts";
import { HAPPENING_KINDS, type HappeningKind } from "./happening-kinds.ts";
import { drawOwner } from "./owner.ts";

export { HAPPENING_KINDS, type HappeningKind } from "./happening-kinds.ts";

export type Relationship = "family" | "colleague" | "neighbour" | "friend" | "acquaintance";

export interface Cost {
  /** What the money was for, in lower case and without an article: `dinner`, `boat hire`. */
  readonly what: string;
  readonly cents: number;
  /** The person who paid, or null when the owner did. */
  readonly payer: Person | null;
}

/** Something that the owner and others do together. */
export interface Happening {
  readonly kind: HappeningKind;
  readonly part: Part;
  /** The unique title, such as `Dinner at the Copper Fox`. */
  readonly title: string;
  /** The unique place, such as `Copper Fox`. */
  readonly place: string;
  readonly city: string;
  /** The first day. Today is the day of `NOW`; about two thirds of the happenings are in the past. */
  readonly day: string;
  readonly time: string;
  /** The number of nights away, which is 0 unless it is a trip. */
  readonly nights: number;
  /** The host, who is one of `people`, or null when the owner is the host. */
  readonly host: Person | null;
  /** The people who take part, except the owner: 2 to 7 people of one part of the population. */
  readonly people: readonly Person[];
  /** What the happening cost. It is empty for a happening in the future. */
  readonly costs: readonly Cost[];
}

export interface Life {
  readonly owner: Profile;
  readonly everyone: Everyone;
  readonly relationships: ReadonlyMap<number, Relationship>;
  /** The couples among the contacts. The people of a couple are of one part of the population. */
  readonly couples: readonly (readonly [Person, Person])[];
  /** The happenings, sorted by day, oldest first. */
  readonly happenings: readonly Happening[];
  readonly series: readonly SeriesPlan[];
  /** What is booked so far. The writers of apps book what they add, in their order. */
  readonly diary: Diary;
  /** How much unrelated background each app gets. 1 is the normal amount; the `distractors` dial changes it. */
  readonly density: number;
}

/** Adds people and groups to the tables and draws the rest of the owner's life. */
export function makeLife(db: Writer, rng: Rng, density = 1): Life {
  const everyone = addPeople(db, rng.child("people"));
  addGroups(db, rng.child("groups"), everyone);
  const all = PARTS.flatMap((part) => everyone[part]);
  const diary = new Diary();
  const trips = bookTrips(rng.child("trips"), diary);
  const series = planSeries(rng.child("series"), diary);
  return {
    owner: drawOwner(rng.child("owner")),
    everyone,
    relationships: new Map(
      all.map((person) => [person.id, drawRelationship(rng, everyone, person)]),
    ),
    couples: PARTS.flatMap((part) => drawCouples(rng.child(part), everyone[part])),
    happenings: makeHappenings(rng.child("happenings"), everyone, diary, trips),
    series,
    diary,
    density,
  };
}

/** Draws what a person is to the owner. Only people of the circle live in the owner's city, so only they are neighbours. */
function drawRelationship(rng: Rng, everyone: Everyone, person: Person): Relationship {
  if (everyone.circle.includes(person)) return rng.pick(["family", "friend", "neighbour"]);
  return rng.pick(["colleague", "acquaintance", "friend", "acquaintance", "friend", "colleague"]);
}

/** Draws couples, a third of all people at most. Both of a couple live in one city. */
function drawCouples(rng: Rng, people: readonly Person[]): (readonly [Person, Person])[] {
  const couples: (readonly [Person, Person])[] = [];
  const singles = new Map<string, Person>();
  for (const person of rng.shuffle(people)) {
    const other = singles.get(person.city);
    if (!other) singles.set(person.city, person);
    else {
      couples.push([other, person]);
      singles.delete(person.city);
    }
  }
  return couples.slice(0, Math.floor(people.length / 6));
}

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

/** The number of happenings of each part of the population. The kinds of happenings alternate. */
const HAPPENINGS_PER_PART = 18;

/**
 * The places of all happenings. They are the same for every seed, so that the place alone decides the part of the
 * population to which it belongs.
 */
const PLACES = new Rng(1).shuffle(ADJECTIVES.flatMap((a) => NOUNS.map((noun) => `${a} ${noun}`)));

/** Returns the places of the happenings of a part of the population. No happening of another part is at one of them. */
export function placesOfPart(part: Part): readonly string[] {
  const start = PARTS.indexOf(part) * HAPPENINGS_PER_PART;
  return PLACES.slice(start, start + HAPPENINGS_PER_PART);
}

/** The days on which happenings are. About two thirds of them are in the past. */
const PAST: DayRange = [-75, -2];
const FUTURE: DayRange = [1, 40];
const PAST_SHARE = 0.65;

/** The first days of past and future trips, which take more room than other happenings. */
const PAST_TRIPS: DayRange = [-100, -2];
const FUTURE_TRIPS: DayRange = [1, 50];

/** A trip's city, first day and number of nights. */
interface TripPlan {
  readonly city: string;
  readonly days: number;
  readonly nights: number;
}

/** Draws the nights of a trip to a city. Nobody flies to another continent for a single night. */
export function drawNights(rng: Rng, city: string): number {
  return distanceKm(HOME, city) > FAR_KM ? rng.integer(3, 5) : rng.integer(1, 3);
}
const FAR_KM = 3000;

const kindOfHappening = (index: number) => HAPPENING_KINDS[index % HAPPENING_KINDS.length]!;

/** Books the days of all trips before anything else is booked. Maps `<part> <index of the happening>` to trips. */
function bookTrips(rng: Rng, diary: Diary): ReadonlyMap<string, TripPlan> {
  const plans = new Map<string, TripPlan>();
  for (const part of PARTS) {
    for (let i = 0; i < HAPPENINGS_PER_PART; i++) {
      if (kindOfHappening(i) !== "trip") continue;
      const own = rng.child(part).child(i);
      const city = own.pick(destinationsOf(part));
      const nights = drawNights(own, city);
      const range = own.chance(PAST_SHARE) ? PAST_TRIPS : FUTURE_TRIPS;
      plans.set(`${part} ${i}`, { city, nights, days: diary.bookTrip(own, range, nights) });
    }
  }
  return plans;
}

function makeHappenings(
  rng: Rng,
  everyone: Everyone,
  diary: Diary,
  trips: ReadonlyMap<string, TripPlan>,
): readonly Happening[] {
  const happenings = PARTS.flatMap((part) =>
    Array.from({ length: HAPPENINGS_PER_PART }, (_, i) => {
      const own = rng.child(part).child(i);
      const trip = trips.get(`${part} ${i}`);
      const range = own.chance(PAST_SHARE) ? PAST : FUTURE;
      const kind = kindOfHappening(i);
      const when = trip
        ? { days: trip.days, time: "09:00" }
        : diary.book(own.child("when"), range, HOURS_OF[kind], longestHappening(kind));
      const city = trip?.city ?? own.pick(POOLS[part].cities);
      const where = { place: placesOfPart(part)[i]!, city, nights: trip?.nights ?? 0 };
      return drawHappening(own, part, kind, { ...where, ...when }, everyone[part]);
    }),
  );
  return happenings.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

function drawHappening(
  rng: Rng,
  part: Part,
  kind: HappeningKind,
  frame: Pick<Happening, "place" | "city" | "nights" | "time"> & { readonly days: number },
  candidates: readonly Person[],
): Happening {
  const people = rng.sample(candidates, rng.integer(2, Math.min(7, candidates.length)));
  const { place, city, nights, time, days } = frame;
  return {
    kind,
    part,
    title: TITLES[kind](place, city),
    place,
    city,
    day: dayFromStart(days),
    time,
    nights,
    host: rng.chance(0.5) ? null : people[0]!,
    people,
    costs: days < 0 ? drawCosts(rng.child("costs"), kind, people) : [],
  };
}

/** Draws the costs of a happening. The amounts are not round numbers, so that hardly two are equal. */
function drawCosts(rng: Rng, kind: HappeningKind, people: readonly Person[]): Cost[] {
  const names = COSTS[kind];
  return rng.sample(names, rng.integer(1, names.length)).map((what) => ({
    what,
    cents: rng.integer(1200, 28_000),
    payer: rng.chance(0.5) ? null : rng.pick(people),
  }));
}
