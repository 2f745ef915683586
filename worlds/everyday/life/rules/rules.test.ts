/** Breaks each rule of a possible life by one row, and tests the rules on the populations of three seeds. */
import { WorldUnderTest } from "bowline/testing";
import { accounts, type LifePopulation, type LifeRule, type Writer } from "bowline/world";
import { describe, expect, test } from "vitest";
import { eventLengths } from "../../apps/calendar/tables.ts";
import { couples, details } from "../../apps/contacts/tables.ts";
import { events, mails, people } from "../../apps/tables.ts";
import { bookings, services, trips } from "../../apps/travel/tables.ts";
import everyday from "../../everyday.ts";
import { lifeRules } from "./index.ts";

const worlds = [1, 2, 3].map((seed) => new WorldUnderTest(everyday, seed));
const [world] = worlds as [WorldUnderTest];

function findViolations(name: string, population: LifePopulation): readonly string[] {
  const rule = lifeRules.find((one) => one.name === name)!;
  if (!("findViolations" in rule)) throw new Error(`${name} is about several populations`);
  return rule.findViolations(population);
}

const ownTrip = (db: Writer) => db.where(trips, { person: null, cancelled: false })[0]!;
const addEvent = (db: Writer, title: string, day: string, time: string) =>
  db.insert(events, { title, day, time, host: null, response: "accepted", cancelled: false });

/** Changes that each break one rule. */
const BREAKS: { readonly [rule: string]: (db: Writer) => void } = {
  "events are at sensible hours": (db) => void addEvent(db, "Dentist", "2027-03-01", "05:15"),
  "no two events of the owner overlap": (db) => {
    const { id } = addEvent(db, "Choir practice", "2027-03-01", "10:00");
    db.insert(eventLengths, { event: id, minutes: 90, allDay: false });
    addEvent(db, "Board games", "2027-03-01", "11:15");
  },
  "no two trips of a person overlap": (db) => {
    const { id: _, ...trip } = ownTrip(db);
    db.insert(trips, { ...trip, name: "Another trip", from: trip.until });
  },
  "no event at home is during a trip": (db) =>
    void addEvent(db, "Board games", ownTrip(db).from, "10:00"),
  "journeys do not collide with trips": (db) => {
    const loose = db.all(bookings).find((row) => row.trip === null && row.status === "booked")!;
    db.update(bookings, loose.id, { day: ownTrip(db).from });
  },
  "services go where they can": (db) => {
    const flight = db.all(services).find(({ to }) => to === "Nairobi")!;
    db.update(services, flight.id, { kind: "train" });
  },
  "services take plausible times": (db) => {
    const flight = db.all(services).find(({ to }) => to === "Nairobi")!;
    db.update(services, flight.id, { departs: "10:00", arrives: "12:10" });
  },
  "services cost plausible fares": (db) => db.update(services, 1, { cents: 100 }) && undefined,
  "every trip can be travelled": (db) =>
    void db.update(trips, ownTrip(db).id, { city: "Nairobi", name: "Nairobi by train" }),
  "neighbours live near": (db) => {
    const far = db.all(people).find(({ city }) => city === "Lisbon")!;
    const [row] = db.where(details, { person: far.id });
    db.update(details, row!.id, { relationship: "neighbour" });
  },
  "couples live in one city": (db) => {
    const [couple] = db.all(couples);
    db.update(people, couple!.first, { city: "Elsewhere" });
  },
  "companies and strangers write": (db) => {
    for (const { id } of db.where(mails, { person: null })) db.update(mails, id, { person: 1 });
  },
};

describe("the rules of a possible life", () => {
  const breakable = lifeRules.filter((rule) => "findViolations" in rule);

  test.each(breakable.map(({ name }) => name))("'%s' finds one wrong row", (name) => {
    const db = world.copyPopulation();
    BREAKS[name]!(db);
    expect(findViolations(name, { db, owner: world.owner }).length).toBeGreaterThan(0);
  });

  test("three seeds keep all rules about single populations", () => {
    for (const { name } of breakable) {
      for (const { seed, owner, ...one } of worlds.map((each) => ({
        seed: each.seed,
        owner: each.owner,
        db: each.copyPopulation(),
      }))) {
        expect(findViolations(name, { ...one, owner }), `${name}, seed ${seed}`).toEqual([]);
      }
    }
  });

  test("owners differ by seed, and passwords and balances by scenario, but not within one", () => {
    const varied = lifeRules.filter((rule) => "readVaried" in rule) as Extract<
      LifeRule,
      { readVaried: unknown }
    >[];
    const start = (id: string) => ({ db: world.prepareTask(id).state, owner: world.owner });
    for (const { name, readVaried, variesByScenario } of varied) {
      const seeds = worlds.map((each) =>
        readVaried({ db: each.copyPopulation(), owner: each.owner }),
      );
      expect(new Set(seeds).size, name).toBe(seeds.length);
      if (!variesByScenario) continue;
      const first = readVaried(start("train/0/1"));
      expect(readVaried(start("train/0/2")), name).toBe(first);
      expect(readVaried(start("train/1/1")), name).not.toBe(first);
    }
    const passwords = world.prepareTask("train/0/1").state.all(accounts);
    expect(new Set(passwords.map(({ password }) => password)).size).toBe(passwords.length);
  });
});
