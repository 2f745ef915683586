import { describe, expect, test } from "vitest";
import { people } from "../apps/tables.ts";
import * as app from "../apps/travel/index.ts";
import { runsOn } from "../apps/travel/rules.ts";
import { partOfName } from "../population/name-pools.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../tests/app-fixture.ts";
import { addTravel } from "./travel.ts";

const { base, life } = makeLifeBase([app.travel], addTravel);
const { db } = appFixture([app.travel], base);
const areDistinct = (items: readonly unknown[]) => new Set(items).size === items.length;

describe("travel in the owner's life", () => {
  test("the tables of travel are large enough to page through", () => {
    expect(db.all(app.services).length).toBeGreaterThan(100);
    expect(db.all(app.hotels).length).toBeGreaterThan(80);
    expect(db.all(app.trips).length).toBeGreaterThan(40);
    expect(db.all(app.bookings).length).toBeGreaterThan(80);
    expect(db.all(app.documents).length).toBeGreaterThan(40);
  });

  test("names of trips and hotels and numbers of services are all different", () => {
    expect(areDistinct(db.all(app.services).map(({ number }) => number))).toBe(true);
    expect(areDistinct(db.all(app.hotels).map(({ name }) => name.toLowerCase()))).toBe(true);
    expect(areDistinct(db.all(app.trips).map(({ name }) => name.toLowerCase()))).toBe(true);
  });

  test("fares do not follow from the distance alone, and hotels cost what is usual for their stars", () => {
    const remainders = new Set<number>();
    for (const { cents, taken, rows } of db.all(app.services)) {
      expect([0, 40, 50, 75, 90]).toContain(cents % 100);
      remainders.add(cents % 100);
      expect(taken.every((seat) => Number.parseInt(seat, 10) <= rows)).toBe(true);
    }
    expect(remainders.size).toBe(5);
    const lodges = new Set(life.happenings.map(({ place }) => `${place} lodge`));
    for (const { name, cents, stars, rating } of db.all(app.hotels)) {
      expect(rating).toBeGreaterThanOrEqual(58);
      if (lodges.has(name)) continue;
      expect(cents).toBeGreaterThanOrEqual(2000 * stars);
      expect(cents).toBeLessThanOrEqual(4800 * stars + 90);
      expect([0, 50, 90]).toContain(cents % 100);
    }
  });

  test("each trip of the owner's life is a trip in the app, with its companions and costs", () => {
    for (const { kind, title, day, people: participants, host, costs } of life.happenings) {
      if (kind !== "trip") continue;
      const [trip] = db.where(app.trips, { name: title });
      expect(trip).toMatchObject({ from: day, person: host?.id ?? null });
      const rows = db.where(app.companions, { trip: trip!.id });
      expect(rows).toHaveLength(participants.length - (host ? 1 : 0));
      const paid = db.where(app.tripCosts, { trip: trip!.id }).map(({ cents }) => cents);
      expect(paid).toEqual(costs.map(({ cents }) => cents));
    }
  });

  test("all people of a trip are of one part of the population", () => {
    const part = (person: number) => partOfName(db.get(people, person)!.name);
    for (const { id, person } of db.all(app.trips)) {
      const participants = db.where(app.companions, { trip: id }).map((row) => row.person);
      const everyone = person === null ? participants : [person, ...participants];
      expect(new Set(everyone.map(part)).size).toBeLessThan(2);
    }
  });

  test("journeys run on their day, and nobody has a seat that is taken", () => {
    for (const { id, service, day } of db.all(app.bookings)) {
      if (service === null) continue;
      const row = db.get(app.services, service)!;
      expect(runsOn(row, day)).toBe(true);
      const seats = db
        .where(app.travellers, { booking: id })
        .flatMap(({ seat }) => (seat === null ? [] : [seat]));
      expect(areDistinct(seats)).toBe(true);
      expect(seats.filter((seat) => row.taken.includes(seat))).toEqual([]);
    }
  });

  test("the credit is the sum of its entries", () => {
    const sum = db.all(app.creditEntries).reduce((total, { cents }) => total + cents, 0);
    expect(db.all(app.credit)[0]!.cents).toBe(sum);
    expect(sum).toBeGreaterThan(30_000);
  });

  test("every example in the documentation of travel works as a first call", () => {
    expect(findFailingExamples(app.travel, [app.travel], base)).toEqual([]);
  });
});
