/** The parts of goals that the travel app contributes. */
import type { Parts } from "bowline/goals";
import { bookingActions, bookingCollection } from "./bookings.ts";
import { documentAndTripItemActions, documentCollection } from "./documents-and-trip-items.ts";
import { travelRelations } from "./relations.ts";
import {
  hotelActions,
  hotelCollection,
  serviceActions,
  serviceCollection,
} from "./services-and-hotels.ts";
import { travelDeeds, travelFacts, travelSources } from "./sources-facts-deeds.ts";
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
  actions: [
    ...tripActions,
    ...bookingActions,
    ...hotelActions,
    ...serviceActions,
    ...documentAndTripItemActions,
  ],
  sources: travelSources,
  facts: travelFacts,
  deeds: travelDeeds,
};
