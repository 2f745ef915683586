/** What travel brings to the goal algebra. */
import type { Parts } from "../../../../goals/index.ts";
import { bookingActions } from "./booking-actions.ts";
import { bookingCollection } from "./bookings.ts";
import { hotelActions, hotelCollection } from "./hotels.ts";
import { travelRelations } from "./joins.ts";
import { travelDeeds, travelFacts, travelSources } from "./once.ts";
import { documentCollection, paperActions } from "./papers.ts";
import { serviceActions, serviceCollection } from "./services.ts";
import { tripActions } from "./trip-actions.ts";
import { tripCollection } from "./trips.ts";

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
