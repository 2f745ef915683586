/** Goals about bookings of seats and rooms: their collection and actions. */
import {
  actions,
  atLeast,
  atMost,
  byArgument,
  type DrawContext,
  defineCollection,
  nouns,
  someone,
  storeAndPrint,
  superlatives,
  titleBy,
  type Value,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  type Booking,
  bookings,
  hotels,
  services,
  travellers,
  trips,
} from "../../apps/travel/tables.ts";
import { TODAY } from "../../population/time.ts";
import { addDays } from "../days.ts";
import { isReachable } from "../reachable-people.ts";
import { PRICE_SUPERLATIVES } from "../shop/product-descriptions.ts";
import {
  cityColumn,
  currentTravellers,
  drawRowInNameableCity,
  searchByNameCode,
  titleOnAllPages,
} from "./cities-and-lists.ts";

const findService = ({ service }: Booking, db: Reader) =>
  service === null ? undefined : db.get(services, service);
const findHotel = ({ hotel }: Booking, db: Reader) =>
  hotel === null ? undefined : db.get(hotels, hotel);

function bookingTitle(row: Booking, db: Reader): string {
  const service = findService(row, db);
  if (service) return `${service.number} ${service.from} to ${service.to}`;
  return findHotel(row, db)?.name ?? "";
}

const listOptions = { kind: "bookings", app: "travel", table: bookings };

export const bookingCollection = defineCollection<Booking>({
  ...listOptions,
  list: "bookings",
  nouns: nouns`booking(s) in my travel app | travel booking(s) | booking(s) of mine in travel
    | booking(s) on my travel account | booking(s) listed in travel`,
  fields: "price travellers day what",
  columns: ({ choice, day, withProperty, money, number, person, text }) => ({
    status: choice("status", { arg: "status" })`with the status "$" | in the state "$" | whose
        status is "$" | that have the status "$" | which travel lists as "$"`,
    kind: choice("kind", { arg: "kind" })`of the kind "$" | that are for a $ | whose kind is "$"
      | which are of the kind "$" | by which I booked a $`,
    with: person(
      ({ id }, db) => currentTravellers(db, id).flatMap((traveller) => traveller.person ?? []),
      byArgument("person"),
    )`with $ among the travellers | on which $ travels | that include $ as a traveller | which list
        $ as a traveller | where $ is one of the travellers`,
    city: cityColumn<Booking>(
      (row, db) => findService(row, db)?.to ?? findHotel(row, db)?.city ?? "",
      (city) => ({ test: `x.city===${city}` }),
    )`that take me to or let me stay in $ | which end in $ or are for a hotel there
        | with $ as the city of arrival or of the hotel | whose city of arrival or of the hotel is $
        | where $ is the city of arrival or the hotel's city`,
    loose: withProperty(
      { trip: null },
      { test: "x.trip===null" },
    )`that belong to no trip | which are not part
        of any trip | without a trip | that are part of no trip at all | which no trip includes`,
    credit: withProperty(
      { paid: "credit" },
      {
        test: `apis.travel.booking({id:x.id}).paid==="credit"`,
      },
    )`paid from my travel credit | that I paid with travel credit | which were paid from the credit
      | that were not paid by card but from the credit | for which the credit was used`,
    day: day(
      "day",
      { noun: "day" },
      superlatives`latest / earliest | last / first | latest / next | last / first
          | latest / earliest`,
      atLeast("from", { arg: "since" })`for $ or later | that are for $ or a later day | dated $ or
          later | whose day is $ or after that | for no earlier day than $`,
      atMost("until", { arg: "until" })`for $ or earlier | that are for $ or an earlier day | dated
          $ or earlier | whose day is $ or before that | for no later day than $`,
    ),
    price: money(
      "cents",
      { item: "price", noun: "price", superlatives: PRICE_SUPERLATIVES },
      atMost("at-most")`that cost $ or less | with a price of at most $ | that cost no more than $
        | whose price is $ or below | for which I paid $ or less`,
      atLeast("at-least")`that cost $ or more | with a price of at least $ | that cost no less than
          $ | whose price is $ or above | for which I paid $ or more`,
    ),
    travellers: number(({ id }, db) => currentTravellers(db, id).length, {
      item: "travellers",
      noun: "number of travellers",
    }),
    what: text(bookingTitle, { item: "what", noun: "title" }),
  }),
  title: titleBy(
    "id",
    titleOnAllPages("bookings", (id) => `.map(x=>x.id).filter(x=>x===${id})`),
    "7113 | 9204 | 8465 | 6007",
  )`my travel booking number $ | booking number $ in travel | the travel booking with the id $
      | my booking with the number $ in travel | the booking that has the id $ in travel`,
});

