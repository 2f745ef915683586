/**
 * What the owner's life left in travel: every trip of `life.happenings` with its companions, lodge and costs, and more
 * trips to the same cities; journeys that run on the day they are booked for; papers of the owner and of friends.
 *
 * The credit is the sum of its entries: what it began with, refunds, and bookings paid from it.
 */
import type { Rng, Writer } from "bowline/world";
import type { Person } from "../apps/tables.ts";
import { fareOn, freeSeats, runsOn } from "../apps/travel/rules.ts";
import {
  type Booking,
  bookings,
  companions,
  credit,
  creditEntries,
  DOCUMENT_KINDS,
  documents,
  type Hotel,
  hotels,
  packing,
  passes,
  routes,
  services,
  stops,
  type Trip,
  travellers,
  tripCosts,
  tripShares,
  trips,
} from "../apps/travel/tables.ts";
import { PARTS, type Part, POOLS } from "../population/names.ts";
import { dayAfter } from "../population/time.ts";
import type { Cost, Life } from "./life.ts";
import { addHotels, addServices, HOME } from "./travel-places.ts";

export function addTravel(db: Writer, rng: Rng, life: Life): void {
  addServices(db, rng.child("services"));
  addHotels(db, rng.child("hotels"), life.happenings);
  const wallet = db.insert(credit, { cents: 0 });
  addPasses(db);
  const drafts = [...fromLife(life), ...more(rng.child("more"), life)];
  for (const draft of drafts.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    addTrip(db, rng.child(draft.name), draft);
  }
  addLooseBookings(db, rng.child("loose"), life);
  addDocuments(db, rng.child("documents"), life);
  addRoutes(db, rng.child("routes"));
  settle(db, wallet.id);
}

// --- trips ---

interface Draft {
  readonly name: string;
  readonly city: string;
  readonly from: string;
  readonly nights: number;
  readonly host: Person | null;
  readonly people: readonly Person[];
  readonly lodge: string | undefined;
  readonly costs: readonly Cost[];
  readonly cancelled: boolean;
}

const daysFrom = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

function fromLife({ happenings }: Life): Draft[] {
  return happenings
    .filter(({ kind }) => kind === "trip")
    .map(({ title, city, day, nights, host, people, place, costs }) => ({
      name: title,
      city,
      from: day,
      nights,
      host,
      people: people.filter((person) => person !== host),
      lodge: `${place} lodge`,
      costs,
      cancelled: false,
    }));
}

const NAMES = [
  (city: string) => `Weekend in ${city}`,
  (city: string) => `${city} by train`,
  (city: string) => `${city} with the bikes`,
  (city: string) => `Visit to ${city}`,
  (city: string) => `Museums of ${city}`,
];

const COSTS = ["museum", "ferry", "lunch", "taxi", "guide", "bike hire", "lockers", "boat trip"];

/** Two more to the cities of most parts, scaled; a few of them hosted by others, a few cancelled. */
function more(rng: Rng, { everyone, density }: Life): Draft[] {
  const each = Math.max(1, Math.round(2 * density));
  return PARTS.flatMap((part) =>
    POOLS[part].cities
      .filter((city) => city !== HOME)
      .flatMap((city) =>
        rng
          .child(city)
          .sample(NAMES, each)
          .map((name) => name(city)),
      )
      .map((name) => extra(rng.child(name), part, name, everyone[part])),
  );
}

function extra(rng: Rng, part: Part, name: string, candidates: readonly Person[]): Draft {
  const city = POOLS[part].cities.find((other) => name.includes(other))!;
  const [host, ...people] = rng.sample(candidates, rng.integer(1, 5));
  const days = rng.chance(0.4) ? -rng.integer(5, 90) : rng.integer(2, 80);
  const companions = [host!, ...people];
  const costs = rng.sample(COSTS, rng.integer(0, 4)).map((what) => ({
    what,
    cents: rng.integer(600, 14_000),
    payer: rng.chance(0.6) ? null : rng.pick(companions),
  }));
  const hosted = rng.chance(0.3);
  return {
    name,
    city,
    from: dayAfter(days),
    nights: rng.integer(1, 6),
    host: hosted ? host! : null,
    people: hosted ? people : companions,
    lodge: undefined,
    costs: days < 0 ? costs : costs.slice(0, 1),
    cancelled: !hosted && days > 0 && rng.chance(0.12),
  };
}

