/** The parts of goals that the calendar app contributes. */
import type { Parts } from "bowline/goals";
import { eventActions } from "./calendar/event-actions.ts";
import { eventCollections } from "./calendar/events.ts";
import { moreCalendarActions } from "./calendar/more-actions.ts";
import { otherCalendarCollections } from "./calendar/other-collections.ts";
import { calendarRelations } from "./calendar/relations.ts";
import { calendarDeeds, calendarFacts, calendarSources } from "./calendar/sources-facts-deeds.ts";

export const calendarParts: Parts = {
  collections: [...eventCollections, ...otherCalendarCollections],
  relations: calendarRelations,
  actions: [...eventActions, ...moreCalendarActions],
  sources: calendarSources,
  facts: calendarFacts,
  deeds: calendarDeeds,
};
