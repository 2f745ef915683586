/** Actions on contacts, and on the gifts, remarks, meetings and groups that belong to them. */
import {
  type ActionKit,
  type ActionSpec,
  actions,
  actionWithValue,
  customIngredient,
  dayInWords,
  jsLiteral,
  type NeedsPhrase,
  oneOf,
  someone,
  taskValue,
  wordList,
} from "bowline/goals";
import type { Table, TableRow, Writer } from "bowline/world";
import {
  couples,
  details,
  gifts,
  meetings,
  remarks,
  removedPeople,
} from "../../apps/contacts/tables.ts";
import { groups, members, type Person, people } from "../../apps/tables.ts";
import { dayFromStart } from "../../population/time.ts";
import { drawNameableGroup } from "./contacts-and-messages.ts";
import { type Facts, readFacts, writeFacts } from "./facts.ts";
import { NAMEABLE_RELATIONSHIPS } from "./people.ts";

const JOBS = [
  ["Ferry Office", "clerk"],
  ["Town Archive", "archivist"],
  ["Rowan Bakery", "baker"],
  ["Sport Hall", "trainer"],
  ["Plane Tree Inn", "waiter"],
] as const;

const NEW_IDEAS = wordList(
  "a kite | a sewing kit | a pocket atlas | a jar of honey | a door wreath | a folding chair",
);

const OCCASIONS = wordList(
  "Walk in the park | Coffee break | Market morning | Train ride | Film club",
);

const TABLES_OF_PERSON = [members, details, remarks, meetings, gifts] as readonly Table<
  TableRow & { readonly person: number }
>[];

/** Removes a contact and all facts about the contact. Only a card is kept. */
function removeContact(db: Writer, { id: person, ...card }: Person): void {
  const groupNames = db.where(members, { person }).map((row) => db.get(groups, row.group)!.name);
  db.insert(removedPeople, { ...card, groups: groupNames.toSorted() });
  for (const table of TABLES_OF_PERSON) {
    for (const { id } of db.where(table, { person })) db.remove(table, id);
  }
  for (const row of db.all(couples)) {
    if (row.first === person || row.second === person) db.remove(couples, row.id);
  }
  db.remove(people, person);
}

/**
 * Makes an action that sets facts about people. It applies only to people for whom the facts have other values so far.
 */
const setFactsAction = (
  applies: ActionKit<Person>["applies"],
  facts: Partial<Facts>,
  api: string,
  args = "",
) =>
  applies((db, { id }) => writeFacts(db, id, facts), {
    when: ({ id }, db) => {
      const [[fact, value]] = Object.entries(facts) as [[keyof Facts, unknown]];
      return readFacts(db, id)[fact] !== value;
    },
    api,
    args,
  });

const peopleActions = actions(
  { kind: "people", app: "contacts", table: people, key: "person" },
  ({ addsRow, changesTo, applies, actionWith, actionWithOne, drawnAction }) => ({
    "add-to-group": actionWithOne(drawNameableGroup, ({ value: { id: group }, code }) =>
      addsRow(members, ({ id: person }) => ({ group, person }), {
        when: ({ id: person }, db) => db.where(members, { group, person }).length === 0,
        call: `apis.contacts.addToGroup({group:${code},person:x})`,
      }),
    )`Add # to my contact group "$" | Put # into the contact group "$"
      | Make # part of my contact group "$" | Have # join the contact group "$"
      | Let the contact group "$" include #`,
    favour: setFactsAction(
      applies,
      { favourite: true },
      "favour",
    )`In Contacts, give # the favourite mark
      | In Contacts, put the favourite mark on # | In Contacts, add # to the favourites
      | Let the favourites in Contacts include # | In Contacts, count # among the favourites`,
    "set-relationship": actionWithOne(
      oneOf(NAMEABLE_RELATIONSHIPS),
      ({ value: relationship, code }) =>
        setFactsAction(applies, { relationship }, "setRelationship", `relationship:${code}`),
    )`Set the relationship of # to "$" | Note "$" as the relationship of # to me
      | In Contacts, change the relationship of # to "$" | In Contacts, put # down as "$"
      | In Contacts, let "$" be the relationship of #`,
    "set-work": drawnAction(({ rng }) => {
      const [workplace, job] = rng.pick(JOBS);
      const args = `workplace:${jsLiteral(workplace)},job:${jsLiteral(job)}`;
      return setFactsAction(applies, { workplace, job }, "setWork", args)`
        Note in Contacts that ${workplace} is the workplace of #, the job "${job}"
        | Set the workplace of # to ${workplace} and the job to "${job}"
        | Change the workplace of # to ${workplace}, with the job "${job}"
        | In Contacts, give # the workplace ${workplace} and the job "${job}"
        | For #, let Contacts show ${workplace} as the workplace and "${job}" as the job`;
    }),
    remark: actionWithValue("text", ({ value: text, code }) =>
      addsRow(remarks, ({ id: person }) => ({ person, text }), {
        when: ({ id: person }, db) =>
          text.length <= 100 && db.where(remarks, { person, text }).length === 0,
        call: `apis.contacts.remark({person:x,text:${code}})`,
      }),
    )`In Contacts, add a remark about #: $ | Write down in Contacts this remark about #: $
      | In Contacts, note this remark about #: $ | In Contacts, keep this as a remark about #: $
      | Have Contacts hold this remark about #: $`,
    "add-gift": actionWith(
      { price: taskValue("money"), idea: oneOf(NEW_IDEAS) },
      ({ price: { value: cents, code }, idea: { value: idea, ...what } }) =>
        addsRow(gifts, ({ id: person }) => ({ person, idea, cents, given: false }), {
          when: ({ id: person }, db) => db.where(gifts, { person, idea }).length === 0,
          call: `apis.contacts.addGift({person:x,idea:${what.code},amount:${code}})`,
        }),
    )`Note the gift idea "$idea" for #, priced at $price
      | In Contacts, add "$idea" as a gift idea for #, at $price
      | In Contacts, put down the gift idea "$idea" for #, with $price as the price
      | Write into Contacts the gift idea "$idea" for #, with $price as the price
      | In Contacts, keep "$idea" as a gift idea for #, at $price`,
    "log-meeting": actionWith(
      {
        date: customIngredient(({ rng }) => dayFromStart(-rng.integer(1, 20)), dayInWords),
        occasion: oneOf(OCCASIONS),
      },
      ({ date, occasion }) => {
        const row = { day: date.value, occasion: occasion.value };
        return addsRow(meetings, ({ id: person }) => ({ person, ...row }), {
          when: ({ id: person }, db) => db.where(meetings, { person, ...row }).length === 0,
          call: `apis.contacts.logMeeting({person:x,day:${date.code},occasion:${occasion.code}})`,
        });
      },
    )`Log in Contacts that I met # on $date; the occasion is "$occasion"
      | Note in Contacts a meeting with # on $date, with the occasion "$occasion"
      | Record in Contacts that on $date I met #, the occasion being "$occasion"
      | In Contacts, log $date as the day of a meeting with #, occasion "$occasion"
      | Let Contacts know that I met # on $date for the occasion "$occasion"`,
    block: changesTo({ blocked: true }, { api: "block" })`Block # | In Contacts, put a block on #
      | In Contacts, block # | Use Contacts to block # | In my contacts, block #`,
    remove: applies(removeContact, { when: {}, api: "remove" })`Remove # from my contacts
      | Delete # from my contacts | Take # out of my contacts | Let # no longer be in my contacts
      | Strike # from my contacts`,
  }),
);

