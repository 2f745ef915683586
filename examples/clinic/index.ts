/**
 * A world of three apps with composed goals: a veterinary clinic with its records, its diary and its desk. Parts of one
 * app lead to those of another (the bills for the visits of a pet), and no training task names people of the test
 * splits. docs/goals.md explains it.
 *
 *   bowline world check --world ./clinic/index.ts --split all --tasks 300      checks that the tasks are sound
 *   bowline train smoke --world ./clinic/index.ts                              trains an agent in this world
 */
import { scenarioComposer } from "bowline/goals";
import { defineWorld, type Rng, type Writer } from "bowline/world";
import { bills, desk, prices } from "./apps/desk.ts";
import { diary, leaves, REASONS, VETS, visits } from "./apps/diary.ts";
import { CONTACTS, clients, DIETS, pets, records, SPECIES, TOWNS } from "./apps/records.ts";
import { HOUSEHOLDS, LANGUAGE, NOW, namesStrangers } from "./language.ts";
import { deskParts } from "./parts/desk.ts";
import { diaryParts } from "./parts/diary.ts";
import { recordsParts } from "./parts/records.ts";

const NOTES = [
  "Sleeps badly after jabs",
  "Bites when the tail is touched",
  "Takes pills only with cheese",
  "Afraid of other animals",
  "Has a healed fracture of the left leg",
];
const PRICES = ["nail trim", "blood test", "chest X-ray", "chip", "dental scan"];

function insertHousehold(
  db: Writer,
  rng: Rng,
  { people, pets: names }: (typeof HOUSEHOLDS)[number],
) {
  const owners = people.map((name) => {
    const since = LANGUAGE.dayAfter(-rng.integer(10, 2500));
    const row = { name, town: rng.pick(TOWNS), contact: rng.pick(CONTACTS), since };
    return db.insert(clients, row).id;
  });
  for (const name of names) {
    const pet = { name, species: rng.pick(SPECIES), grams: 100 * rng.integer(9, 420) };
    const health = { chipped: rng.chance(0.7), diet: rng.pick(DIETS), note: rng.pick(NOTES) };
    db.insert(pets, { owner: rng.pick(owners), ...pet, ...health });
  }
}

function insertVisit(db: Writer, rng: Rng, pet: number) {
  const time = { day: LANGUAGE.dayAfter(rng.integer(1, 60)), minutes: rng.integer(10, 95) };
  const details = { vet: rng.pick(VETS), reason: rng.pick(REASONS), confirmed: rng.chance(0.7) };
  const visit = db.insert(visits, { pet, ...details, ...time }).id;
  if (rng.chance(0.3)) return;
  const due = LANGUAGE.dayAfter(rng.integer(20, 120));
  const number = `B-${100 + visit}`;
  const cents = 25 * rng.integer(80, 1600);
  db.insert(bills, { number, visit, cents, due, paid: rng.chance(0.6) });
}

/** Makes the clinic's scenarios. `scenario.schedule` lists all signatures with their splits. */
export const scenario = scenarioComposer({
  parts: [recordsParts, diaryParts, deskParts],
  language: LANGUAGE,
  people: (db, split) => db.all(clients).filter(({ name }) => !namesStrangers(name, split)),
});

export default defineWorld({
  name: "clinic",
  now: NOW,
  apps: [records, diary, desk],
  scenarios: { train: 160, dev: 40, "test-normal": 80 },
  populate: (db, rng) => {
    for (const household of HOUSEHOLDS) insertHousehold(db, rng, household);
    for (const { id } of db.all(pets)) {
      for (let n = rng.integer(0, 3); n > 0; n--) insertVisit(db, rng, id);
    }
    for (const item of PRICES) db.insert(prices, { item, cents: 25 * rng.integer(40, 900) });
    for (const vet of VETS) {
      db.insert(leaves, { vet, back: LANGUAGE.dayAfter(rng.integer(61, 90)) });
    }
    return { name: "Vera Lindholm", email: "vera@clinic.example", phone: "555-0142" };
  },
  scenario,
});