function addTrip(db: Writer, rng: Rng, draft: Draft): void {
  const { name, city, from, nights, host, cancelled } = draft;
  const until = daysFrom(from, nights);
  const role = host ? rng.pick(["viewer", "editor"] as const) : null;
  const trip = db.insert(trips, {
    name,
    city,
    from,
    until,
    person: host?.id ?? null,
    role,
    cancelled,
  });
  for (const person of draft.people) {
    db.insert(companions, { trip: trip.id, person: person.id, left: rng.chance(0.06) });
    if (!host && rng.chance(0.4)) {
      const share = rng.chance(0.4) ? "editor" : "viewer";
      db.insert(tripShares, { trip: trip.id, person: person.id, role: share, ended: false });
    }
  }
  for (const { what, cents, payer } of draft.costs) {
    const day = daysFrom(from, rng.integer(0, nights));
    const who = { person: payer?.id ?? null, struck: rng.chance(0.05) };
    db.insert(tripCosts, { trip: trip.id, what, cents, day, ...who });
  }
  addPlans(db, rng.child("plans"), trip, nights);
  if (!host) addOwnBookings(db, rng.child("bookings"), trip, draft, nights);
}

const SIGHTS =
  `old town walk, harbour tour, market hall, boat to the island, castle gate, science museum, lake path,
  tower view, tram ride, botanical garden, night market, cooking class`
    .split(",")
    .map((sight) => sight.trim());
const THINGS =
  `rain jacket, charger, swimwear, hiking boots, sun cream, first aid kit, playing cards, umbrella, towel,
  water bottle, adapter, camera, reading glasses, warm socks`
    .split(",")
    .map((thing) => thing.trim());

function addPlans(db: Writer, rng: Rng, trip: Trip, nights: number): void {
  for (const title of rng.sample(SIGHTS, rng.integer(1, Math.min(5, nights + 2)))) {
    const day = daysFrom(trip.from, rng.integer(0, nights));
    const time = `${String(rng.integer(9, 20)).padStart(2, "0")}:${rng.pick(["00", "15", "30", "45"])}`;
    db.insert(stops, { trip: trip.id, title, day, time });
  }
  const gone = trip.from < dayAfter(0);
  for (const item of rng.sample(THINGS, rng.integer(3, 7))) {
    db.insert(packing, { trip: trip.id, item, packed: gone || rng.chance(0.35) });
  }
}

// --- bookings ---

type Plan = Pick<
  Booking,
  "kind" | "service" | "hotel" | "trip" | "day" | "nights" | "rooms" | "cents"
>;

/** There, back and a room, as far as something runs on those days. */
function addOwnBookings(db: Writer, rng: Rng, trip: Trip, draft: Draft, nights: number): void {
  const companions = draft.people.slice(0, rng.integer(0, draft.people.length));
  const gone = trip.cancelled || rng.chance(0.08);
  const out = journeyPlan(db, rng, HOME, trip.city, trip.from, companions.length + 1);
  const back = journeyPlan(db, rng, trip.city, HOME, trip.until, companions.length + 1);
  for (const plan of [out, back]) {
    if (plan) write(db, rng, { ...plan, trip: trip.id }, companions, gone);
  }
  const room = hotelPlan(db, rng, trip, draft.lodge, nights, companions.length + 1);
  const lodge = draft.costs.find(({ what }) => what === "lodge");
  if (lodge?.payer === null && room)
    write(db, rng, { ...room, cents: lodge.cents }, companions, gone);
  else if (room && !lodge) write(db, rng, room, companions, gone);
}

function journeyPlan(
  db: Writer,
  rng: Rng,
  from: string,
  to: string,
  day: string,
  size: number,
): Plan | undefined {
  const running = db.where(services, { from, to }).filter((service) => runsOn(service, day));
  if (running.length === 0) return undefined;
  const service = rng.pick(running);
  const cents = size * fareOn(service, day);
  const none = { hotel: null, trip: null, nights: 0, rooms: 0 };
  return { kind: service.kind, service: service.id, day, cents, ...none };
}

function hotelPlan(
  db: Writer,
  rng: Rng,
  trip: Trip,
  lodge: string | undefined,
  nights: number,
  size: number,
): Plan {
  const choice = db.where(hotels, { city: trip.city });
  const hotel: Hotel = choice.find((row) => row.name === lodge) ?? rng.pick(choice);
  const rooms = Math.ceil(size / 3);
  const cents = hotel.cents * nights * rooms;
  const where = { kind: "hotel" as const, service: null, hotel: hotel.id, trip: trip.id };
  return { ...where, day: trip.from, nights, rooms, cents };
}

