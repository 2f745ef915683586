/** What contacts can do to people. */

import { type Action, dayWords } from "../../../../goals/index.ts";
import type { Writer } from "../../../../world/index.ts";
import {
  couples,
  details,
  gifts,
  meetings,
  type Relationship,
  remarks,
  removedPeople,
} from "../../apps/contacts/tables.ts";
import { groups, members, people } from "../../apps/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { js, ownGroups } from "./common.ts";
import { factsOf, know, part } from "./part.ts";

const join = part("people", "add-to-group", (draw) => {
  const own = ownGroups(draw);
  if (own.length === 0) return undefined;
  const { id: group, name } = draw.rng.pick(own);
  const g = js(name);
  return {
    frames: [
      (noun) => `Add ${noun} to my contact group ${g}`,
      (noun) => `Put ${noun} into the contact group ${g}`,
      (noun) => `Make ${noun} part of my contact group ${g}`,
      (noun) => `Have ${noun} join the contact group ${g}`,
      (noun) => `Let the contact group ${g} include ${noun}`,
    ],
    permits: (db, person) => db.where(members, { group, person }).length === 0,
    apply: (db, person) => db.insert(members, { group, person }),
    call: (x) => `apis.contacts.addToGroup({group:${g},person:${x}})`,
  };
});

const favour = part("people", "favour", () => ({
  frames: [
    (noun) => `In Contacts, give ${noun} the favourite mark`,
    (noun) => `In Contacts, put the favourite mark on ${noun}`,
    (noun) => `In Contacts, add ${noun} to the favourites`,
    (noun) => `Let the favourites in Contacts include ${noun}`,
    (noun) => `In Contacts, make favourites of ${noun}`,
  ],
  permits: (db, id) => !factsOf(db, id).favourite,
  apply: (db, id) => know(db, id, { favourite: true }),
  call: (x) => `apis.contacts.favour({person:${x}})`,
}));

const relate = part("people", "set-relationship", ({ rng }) => {
  const relationship = rng.pick<Relationship>(["colleague", "neighbour", "friend", "acquaintance"]);
  const r = js(relationship);
  return {
    frames: [
      (noun) => `Set the relationship of ${noun} to ${r}`,
      (noun) => `Note ${r} as the relationship of ${noun} to me`,
      (noun) => `In Contacts, change the relationship of ${noun} to ${r}`,
      (noun) => `In Contacts, put ${noun} down as ${r}`,
      (noun) => `In Contacts, let ${r} be the relationship of ${noun}`,
    ],
    permits: (db, id) => factsOf(db, id).relationship !== relationship,
    apply: (db, id) => know(db, id, { relationship }),
    call: (x) => `apis.contacts.setRelationship({person:${x},relationship:${r}})`,
  };
});

const JOBS = [
  ["Ferry Office", "clerk"],
  ["Town Archive", "archivist"],
  ["Rowan Bakery", "baker"],
  ["Sport Hall", "trainer"],
  ["Plane Tree Inn", "waiter"],
] as const;

const employ = part("people", "set-work", ({ rng }) => {
  const [workplace, job] = rng.pick(JOBS);
  return {
    frames: [
      (noun) =>
        `Note in Contacts that ${workplace} is the workplace of ${noun}, the job ${js(job)}`,
      (noun) => `Set the workplace of ${noun} to ${workplace} and the job to ${js(job)}`,
      (noun) => `Change the workplace of ${noun} to ${workplace}, with the job ${js(job)}`,
      (noun) => `In Contacts, give ${noun} the workplace ${workplace} and the job ${js(job)}`,
      (noun) => `Let Contacts show ${workplace} as workplace and ${js(job)} as job of ${noun}`,
    ],
    permits: (db, id) => factsOf(db, id).workplace !== workplace,
    apply: (db, id) => know(db, id, { workplace, job }),
    call: (x) => `apis.contacts.setWork({person:${x},workplace:${js(workplace)},job:${js(job)}})`,
  };
});

const remark = part(
  "people",
  "remark",
  (draw) => {
    const text = draw.value("text");
    const t = text.words;
    return {
      frames: [
        (noun) => `In Contacts, add a remark about ${noun}: ${t}`,
        (noun) => `Write down in Contacts this remark about ${noun}: ${t}`,
        (noun) => `In Contacts, note this remark about ${noun}: ${t}`,
        (noun) => `In Contacts, keep this as a remark about ${noun}: ${t}`,
        (noun) => `Have Contacts hold this remark about ${noun}: ${t}`,
      ],
      permits: (db, person) =>
        text.value.length <= 100 &&
        db.where(remarks, { person }).every((row) => row.text !== text.value),
      apply: (db, person) => db.insert(remarks, { person, text: text.value }),
      call: (x) => `apis.contacts.remark({about:${x},text:${text.code}})`,
      uses: [text],
    };
  },
  "text",
);

