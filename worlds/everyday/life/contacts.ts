/**
 * Writes what the owner knows about people: relationship, birthday, home, work, remarks, ideas for gifts, and when they
 * met.
 *
 * Couples and relationships are those of `life`; each past happening is a meeting with each of its people. Each
 * workplace and each street belongs to one part of the population, so that a test task never mentions a place that
 * occurs in training.
 */
import type { Rng, Writer } from "bowline/world";
import {
  couples,
  details,
  gifts,
  meetings,
  remarks,
  removedPeople,
} from "../apps/contacts/tables.ts";
import type { Person } from "../apps/tables.ts";
import { PARTS, type Part } from "../population/name-pools.ts";
import { dayFromStart } from "../population/time.ts";
import type { Life } from "./life.ts";

const splitPhrases = (text: string): string[] => text.split(",").map((phrase) => phrase.trim());

const WORKPLACES: { readonly [P in Part]: readonly string[] } = {
  train: splitPhrases(`
    Tidewater Clinic, Larkfield School, Penrose Books, Northgate Bakery, Millbrook Motors, Ashdown Theatre,
    Crestline Software, Fernhill Nursery, Redbrick Brewery, Stonebridge Legal, Willow Press, Eastside Hospital`),
  dev: splitPhrases("Hartwell Clinic, Juniper School, Saltmarsh Foods, Quarry Design"),
  "test-normal": splitPhrases(
    "Cobalt Labs, Highmoor School, Kestrel Airfield, Orchard Dental, Pinewood Press",
  ),
  "test-challenge": splitPhrases(
    "Beacon Hospital, Driftwood Studio, Glenmore School, Ironworks Gym, Sunfield Farm",
  ),
  circle: splitPhrases("Canal House, Delft Pottery"),
};

const JOBS = splitPhrases(
  "nurse, teacher, cook, driver, engineer, gardener, accountant, designer, manager, clerk, technician, buyer",
);

const STREETS: { readonly [P in Part]: readonly string[] } = {
  train: splitPhrases(
    "Larch Street, Abbey Road, Station Lane, Chapel Row, Meadow Way, Castle Hill",
  ),
  dev: splitPhrases("Poplar Street, Ferry Road, Church Lane"),
  "test-normal": splitPhrases("Maple Street, Tower Road, Spring Lane"),
  "test-challenge": splitPhrases("Hazel Street, Market Road, Orchard Lane"),
  circle: splitPhrases("Linden Quay, Weavers Row"),
};

const REMARKS = [
  "Is allergic to nuts.",
  "Does not eat meat.",
  "Is allergic to cats.",
  "Likes dark chocolate.",
  "Drinks tea, never coffee.",
  "Plays the cello.",
  "Is afraid of heights.",
  "Rings only in the evening.",
  "Speaks Portuguese.",
  "Has a spare key of our flat.",
  "Wears shoe size 42.",
  "Is learning to sail.",
  "Keeps bees.",
  "Works at night.",
  "Lent me a ladder.",
  "Has two small children.",
] as const;

/** The things for which the owner may owe a person money. Each amount occurs once. */
const OWED_FOR = ["the parking ticket", "the museum entry", "the train ride", "the printer paper"];

const IDEAS = splitPhrases(`
  a woollen scarf, a cookbook, a bird feeder, a fountain pen, a teapot, a puzzle of a lighthouse, a rain jacket,
  a set of chisels, a globe, a hand cream, a picture frame, a board game, a radio, a cactus, a thermos flask,
  a harmonica, a chess clock, a pair of gloves, a bread knife, a hammock, a star map, a desk lamp`);

export function addContacts(db: Writer, rng: Rng, life: Life): void {
  for (const part of PARTS) {
    for (const person of life.everyone[part]) {
      addDetails(db, rng.child("details").child(person.name), life, part, person);
    }
  }
  for (const [a, b] of life.couples) {
    const [first, second] = [a.id, b.id].toSorted((x, y) => x - y) as [number, number];
    db.insert(couples, { first, second });
  }
  addMeetings(db, life);
  addRemarks(db, rng.child("remarks"), life);
  addGifts(db, rng.child("gifts"), life);
  for (const [name, handle, groups] of [
    ["Walt Ember", "walt.e", ["neighbours"]],
    ["Nell Tansy", "nell.t", []],
  ] as const) {
    const card = { name, handle, city: "Delft", phone: "555-0177", blocked: false };
    db.insert(removedPeople, { ...card, groups: [...groups] });
  }
}

function addDetails(db: Writer, rng: Rng, life: Life, part: Part, person: Person): void {
  const [month, day] = [rng.integer(1, 12), rng.integer(1, 28)];
  const padToTwoDigits = (x: number) => String(x).padStart(2, "0");
  const hasJob = rng.chance(0.8);
  db.insert(details, {
    person: person.id,
    relationship: life.relationships.get(person.id) ?? null,
    birthday: `${rng.integer(1948, 2004)}-${padToTwoDigits(month)}-${padToTwoDigits(day)}`,
    street: rng.chance(0.85) ? `${rng.integer(1, 98)} ${rng.pick(STREETS[part])}` : null,
    workplace: hasJob ? rng.pick(WORKPLACES[part]) : null,
    job: hasJob ? rng.pick(JOBS) : null,
    favourite: rng.chance(part === "circle" ? 0.4 : 0.07),
  });
}

/** Adds the meetings sorted by day, so that their ids follow time. */
function addMeetings(db: Writer, life: Life): void {
  for (const { day, title, people } of life.happenings) {
    if (day >= dayFromStart(0)) continue;
    for (const { id } of people) db.insert(meetings, { person: id, day, occasion: title });
  }
}

function addRemarks(db: Writer, rng: Rng, life: Life): void {
  const amounts = rng.shuffle(Array.from({ length: 400 }, (_, i) => 310 + 17 * i));
  for (const part of PARTS) {
    for (const person of drawPeople(rng.child(part), life, part, 0.5)) {
      const own = rng.child(person.name);
      const add = (text: string) => db.insert(remarks, { person: person.id, text });
      for (const text of own.sample(REMARKS, own.integer(1, 3))) add(text);
      if (own.chance(0.35)) {
        const price = (amounts.pop()! / 100).toFixed(2);
        add(`I owe them $${price} for ${own.pick(OWED_FOR)}.`);
      }
      if (own.chance(0.3)) add(`Is away until ${dayFromStart(own.integer(2, 40))}.`);
    }
  }
}

/** Adds the ideas for gifts. Each price occurs once. */
function addGifts(db: Writer, rng: Rng, life: Life): void {
  const prices = rng.shuffle(Array.from({ length: 600 }, (_, i) => 895 + 43 * i));
  for (const part of PARTS) {
    for (const person of drawPeople(rng.child(part), life, part, 0.45)) {
      const own = rng.child(person.name);
      for (const idea of own.sample(IDEAS, own.integer(1, 3))) {
        const gift = { person: person.id, idea, cents: prices.pop()!, given: own.chance(0.3) };
        db.insert(gifts, gift);
      }
    }
  }
}

function drawPeople(rng: Rng, { everyone, density }: Life, part: Part, share: number): Person[] {
  const count = Math.round(everyone[part].length * Math.min(1, share * density));
  return rng.sample(everyone[part], Math.max(1, count));
}
