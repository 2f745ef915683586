/** From events to people and back: guests, hosts, by what guests answered, and who proposed another time. */

import { eachOf, type Forms, type Relation } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { answers, type GuestAnswer, proposals } from "../../apps/calendar/tables.ts";
import { events } from "../../apps/tables.ts";
import { attendees, guestsOf, own, silentOf, TODAY } from "./words.ts";

const distinct = (ids: readonly number[]) => [...new Set(ids)];

/** `each` is an expression over the key `x` that gives a list of keys. */
const gather = (each: string) => (from: string, to: string) => [
  `var ${to}=[...new Set(${from}.flatMap(x=>${each}))];print(${to})`,
];

function guests(kind: string): Relation {
  return {
    name: `guests-of-${kind}`,
    from: kind,
    to: "people",
    app: "calendar",
    words: [
      (noun) => `the guests of ${noun}`,
      (noun) => `everyone on the guest list of ${noun}`,
      (noun) => `the people on the guest list of ${noun}`,
      (noun) => `whoever is a guest of ${noun}`,
      (noun) => `all the people invited as guests to ${noun}`,
    ],
    each: eachOf("is a guest of"),
    map: (db, ids) => distinct(ids.flatMap((id) => guestsOf(db, id))),
    cells: gather("apis.calendar.guests({id:x,size:20}).items.map(g=>g.handle)"),
  };
}

function hosts(kind: string): Relation {
  return {
    name: `hosts-of-${kind}`,
    from: kind,
    to: "people",
    app: "calendar",
    words: [
      (noun) => `the hosts of ${noun}`,
      (noun) => `everyone else who hosts one or more of these: ${noun}`,
      (noun) => `the other people who host ${noun}`,
      (noun) => `whoever other than me is the host of ${noun}`,
      (noun) => `the people other than me that host ${noun}`,
    ],
    map: (db, ids) => distinct(ids.flatMap((id) => db.get(events, id)!.host ?? [])),
    cells: gather("[apis.calendar.show({id:x}).host].filter(Boolean)"),
  };
}

const said = (answer: GuestAnswer) => (db: Reader, event: number) =>
  guestsOf(db, event).filter((person) => db.where(answers, { event, person, answer }).length > 0);

function answered(answer: GuestAnswer | "open", words: Forms<(noun: string) => string>): Relation {
  const find = answer === "open" ? silentOf : said(answer);
  return {
    name: `guests-saying-${answer}`,
    from: "events",
    to: "people",
    app: "calendar",
    words,
    map: (db, ids) => distinct(ids.flatMap((id) => find(db, id))),
    cells: gather(
      `apis.calendar.answers({id:x,answer:${JSON.stringify(answer)},size:20}).items.map(g=>g.handle)`,
    ),
  };
}

/** By who says what. */
const saying = (what: string): Forms<(noun: string) => string> => [
  (noun) => `the guests whose answer to ${noun} is "${what}"`,
  (noun) => `everyone who answered "${what}" as a guest of ${noun}`,
  (noun) => `the guests of ${noun} who said "${what}"`,
  (noun) => `whoever said "${what}" as a guest of ${noun}`,
  (noun) => `the guests who gave the answer "${what}" to ${noun}`,
];

const proposers: Relation = {
  name: "proposers",
  from: "proposals",
  to: "people",
  app: "calendar",
  words: [
    (noun) => `the people who made ${noun}`,
    (noun) => `everyone who made one or more of these: ${noun}`,
    (noun) => `the guests behind ${noun}`,
    (noun) => `whoever made ${noun}`,
    (noun) => `the authors of ${noun}`,
  ],
  map: (db, ids) => distinct(ids.flatMap((id) => db.get(proposals, id)!.person ?? [])),
  cells: gather("apis.calendar.proposals({size:20}).items.filter(p=>p.id===x).map(p=>p.by)"),
};

const proposedEvents: Relation = {
  name: "events-of-proposals",
  from: "proposals",
  to: "events",
  app: "calendar",
  words: [
    (noun) => `the events for which I got ${noun}`,
    (noun) => `the events of mine that have ${noun}`,
    (noun) => `the events behind ${noun}`,
    (noun) => `whichever events got ${noun}`,
    (noun) => `the events that are the subject of ${noun}`,
  ],
  map: (db, ids) => distinct(ids.map((id) => db.get(proposals, id)!.event)),
  cells: gather("apis.calendar.proposals({size:20}).items.filter(p=>p.id===x).map(p=>p.event)"),
};

const eventsWith: Relation = {
  name: "own-events-with",
  from: "people",
  to: "events",
  app: "calendar",
  words: [
    (noun) => `my own events from today on with a guest who is among ${noun}`,
    (noun) => `all events that I host today or later to which someone among ${noun} is invited`,
    (noun) => `every event of mine from today on whose guests include someone among ${noun}`,
    (noun) => `the events I host today or later that have guests from among ${noun}`,
    (noun) => `those of my own events from today on with at least one guest among ${noun}`,
  ],
  map: (db, ids) => {
    const wanted = new Set(ids);
    const hit = (id: number) => guestsOf(db, id).some((person) => wanted.has(person));
    return db.all(events).flatMap((row) => (own(row) && hit(row.id) ? [row.id] : []));
  },
  cells: gather(
    `apis.calendar.agenda({since:${JSON.stringify(TODAY)},hosted:"me",with:x,size:20}).items.map(e=>e.id)`,
  ),
};

const everyone: Relation = {
  name: "company-of-past-events",
  from: "pastEvents",
  to: "people",
  app: "calendar",
  words: [
    (noun) => `the hosts and guests of ${noun}, me excluded`,
    (noun) => `everyone but me who was host or guest of ${noun}`,
    (noun) => `all people other than me who hosted or were guests of ${noun}`,
    (noun) => `whoever besides me took part in ${noun} as host or guest`,
    (noun) => `the people besides me who were hosts or guests of ${noun}`,
  ],
  map: (db, ids) => distinct(ids.flatMap((id) => attendees(db, db.get(events, id)!))),
  cells: gather(
    "[apis.calendar.show({id:x}).host,...apis.calendar.guests({id:x,size:20}).items.map(g=>g.handle)].filter(Boolean)",
  ),
};

export const calendarRelations: readonly Relation[] = [
  guests("events"),
  guests("pastEvents"),
  hosts("acceptedEvents"),
  hosts("invitations"),
  hosts("pastEvents"),
  answered("yes", saying("yes")),
  answered("no", saying("no")),
  answered("maybe", saying("maybe")),
  answered("open", [
    (noun) => `the guests whose answer to ${noun} is still open`,
    (noun) => `everyone invited to ${noun} whose answer to it is missing`,
    (noun) => `the guests who still owe an answer to ${noun}`,
    (noun) => `whoever is a guest of ${noun} and has not answered it`,
    (noun) => `the guests whose answer to ${noun} is missing so far`,
  ]),
  proposers,
  proposedEvents,
  eventsWith,
  everyone,
];
