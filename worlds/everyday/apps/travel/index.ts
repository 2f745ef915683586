/** Travel: timetables and hotels, bookings, trips with companions and plans, papers and credit. */
import { defineApp } from "bowline/world";
import { bookingApis } from "./bookings.ts";
import { changeApis } from "./changes.ts";
import { guestApis } from "./guests.ts";
import { paperApis } from "./papers.ts";
import { planApis } from "./plans.ts";
import { travelTables } from "./tables.ts";
import { timetableApis } from "./timetable.ts";
import { tripApis } from "./trips.ts";

export * from "./tables.ts";

export const travel = defineApp({
  name: "travel",
  summary: "Trips, journeys and hotels: timetables, bookings, plans and papers.",
  tables: travelTables,
  login: true,
  apis: {
    ...timetableApis,
    ...tripApis,
    ...guestApis,
    ...bookingApis,
    ...changeApis,
    ...planApis,
    ...paperApis,
  },
});
