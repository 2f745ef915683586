/** Single tasks in contacts: adding a contact or a group, noting a couple, merging and restoring contacts. */
import {
  customIngredient,
  type DrawContext,
  deed,
  deeds,
  deedWithOne,
  drawnDeed,
  jsLiteral,
  oneOf,
  type Person,
  someone,
  type Value,
  wordList,
} from "bowline/goals";
import { couples, details, gifts, remarks, removedPeople } from "../../apps/contacts/tables.ts";
import { makeHandle } from "../../apps/shared.ts";
import { type Person as Contact, groups, members, people } from "../../apps/tables.ts";
import { POOLS } from "../../population/name-pools.ts";
import { findContact } from "../reachable-people.ts";
import { drawNameableGroup, drawPersonWithRows, nameableGroups } from "./contacts-and-messages.ts";
import { writeFacts } from "./facts.ts";

/** Draws a name from the split's name pools that no contact has. */
const drawUnusedName = customIngredient(({ rng, split, db }) => {
  const { first, last } = POOLS[split];
  const name = `${rng.pick(first)} ${rng.pick(last)}`;
  return db.where(people, { name }).length > 0 ? undefined : name;
});
const drawPhone = customIngredient(({ rng }) => `555-0${rng.integer(200, 899)}`);
const drawHomeCity = customIngredient(({ rng, split }) => rng.pick(POOLS[split].cities));

/**
 * Draws `count` different people for whom `fits` returns true. By default, these are people whom the owner has not
 * blocked.
 */
export function drawSeveralPeople(
  draw: DrawContext,
  count: number,
  fits: (person: Contact) => boolean = ({ blocked }) => !blocked,
): Value<Person>[] | undefined {
  const drawn: Value<Person>[] = [];
  while (drawn.length < count) {
    const taken = new Set(drawn.map(({ value }) => value.id));
    const remaining = draw.people.filter(
      (person) => !taken.has(person.id) && fits(findContact(draw.db, person)),
    );
    const person = draw.person(remaining.map(({ id }) => id));
    if (!person) return undefined;
    drawn.push(person);
  }
  return drawn;
}

/** Joins names: `Amara Okafor, Bruno Chen and Chloe Silva`. */
export function joinNames(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
}

const GROUP_NAMES = wordList(
  "night walkers | puzzle friends | soup kitchen | car pool | stamp swap",
);

