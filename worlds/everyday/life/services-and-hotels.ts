/**
 * Writes what can be booked: services between the owner's city and every other, some between cities of one part of the
 * population, and hotels.
 *
 * Cities of different parts of the population are connected only through the owner's city, so that training tasks offer
 * no journey that a test task books.
 */
import type { Rng, Writer } from "bowline/world";
import {
  type Hotel,
  hotels,
  type Service,
  type ServiceKind,
  services,
} from "../apps/travel/tables.ts";
import { PARTS, POOLS } from "../population/name-pools.ts";
import type { Happening } from "./life.ts";

/** The city where the owner lives. */
export const HOME = "Delft";

const NUMBER_PREFIX: { readonly [K in ServiceKind]: string } = {
  train: "T",
  flight: "F",
  bus: "B",
};
/** The shortest and the longest journey in minutes. `FARE` has the lowest and the highest fare in dollars. */
const MINUTES: { readonly [K in ServiceKind]: readonly [number, number] } = {
  train: [70, 260],
  flight: [60, 190],
  bus: [120, 380],
};
const FARE: { readonly [K in ServiceKind]: readonly [number, number] } = {
  train: [19, 96],
  flight: [58, 290],
  bus: [9, 44],
};
const WEEKDAYS = [
  [1, 2, 3, 4, 5, 6, 7],
  [1, 2, 3, 4, 5, 6, 7],
  [1, 2, 3, 4, 5],
  [1, 3, 5, 7],
  [2, 4, 6],
  [5, 6, 7],
] as const;

export function addServices(db: Writer, rng: Rng): void {
  const pairs = PARTS.flatMap((part) => {
    const cities = POOLS[part].cities.filter((city) => city !== HOME);
    const own = rng.child(part);
    const within = cities.map((city, i) => [city, cities[(i + 1) % cities.length]!] as const);
    const home = cities.map((city) => [HOME, city] as const);
    return [...home, ...home, ...own.sample(within, Math.ceil(within.length / 2))];
  });
  const numbers = rng.sample(
    Array.from({ length: 900 }, (_, i) => 100 + i),
    900,
  );
  const rows = pairs.flatMap(([a, b], i) => {
    const own = rng.child(i);
    const kind = own.pick(["train", "train", "flight", "bus"] as const);
    return [
      draftService(own.child("out"), kind, a, b),
      draftService(own.child("back"), kind, b, a),
    ];
  });
  for (const [i, row] of rng.shuffle(rows).entries()) {
    db.insert(services, { ...row, number: `${NUMBER_PREFIX[row.kind]} ${numbers[i]}` });
  }
}

const formatTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

function draftService(
  rng: Rng,
  kind: ServiceKind,
  from: string,
  to: string,
): Omit<Service, "id" | "number"> {
  const start = 5 * rng.integer(70, 205);
  const rows = rng.integer(4, 8);
  const seats = Array.from({ length: rows }, (_, i) =>
    ["A", "B", "C", "D"].map((l) => `${i + 1}${l}`),
  );
  return {
    kind,
    from,
    to,
    departs: formatTime(start),
    arrives: formatTime(start + rng.integer(...MINUTES[kind])),
    weekdays: rng.pick(WEEKDAYS),
    cents: 100 * rng.integer(...FARE[kind]) + rng.pick([0, 40, 50, 75, 90]),
    rows,
    taken: rng.sample(seats.flat(), rng.integer(2, 8)).sort(),
  };
}

const splitWords = (text: string) => text.split(",").map((word) => word.trim());
const FIRST = splitWords(
  "Quiet, Upper, Royal, Market, Garden, River, Central, Grand, Corner, Linden",
);
const SECOND = splitWords("Hotel, Inn, House, Rooms, Guesthouse, Court");
const FACTS = [
  (rng: Rng) => `The station is ${50 * rng.integer(2, 40)} m away.`,
  (rng: Rng) => rng.pick(["Pets are welcome.", "No pets, please.", "Small dogs may come along."]),
  (rng: Rng) => `Parking costs $${rng.integer(4, 28)} a night.`,
  (rng: Rng) => `The front desk closes at ${rng.integer(20, 23)}:00.`,
  (rng: Rng) => rng.pick(["There is a sauna.", "There is a roof terrace.", "There is a pool."]),
];

/** Adds three to five hotels in every city but the owner's, and the lodge of each trip. */
export function addHotels(db: Writer, rng: Rng, happenings: readonly Happening[]): void {
  const lodges = happenings
    .filter(({ kind }) => kind === "trip")
    .map((trip) => ({
      name: `${trip.place} lodge`,
      city: trip.city,
      cents: lodgePricePerNight(trip),
    }));
  const cities = PARTS.flatMap((part) => POOLS[part].cities).filter((city) => city !== HOME);
  const others = cities.flatMap((city) => {
    const own = rng.child(city);
    const names = FIRST.flatMap((first) => SECOND.map((second) => `${first} ${second} ${city}`));
    return own
      .sample(names, own.integer(3, 5))
      .map((name) => ({ name, city, cents: undefined as number | undefined }));
  });
  for (const { name, city, cents } of rng.shuffle([...lodges, ...others])) {
    db.insert(hotels, draftHotel(rng.child(name), name, city, cents));
  }
}

/**
 * Returns the price of a night, so that all nights of the trip together cost as much as the trip's cost `lodge`, up to
 * a few cents.
 */
function lodgePricePerNight({ costs, nights }: Happening): number | undefined {
  const lodge = costs.find(({ what }) => what === "lodge");
  return lodge && Math.floor(lodge.cents / nights);
}

function draftHotel(
  rng: Rng,
  name: string,
  city: string,
  cents: number | undefined,
): Omit<Hotel, "id"> {
  const stars = rng.integer(2, 5);
  const facts = rng.sample(FACTS, 3).map((fact) => fact(rng));
  return {
    name,
    city,
    stars,
    rating: rng.integer(58, 97),
    cents: cents ?? 100 * rng.integer(20 * stars, 48 * stars) + rng.pick([0, 50, 90]),
    breakfast: rng.chance(0.5),
    rooms: rng.integer(4, 14),
    free: rng.pick([1, 2, 3, 5, 7, 14]),
    description: `${rng.pick(["A house from 1904", "Bright rooms", "Run by a family", "Newly painted"])} in ${city}. ${facts.join(" ")}`,
  };
}
