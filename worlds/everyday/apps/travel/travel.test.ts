import { describe, expect, test } from "vitest";
import { addTravel } from "../../life/travel.ts";
import { appFixture, makeLifeBase } from "../../tests/app-fixture.ts";
import { people } from "../tables.ts";
import * as app from "./index.ts";
import { freeSeats } from "./rules.ts";

const { base } = makeLifeBase([app.travel], addTravel);
const fixture = () => appFixture([app.travel], base);
type Fixture = ReturnType<typeof fixture>;

const cents = (value: unknown) => Math.round(Number(value) * 100);
const credit = (open: Fixture) => cents(open.item("travel.credit")["credit"]);
const daily = (open: Fixture) =>
  open.db.all(app.services).find((row) => row.weekdays.length === 7)!;
const exampleHandles = (open: Fixture, count: number) =>
  open.db
    .all(people)
    .slice(0, count)
    .map(({ handle }) => handle);
const bookDailyService = (open: Fixture, day: string, more: object = {}) =>
  open.item("travel.bookJourney", { service: daily(open).id, day, ...more });

describe("journeys", () => {
  test("a journey costs a fifth more on Fridays and Sundays, and a pass reduces only the owner's fare", () => {
    const open = fixture();
    const { cents: fare, kind } = daily(open);
    expect(cents(bookDailyService(open, "2026-05-05")["price"])).toBe(fare);
    expect(cents(bookDailyService(open, "2026-05-08")["price"])).toBe(
      Math.floor(fare * 1.2 + 1e-6),
    );
    const pass = open.db.all(app.passes).find((row) => row.kind === kind)!;
    const two = bookDailyService(open, "2026-05-06", {
      pass: pass.id,
      people: exampleHandles(open, 1),
    });
    const reducedFare = Math.floor((fare * (100 - pass.percent)) / 100);
    expect(cents(two["price"])).toBe(reducedFare + fare);
  });

  test("a journey is refused on days without service, in the past, and when no place is left", () => {
    const open = fixture();
    const service = open.db.all(app.services).find((row) => !row.weekdays.includes(1))!;
    const refused = (args: object) =>
      open.refusal("travel.bookJourney", { service: service.id, ...args });
    expect(refused({ day: "2026-05-04" })).toMatchObject({
      status: 422,
      message: expect.stringMatching(/^day: expected a day on which/),
    });
    expect(refused({ day: "2026-03-01" }).message).toMatch(/^day: expected today/);
    open.db.update(app.services, daily(open).id, { rows: 2, taken: ["1A", "1B", "1C", "1D"] });
    expect(
      open.refusal("travel.bookJourney", {
        service: daily(open).id,
        day: "2026-05-05",
        people: exampleHandles(open, 4),
      }).message,
    ).toBe("people: expected at most 4 travellers, 5 want to go");
  });

  test("cancelling a journey gives back the whole fare a week before, half of it two days before, and nothing later", () => {
    for (const [day, share] of [
      ["2026-03-19", 1],
      ["2026-03-18", 0.5],
      ["2026-03-14", 0.5],
      ["2026-03-13", 0],
    ] as const) {
      const open = fixture();
      const { id, price } = bookDailyService(open, day);
      const before = credit(open);
      const back = Math.floor(cents(price) * share);
      expect(cents(open.item("travel.refund", { id })["refund"])).toBe(back);
      open.call("travel.cancelBooking", { id });
      expect(credit(open) - before).toBe(back);
      expect(open.refusal("travel.cancelBooking", { id }).status).toBe(409);
    }
  });

  test("a seat can be chosen only while it is free, and is lost when the journey is moved", () => {
    const open = fixture();
    const { id } = bookDailyService(open, "2026-05-05", { people: exampleHandles(open, 1) });
    const [person] = exampleHandles(open, 1);
    const [seat] = freeSeats(open.db, daily(open), "2026-05-05");
    open.call("travel.chooseSeat", { id, seat });
    expect(open.refusal("travel.chooseSeat", { id, seat, person }).message).toMatch(
      /^seat: expected a free one/,
    );
    open.call("travel.moveBooking", { id, day: "2026-05-06" });
    const seats = open.db.where(app.travellers, { booking: Number(id) }).map((row) => row.seat);
    expect(seats).toEqual([null, null]);
  });

  test("the credit cannot pay more than it holds", () => {
    const open = fixture();
    open.db.update(app.credit, 1, { cents: 10 });
    expect(
      open.refusal("travel.bookJourney", {
        service: daily(open).id,
        day: "2026-05-05",
        pay: "credit",
      }).message,
    ).toMatch(/^pay: expected at most the credit of 0.1/);
    expect(open.db.all(app.bookings)).toEqual(fixture().db.all(app.bookings));
  });

  test("when a traveller is dropped from a booking, the fare comes back, and the traveller can be added again", () => {
    const open = fixture();
    const [person] = exampleHandles(open, 1);
    const { id, price } = bookDailyService(open, "2026-05-05", { people: [person] });
    const before = credit(open);
    open.call("travel.dropTraveller", { id, person });
    expect(credit(open) - before).toBe(cents(price) / 2);
    expect(open.item("travel.booking", { id })).toMatchObject({ travellers: 1 });
    expect(cents(open.item("travel.addTraveller", { id, person })["price"])).toBe(cents(price));
    expect(open.refusal("travel.addTraveller", { id, person }).status).toBe(409);
  });
});

