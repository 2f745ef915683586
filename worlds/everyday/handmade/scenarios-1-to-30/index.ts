/** Handmade scenarios 1 to 30, which use contacts, messages, mail, calendar, notes, todo and files. */
import type { HandmadeScenario } from "../scenario.ts";
import { calendarScenarios } from "./calendar.ts";
import { gatheringScenarios } from "./gatherings.ts";
import { inboxScenarios } from "./inbox.ts";
import { lookupScenarios } from "./lookups.ts";
import { mailScenarios } from "./mail.ts";
import { notesTodosFilesScenarios } from "./notes-todos-files.ts";
import { paperScenarios } from "./papers.ts";
import { peopleScenarios } from "./people.ts";

export const scenarios1To30: readonly HandmadeScenario[] = [
  ...peopleScenarios,
  ...notesTodosFilesScenarios,
  ...mailScenarios,
  ...inboxScenarios,
  ...lookupScenarios,
  ...calendarScenarios,
  ...gatheringScenarios,
  ...paperScenarios,
];
