/** Goals about services of the timetable and hotels: their collections and actions. */
import {
  actions,
  atLeast,
  atMost,
  byArgument,
  defineCollection,
  drawLowerBound,
  drawSelectiveValue,
  jsLiteral,
  nouns,
  superlatives,
  titleBy,
} from "bowline/goals";
import { type Hotel, hotels, type Service, services } from "../../apps/travel/tables.ts";
import { TODAY } from "../../population/time.ts";
import { PRICE_SUPERLATIVES, RATING_SUPERLATIVES } from "../shop/product-descriptions.ts";
import { cityColumn, titleOnAllPages } from "./cities-and-lists.ts";
import {
  countPlacesLeft,
  drawCompanion,
  hasNoOwnBooking,
  insertBooking,
} from "./insert-bookings.ts";

const WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");
/** Returns the weekday as a number; 1 is Monday. */
const weekdayNumber = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

const minutesOfClock = (clock: string) => {
  const [hours, minutes] = clock.split(":").map(Number);
  return 60 * hours! + minutes!;
};

const serviceListOptions = { kind: "services", app: "travel", table: services };

export const serviceCollection = defineCollection<Service>({
  ...serviceListOptions,
  list: "services",
  nouns: nouns`service(s) in the timetable | service(s) in the travel app | travel service(s)
    | service(s) listed in travel | bookable service / bookable travel services`,
  columns: ({ choice, matchingValue, money, number, text }) => ({
    from: cityColumn<Service>((row) => row.from, byArgument("from"))`
      from $ | that depart from $ | starting in $ | which leave from $
      | with $ as the place of departure`,
    to: cityColumn<Service>((row) => row.to, byArgument("to"))`
      to $ | that arrive in $ | going to $ | which end in $ | with $ as the place of arrival`,
    kind: choice("kind", { arg: "kind" })`of the kind "$" | that are of the kind "$" | whose kind is
        "$" | which travel lists as "$" | with "$" as their kind`,
    weekday: matchingValue(
      ({ rng }) => rng.integer(1, 7),
      (row, weekday) => row.weekdays.includes(weekday),
      (weekday) => ({ test: `x.weekdays.includes(${weekday})` }),
      { toWords: (weekday) => WEEKDAYS[weekday - 1]! },
    )`that run on $s | which run every $ | running on $s | with $ among their days | that go on $s`,
    departs: text(
      "departs",
      {},
      atLeast("after")`departing at $ or later | that leave at $ or later | with a departure at $ or
          after that | which depart no earlier than $ | whose time of departure is $ or later`,
    ),
    fare: money(
      "cents",
      { item: "fare", noun: "ordinary fare", superlatives: PRICE_SUPERLATIVES },
      atMost("fare")`with an ordinary fare of $ or less | whose ordinary fare is at most $ | that
          ordinarily cost $ or less | with an ordinary fare of no more than $ | for which the
          ordinary fare is $ or below`,
    ),
    minutes: number(
      (row) => minutesOfClock(row.arrives) - minutesOfClock(row.departs),
      {
        code: '((a,b)=>60*(b[0]-a[0])+(b[1]-a[1]))(x.departs.split(":"),x.arrives.split(":"))',
        noun: "travelling time in minutes",
      },
      superlatives`slowest / fastest | slowest / quickest | slowest / fastest
          | slowest / fastest | slowest / quickest`,
    ),
    number: text("number", { noun: "number" }),
  }),
  title: titleBy(
    "number",
    titleOnAllPages(
      "services",
      (number) => `.filter(x=>x.number===${jsLiteral(number)}).map(x=>x.id)`,
    ),
    "T 7001 | F 6402 | B 8110 | T 9003",
  )`the service $ | the service with the number $ | the travel service $
      | the service numbered $ in travel | the service that has the number $`,
});

const DESCRIPTION_FACTS = ["Pets are welcome", "There is a sauna", "There is a pool", "No pets"];

const hotelListOptions = { kind: "hotels", app: "travel", table: hotels };