describe("hotels", () => {
  test("a hotel room holds three people, a late cancellation costs one night, and a full hotel cannot be booked", () => {
    const open = fixture();
    const hotel = open.db.all(app.hotels).find((row) => row.free > 3)!;
    const stay = (day: string, more: object = {}) => ({ hotel: hotel.id, day, nights: 2, ...more });
    const crowd = stay("2026-06-01", { people: exampleHandles(open, 3) });
    expect(open.refusal("travel.bookHotel", crowd).message).toMatch(
      /^rooms: expected enough for 4/,
    );
    const late = open.item("travel.bookHotel", stay("2026-03-14"));
    expect(cents(open.item("travel.refund", { id: late["id"] })["refund"])).toBe(hotel.cents);
    const early = open.item("travel.bookHotel", stay("2026-06-01"));
    expect(open.item("travel.refund", { id: early["id"] })["refund"]).toBe(early["price"]);
    const all = stay("2026-06-02", { rooms: Math.min(6, hotel.rooms) });
    open.db.update(app.hotels, hotel.id, { rooms: Math.min(6, hotel.rooms) });
    expect(open.refusal("travel.bookHotel", all).status).toBe(409);
  });
});

describe("trips", () => {
  const hosted = (open: Fixture, role: string) =>
    open.db.all(app.trips).find((row) => row.role === role)!;

  test("the owner may look at a contact's trip as a viewer, change its plan as an editor, and never change the trip", () => {
    const open = fixture();
    const [viewed, edited] = [hosted(open, "viewer"), hosted(open, "editor")];
    const pack = (trip: number) => ({ trip, item: "anchor" });
    open.call("travel.addPacking", pack(edited.id));
    expect(open.refusal("travel.addPacking", pack(viewed.id))).toMatchObject({
      status: 403,
      message: expect.stringMatching(/^trip: .*only a viewer/),
    });
    for (const { id } of [viewed, edited]) {
      expect(open.refusal("travel.renameTrip", { id, name: "Mine" }).message).toMatch(
        /^id: expected an own trip/,
      );
    }
  });

  test("stops must lie within the trip, and a cancelled trip cannot be changed until it is reopened", () => {
    const open = fixture();
    const trip = open.item("travel.planTrip", {
      name: "Test trip",
      city: "Oslo",
      from: "2026-05-01",
      until: "2026-05-03",
    })["id"];
    const stop = { trip, title: "tower", time: "10:00" };
    expect(open.refusal("travel.addStop", { ...stop, day: "2026-05-04" }).message).toMatch(
      /^day: expected a day of the trip \(2026-05-01 to 2026-05-03\)/,
    );
    open.call("travel.cancelTrip", { id: trip });
    expect(open.refusal("travel.addStop", { ...stop, day: "2026-05-02" }).status).toBe(409);
    open.call("travel.reopenTrip", { id: trip });
    open.call("travel.addStop", { ...stop, day: "2026-05-02" });
  });

  test("the costs of a trip include a cost until it is struck", () => {
    const open = fixture();
    const { trip, id } = open.db.where(app.tripCosts, { struck: false }).find((row) => {
      const found = open.db.get(app.trips, row.trip)!;
      return found.person === null && !found.cancelled;
    })!;
    const total = () => cents(open.item("travel.trip", { id: trip })["costs"]);
    const before = total();
    open.call("travel.strikeCost", { id });
    expect(before - total()).toBe(open.db.get(app.tripCosts, id)!.cents);
    expect(open.refusal("travel.strikeCost", { id }).status).toBe(409);
  });
});