const NEW_IDEAS = [
  "a kite",
  "a sewing kit",
  "a pocket atlas",
  "a jar of honey",
  "a door wreath",
  "a folding chair",
];

const gift = part(
  "people",
  "add-gift",
  (draw) => {
    const price = draw.value("money");
    const idea = draw.rng.pick(NEW_IDEAS);
    const [i, m] = [js(idea), price.words];
    return {
      frames: [
        (noun) => `Note the gift idea ${i} for ${noun}, priced at ${m}`,
        (noun) => `In Contacts, add ${i} as a gift idea for ${noun}, at ${m}`,
        (noun) => `In Contacts, put down the gift idea ${i} for ${noun}, with ${m} as the price`,
        (noun) => `Write into Contacts the gift idea ${i} for ${noun}, with ${m} as the price`,
        (noun) => `In Contacts, keep ${i} as a gift idea for ${noun}, at ${m}`,
      ],
      permits: (db, person) => db.where(gifts, { person, idea }).length === 0,
      apply: (db, person) => db.insert(gifts, { person, idea, cents: price.value, given: false }),
      call: (x) => `apis.contacts.addGift({for:${x},idea:${i},amount:${price.code}})`,
      uses: [price],
    };
  },
  "money",
);

const OCCASIONS = ["Walk in the park", "Coffee break", "Market morning", "Train ride", "Film club"];

const meet = part("people", "log-meeting", ({ rng }) => {
  const [day, occasion] = [dayAfter(-rng.integer(1, 20)), rng.pick(OCCASIONS)];
  const [d, o] = [dayWords(day), js(occasion)];
  return {
    frames: [
      (noun) => `Log in Contacts that I met ${noun} on ${d}; the occasion is ${o}`,
      (noun) => `Note in Contacts a meeting with ${noun} on ${d}, with the occasion ${o}`,
      (noun) => `Record in Contacts that on ${d} I met ${noun}, the occasion being ${o}`,
      (noun) => `In Contacts, log ${d} as the day of a meeting with ${noun}, occasion ${o}`,
      (noun) => `Let Contacts know that I met ${noun} on ${d} for the occasion ${o}`,
    ],
    permits: (db, person) => db.where(meetings, { person, day, occasion }).length === 0,
    apply: (db, person) => db.insert(meetings, { person, day, occasion }),
    call: (x) => `apis.contacts.logMeeting({with:${x},day:${js(day)},occasion:${o}})`,
  };
});

const block = part("people", "block", () => ({
  frames: [
    (noun) => `Block ${noun}`,
    (noun) => `In Contacts, put a block on ${noun}`,
    (noun) => `In Contacts, block ${noun}`,
    (noun) => `Use Contacts to block ${noun}`,
    (noun) => `In my contacts, block ${noun}`,
  ],
  permits: (db, id) => db.get(people, id)?.blocked === false,
  apply: (db, id) => db.update(people, id, { blocked: true }),
  call: (x) => `apis.contacts.block({person:${x}})`,
}));

const remove = part("people", "remove", () => ({
  frames: [
    (noun) => `Remove ${noun} from my contacts`,
    (noun) => `Delete ${noun} from my contacts`,
    (noun) => `Take ${noun} out of my contacts`,
    (noun) => `Let ${noun} be gone from my contacts`,
    (noun) => `Strike ${noun} from my contacts`,
  ],
  apply: forget,
  call: (x) => `apis.contacts.remove({person:${x}})`,
}));

/** A card stays; everything that contacts know goes. */
export function forget(db: Writer, person: number): void {
  const { id, ...card } = db.get(people, person)!;
  const joined = db.where(members, { person }).map((row) => db.get(groups, row.group)!.name);
  db.insert(removedPeople, { ...card, groups: joined.toSorted() });
  for (const row of db.where(members, { person })) db.remove(members, row.id);
  for (const row of db.where(details, { person })) db.remove(details, row.id);
  for (const row of db.where(remarks, { person })) db.remove(remarks, row.id);
  for (const row of db.where(meetings, { person })) db.remove(meetings, row.id);
  for (const row of db.where(gifts, { person })) db.remove(gifts, row.id);
  for (const row of db.where(couples, { first: person })) db.remove(couples, row.id);
  for (const row of db.where(couples, { second: person })) db.remove(couples, row.id);
  db.remove(people, id);
}

export const peopleActions: readonly Action[] = [
  join,
  favour,
  relate,
  employ,
  remark,
  gift,
  meet,
  block,
  remove,
];
