/**
 * Defines the travel app: timetables and hotels, bookings, trips with companions and plans, travel documents and
 * credit.
 */
import { defineApp } from "bowline/world";
import { bookingApis } from "./bookings.ts";
import { changingBookingApis } from "./changing-bookings.ts";
import { companionApis } from "./companions-and-sharing.ts";
import { documentAndCreditApis } from "./documents-and-credit.ts";
import { itineraryAndCostApis } from "./itinerary-and-costs.ts";
import { travelTables } from "./tables.ts";
import { timetableAndHotelApis } from "./timetable-and-hotels.ts";
import { tripApis } from "./trips.ts";

export * from "./tables.ts";

export const travel = defineApp({
  name: "travel",
  summary: "Trips, journeys and hotels: timetables, bookings, plans and papers.",
  tables: travelTables,
  login: true,
  apis: {
    ...timetableAndHotelApis,
    ...tripApis,
    ...companionApis,
    ...bookingApis,
    ...changingBookingApis,
    ...itineraryAndCostApis,
    ...documentAndCreditApis,
  },
});
