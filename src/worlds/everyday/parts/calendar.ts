/** What the calendar brings to the goal algebra. */
import type { Parts } from "../../../goals/index.ts";
import { eventActions } from "./calendar/event-actions.ts";
import {
  cancelledEvents,
  invitations,
  otherEvents,
  ownEvents,
  pastEvents,
} from "./calendar/events.ts";
import { calendarRelations } from "./calendar/joins.ts";
import { moreCalendarActions } from "./calendar/more-actions.ts";
import { calendarDeeds, calendarFacts, calendarSources } from "./calendar/once.ts";
import { calendarOwners, guestProposals, shares, viewers } from "./calendar/other-sets.ts";

export const calendarParts: Parts = {
  collections: [
    ownEvents,
    otherEvents,
    pastEvents,
    cancelledEvents,
    invitations,
    guestProposals,
    viewers,
    shares,
    calendarOwners,
  ],
  relations: calendarRelations,
  actions: [...eventActions, ...moreCalendarActions],
  sources: calendarSources,
  facts: calendarFacts,
  deeds: calendarDeeds,
};
