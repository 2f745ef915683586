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

export const fullCalendar = defineApp({
  ...calendar,
  summary: "Events with guests, invitations, reminders, categories, series, and shared calendars.",
  tables: [...calendar.tables, ...moreCalendarTables],
  apis: {
    ...calendar.apis,
    ...agendaApis,
    ...hourApis,
    ...detailApis,
    ...categoryApis,
    ...copyApis,
    ...answerApis,
    ...sharingApis,
  },
});
