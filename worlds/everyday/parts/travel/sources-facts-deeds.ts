/** Single tasks in travel, facts about it, and values that other parts can look up in trips and bookings. */
import {
  dayInWords,
  deeds,
  drawnDeed,
  drawnDeedWithValue,
  fact,
  facts,
  jsLiteral,
  source,
  sources,
} from "bowline/goals";
import {
  bookings,
  credit,
  documents,
  hotels,
  routes,
  services,
  stops,
  trips,
} from "../../apps/travel/tables.ts";
import { TODAY } from "../../population/time.ts";
import { addDays } from "../days.ts";
import {
  drawNameableCity,
  drawRowInNameableCity,
  searchByNameCode,
  tripCostCents,
} from "./cities-and-lists.ts";

export const travelFacts = facts("travel", {
  credit: fact("money", (db) => db.all(credit)[0]!.cents / 100, "apis.travel.credit({}).credit")`
    my travel credit | the credit that I have in travel | my credit in the travel app | what I have
      as credit in travel | the credit on my travel account`,
});

const findTripCode = (name: string) => searchByNameCode("searchTrips", name);

export const travelSources = sources("travel", {
  "trip-cost": source.money("m", (draw) => {
    const notCancelled = draw.db.where(trips, { cancelled: false });
    const trip = drawRowInNameableCity(
      draw,
      notCancelled.filter(({ id }) => tripCostCents(draw.db, id) > 0),
    );
    if (!trip) return undefined;
    return {
      value: tripCostCents(draw.db, trip.id),
      words: `the cost so far of the trip "${trip.name}"`,
      code: `apis.travel.trip({id:${findTripCode(trip.name)}.id}).costs`,
    };
  }),
  "hotel-price": source.money("m", (draw) => {
    const hotel = drawRowInNameableCity(draw, draw.db.all(hotels));
    if (!hotel) return undefined;
    return {
      value: hotel.cents,
      words: `the price of a night in the hotel "${hotel.name}"`,
      code: `${searchByNameCode("searchHotels", hotel.name)}.price`,
    };
  }),
  "trip-day": source.day("d", (draw) => {
    const notCancelled = draw.db.where(trips, { cancelled: false });
    const trip = drawRowInNameableCity(
      draw,
      notCancelled.filter(({ from }) => from > TODAY),
    );
    if (!trip) return undefined;
    const words = `the first day of the trip "${trip.name}"`;
    return { value: trip.from, words, code: `${findTripCode(trip.name)}.from` };
  }),
  "booked-day": source.day("d", ({ rng, db }) => {
    const futureBookings = db
      .all(bookings)
      .filter(({ status, day }) => status === "booked" && day > TODAY);
    if (futureBookings.length === 0) return undefined;
    const { id, day } = rng.pick(futureBookings);
    const words = `the day of my travel booking number ${id}`;
    return { value: day, words, code: `apis.travel.booking({id:${id}}).day` };
  }),
  "only-stop": source.text("t", (draw) => {
    const stopsOn = (trip: number) => draw.db.where(stops, { trip });
    const notCancelled = draw.db.where(trips, { cancelled: false });
    const trip = drawRowInNameableCity(
      draw,
      notCancelled.filter(({ id }) => stopsOn(id).length === 1),
    );
    if (!trip) return undefined;
    return {
      value: stopsOn(trip.id)[0]!.title,
      words: `the title of the only stop on the trip "${trip.name}"`,
      code: `apis.travel.stops({trip:${findTripCode(trip.name)}.id}).items[0].title`,
    };
  }),
});

const TRIP_NAMES = [
  "Slow weekend",
  "Two bags and a map",
  "Out of office",
  "Sea air",
  "Long way round",
];
const DOCUMENT_KINDS = ["passport", "visa", "insurance", "licence"] as const;

export const travelDeeds = deeds("travel", {
  "plan-trip": drawnDeedWithValue("day", ({ value: from, words: date, code }, draw) => {
    const city = drawNameableCity(
      draw,
      draw.db.all(hotels).map((hotel) => hotel.city),
    );
    if (city === undefined || from < TODAY) return undefined;
    const nights = draw.rng.integer(2, 6);
    const name = draw.rng.pick(TRIP_NAMES);
    const own = { person: null, role: null, cancelled: false };
    return drawnDeed({
      apply: (db) =>
        void db.insert(trips, { name, city, from, until: addDays(from, nights), ...own }),
      call: `print(apis.travel.planTrip({name:${jsLiteral(name)},city:${jsLiteral(city)},from:${code},until:new Date(Date.parse(${code})+${nights}*86400000).toISOString().slice(0,10)}))`,
    })`Plan a trip "${name}" to ${city} from ${date} with ${nights} nights | Add the trip "${name}"
        to ${city}, first day ${date}, ${nights} nights | In travel, set up a trip to ${city} named
        "${name}": ${nights} nights from ${date} | I want a new trip "${name}" to ${city}, ${nights}
        nights long, with ${date} as first day | Enter a trip to ${city} with the name "${name}"
        that begins on ${date} and has ${nights} nights`;
  }),
  "store-document": (draw) => {
    const { rng } = draw;
    const person = draw.person();
    if (!person) return undefined;
    const kind = rng.pick(DOCUMENT_KINDS);
    const number = `${kind[0]!.toUpperCase()} ${rng.integer(10_000, 99_999)}`;
    const expires = addDays(TODAY, rng.integer(200, 2400));
    const [who, date] = [person.words, dayInWords(expires)];
    return drawnDeed({
      apply: (db) => void db.insert(documents, { kind, number, expires, person: person.value.id }),
      call: `print(apis.travel.addDocument({kind:"${kind}",number:${jsLiteral(number)},expires:"${expires}",person:${person.code}}))`,
      uses: [person],
    })`Store the ${kind} of ${who} in travel: number ${number}, good until ${date} | Add a travel
        document for ${who}, a ${kind} with number ${number} and last good day ${date} | In travel,
        keep the ${kind} ${number} of ${who}, which is good until ${date} | The ${kind} of ${who}
        has the number ${number} and is good until ${date}: store it in travel | Enter in travel
        that ${who} has the ${kind} ${number} with ${date} as its last good day`;
  },
  "save-route": (draw) => {
    const all = draw.db.all(services);
    const city = drawNameableCity(
      draw,
      all.map(({ to }) => to),
    );
    const isNewRoute = ({ from, to }: { from: string; to: string }) =>
      draw.db.where(routes, { from, to }).length === 0;
    const newRoutes = all.filter((service) => service.to === city && isNewRoute(service));
    if (newRoutes.length === 0) return undefined;
    const { from, to } = draw.rng.pick(newRoutes);
    return drawnDeed({
      apply: (db) => void db.insert(routes, { from, to }),
      cells: [`print(apis.travel.addRoute({from:${jsLiteral(from)},to:${jsLiteral(to)}}))`],
    })`Save the route from ${from} to ${to} as a favourite | Add ${from} to ${to} to my favourite
        routes | Make the way from ${from} to ${to} one of my favourite routes | Keep the route from
        ${from} to ${to} among my favourites in travel | Note that the route from ${from} to ${to}
        is a favourite of mine in travel`;
  },
});