export const contactDeeds = deeds("contacts", {
  "add-contact": deed(
    { name: drawUnusedName, city: drawHomeCity, phone: drawPhone },
    ({ name: { value: name, code }, city, phone }) => ({
      apply: (db) => {
        const handle = makeHandle(db, name);
        const card = { name, handle, city: city.value, phone: phone.value, blocked: false };
        db.insert(people, card);
      },
      call: `apis.contacts.add({name:${code},city:${city.code},phone:${phone.code}})`,
    }),
  )`Add $name to my contacts: they live in $city, the phone number is $phone
    | Put $name from $city into my contacts, with the phone number $phone
    | Make a contact for $name, who lives in $city and has the phone number $phone
    | I have met $name from $city; add them to my contacts with the phone number $phone
    | Save $name, who lives in $city, as a new contact with the phone number $phone`,
  "add-group": (draw) => {
    const name = draw.rng.pick(GROUP_NAMES);
    const persons = drawSeveralPeople(draw, draw.rng.integer(1, 3));
    if (!persons || draw.db.where(groups, { name }).length > 0) return undefined;
    const who = joinNames(persons.map(({ words }) => words));
    const add = persons
      .map(({ code }) => `apis.contacts.addToGroup({group:${jsLiteral(name)},person:${code}})`)
      .join(";");
    return drawnDeed({
      apply: (db) => {
        const group = db.insert(groups, { name }).id;
        for (const { value } of persons) db.insert(members, { group, person: value.id });
      },
      cells: [`apis.contacts.addGroup({name:${jsLiteral(name)}});${add}`],
      uses: persons,
    })`Make a new contact group "${name}" with ${who}
      | Add a contact group called "${name}" and put ${who} into it
      | Start a contact group "${name}" whose members are ${who}
      | Set up the contact group "${name}" and add ${who} to it
      | I need a new contact group "${name}" that consists of ${who}`;
  },
  pair: (draw) => {
    const idsInCouples = new Set(
      draw.db.all(couples).flatMap(({ first, second }) => [first, second]),
    );
    const idsOfSingles = draw.people.map(({ id }) => id).filter((id) => !idsInCouples.has(id));
    const one = draw.person(idsOfSingles);
    const other = one && draw.person(idsOfSingles.filter((id) => id !== one.value.id));
    if (!other) return undefined;
    const [firstWords, secondWords] = [one.words, other.words];
    const [first, second] = [one.value.id, other.value.id].toSorted((x, y) => x - y);
    return drawnDeed({
      apply: (db) => db.insert(couples, { first: first!, second: second! }),
      cells: [`apis.contacts.pair({person:${one.code},partner:${other.code}})`],
      uses: [one, other],
    })`Note in Contacts that ${firstWords} and ${secondWords} are a couple
      | Let Contacts know that ${firstWords} and ${secondWords} have become a couple
      | Record ${firstWords} and ${secondWords} as a couple in Contacts
      | In Contacts, pair ${firstWords} with ${secondWords} as a couple
      | ${firstWords} and ${secondWords} are together now: note them as a couple in Contacts`;
  },
  /** The task inserts the duplicate contact, which is in one group and has one remark. */
  merge: deed(
    { kept: someone(), initial: oneOf(["B.", "H.", "M.", "T."]) },
    ({ kept, initial }, draw) => {
      const { id } = kept.value;
      const [first, last] = kept.value.name.split(" ");
      const name = `${first} ${initial.value} ${last}`;
      const isInGroup = (group: number) => draw.db.where(members, { group, person: id }).length > 0;
      const joined = nameableGroups(draw).filter((group) => !isInGroup(group.id));
      if (joined.length === 0 || draw.db.where(people, { name }).length > 0) return undefined;
      const group = draw.rng.pick(joined);
      const phone = drawPhone(draw)!.value;
      const text = draw.rng.pick([
        "Met on the night train.",
        "Has a red bicycle.",
        "Paints doors.",
      ]);
      const variable = draw.variable("d");
      return {
        extraWords: { name },
        setup: (db) => {
          const { city } = findContact(db, kept.value);
          const row = { name, handle: makeHandle(db, name), city, phone, blocked: false };
          const { id: person } = db.insert(people, row);
          db.insert(members, { group: group.id, person });
          db.insert(remarks, { person, text });
        },
        apply: (db) => {
          const { id: person, ...card } = db.where(people, { name })[0]!;
          db.insert(removedPeople, { ...card, groups: [group.name] });
          for (const row of db.where(remarks, { person }))
            db.update(remarks, row.id, { person: id });
          for (const row of db.where(members, { person })) db.remove(members, row.id);
          db.insert(members, { group: group.id, person: id });
          db.remove(people, person);
        },
        call: `var ${variable}=apis.contacts.find({name:${jsLiteral(name)}}).items[0].handle;print(${variable});apis.contacts.merge({keep:${kept.code},duplicate:${variable}})`,
      };
    },
  )`$name in my contacts is a duplicate of $kept: merge the duplicate into $kept
    | I have $kept twice; merge the contact $name into $kept, who stays
    | Merge the duplicate $name into my contact $kept
    | My contact $name is the same person as $kept, so merge $name into $kept
    | Keep $kept and merge the duplicate contact $name into them`,
  restore: deed(
    { name: drawUnusedName, city: drawHomeCity, group: drawNameableGroup, phone: drawPhone },
    ({ name: { value: name, code }, city, group, phone }) => ({
      setup: (db) => {
        const card = { city: city.value, phone: phone.value, blocked: false, name };
        const handle = makeHandle(db, name);
        db.insert(removedPeople, { ...card, handle, groups: [group.value.name] });
      },
      apply: (db) => {
        const { id, groups: _, ...row } = db.where(removedPeople, { name })[0]!;
        const { id: person } = db.insert(people, row);
        db.insert(members, { group: group.value.id, person });
        db.remove(removedPeople, id);
      },
      call: `apis.contacts.restore({person:apis.contacts.removed({size:20}).items.find(x=>x.name===${code}).handle})`,
    }),
  )`I removed $name from my contacts by mistake; bring them back | Restore my removed contact $name
    | Undo the removal of $name from my contacts | Bring $name back, whom I removed from my contacts
    | $name was removed from my contacts and should be restored`,
  "merge-groups": (draw) => {
    const [from, into] = draw.rng.shuffle(nameableGroups(draw));
    if (!from || !into) return undefined;
    const [fromName, intoName] = [jsLiteral(from.name), jsLiteral(into.name)];
    return drawnDeed({
      apply: (db) => {
        for (const { id, person } of db.where(members, { group: from.id })) {
          const there = db.where(members, { group: into.id, person }).length > 0;
          db.remove(members, id);
          if (!there) db.insert(members, { group: into.id, person });
        }
        db.remove(groups, from.id);
      },
      cells: [`apis.contacts.mergeGroups({group:${fromName},into:${intoName}})`],
    })`Merge the contact group ${fromName} into the contact group ${intoName}
      | Move everyone of the contact group ${fromName} into ${intoName} and remove the emptied group
        ${fromName} | Let the contact group ${fromName} become part of ${intoName}, by a merge
      | Join my contact groups by merging ${fromName} into ${intoName}
      | My contact group ${fromName} should be merged into ${intoName}`;
  },
  "remove-from-group": (draw) => {
    const own = drawNameableGroup(draw);
    const found = own && drawPersonWithRows(draw, draw.db.where(members, { group: own.value.id }));
    if (!found) return undefined;
    const { value, words, code } = found.person;
    const name = own.words;
    return drawnDeed({
      apply: (db) => {
        const match = { group: own.value.id, person: value.id };
        for (const { id } of db.where(members, match)) db.remove(members, id);
      },
      cells: [`apis.contacts.removeFromGroup({group:${own.code},person:${code}})`],
      uses: [found.person],
    })`Remove ${words} from my contact group "${name}"
      | Take ${words} out of the contact group "${name}"
      | Drop ${words} from the contact group "${name}"
      | Let ${words} no longer be in my contact group "${name}"
      | Strike ${words} off the contact group "${name}"`;
  },
  unfavour: deedWithOne(
    someone(({ db }) => db.where(details, { favourite: true }).map(({ person }) => person)),
    ({ value: { id }, code }) => ({
      apply: (db) => writeFacts(db, id, { favourite: false }),
      call: `apis.contacts.unfavour({person:${code}})`,
    }),
  )`Take the favourite mark off $ in Contacts | Let $ no longer be among the favourites in Contacts
    | Remove $ from the favourites in Contacts | Strip $ of the favourite mark in Contacts
    | Drop $ from my favourites in Contacts`,
  ungive: (draw) => {
    const found = drawPersonWithRows(draw, draw.db.where(gifts, { given: true }));
    if (!found) return undefined;
    const { id, idea } = draw.rng.pick(found.own);
    const { words, code } = found.person;
    return drawnDeed({
      apply: (db) => db.update(gifts, id, { given: false }),
      call: `apis.contacts.ungiveGift({id:apis.contacts.gifts({person:${code},size:20}).items.find(x=>x.idea===${jsLiteral(idea)}).id})`,
      uses: [found.person],
    })`Mark the gift "${idea}" for ${words} as not given after all
      | Note in Contacts that I did not give ${words} the gift "${idea}" after all
      | Set the gift "${idea}" for ${words} back to not given
      | Take back the given mark of the gift "${idea}" for ${words}
      | Record the gift "${idea}" for ${words} as not given any more`;
  },
});
