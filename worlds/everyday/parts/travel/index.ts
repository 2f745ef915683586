/** What travel brings to the goal algebra. */
import type { Parts } from "bowline/goals";
import { bookingActions, bookingCollection } from "./bookings.ts";
import { travelRelations } from "./joins.ts";
import { hotelActions, hotelCollection, serviceActions, serviceCollection } from "./offers.ts";
import { travelDeeds, travelFacts, travelSources } from "./once.ts";
import { documentCollection, paperActions } from "./papers.ts";
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
  actions: [...tripActions, ...bookingActions, ...hotelActions, ...serviceActions, ...paperActions],
  sources: travelSources,
  facts: travelFacts,
  deeds: travelDeeds,
};
