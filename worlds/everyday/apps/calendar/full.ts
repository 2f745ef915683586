/** The calendar in full: beside events and invitations, their details, hours, series, answers, and sharing. */
import { defineApp } from "bowline/world";
import { answerApis } from "./answers.ts";
import { copyApis } from "./copies.ts";
import { categoryApis, detailApis } from "./details.ts";
import { agendaApis, hourApis } from "./hours.ts";
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