/** Completes an action that removes something that the owner noted about people, by its phrase. */
const withDropPhrase = <R extends TableRow>(removal: NeedsPhrase<ActionSpec<R>>) =>
  removal`Remove # | Delete # | Drop # from Contacts | Strike # from Contacts | Discard #`;

const giftActions = actions(
  { kind: "gifts", app: "contacts", table: gifts, when: { given: false } },
  ({ setsToDrawn, removesRow, sets }) => ({
    give: sets({ given: true }, { api: "giveGift" })`Mark # as given
      | Note in Contacts that I gave # | Set # to given | Let Contacts count # as given
      | Record # as given`,
    reprice: setsToDrawn("cents", taskValue("money"), { api: "repriceGift", arg: "amount" })`
      Change the price of # to $ | Set the price of # to $ | Let the price of # be $
      | Correct the price of # to $ | Note $ as the price of #`,
    drop: withDropPhrase(removesRow({ api: "dropGift" })),
  }),
);

const remarkActions = actions(
  { kind: "remarks", app: "contacts", table: remarks, when: {} },
  ({ removesRow, changesTo }) => ({
    drop: withDropPhrase(removesRow({ api: "dropRemark" })),
    change: actionWithValue("text", ({ value: text, code }) =>
      changesTo(
        { text },
        { when: () => text.length <= 100, api: "changeRemark", args: `text:${code}` },
      ),
    )`Change the text of # to $ | Replace the text of # by $ | Let # read $ from now on
      | Rewrite # as $ | Put $ in place of the text of #`,
  }),
);

const meetingActions = actions(
  { kind: "meetings", app: "contacts", table: meetings },
  ({ removesRow }) => ({ drop: withDropPhrase(removesRow({ when: {}, api: "dropMeeting" })) }),
);

const groupActions = actions(
  { kind: "groups", app: "contacts", table: groups, key: "group" },
  ({ addsRow, applies, actionWithOne }) => ({
    remove: applies(
      (db, { id: group }) => {
        for (const { id } of db.where(members, { group })) db.remove(members, id);
        db.remove(groups, group);
      },
      { when: {}, api: "removeGroup" },
    )`Remove #, but keep everybody as contacts | Delete # while keeping the people
      | Dissolve #; everybody stays in my contacts
      | Get rid of # without removing anyone from my contacts
      | Do away with #, though not with the contacts in it`,
    "add-person": actionWithOne(someone(), ({ value, code }) => {
      const membership = (group: number) => ({ group, person: value.id });
      return addsRow(members, ({ id }) => membership(id), {
        when: ({ id }, db) => db.where(members, membership(id)).length === 0,
        api: "addToGroup",
        args: `person:${code}`,
      });
    })`Add $ to # | Put $ into # | Make $ a member of # | Let $ join # | Have $ become part of #`,
  }),
);

export const contactActions = [
  ...peopleActions,
  ...giftActions,
  ...remarkActions,
  ...meetingActions,
  ...groupActions,
];