const isUpcoming = ({ status, day }: Booking) => status === "booked" && day >= TODAY;

/** Draws one of the owner's trips, which the solution finds by its name. */
function drawOwnTrip(draw: DrawContext): Value<number> | undefined {
  const trip = drawRowInNameableCity(
    draw,
    draw.db.where(trips, { person: null, cancelled: false }),
  );
  if (!trip) return undefined;
  const code = draw.variable("t");
  const cells = [storeAndPrint(code, `${searchByNameCode("searchTrips", trip.name)}.id`)];
  return { value: trip.id, words: trip.name, code, cells, apps: [] };
}

export const bookingActions = actions(
  listOptions,
  ({ addsRow, applies, actionWithOne, drawnAction, difficulty2, sets }) => ({
    "cancel-booking": sets(
      { status: "cancelled" },
      { when: isUpcoming, api: "cancelBooking" },
    )`Cancel #
    | Have # cancelled | Call off # | Let the travel app cancel # | Please give up # by cancelling`,
    /**
     * This action moves a booking by some weeks. A service runs every week, so it also runs on the same weekday later.
     * Chosen seats are lost.
     */
    "weeks-later": difficulty2(
      drawnAction(({ rng }) => {
        const weeks = rng.integer(1, 3);
        const by = weeks === 1 ? "one week" : `${weeks} weeks`;
        const ms = 7 * weeks * 86_400_000;
        return applies(
          (db, { id, day }) => {
            db.update(bookings, id, { day: addDays(day, 7 * weeks) });
            for (const other of currentTravellers(db, id)) {
              if (other.seat !== null) db.update(travellers, other.id, { seat: null });
            }
          },
          {
            when: (row, db) => {
              const service = findService(row, db);
              if (!isUpcoming(row) || !service || row.paid === "credit") return false;
              const day = addDays(row.day, 7 * weeks);
              const free =
                service.rows * 4 - service.taken.length >= currentTravellers(db, row.id).length;
              return free && db.where(bookings, { service: service.id, day }).length === 0;
            },
            call: `const o=apis.travel.booking({id:x});apis.travel.moveBooking({id:x,day:new Date(Date.parse(o.day)+${ms}).toISOString().slice(0,10)})`,
          },
        )`Move # to ${by} later | Postpone # by ${by} | Shift # by ${by} into the future
          | Rebook # to the day that is ${by} later | Let # be ${by} later than now booked`;
      }),
    ),
    "add-traveller": actionWithOne(someone(), ({ value: { id: person }, code }) =>
      addsRow(travellers, ({ id }) => ({ booking: id, person, seat: null, dropped: false }), {
        when: (row, db) => {
          const people = currentTravellers(db, row.id);
          const hasRoom = people.length < (row.service === null ? 3 * row.rooms : 6);
          const isNotTraveller = people.every((one) => one.person !== person);
          return (
            isReachable(db, person) &&
            isUpcoming(row) &&
            row.paid === "card" &&
            hasRoom &&
            isNotTraveller
          );
        },
        api: "addTraveller",
        args: `person:${code}`,
      }),
    )`Add $ as a traveller to # | Book $ as a further traveller on # | Put $ on # as well | Let $
      also travel on # | Make $ one of the travellers of #`,
    /** This action drops all travellers except the owner. The code reads the travellers from each booking. */
    "go-alone": difficulty2(
      applies(
        (db, { id }) => {
          for (const other of currentTravellers(db, id)) {
            if (other.person !== null) db.update(travellers, other.id, { dropped: true });
          }
        },
        {
          when: (row, db) => isUpcoming(row) && currentTravellers(db, row.id).length > 1,
          call: "for(const t of apis.travel.booking({id:x}).people)if(t.handle!==null)apis.travel.dropTraveller({id:x,person:t.handle})",
        },
      )`Take everyone but me off # | Remove all travellers except me from # | Let me travel alone on
        #: take the others off | Take all my companions off #, so that only I remain | Leave me as
        the only traveller on # by removing the others`,
    ),
    assign: actionWithOne(drawOwnTrip, ({ value: trip, code }) =>
      sets(
        { trip },
        { when: (row) => row.trip !== trip, api: "assignBooking", args: `trip:${code}` },
      ),
    )`Make # part of my trip "$" | Assign # to the trip "$" | Put # under my trip "$" | Let # belong
      to the trip "$" | File # under the trip called "$"`,
  }),
);
