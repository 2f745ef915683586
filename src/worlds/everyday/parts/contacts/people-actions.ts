/** What contacts can do to people. */
import { type Action, actions, dayWords, js, listOf } from "../../../../goals/index.ts";
import type { Writer } from "../../../../world/index.ts";
import {
  couples,
  details,
  gifts,
  meetings,
  remarks,
  removedPeople,
} from "../../apps/contacts/tables.ts";
import { groups, members, type Person, people } from "../../apps/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { ownGroups } from "./common.ts";
import { factsOf, know, there } from "./facts.ts";
import { SAYABLE } from "./people.ts";

const JOBS = [
  ["Ferry Office", "clerk"],
  ["Town Archive", "archivist"],
  ["Rowan Bakery", "baker"],
  ["Sport Hall", "trainer"],
  ["Plane Tree Inn", "waiter"],
] as const;

const NEW_IDEAS = listOf(
  "a kite | a sewing kit | a pocket atlas | a jar of honey | a door wreath | a folding chair",
);

const OCCASIONS = ["Walk in the park", "Coffee break", "Market morning", "Train ride", "Film club"];

/** A card stays; everything that contacts know goes. */
function forget(db: Writer, { id: person, ...card }: Person): void {
  const joined = db.where(members, { person }).map((row) => db.get(groups, row.group)!.name);
  db.insert(removedPeople, { ...card, groups: joined.toSorted() });
  for (const row of db.where(members, { person })) db.remove(members, row.id);
  for (const row of db.where(details, { person })) db.remove(details, row.id);
  for (const row of db.where(remarks, { person })) db.remove(remarks, row.id);
  for (const row of db.where(meetings, { person })) db.remove(meetings, row.id);
  for (const row of db.where(gifts, { person })) db.remove(gifts, row.id);
  for (const row of db.where(couples, { first: person })) db.remove(couples, row.id);
  for (const row of db.where(couples, { second: person })) db.remove(couples, row.id);
  db.remove(people, person);
}

export const peopleActions: readonly Action[] = actions(
  { kind: "people", app: "contacts", table: people, key: "person" },
  ({ adds, does, drawn, sets, taking }) => ({
    "add-to-group": drawn((draw) => {
      const own = ownGroups(draw);
      if (own.length === 0) return undefined;
      const { id: group, name } = draw.rng.pick(own);
      return adds(members, ({ id: person }) => ({ group, person }), {
        when: ({ id: person }, db) => db.where(members, { group, person }).length === 0,
        call: `apis.contacts.addToGroup({group:${js(name)},person:x})`,
      })`Add # to my contact group "${name}" | Put # into the contact group "${name}"
        | Make # part of my contact group "${name}" | Have # join the contact group "${name}"
        | Let the contact group "${name}" include #`;
    }),
    favour: does((db, { id }) => know(db, id, { favourite: true }), {
      when: ({ id }, db) => !factsOf(db, id).favourite,
      api: "favour",
    })`In Contacts, give # the favourite mark | In Contacts, put the favourite mark on #
      | In Contacts, add # to the favourites | Let the favourites in Contacts include #
      | In Contacts, make favourites of #`,
    "set-relationship": drawn(({ rng }) => {
      const relationship = rng.pick(SAYABLE);
      return does((db, { id }) => know(db, id, { relationship }), {
        when: ({ id }, db) => factsOf(db, id).relationship !== relationship,
        api: "setRelationship",
        args: `relationship:${js(relationship)}`,
      })`Set the relationship of # to "${relationship}"
        | Note "${relationship}" as the relationship of # to me
        | In Contacts, change the relationship of # to "${relationship}"
        | In Contacts, put # down as "${relationship}"
        | In Contacts, let "${relationship}" be the relationship of #`;
    }),
    "set-work": drawn(({ rng }) => {
      const [workplace, job] = rng.pick(JOBS);
      return does((db, { id }) => know(db, id, { workplace, job }), {
        when: ({ id }, db) => factsOf(db, id).workplace !== workplace,
        api: "setWork",
        args: `workplace:${js(workplace)},job:${js(job)}`,
      })`Note in Contacts that ${workplace} is the workplace of #, the job "${job}"
        | Set the workplace of # to ${workplace} and the job to "${job}"
        | Change the workplace of # to ${workplace}, with the job "${job}"
        | In Contacts, give # the workplace ${workplace} and the job "${job}"
        | Let Contacts show ${workplace} as workplace and "${job}" as job of #`;
    }),
    remark: taking(
      "text",
      ({ value: text, words, code }) =>
        adds(remarks, ({ id: person }) => ({ person, text }), {
          when: ({ id: person }, db) =>
            text.length <= 100 && db.where(remarks, { person }).every((row) => row.text !== text),
          call: `apis.contacts.remark({about:x,text:${code}})`,
        })`In Contacts, add a remark about #: ${words}
        | Write down in Contacts this remark about #: ${words}
        | In Contacts, note this remark about #: ${words}
        | In Contacts, keep this as a remark about #: ${words}
        | Have Contacts hold this remark about #: ${words}`,
    ),
    "add-gift": taking("money", ({ value: cents, words, code }, { rng }) => {
      const idea = rng.pick(NEW_IDEAS);
      return adds(gifts, ({ id: person }) => ({ person, idea, cents, given: false }), {
        when: ({ id: person }, db) => db.where(gifts, { person, idea }).length === 0,
        call: `apis.contacts.addGift({for:x,idea:${js(idea)},amount:${code}})`,
      })`Note the gift idea "${idea}" for #, priced at ${words}
        | In Contacts, add "${idea}" as a gift idea for #, at ${words}
        | In Contacts, put down the gift idea "${idea}" for #, with ${words} as the price
        | Write into Contacts the gift idea "${idea}" for #, with ${words} as the price
        | In Contacts, keep "${idea}" as a gift idea for #, at ${words}`;
    }),
    "log-meeting": drawn(({ rng }) => {
      const [day, occasion] = [dayAfter(-rng.integer(1, 20)), rng.pick(OCCASIONS)];
      const date = dayWords(day);
      return adds(meetings, ({ id: person }) => ({ person, day, occasion }), {
        when: ({ id: person }, db) => db.where(meetings, { person, day, occasion }).length === 0,
        call: `apis.contacts.logMeeting({with:x,day:${js(day)},occasion:${js(occasion)}})`,
      })`Log in Contacts that I met # on ${date}; the occasion is "${occasion}"
        | Note in Contacts a meeting with # on ${date}, with the occasion "${occasion}"
        | Record in Contacts that on ${date} I met #, the occasion being "${occasion}"
        | In Contacts, log ${date} as the day of a meeting with #, occasion "${occasion}"
        | Let Contacts know that I met # on ${date} for the occasion "${occasion}"`;
    }),
    block: sets({ blocked: true }, { when: ({ blocked }) => !blocked, api: "block" })`Block #
      | In Contacts, put a block on # | In Contacts, block # | Use Contacts to block #
      | In my contacts, block #`,
    remove: does(forget, { when: there, api: "remove" })`Remove # from my contacts
      | Delete # from my contacts | Take # out of my contacts | Let # be gone from my contacts
      | Strike # from my contacts`,
  }),
);