function write(
  db: Writer,
  rng: Rng,
  plan: Plan,
  companions: readonly Person[],
  cancelled: boolean,
): void {
  const paid = rng.chance(0.2) ? "credit" : "card";
  const back = cancelled ? (rng.chance(0.5) ? plan.cents : Math.floor(plan.cents / 2)) : 0;
  const status = cancelled ? "cancelled" : "booked";
  const row = db.insert(bookings, { ...plan, pass: null, paid, status, refund: back });
  const service = plan.service === null ? undefined : db.get(services, plan.service);
  const free = service && rng.chance(0.5) ? freeSeats(db, service, plan.day) : [];
  const at = rng.integer(0, Math.max(0, free.length - companions.length - 1));
  for (const [i, person] of [null, ...companions].entries()) {
    const seat = free[at + i] ?? null;
    db.insert(travellers, { booking: row.id, person: person?.id ?? null, seat, dropped: false });
  }
}

/** Journeys and nights that belong to no trip, also soon ones. */
function addLooseBookings(db: Writer, rng: Rng, { everyone, density }: Life): void {
  for (const part of PARTS) {
    const cities = POOLS[part].cities.filter((city) => city !== HOME);
    for (let i = 0; i < Math.round(9 * density) && cities.length > 0; i++) {
      const own = rng.child(part).child(i);
      const day = dayAfter(own.integer(-40, 45));
      const companions = own.sample(everyone[part], own.integer(0, 3));
      const [from, to] = own.shuffle([HOME, own.pick(cities)]);
      const plan = journeyPlan(db, own, from!, to!, day, companions.length + 1);
      if (plan) write(db, own, plan, companions, own.chance(0.15));
    }
  }
}

/** The entries that follow from the bookings, on top of what makes the credit last. */
function settle(db: Writer, wallet: number): void {
  const rows = db.all(bookings);
  const paid = rows.reduce((sum, row) => sum + (row.paid === "credit" ? row.cents : 0), 0);
  const opening = paid + 61_250;
  db.insert(creditEntries, { cents: opening, booking: null, at: `${dayAfter(-120)}T09:00:00Z` });
  let balance = opening;
  const enter = (cents: number, booking: number, day: string) => {
    if (cents === 0) return;
    db.insert(creditEntries, { cents, booking, at: `${day}T09:00:00Z` });
    balance += cents;
  };
  for (const row of rows) {
    const before = daysFrom(row.day < dayAfter(0) ? row.day : dayAfter(0), -10);
    if (row.paid === "credit") enter(-row.cents, row.id, before);
    enter(row.refund, row.id, daysFrom(before, 2));
  }
  db.update(credit, wallet, { cents: balance });
}

// --- papers ---

function addPasses(db: Writer): void {
  const rows = [
    ["Rail half card", "train", 50, "2026-12-31"],
    ["Bus saver", "bus", 30, "2026-06-30"],
    ["Sky club", "flight", 10, "2027-03-31"],
    ["Last season rail pass", "train", 25, "2026-02-28"],
  ] as const;
  for (const [name, kind, percent, expires] of rows) {
    db.insert(passes, { name, kind, percent, expires });
  }
}

const LETTERS = { passport: "P", visa: "V", insurance: "I", licence: "L" } as const;

/** All kinds for the owner; a passport or more for some companions of every part. */
function addDocuments(db: Writer, rng: Rng, { everyone }: Life): void {
  const numbers = rng.sample(
    Array.from({ length: 9000 }, (_, i) => 1000 + i),
    9000,
  );
  const whose = PARTS.flatMap((part) => rng.sample(everyone[part], part === "circle" ? 4 : 9));
  const wanted = [
    ...DOCUMENT_KINDS.map((kind) => ({ kind, person: null })),
    ...whose.flatMap((person) =>
      rng.sample(DOCUMENT_KINDS, rng.integer(1, 2)).map((kind) => ({ kind, person: person.id })),
    ),
  ];
  for (const [i, { kind, person }] of rng.shuffle(wanted).entries()) {
    const number = `${LETTERS[kind]} ${numbers[i]}`;
    db.insert(documents, { kind, person, number, expires: dayAfter(rng.integer(-60, 900)) });
  }
}

function addRoutes(db: Writer, rng: Rng): void {
  const pairs = new Map(db.all(services).map(({ from, to }) => [`${from} ${to}`, { from, to }]));
  for (const pair of rng.sample([...pairs.values()], 9)) db.insert(routes, pair);
}
