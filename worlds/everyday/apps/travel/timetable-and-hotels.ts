/** Defines the APIs that find services by place and day, free seats, and hotels by city. These APIs change nothing. */

import {
  atLeast,
  atMost,
  booleanParam,
  dayParam,
  defineItem,
  equalIgnoringCase,
  filterWhere,
  idParam,
  listApi,
  pagingParams,
  resource,
  shortTextParam,
} from "bowline/resources";
import { defineApi, z } from "bowline/world";
import {
  amount,
  costFilter,
  dollarsField,
  pageSchema,
  takePage,
  timeParam,
  toDollars,
} from "../shared.ts";
import { fareOn, freeSeats, placesLeft, requireRunsOn, requireService, runsOn } from "./rules.ts";
import { hotels, SERVICE_KINDS, type Service, services } from "./tables.ts";

const kind = z.enum(SERVICE_KINDS);

const timetableFields = services.fields("number", "id", "kind", "from", "to", "departs", "arrives");

const serviceItem = services.item({
  ...timetableFields,
  weekdays: [z.array(z.int()), (row) => [...row.weekdays]],
  fare: dollarsField,
});

/** A service on one of the days on which it runs. */
type ServiceOnDay = Service & { readonly day: string };

const serviceOnDayItem = defineItem({} as { readonly row?: ServiceOnDay }, {
  ...timetableFields,
  price: [z.number(), (run) => toDollars(fareOn(run, run.day))],
  places: [z.int(), (run, { db }) => placesLeft(db, run, run.day)],
});

const routeFilters = {
  from: [
    shortTextParam("city of departure"),
    filterWhere((row: Service, city: string) => equalIgnoringCase(row.from, city)),
  ],
  to: [
    shortTextParam("city of arrival"),
    filterWhere((row: Service, city: string) => equalIgnoringCase(row.to, city)),
  ],
  kind: kind.describe("only by this means"),
} as const;

const hotelItem = hotels.item({
  ...hotels.fields("name", "id", "city", "stars"),
  rating: [z.number(), (row) => row.rating / 10],
  price: dollarsField,
  breakfast: z.boolean(),
});

const hint = "travel.hotels lists some";
const hotel = resource({ table: hotels, noun: "hotel", item: hotelItem, hint });

/** The orders of lists of hotels. The first is the default. */
const hotelSortOptions = {
  sorts: { name: "name", cheapest: ["cents", "name"], rating: ["-rating", "name"] },
  sortDescription: "in which order",
} as const;

export const timetableAndHotelApis = {
  services: listApi(
    "List services by departure with the weekdays (1 is Monday) on which they run.",
    {
      item: serviceItem,
      filters: routeFilters,
      order: "departs",
      example: (db) => ({ from: db.all(services)[0]?.from ?? "Delft" }),
    },
  ),
  timetable: listApi(
    "List what runs on a day, with that day's price for one person and the places left.",
    {
      item: serviceOnDayItem,
      params: { day: dayParam("the day of travel") },
      rows: ({ day }, { db }) =>
        db.all(services).flatMap((row) => (runsOn(row, day) ? [{ ...row, day }] : [])),
      filters: {
        ...routeFilters,
        after: [timeParam("a time"), atLeast("departs")],
      },
      sorts: { departs: "departs", cheapest: ["cents", "departs"] },
      sortDescription: "in which order",
      example: (db) => ({ day: "2026-03-18", from: db.all(services)[0]?.from ?? "Delft" }),
    },
  ),
  seats: defineApi({
    summary: "List the free seats of a service on a day, front to back.",
    params: z.strictObject({
      service: idParam("service"),
      day: dayParam("the day of travel"),
      ...pagingParams,
    }),
    returns: pageSchema(z.string()),
    example: (db) => {
      const daily = db.all(services).find((row) => row.weekdays.length === 7);
      return { service: daily?.id ?? 1, day: "2026-03-18" };
    },
    handler: ({ db }, { service, day, ...page }) => {
      const row = requireService(db, service);
      requireRunsOn(row, day);
      return takePage(freeSeats(db, row, day), page, (seat) => seat);
    },
  }),
  hotels: hotel.list("List hotels; `price` is that of a room and night.", {
    filters: {
      city: [
        shortTextParam("only in this city"),
        filterWhere((row, city) => equalIgnoringCase(row.city, city)),
      ],
      stars: [
        z.int().min(1).max(5).describe("only with this many stars or more"),
        atLeast("stars"),
      ],
      most: [amount.describe("only at this many dollars a night or less"), costFilter(atMost)],
      breakfast: booleanParam("only with breakfast, or only without"),
    },
    ...hotelSortOptions,
    example: (db) => ({ city: db.all(hotels)[0]?.city ?? "Delft", sort: "cheapest" }),
  }),
  searchHotels: hotel.list("Search the names and descriptions of hotels.", {
    searchIn: ["name", "description"],
    ...hotelSortOptions,
    example: { query: "station" },
  }),
  hotel: hotel.show("Show a hotel; cancelling is free up to `free` days before the first night.", {
    item: hotelItem.with({ rooms: z.int(), free: z.int(), description: z.string() }),
  }),
};
