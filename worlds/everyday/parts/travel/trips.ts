/** Goals about trips: their collection and actions. */
import {
  actions,
  alternatives,
  atLeast,
  atMost,
  byArgument,
  defineCollection,
  jsLiteral,
  nouns,
  oneOf,
  someone,
  superlatives,
  titleBy,
  wordList,
} from "bowline/goals";
import {
  companions,
  packing,
  stops,
  type Trip,
  tripCosts,
  tripShares,
  trips,
} from "../../apps/travel/tables.ts";
import { TODAY } from "../../population/time.ts";
import { addDays } from "../days.ts";
import { isReachable } from "../reachable-people.ts";
import { canEditTrip, cityColumn, titleOnAllPages, tripCostCents } from "./cities-and-lists.ts";

const OWN_TRIP_PHRASES = alternatives`that are my own | which I planned myself
    | of which I am the host | that belong to me | which are mine and not somebody else's`;
const OTHERS_TRIP_PHRASES = alternatives`that belong to others | which somebody else planned
    | of which another person is the host | that are not my own
    | which are somebody else's and not mine`;

const listOptions = { kind: "trips", app: "travel", table: trips };

export const tripCollection = defineCollection<Trip>({
  ...listOptions,
  includes: { cancelled: false },
  list: "trips",
  nouns: nouns`trip(s) in my travel app | trip(s) | trip(s) that I have in travel | trip(s) on my
      travel account | trip(s) listed in travel`,
  columns: ({ drawnClause, day, withOrWithout, money, number, person, text }) => ({
    own: drawnClause(
      ({ rng }) => {
        const mine = rng.chance(0.6);
        return {
          words: mine ? OWN_TRIP_PHRASES : OTHERS_TRIP_PHRASES,
          holds: (row) => (row.person === null) === mine,
          code: { args: `own:${mine}` },
        };
      },
      { excludes: ["host"] },
    ),
    over: withOrWithout(
      (row) => row.until < TODAY,
      byArgument("over"),
    )`that are over | which have ended already
      | that ended before today | which are already in the past | that came to their end before
        today``that are not over yet | which have not ended yet | that end today or later | which
            are not in the past yet | whose last day is today or later`,
    city: cityColumn<Trip>(
      (row) => row.city,
      byArgument("city"),
    )`to $ | that go to $ | whose destination is $ | which lead to $ | with $ as their destination`,
    with: person(
      ({ id }, db) => db.where(companions, { trip: id, left: false }).map((row) => row.person),
      byArgument("person"),
    )`with $ as a companion | on which $ comes along | that have $ among the companions | which list
        $ as a companion | where $ is one of the companions`,
    host: person("person", byArgument("host"))`hosted by $ | whose host is $ | that $ hosts | which
        belong to $ | that are trips of $`,
    /** The code of this column calls an API for each trip. */
    costs: money(
      ({ id }, db) => tripCostCents(db, id),
      { code: "apis.travel.trip({id:x.id}).costs", noun: "cost" },
      superlatives`most expensive / cheapest | costliest / cheapest
          | most expensive / least expensive | most expensive / cheapest
          | priciest / cheapest`,
      atLeast("costs")`that have cost $ or more | with costs of at least $ in all | whose costs come
          to $ or more | which have cost no less than $ altogether | with noted costs of $ or more
          in total`,
    ),
    nights: number(
      ({ from, until }) => Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000),
      {
        code: "Math.round((Date.parse(x.until)-Date.parse(x.from))/86400000)",
        noun: "number of nights",
      },
      superlatives`longest / shortest | longest / shortest | longest / shortest
          | longest / shortest | longest / shortest`,
      atLeast("nights")`of $ or more nights | that last $ nights or more | with at least $ nights
        | which take no fewer than $ nights | with a length of $ nights or more`,
    ),
    from: day(
      "from",
      { noun: "first day" },
      superlatives`latest / earliest | last / first | latest / earliest | last / first
          | latest / earliest`,
      atLeast("since")`that begin on $ or later | with a first day of $ or later | that start no
          earlier than $ | whose first day is $ or a later one | which begin on $ or after that`,
      atMost("until")`that begin on $ or earlier | with a first day of $ or earlier | that start no
          later than $ | whose first day is $ or an earlier one | which begin on $ or before that`,
    ),
    name: text("name", { noun: "name" }),
  }),
  title: titleBy(
    "name",
    titleOnAllPages(
      "searchTrips",
      (name) => `.filter(x=>x.name===${jsLiteral(name)}&&!x.cancelled).map(x=>x.id)`,
      (name) => `query:${jsLiteral(name)}`,
    ),
    "Sledge week | Round the three lakes | Lighthouse tour | The old caravan road",
  )`the trip "$" | the trip named "$" | the trip with the name "$" | the trip called "$" | the trip
      that is called "$"`,
});

const isOwnTrip = ({ person, cancelled }: Trip) => person === null && !cancelled;
const isUpcomingOwnTrip = (row: Trip) => isOwnTrip(row) && row.from >= TODAY;

const PACKING_ITEMS = wordList(
  "snow goggles | a thermos | a phrase book | ear plugs | a sewing kit | gaiters",
);
const STOP_TITLES = ["tea with the guide", "walk on the city wall", "organ concert", "ferry ride"];

