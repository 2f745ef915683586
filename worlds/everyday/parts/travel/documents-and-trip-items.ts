/** Goals about documents, and actions on packing items, stops and costs of trips. */
import {
  actions,
  atMost,
  byArgument,
  customIngredient,
  dayInWords,
  defineCollection,
  jsLiteral,
  nouns,
  superlatives,
  titleBy,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  documents,
  packing,
  stops,
  type TravelDocument,
  tripCosts,
  trips,
} from "../../apps/travel/tables.ts";
import { addDays } from "../days.ts";
import { canEditTrip, readPagesCode, titleOnAllPages } from "./cities-and-lists.ts";

const documentListOptions = { kind: "documents", app: "travel", table: documents };

export const documentCollection = defineCollection<TravelDocument>({
  ...documentListOptions,
  list: "documents",
  nouns: nouns`travel document(s) | document(s) in the travel app | stored travel document(s)
    | document(s) kept in travel | document(s) stored in travel`,
  columns: ({ choice, day, withOrWithout, person, text }) => ({
    kind: choice("kind", { arg: "kind" })`of the kind "$" | that are of the kind "$" | whose kind is
        "$" | which travel lists as "$" | with "$" as their kind`,
    own: withOrWithout({ person: null }, byArgument("own"), { excludes: ["of"] })`
      that are my own | which belong to me | that are mine | which are my own and nobody else's | of
      which I am the holder``
          that belong to others | which are not my own | that are not mine
          | which are somebody else's | of which another person is the holder`,
    of: person("person", byArgument("person"))`
      of $ | that belong to $ | which $ holds | held by $ | that are $'s`,
    /** The first day on which the document is not valid any more. */
    useless: day(
      (row) => addDays(row.expires, 1),
      {},
      atMost("expiring", { arg: "before" })`that expire before $ | expiring before $ | whose last
          good day is before $ | which are no longer good on $ | with a last good day earlier than
          $`,
    ),
    expires: day(
      "expires",
      { noun: "last good day" },
      superlatives`latest-expiring / soonest-expiring | last-expiring / first-expiring |
        latest-expiring / soonest-expiring | last-expiring / first-expiring | latest-expiring /
        soonest-expiring`,
    ),
    number: text("number", { noun: "number" }),
  }),
  title: titleBy(
    "number",
    titleOnAllPages(
      "documents",
      (number) => `.filter(x=>x.number===${jsLiteral(number)}).map(x=>x.id)`,
    ),
    "P 10431 | V 20077 | L 31150 | I 44009",
  )`the travel document $ | the document with the number $ in travel
      | the stored travel document number $ | the document numbered $ in travel
      | the travel document that has the number $`,
});

const drawLaterDay = customIngredient(
  ({ rng }) => `203${rng.integer(1, 6)}-0${rng.integer(1, 9)}-${rng.integer(10, 28)}`,
  dayInWords,
);

const documentActions = actions(
  documentListOptions,
  ({ actionWithOne, drawnAction, difficulty2, sets }) => ({
    renew: actionWithOne(drawLaterDay, ({ value: expires, code }) =>
      sets(
        { expires },
        { when: (row) => row.expires < expires, api: "renewDocument", args: `expires:${code}` },
      ),
    )`Renew # until $ | Set $ as the new last good day of #
      | Note that # can be used until $ from now on | Let # be good until $ | Extend # to $`,
    /** The code of this action first reads each document's last day. It then adds the same number of days to each. */
    prolong: difficulty2(
      drawnAction(({ rng }) => {
        const days = rng.pick([365, 730, 100]);
        return sets((row) => ({ expires: addDays(row.expires, days) }), {
          call: `${readPagesCode("t", "documents")}const o=t.find(y=>y.id===x);apis.travel.renewDocument({id:x,expires:new Date(Date.parse(o.expires)+${days}*86400000).toISOString().slice(0,10)})`,
        })`Prolong # by ${days} days, counted from the last good day so far | Move the last good day
          of # by ${days} days into the future | Renew # so that the last good day is ${days} days
          later than before | Extend # by ${days} days beyond the last good day so far | Let the
          last good day of # be ${days} days after the present one`;
      }),
    ),
  }),
);

const isOnEditableTrip = ({ trip }: { readonly trip: number }, db: Reader) =>
  canEditTrip(db.get(trips, trip)!);

/** Returns true for a cost that the owner paid, and for all costs of own trips. */
const mayStrike = (row: { readonly trip: number; readonly person: number | null }, db: Reader) =>
  isOnEditableTrip(row, db) && (row.person === null || db.get(trips, row.trip)!.person === null);

export const documentAndTripItemActions = [
  ...documentActions,
  ...actions(
    { kind: "packing", app: "travel", table: packing, when: isOnEditableTrip },
    ({ changesTo, removesRow }) => ({
      pack: changesTo({ packed: true }, { api: "pack" })`
        Mark # as packed | Tick off # as packed | Set # to packed | Note that I have packed #
        | Let # count as packed`,
      unpack: changesTo({ packed: false }, { api: "unpack" })`
        Mark # as not packed | Untick #, as not packed | Set # to not packed
        | Note that I have unpacked # | Let # count as not packed`,
      "leave-out": removesRow({ api: "removePacking" })`
        Take # off the packing list | Remove # from the packing list
        | Delete # from what is to be packed | Strike # from the packing list
        | Drop # from the list of what to pack`,
    }),
  ),
  ...actions({ kind: "stops", app: "travel", table: stops }, ({ removesRow }) => ({
    "drop-stop": removesRow({ when: isOnEditableTrip, api: "removeStop" })`
      Remove # | Delete # from the itinerary | Take # out of the itinerary
      | Strike # from the itinerary | Drop # from the plan`,
  })),
  ...actions({ kind: "costs", app: "travel", table: tripCosts }, ({ changesTo }) => ({
    strike: changesTo({ struck: true }, { when: mayStrike, api: "strikeCost" })`
      Strike # | Strike out # | Have # struck | Let # be struck in the travel app
      | Strike # in the travel app`,
  })),
];
