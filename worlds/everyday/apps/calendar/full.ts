/**
 * Defines the full calendar app: events and invitations as in the starter, and also details, hours, series, answers and
 * sharing.
 */
import { defineApp } from "bowline/world";
import { agendaApis, hourApis } from "./agenda-and-hours.ts";
import { answerApis } from "./answers.ts";
import { categoryApis, detailApis } from "./details.ts";
import { copyApis } from "./event-copies.ts";
import { calendar } from "./index.ts";
import { sharingApis } from "./sharing.ts";
import { moreCalendarTables } from "./tables.ts";

/** Lists of the starter whose documentation here also says what they leave out. */
const listApis = {
  search: {
    ...calendar.apis["search"]!,
    summary:
      "Search titles of own and accepted events, by day and time; cancelled, declined and open ones are left out.",
  },
  guests: {
    ...calendar.apis["guests"]!,
    summary: "List the guests of an event; those uninvited are left out.",
  },
};

export const fullCalendar = defineApp({
  ...calendar,
  summary: "Events with guests, invitations, reminders, categories, series, and shared calendars.",
  tables: [...calendar.tables, ...moreCalendarTables],
  apis: {
    ...calendar.apis,
    ...listApis,
    ...agendaApis,
    ...hourApis,
    ...detailApis,
    ...categoryApis,
    ...copyApis,
    ...answerApis,
    ...sharingApis,
  },
});
