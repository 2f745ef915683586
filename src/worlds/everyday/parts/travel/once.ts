/** What is done or asked once in travel: deeds without a set, the credit, and values that stand in trips and papers. */
import { type Deed, dayWords, type Fact, type Source } from "../../../../goals/index.ts";
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
import { app, cityFor, costsOf, js, shifted, TODAY } from "./reads.ts";

export const travelFacts: readonly Fact[] = [
  {
    name: "credit",
    app,
    unit: "money",
    words: [
      "my travel credit",
      "the credit that I have in travel",
      "my credit in the travel app",
      "what I have as credit in travel",
      "the credit on my travel account",
    ],
    value: (db) => db.all(credit)[0]!.cents / 100,
    code: "apis.travel.credit({}).credit",
  },
];

// --- sources ---

const tripCost: Source<"money"> = {
  name: "trip-cost",
  type: "money",
  app,
  draw: (draw) => {
    const { db, rng } = draw;
    const some = db.where(trips, { cancelled: false }).filter(({ id }) => costsOf(db, id) > 0);
    const city = cityFor(
      draw,
      some.map((trip) => trip.city),
    );
    const own = some.filter((trip) => trip.city === city);
    if (own.length === 0) return undefined;
    const { id, name } = rng.pick(own);
    const code = draw.variable("m");
    return {
      value: costsOf(db, id),
      words: `the cost so far of the trip "${name}"`,
      code,
      cells: [
        `var ${code}=apis.travel.trip({id:apis.travel.searchTrips({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)})[0].id}).costs;print(${code})`,
      ],
      apps: [app],
    };
  },
};

const hotelPrice: Source<"money"> = {
  name: "hotel-price",
  type: "money",
  app,
  draw: (draw) => {
    const city = cityFor(
      draw,
      draw.db.all(hotels).map((hotel) => hotel.city),
    );
    const own = draw.db.all(hotels).filter((hotel) => hotel.city === city);
    if (own.length === 0) return undefined;
    const { name, cents } = draw.rng.pick(own);
    const code = draw.variable("m");
    return {
      value: cents,
      words: `the price of a night in the hotel "${name}"`,
      code,
      cells: [
        `var ${code}=apis.travel.searchHotels({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)})[0].price;print(${code})`,
      ],
      apps: [app],
    };
  },
};

const tripDay: Source<"day"> = {
  name: "trip-day",
  type: "day",
  app,
  draw: (draw) => {
    const ahead = draw.db.where(trips, { cancelled: false }).filter(({ from }) => from > TODAY);
    const city = cityFor(
      draw,
      ahead.map((trip) => trip.city),
    );
    const own = ahead.filter((trip) => trip.city === city);
    if (own.length === 0) return undefined;
    const { name, from } = draw.rng.pick(own);
    const code = draw.variable("d");
    return {
      value: from,
      words: `the first day of the trip "${name}"`,
      code,
      cells: [
        `var ${code}=apis.travel.searchTrips({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)})[0].from;print(${code})`,
      ],
      apps: [app],
    };
  },
};

const bookedDay: Source<"day"> = {
  name: "booked-day",
  type: "day",
  app,
  draw: ({ rng, db, variable }) => {
    const some = db.all(bookings).filter(({ status, day }) => status === "booked" && day > TODAY);
    if (some.length === 0) return undefined;
    const { id, day } = rng.pick(some);
    const code = variable("d");
    return {
      value: day,
      words: `the day of my travel booking number ${id}`,
      code,
      cells: [`var ${code}=apis.travel.booking({id:${id}}).day;print(${code})`],
      apps: [app],
    };
  },
};

const onlyStop: Source<"text"> = {
  name: "only-stop",
  type: "text",
  app,
  draw: (draw) => {
    const { db, rng } = draw;
    const some = db
      .where(trips, { cancelled: false })
      .filter(({ id }) => db.where(stops, { trip: id }).length === 1);
    const city = cityFor(
      draw,
      some.map((trip) => trip.city),
    );
    const own = some.filter((trip) => trip.city === city);
    if (own.length === 0) return undefined;
    const { id, name } = rng.pick(own);
    const code = draw.variable("t");
    return {
      value: db.where(stops, { trip: id })[0]!.title,
      words: `the title of the only stop on the trip "${name}"`,
      code,
      cells: [
        `var ${code}=apis.travel.stops({trip:apis.travel.searchTrips({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)})[0].id}).items[0].title;print(${code})`,
      ],
      apps: [app],
    };
  },
};

