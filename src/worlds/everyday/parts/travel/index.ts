/** What travel brings to the goal algebra. */
import type { Parts } from "../../algebra/parts.ts";
import { bookingActions, bookingCollection } from "./bookings.ts";
import { travelRelations } from "./joins.ts";
import { travelDeeds, travelFacts, travelSources } from "./once.ts";
import { documentCollection, paperActions } from "./papers.ts";
import { hotelCollection, placeActions, serviceCollection } from "./places.ts";
import { tripActions, tripCollection } from "./trips.ts";

export const travelParts: Parts = {
  collections: [
    tripCollection,
    bookingCollection,
    hotelCollection,
    serviceCollection,
    documentCollection,
  ],
  relations: travelRelations,
  actions: [...tripActions, ...bookingActions, ...placeActions, ...paperActions],
  sources: travelSources,
  facts: travelFacts,
  deeds: travelDeeds,
};
