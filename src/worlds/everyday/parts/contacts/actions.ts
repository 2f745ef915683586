/** What contacts can do to people, and to the gifts, remarks, meetings and groups that belong to them. */
import {
  type ActionSpec,
  actions,
  dayWords,
  giving,
  js,
  listOf,
  type Tagged,
} from "../../../../goals/index.ts";
import type { TableRow, Writer } from "../../../../world/index.ts";
import {
  couples,
  details,
  type Gift,
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

const peopleActions = actions(
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
    remark: giving("text", ({ value: text, code }) =>
      adds(remarks, ({ id: person }) => ({ person, text }), {
        when: ({ id: person }, db) =>
          text.length <= 100 && db.where(remarks, { person }).every((row) => row.text !== text),
        call: `apis.contacts.remark({about:x,text:${code}})`,
      }),
    )`In Contacts, add a remark about #: $ | Write down in Contacts this remark about #: $
      | In Contacts, note this remark about #: $ | In Contacts, keep this as a remark about #: $
      | Have Contacts hold this remark about #: $`,
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
    block: sets({ blocked: true }, { when: { blocked: false }, api: "block" })`Block #
      | In Contacts, put a block on # | In Contacts, block # | Use Contacts to block #
      | In my contacts, block #`,
    remove: does(forget, { when: there, api: "remove" })`Remove # from my contacts
      | Delete # from my contacts | Take # out of my contacts | Let # be gone from my contacts
      | Strike # from my contacts`,
  }),
);

// --- what belongs to people ---

const isOpen = ({ given }: Gift) => !given;

/** In the words for whatever is noted about people. */
const dropped = <R extends TableRow>(removal: Tagged<ActionSpec<R>>) =>
  removal`Remove # | Delete # | Drop # from Contacts | Strike # from Contacts | Discard #`;

const giftActions = actions(
  { kind: "gifts", app: "contacts", table: gifts },
  ({ removes, sets }) => ({
    give: sets({ given: true }, { when: isOpen, api: "giveGift" })`Mark # as given
      | Note in Contacts that I gave # | Set # to given | Let Contacts count # as given
      | Record # as given`,
    reprice: giving("money", ({ value: cents, code }) =>
      sets(
        { cents },
        {
          when: (gift) => isOpen(gift) && gift.cents !== cents,
          api: "repriceGift",
          args: `amount:${code}`,
        },
      ),
    )`Change the price of # to $ | Set the price of # to $ | Let the price of # be $
      | Correct the price of # to $ | Note $ as the price of #`,
    drop: dropped(removes({ when: isOpen, api: "dropGift" })),
  }),
);

const remarkActions = actions(
  { kind: "remarks", app: "contacts", table: remarks },
  ({ removes, sets }) => ({
    drop: dropped(removes({ when: there, api: "dropRemark" })),
    change: giving("text", ({ value: text, code }) =>
      sets(
        { text },
        {
          when: (remark) => text.length <= 100 && remark.text !== text,
          api: "changeRemark",
          args: `text:${code}`,
        },
      ),
    )`Change the text of # to $ | Replace the text of # by $ | Let # read $ from now on
      | Rewrite # as $ | Put $ in place of the text of #`,
  }),
);

const meetingActions = actions(
  { kind: "meetings", app: "contacts", table: meetings },
  ({ removes }) => ({ drop: dropped(removes({ when: there, api: "dropMeeting" })) }),
);

const groupActions = actions(
  { kind: "groups", app: "contacts", table: groups, key: "group" },
  ({ adds, does, drawn }) => ({
    remove: does(
      (db, { id: group }) => {
        for (const { id } of db.where(members, { group })) db.remove(members, id);
        db.remove(groups, group);
      },
      { when: there, api: "removeGroup" },
    )`Remove #, but keep everybody as contacts | Delete # while keeping the people
      | Dissolve #; everybody stays in my contacts
      | Get rid of # without removing anyone from my contacts
      | Do away with #, though not with the contacts in it`,
    "add-person": drawn((draw) => {
      const named = draw.person();
      if (!named) return undefined;
      const { value, words, code } = named;
      const place = (group: number) => ({ group, person: value.id });
      return adds(members, ({ id }) => place(id), {
        when: ({ id }, db) => db.where(members, place(id)).length === 0,
        api: "addToGroup",
        args: `person:${code}`,
        uses: [named],
      })`Add ${words} to # | Put ${words} into # | Make ${words} a member of # | Let ${words} join #
        | Have ${words} become part of #`;
    }),
  }),
);

export const contactActions = [
  ...peopleActions,
  ...giftActions,
  ...remarkActions,
  ...meetingActions,
  ...groupActions,
];