export const travelSources: readonly Source[] = [
  tripCost,
  hotelPrice,
  tripDay,
  bookedDay,
  onlyStop,
];

// --- deeds ---

const NAMES = ["Slow weekend", "Two bags and a map", "Out of office", "Sea air", "Long way round"];

const plan: Deed = {
  name: "plan-trip",
  app,
  takes: "day",
  draw: (draw) => {
    const from = draw.value("day");
    const city = cityFor(
      draw,
      draw.db.all(hotels).map((hotel) => hotel.city),
    );
    if (city === undefined || from.value < TODAY) return undefined;
    const nights = draw.rng.integer(2, 6);
    const name = draw.rng.pick(NAMES);
    return {
      sentences: [
        `Plan a trip "${name}" to ${city} from ${from.words} with ${nights} nights`,
        `Add the trip "${name}" to ${city}, first day ${from.words}, ${nights} nights`,
        `In travel, set up a trip to ${city} named "${name}": ${nights} nights from ${from.words}`,
        `I want a new trip "${name}" to ${city}, ${nights} nights long, with ${from.words} as first day`,
        `Enter a trip to ${city} with the name "${name}" that begins on ${from.words} and has ${nights} nights`,
      ],
      uses: [from],
      apply: (db) => {
        const until = shifted(from.value, nights);
        const own = { person: null, role: null, cancelled: false };
        db.insert(trips, { name, city, from: from.value, until, ...own });
      },
      cells: [
        `print(apis.travel.planTrip({name:${js(name)},city:${js(city)},from:${from.code},until:new Date(Date.parse(${from.code})+${nights}*86400000).toISOString().slice(0,10)}))`,
      ],
    };
  },
};

const storeDocument: Deed = {
  name: "store-document",
  app,
  draw: (draw) => {
    const { rng } = draw;
    const person = draw.person();
    if (!person) return undefined;
    const kind = rng.pick(["passport", "visa", "insurance", "licence"] as const);
    const number = `${kind[0]!.toUpperCase()} ${rng.integer(10_000, 99_999)}`;
    const expires = shifted(TODAY, rng.integer(200, 2400));
    const [who, date] = [person.words, dayWords(expires)];
    return {
      sentences: [
        `Store the ${kind} of ${who} in travel: number ${number}, good until ${date}`,
        `Add a travel document for ${who}, a ${kind} with number ${number} and last good day ${date}`,
        `In travel, keep the ${kind} ${number} of ${who}, which is good until ${date}`,
        `The ${kind} of ${who} has the number ${number} and is good until ${date}: store it in travel`,
        `Enter in travel that ${who} has the ${kind} ${number} with ${date} as its last good day`,
      ],
      uses: [person],
      apply: (db) => {
        db.insert(documents, { kind, number, expires, person: person.value.id });
      },
      cells: [
        `print(apis.travel.addDocument({kind:"${kind}",number:${js(number)},expires:"${expires}",of:${person.code}}))`,
      ],
    };
  },
};

const saveRoute: Deed = {
  name: "save-route",
  app,
  draw: (draw) => {
    const { db, rng } = draw;
    const city = cityFor(
      draw,
      db.all(services).map(({ to }) => to),
    );
    const free = db
      .all(services)
      .filter(({ from, to }) => to === city && db.where(routes, { from, to }).length === 0);
    if (free.length === 0) return undefined;
    const { from, to } = rng.pick(free);
    return {
      sentences: [
        `Save the route from ${from} to ${to} as a favourite`,
        `Add ${from} to ${to} to my favourite routes`,
        `Make the way from ${from} to ${to} one of my favourite routes`,
        `Keep the route from ${from} to ${to} among my favourites in travel`,
        `Note that the route from ${from} to ${to} is a favourite of mine in travel`,
      ],
      apply: (writer) => {
        writer.insert(routes, { from, to });
      },
      cells: [`print(apis.travel.addRoute({from:${js(from)},to:${js(to)}}))`],
    };
  },
};

export const travelDeeds: readonly Deed[] = [plan, storeDocument, saveRoute];
