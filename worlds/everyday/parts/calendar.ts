/** The parts of goals that the calendar app contributes. */
import type { Parts } from "bowline/goals";
import { eventActions } from "./calendar/event-actions.ts";
import { eventSets } from "./calendar/events.ts";
import { calendarRelations } from "./calendar/joins.ts";
import { moreCalendarActions } from "./calendar/more-actions.ts";
import { calendarDeeds, calendarFacts, calendarSources } from "./calendar/once.ts";
import { otherSets } from "./calendar/other-sets.ts";

export const calendarParts: Parts = {
  collections: [...eventSets, ...otherSets],
  relations: calendarRelations,
  actions: [...eventActions, ...moreCalendarActions],
  sources: calendarSources,
  facts: calendarFacts,
  deeds: calendarDeeds,
};
