/** Relations from events and proposals to guests and hosts, and back. */
import {
  distinctFromEach,
  everyoneWhoDoesToEach,
  jsLiteral,
  referencedIn,
  relationBetween,
  relations,
} from "bowline/goals";
import { answers, type GuestAnswer, proposals } from "../../apps/calendar/tables.ts";
import { events } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import {
  idsOfAttendees,
  idsOfGuests,
  idsOfSilentGuests,
  isOwnUpcomingEvent,
} from "./events-and-columns.ts";

/** Writes the distinct keys for all keys `x`. `expression` gives a list of keys for one `x`. */
const distinctForEachKey = (expression: string) => distinctFromEach(expression, "x");

const guestsRelation = (from: string) =>
  relationBetween(from, "people", {
    wordsForEach: everyoneWhoDoesToEach("is a guest of"),
    relatedIds: (id, db) => idsOfGuests(db, id),
    code: distinctForEachKey("apis.calendar.guests({id:x,size:20}).items.map(g=>g.handle)"),
  })`the guests of # | everyone on the guest list of # | the people on the guest list of #
    | whoever is a guest of # | all the people invited as guests to #`;

const hostsRelation = (from: string) =>
  relationBetween(from, "people", {
    relatedIds: referencedIn(events, "host"),
    code: distinctForEachKey("[apis.calendar.show({id:x}).host].filter(Boolean)"),
  })`the hosts of # | everyone else who hosts one or more of # | the other people who host #
    | whoever other than me is the host of # | the people other than me that host #`;

const guestsWithAnswerCode = (answer: string) =>
  distinctForEachKey(
    `apis.calendar.answers({id:x,answer:${jsLiteral(answer)},size:20}).items.map(g=>g.handle)`,
  );

const guestsWithAnswerRelation = (answer: GuestAnswer) =>
  relationBetween("events", "people", {
    relatedIds: (event, db) =>
      idsOfGuests(db, event).filter(
        (person) => db.where(answers, { event, person, answer }).length > 0,
      ),
    code: guestsWithAnswerCode(answer),
  })`the guests whose answer to # is "${answer}" | everyone who answered "${answer}" as a guest of #
    | the guests of # who said "${answer}" | whoever said "${answer}" as a guest of #
    | the guests who gave the answer "${answer}" to #`;

const propertyOfProposalsCode = (property: string) =>
  distinctForEachKey(
    `apis.calendar.proposals({size:20}).items.filter(p=>p.id===x).map(p=>p.${property})`,
  );

export const calendarRelations = relations("calendar", {
  "guests-of-events": guestsRelation("events"),
  "guests-of-pastEvents": guestsRelation("pastEvents"),
  "hosts-of-acceptedEvents": hostsRelation("acceptedEvents"),
  "hosts-of-invitations": hostsRelation("invitations"),
  "hosts-of-pastEvents": hostsRelation("pastEvents"),
  "guests-saying-yes": guestsWithAnswerRelation("yes"),
  "guests-saying-no": guestsWithAnswerRelation("no"),
  "guests-saying-maybe": guestsWithAnswerRelation("maybe"),
  "guests-saying-open": relationBetween("events", "people", {
    relatedIds: (id, db) => idsOfSilentGuests(db, id),
    code: guestsWithAnswerCode("open"),
  })`the guests whose answer to # is still open
    | everyone invited to # whose answer to it is missing | the guests who still owe an answer to #
    | whoever is a guest of # and has not answered it
    | the guests whose answer to # is missing so far`,
  proposers: relationBetween("proposals", "people", {
    relatedIds: referencedIn(proposals, "person"),
    code: propertyOfProposalsCode("by"),
  })`the people who made # | everyone who made one or more of # | the guests behind #
    | whoever made # | the authors of #`,
  "events-of-proposals": relationBetween("proposals", "events", {
    relatedIds: referencedIn(proposals, "event"),
    code: propertyOfProposalsCode("event"),
  })`the events for which I got # | the events of mine that have # | the events behind #
    | whichever events got # | the events that are the subject of #`,
  "own-events-with": relationBetween("people", "events", {
    map: (db, ids) => {
      const wanted = new Set(ids);
      const hasWantedGuest = (id: number) =>
        idsOfGuests(db, id).some((person) => wanted.has(person));
      return db
        .all(events)
        .flatMap((row) => (isOwnUpcomingEvent(row) && hasWantedGuest(row.id) ? [row.id] : []));
    },
    code: distinctForEachKey(
      `apis.calendar.list({since:${jsLiteral(TODAY)},hosted:"me",person:x,size:20}).items.map(e=>e.id)`,
    ),
  })`my own events from today on with a guest who is among #
    | all events that I host today or later to which someone among # is invited
    | every event of mine from today on whose guests include someone among #
    | the events I host today or later that have guests from among #
    | those of my own events from today on with at least one guest among #`,
  "company-of-past-events": relationBetween("pastEvents", "people", {
    relatedIds: (id, db) => idsOfAttendees(db, db.get(events, id)!),
    code: distinctForEachKey(
      "[apis.calendar.show({id:x}).host,...apis.calendar.guests({id:x,size:20}).items.map(g=>g.handle)].filter(Boolean)",
    ),
  })`the hosts and guests of #, me excluded | everyone but me who was host or guest of #
    | all people other than me who hosted or were guests of #
    | whoever besides me took part in # as host or guest
    | the people besides me who were hosts or guests of #`,
});
