/** What can be booked: services by place and day, seats, hotels by city. Reading writes nothing. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  contains,
  day,
  dollars,
  given,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  query,
  same,
} from "../shared.ts";
import { fareOn, freeSeats, mustRun, placesLeft, runsOn, serviceBy } from "./rules.ts";
import { type Hotel, hotels, SERVICE_KINDS, type Service, services } from "./tables.ts";

const kind = z.enum(SERVICE_KINDS);
const kindFilter = kind.optional().describe("only by this means");
const from = line("city of departure");
const to = line("city of arrival");
const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "expected a time such as 18:30")
  .describe('a time, such as "18:30"');

const serviceItem = z.strictObject({
  number: z.string(),
  id: z.int(),
  kind,
  from: z.string(),
  to: z.string(),
  departs: z.string(),
  arrives: z.string(),
});

const view = ({ number, id, kind, from, to, departs, arrives }: Service) => ({
  number,
  id,
  kind,
  from,
  to,
  departs,
  arrives,
});

const byDeparture = (a: Service, b: Service) =>
  a.departs === b.departs ? a.id - b.id : a.departs < b.departs ? -1 : 1;

function between(db: Reader, args: { from?: string | undefined; to?: string | undefined }) {
  const fits = (wish: string | undefined, city: string) => wish === undefined || same(wish, city);
  return db.all(services).filter((row) => fits(args.from, row.from) && fits(args.to, row.to));
}

const list = defineApi({
  summary: "List services by departure with the weekdays (1 is Monday) on which they run.",
  params: z.strictObject({
    from: from.optional(),
    to: to.optional(),
    kind: kindFilter,
    ...paging,
  }),
  returns: pageOf(serviceItem.extend({ weekdays: z.array(z.int()), fare: z.number() })),
  example: (db) => ({ from: db.all(services)[0]?.from ?? "Delft" }),
  handler: ({ db }, { kind, ...args }) => {
    const rows = between(db, args).filter((row) => kind === undefined || row.kind === kind);
    return paged(rows.toSorted(byDeparture), args, (row) => ({
      ...view(row),
      weekdays: [...row.weekdays],
      fare: dollars(row.cents),
    }));
  },
});

const timetable = defineApi({
  summary: "List what runs on a day, with that day's price for one person and the places left.",
  params: z.strictObject({
    day: day("the day of travel"),
    from: from.optional(),
    to: to.optional(),
    kind: kindFilter,
    after: clock.optional(),
    sort: z.enum(["departs", "cheapest"]).default("departs").describe("in which order"),
    ...paging,
  }),
  returns: pageOf(serviceItem.extend({ price: z.number(), places: z.int() })),
  example: (db) => ({ day: "2026-03-18", from: db.all(services)[0]?.from ?? "Delft" }),
  handler: ({ db }, { day, kind, after, sort, ...args }) => {
    const rows = between(db, args)
      .filter((row) => runsOn(row, day))
      .filter((row) => kind === undefined || row.kind === kind)
      .filter((row) => after === undefined || row.departs >= after)
      .toSorted(byDeparture);
    const sorted = sort === "departs" ? rows : rows.toSorted((a, b) => a.cents - b.cents);
    return paged(sorted, args, (row) => ({
      ...view(row),
      price: dollars(fareOn(row, day)),
      places: placesLeft(db, row, day),
    }));
  },
});

const seats = defineApi({
  summary: "List the free seats of a service on a day, front to back.",
  params: z.strictObject({ service: idOf("service"), day: day("the day of travel"), ...paging }),
  returns: pageOf(z.string()),
  example: (db) => {
    const daily = db.all(services).find((row) => row.weekdays.length === 7);
    return { service: daily?.id ?? 1, day: "2026-03-18" };
  },
  handler: ({ db }, { service, day, ...page }) => {
    const row = serviceBy(db, service);
    mustRun(row, day);
    return paged(freeSeats(db, row, day), page, (seat) => seat);
  },
});

// --- hotels ---

const hotelItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  city: z.string(),
  stars: z.int(),
  rating: z.number(),
  price: z.number(),
  breakfast: z.boolean(),
});

const hotelView = (row: Hotel) => ({
  name: row.name,
  id: row.id,
  city: row.city,
  stars: row.stars,
  rating: row.rating / 10,
  price: dollars(row.cents),
  breakfast: row.breakfast,
});

const SORTS = ["name", "cheapest", "rating"] as const;

function ranked(rows: readonly Hotel[], sort: (typeof SORTS)[number]): Hotel[] {
  const rank = (row: Hotel) =>
    sort === "cheapest" ? row.cents : sort === "rating" ? -row.rating : 0;
  return rows.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

const sort = z.enum(SORTS).default("name").describe("in which order");

const listHotels = defineApi({
  summary: "List hotels; `price` is that of a room and night.",
  params: z.strictObject({
    city: line("only in this city").optional(),
    stars: z.int().min(1).max(5).optional().describe("only with this many stars or more"),
    most: amount.optional().describe("only at this many dollars a night or less"),
    breakfast: z.boolean().optional().describe("only with breakfast, or only without"),
    sort,
    ...paging,
  }),
  returns: pageOf(hotelItem),
  example: (db) => ({ city: db.all(hotels)[0]?.city ?? "Delft", sort: "cheapest" as const }),
  handler: ({ db }, { city, stars, most, breakfast, sort, ...page }) => {
    const top = most === undefined ? undefined : centsOf(most);
    const rows = db
      .where(hotels, given({ breakfast }))
      .filter(
        (row) =>
          (city === undefined || same(row.city, city)) &&
          (stars === undefined || row.stars >= stars) &&
          (top === undefined || row.cents <= top),
      );
    return paged(ranked(rows, sort), page, hotelView);
  },
});

const searchHotels = defineApi({
  summary: "Search the names and descriptions of hotels.",
  params: z.strictObject({ query, sort, ...paging }),
  returns: pageOf(hotelItem),
  example: () => ({ query: "station" }),
  handler: ({ db }, { query, sort, ...page }) => {
    const rows = db
      .all(hotels)
      .filter((row) => contains(row.name, query) || contains(row.description, query));
    return paged(ranked(rows, sort), page, hotelView);
  },
});

export function hotelBy(db: Reader, id: number, param = "hotel"): Hotel {
  const row = db.get(hotels, id);
  if (row) return row;
  throw new ApiError(404, `${param}: there is no hotel with id ${id}; travel.hotels lists some`);
}

const showHotel = defineApi({
  summary: "Show a hotel; cancelling is free up to `free` days before the first night.",
  params: z.strictObject({ id: idOf("hotel") }),
  returns: hotelItem.extend({ rooms: z.int(), free: z.int(), description: z.string() }),
  example: (db) => ({ id: db.all(hotels)[0]?.id ?? 1 }),
  handler: ({ db }, { id }) => {
    const row = hotelBy(db, id, "id");
    const { rooms, free, description } = row;
    return { ...hotelView(row), rooms, free, description };
  },
});

export const timetableApis = {
  services: list,
  timetable,
  seats,
  hotels: listHotels,
  searchHotels,
  hotel: showHotel,
};