export const hotelCollection = defineCollection<Hotel>({
  ...hotelListOptions,
  list: "hotels",
  nouns: nouns`hotel(s) in the travel app | hotel(s) | hotel(s) listed in travel | hotel(s) on
      offer in travel | bookable hotel(s)`,
  columns: ({ withProperty, matchingValue, money, number, text }) => ({
    city: cityColumn<Hotel>((row) => row.city, byArgument("city"))`
      in $ | located in $ | that are in $ | in the city of $ | to be found in $`,
    breakfast: withProperty({ breakfast: true }, { args: "breakfast:true" })`
      with breakfast | that include breakfast | where breakfast is included
      | which serve breakfast with the room | with breakfast in the price`,
    stars: matchingValue(
      ({ rng }, all) => {
        const stars = all.map((row) => row.stars);
        return drawLowerBound(rng, stars) ?? rng.integer(4, 5);
      },
      (row, stars) => row.stars >= stars,
      byArgument("stars"),
    )`with $ or more stars | that have at least $ stars | with no fewer than $ stars | which have $
        stars or more | of $ stars or more`,
    /** The code of this clause reads the description of each hotel. */
    described: matchingValue(
      ({ rng }, all) => {
        const factsOfRows = DESCRIPTION_FACTS.filter((text) =>
          all.some((row) => row.description.includes(text)),
        );
        return drawSelectiveValue(rng, factsOfRows);
      },
      (row, told) => row.description.includes(told),
      (told) => ({ test: `apis.travel.hotel({id:x.id}).description.includes(${told})` }),
    )`whose description says "$" | with "$" in the description | that have "$" in their description
      | which are described with "$" | where the description contains "$"`,
    price: money(
      "cents",
      { item: "price", noun: "price per night", superlatives: PRICE_SUPERLATIVES },
      atMost("at-most", { arg: "most" })`that cost $ a night or less | at $ or less per night | with
          a price of at most $ a night | that cost no more than $ per night | whose rooms cost $ a
          night or less`,
    ),
    rating: number((row) => row.rating / 10, {
      item: "rating",
      noun: "rating",
      unit: "grade",
      superlatives: RATING_SUPERLATIVES,
    }),
    name: text("name", { noun: "name" }),
  }),
  title: titleBy<Hotel>({
    nameOf: (row) => row.name,
    find: (name) =>
      `apis.travel.searchHotels({query:${jsLiteral(name)},size:20}).items.filter(x=>x.name===${jsLiteral(name)}).map(x=>x.id)`,
    missing: ["Hotel Moonstone", "The Seven Ducks", "Pension Largo", "Hotel Quince"],
  })`the hotel "$" | the hotel named "$" | the hotel with the name "$" | the hotel called "$" | the
      hotel that is called "$"`,
});

export const serviceActions = actions(
  { ...serviceListOptions, key: "service" },
  ({ applies, drawnActionWithValue }) => ({
    "book-journey": drawnActionWithValue("day", ({ value: day, words: date, code }, draw) => {
      const { words, ids, areReachable, uses, ...along } = drawCompanion(draw);
      return applies((db, { id, kind }) => insertBooking(db, { kind, service: id, day }, ids), {
        when: (row, db) =>
          areReachable(db) &&
          day >= TODAY &&
          row.weekdays.includes(weekdayNumber(day)) &&
          countPlacesLeft(row, db, day) > ids.length,
        api: "bookJourney",
        args: `day:${code}${along.code}`,
        uses,
      })`Book # for ${date}, ${words} | Reserve places on # for ${date}, ${words} | Get places on #
        ${words}, on ${date} | For ${date}, book # ${words} | Make a booking ${words} on #, for
        ${date}`;
    }),
  }),
);

export const hotelActions = actions(
  { ...hotelListOptions, key: "hotel" },
  ({ applies, drawnActionWithValue }) => ({
    "book-hotel": drawnActionWithValue("day", ({ value: day, words: date, code }, draw) => {
      const nights = draw.rng.integer(2, 5);
      const { words, ids, areReachable, uses, ...along } = drawCompanion(draw);
      const stay = { kind: "hotel", day, nights, rooms: 1 } as const;
      return applies((db, { id }) => insertBooking(db, { ...stay, hotel: id }, ids), {
        when: ({ id }, db) =>
          areReachable(db) && day >= TODAY && hasNoOwnBooking(db, id, day, nights),
        api: "bookHotel",
        args: `day:${code},nights:${nights}${along.code}`,
        uses,
      })`Book a room in # for ${nights} nights from ${date}, ${words} | Reserve one room in #
        ${words}: ${nights} nights from ${date} | Book ${nights} nights from ${date} in #, one room
        ${words} | In #, book a room ${words} for ${nights} nights from ${date} | Take a room
        ${words} in #, first night ${date}, ${nights} nights`;
    }),
  }),
);