export const tripActions = actions(
  { ...listOptions, key: "trip" },
  ({
    addsRow,
    actionWith,
    actionWithOne,
    drawnAction,
    difficulty2,
    sets,
    drawnActionWithValue,
  }) => ({
    "cancel-trip": sets(
      { cancelled: true },
      {
        when: isUpcomingOwnTrip,
        call: "apis.travel.cancelTrip({id:x})",
      },
    )`Cancel #, leaving bookings as they are | Call off # without touching any bookings | Have #
        cancelled; bookings stay | Cancel # but keep all bookings | Let the travel app cancel #, and
        leave the bookings alone`,
    /**
     * The code of this action first reads the days of each trip. It then postpones each trip by the same number of
     * days.
     */
    postpone: difficulty2(
      drawnAction(({ rng }) => {
        const days = rng.pick([7, 10, 14, 21]);
        const postponedDays = ({ from, until }: Trip) => ({
          from: addDays(from, days),
          until: addDays(until, days),
        });
        return sets(postponedDays, {
          when: isUpcomingOwnTrip,
          call: `const o=apis.travel.trip({id:x});const f=d=>new Date(Date.parse(d)+${days}*86400000).toISOString().slice(0,10);apis.travel.moveTrip({id:x,from:f(o.from),until:f(o.until)})`,
        })`Postpone # by ${days} days, at the same length | Move # to ${days} days later, without
          changing the length | Shift the first and last day of # by ${days} days into the future
          | Let # begin and end ${days} days later than planned | Delay # by ${days} days, both
          the beginning and the end`;
      }),
    ),
    "take-along": actionWithOne(someone(), ({ value: { id: person }, code }) =>
      addsRow(companions, ({ id }) => ({ trip: id, person, left: false }), {
        when: (row, db) =>
          isReachable(db, person) &&
          isOwnTrip(row) &&
          db.where(companions, { trip: row.id, person, left: false }).length === 0,
        api: "addCompanion",
        args: `person:${code}`,
      }),
    )`Take $ along on # | Add $ as a companion to # | Let $ come along on # | Note that $ comes
        along on # | Make $ a companion on #`,
    "share-trip": actionWith(
      { friend: someone(), role: oneOf(["viewer", "editor"] as const) },
      ({ friend, role: { value: role } }) => {
        const person = friend.value.id;
        return addsRow(tripShares, ({ id }) => ({ trip: id, person, role, ended: false }), {
          when: (row, db) =>
            isReachable(db, person) &&
            isOwnTrip(row) &&
            db.where(tripShares, { trip: row.id, person, ended: false }).length === 0,
          api: "shareTrip",
          args: `person:${friend.code},role:"${role}"`,
        });
      },
    )`Share the plan of # with $friend as $role | Let $friend see # in the travel app, as $role
      | Give $friend the role $role on # | Open # to $friend with the role $role | In the role of
        $role, let $friend see the plan of #`,
    "pack-for": actionWithOne(oneOf(PACKING_ITEMS), ({ value: item, code }) =>
      addsRow(packing, ({ id }) => ({ trip: id, item, packed: false }), {
        when: (row, db) =>
          canEditTrip(row) && db.where(packing, { trip: row.id, item }).length === 0,
        api: "addPacking",
        args: `item:${code}`,
      }),
    )`Add "$" to the packing list of # | Put "$" on the packing list for # | Note "$" as something
        to pack for # | On the packing list of #, add "$" | Let the packing list for # also have
        "$"`,
    /** Adds a stop on the first day of each trip. */
    "first-stop": difficulty2(
      drawnAction(({ rng }) => {
        const title = rng.pick(STOP_TITLES);
        const time = `${rng.integer(10, 19)}:${rng.pick(["00", "30"])}`;
        return addsRow(stops, ({ id, from }) => ({ trip: id, title, day: from, time }), {
          when: canEditTrip,
          call: `const o=apis.travel.trip({id:x});apis.travel.addStop({trip:x,title:${jsLiteral(title)},day:o.from,time:"${time}"})`,
        })`Add the stop "${title}" at ${time} on the first day of # | On the first day of #, plan a
            stop "${title}" at ${time} | Put "${title}" at ${time} into the itinerary of #, on the
            first day | Let the itinerary of # have "${title}" at ${time} on the first day | For #,
            note the stop "${title}" on day one at ${time}`;
      }),
    ),
    "note-cost": difficulty2(
      drawnActionWithValue("money", ({ value: cents, words: sum, code }, { rng }) => {
        const what = rng.pick(["tolls", "tips", "luggage", "map"]);
        const cost = { what, cents, person: null };
        const newCost = ({ id, until }: Trip) => ({ trip: id, ...cost, day: until, struck: false });
        return addsRow(tripCosts, newCost, {
          when: (row) => canEditTrip(row) && cents >= 1,
          call: `const o=apis.travel.trip({id:x});apis.travel.addCost({trip:x,what:"${what}",amount:${code},day:o.until})`,
        })`Note a cost of ${sum} for "${what}" on #, paid by me on the last day | Enter ${sum} for
          "${what}" as a cost of #; I paid it on the last day | Add the cost "${what}" of ${sum}
          to #, paid by me on the last day | I paid ${sum} for "${what}" on the last day: note it
          as a cost for # | As a cost for #, note "${what}" at ${sum}, paid by me on the last day`;
      }),
    ),
  }),
);
