/** Single things done in contacts: someone or a group is added, a couple noted, a duplicate merged, an idea written down. */

import type { Deed, Draw, Person, Value } from "../../../../goals/index.ts";
import { couples, details, gifts, remarks, removedPeople } from "../../apps/contacts/tables.ts";
import { newHandle } from "../../apps/shared.ts";
import { type Person as Contact, groups, members, people } from "../../apps/tables.ts";
import { POOLS } from "../../population/names.ts";
import { contactOf } from "../contact.ts";
import { js, ownGroups } from "./common.ts";

/** A name of the split's pools that nobody has. */
function freshName({ rng, split, db }: Draw): string | undefined {
  const { first, last } = POOLS[split];
  const name = `${rng.pick(first)} ${rng.pick(last)}`;
  return db.where(people, { name }).length > 0 ? undefined : name;
}

const addContact: Deed = {
  name: "add-contact",
  app: "contacts",
  draw: (draw) => {
    const name = freshName(draw);
    if (name === undefined) return undefined;
    const city = draw.rng.pick(POOLS[draw.split].cities);
    const phone = `555-0${draw.rng.integer(200, 899)}`;
    return {
      sentences: [
        `Add ${name} to my contacts: they live in ${city}, the phone number is ${phone}`,
        `Put ${name} from ${city} into my contacts, with the phone number ${phone}`,
        `Make a contact for ${name}, who lives in ${city} and has the phone number ${phone}`,
        `I have met ${name} from ${city}; add them to my contacts with the phone number ${phone}`,
        `Save ${name}, who lives in ${city}, as a new contact with the phone number ${phone}`,
      ],
      apply: (db) => {
        db.insert(people, { name, handle: newHandle(db, name), city, phone, blocked: false });
      },
      cells: [`apis.contacts.add({name:${js(name)},city:${js(city)},phone:${js(phone)}})`],
    };
  },
};

const GROUP_NAMES = ["night walkers", "puzzle friends", "soup kitchen", "car pool", "stamp swap"];

const addGroup: Deed = {
  name: "add-group",
  app: "contacts",
  draw: (draw) => {
    const name = draw.rng.pick(GROUP_NAMES);
    const persons = severalPeople(draw, draw.rng.integer(1, 3));
    if (!persons || draw.db.where(groups, { name }).length > 0) return undefined;
    const [g, who] = [js(name), listed(persons.map(({ words }) => words))];
    const add = persons
      .map(({ code }) => `apis.contacts.addToGroup({group:${g},person:${code}})`)
      .join(";");
    return {
      sentences: [
        `Make a new contact group ${g} with ${who}`,
        `Add a contact group called ${g} and put ${who} into it`,
        `Start a contact group ${g} whose members are ${who}`,
        `Set up the contact group ${g} and add ${who} to it`,
        `I need a new contact group ${g} that consists of ${who}`,
      ],
      apply: (db) => {
        const group = db.insert(groups, { name }).id;
        for (const { value } of persons) db.insert(members, { group, person: value.id });
      },
      cells: [`apis.contacts.addGroup({name:${g}});${add}`],
      uses: persons,
    };
  },
};

/** So many different people for whom `fits` holds: by default, whom the owner has not blocked. */
export function severalPeople(
  draw: Draw,
  size: number,
  fits: (person: Contact) => boolean = ({ blocked }) => !blocked,
): Value<Person>[] | undefined {
  const drawn: Value<Person>[] = [];
  while (drawn.length < size) {
    const taken = new Set(drawn.map(({ value }) => value.id));
    const left = draw.people.filter(
      (person) => !taken.has(person.id) && fits(contactOf(draw.db, person)),
    );
    const person = draw.person(left.map(({ id }) => id));
    if (!person) return undefined;
    drawn.push(person);
  }
  return drawn;
}

/** `Amara Okafor, Bruno Chen and Chloe Silva` */
export function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
}

const pair: Deed = {
  name: "pair",
  app: "contacts",
  draw: (draw) => {
    const taken = new Set(draw.db.all(couples).flatMap(({ first, second }) => [first, second]));
    const alone = draw.people.map(({ id }) => id).filter((id) => !taken.has(id));
    const one = draw.person(alone);
    const other = one && draw.person(alone.filter((id) => id !== one.value.id));
    if (!other) return undefined;
    const [a, b] = [one.words, other.words];
    const [first, second] = [one.value.id, other.value.id].toSorted((x, y) => x - y);
    return {
      sentences: [
        `Note in Contacts that ${a} and ${b} are a couple`,
        `Let Contacts know that ${a} and ${b} have become a couple`,
        `Record ${a} and ${b} as a couple in Contacts`,
        `In Contacts, pair ${a} with ${b} as a couple`,
        `${a} and ${b} are together now: note them as a couple in Contacts`,
      ],
      apply: (db) => {
        db.insert(couples, { first: first!, second: second! });
      },
      cells: [`apis.contacts.pair({person:${one.code},with:${other.code}})`],
      uses: [one, other],
    };
  },
};

/** The duplicate is planted: it is in one group, and a remark is kept about it. */
const merge: Deed = {
  name: "merge",
  app: "contacts",
  draw: (draw) => {
    const keep = draw.person();
    if (!keep) return undefined;
    const [first, last] = keep.value.name.split(" ") as [string, string];
    const name = `${first} ${draw.rng.pick(["B.", "H.", "M.", "T."])} ${last}`;
    const joined = ownGroups(draw).filter(
      ({ id: group }) => draw.db.where(members, { group, person: keep.value.id }).length === 0,
    );
    if (joined.length === 0 || draw.db.where(people, { name }).length > 0) return undefined;
    const group = draw.rng.pick(joined);
    const phone = `555-0${draw.rng.integer(200, 899)}`;
    const text = draw.rng.pick(["Met on the night train.", "Has a red bicycle.", "Paints doors."]);
    const [d, k] = [name, keep.words];
    const variable = draw.variable("d");
    return {
      sentences: [
        `${d} in my contacts is a duplicate of ${k}: merge the duplicate into ${k}`,
        `I have ${k} twice; merge the contact ${d} into ${k}, who stays`,
        `Merge the duplicate ${d} into my contact ${k}`,
        `My contact ${d} is the same person as ${k}, so merge ${d} into ${k}`,
        `Keep ${k} and merge the duplicate contact ${d} into them`,
      ],
      setup: (db) => {
        const { city } = contactOf(db, keep.value);
        const row = { name, handle: newHandle(db, name), city, phone, blocked: false };
        const { id: person } = db.insert(people, row);
        db.insert(members, { group: group.id, person });
        db.insert(remarks, { person, text });
      },
      apply: (db) => {
        const { id: person, ...card } = db.where(people, { name })[0]!;
        db.insert(removedPeople, { ...card, groups: [group.name] });
        for (const { id } of db.where(remarks, { person })) {
          db.update(remarks, id, { person: keep.value.id });
        }
        for (const { id } of db.where(members, { person })) db.remove(members, id);
        db.insert(members, { group: group.id, person: keep.value.id });
        db.remove(people, person);
      },
      cells: [
        `var ${variable}=apis.contacts.find({name:${js(name)}})[0].handle;print(${variable});apis.contacts.merge({keep:${keep.code},duplicate:${variable}})`,
      ],
      uses: [keep],
    };
  },
};

const restore: Deed = {
  name: "restore",
  app: "contacts",
  draw: (draw) => {
    const name = freshName(draw);
    if (name === undefined) return undefined;
    const [city, group] = [draw.rng.pick(POOLS[draw.split].cities), draw.rng.pick(ownGroups(draw))];
    const card = { city, phone: `555-0${draw.rng.integer(200, 899)}`, blocked: false };
    return {
      sentences: [
        `I removed ${name} from my contacts by mistake; bring them back`,
        `Restore my removed contact ${name}`,
        `Undo the removal of ${name} from my contacts`,
        `Bring ${name} back, whom I removed from my contacts`,
        `${name} was removed from my contacts and should be restored`,
      ],
      setup: (db) => {
        const handle = newHandle(db, name);
        db.insert(removedPeople, { ...card, name, handle, groups: [group.name] });
      },
      apply: (db) => {
        const { id, groups: _, ...row } = db.where(removedPeople, { name })[0]!;
        const { id: person } = db.insert(people, row);
        db.insert(members, { group: group.id, person });
        db.remove(removedPeople, id);
      },
      cells: [
        `apis.contacts.restore({person:apis.contacts.removed({size:20}).items.find(x=>x.name===${js(name)}).handle})`,
      ],
    };
  },
};

const mergeGroups: Deed = {
  name: "merge-groups",
  app: "contacts",
  draw: (draw) => {
    const [from, into] = draw.rng.shuffle(ownGroups(draw));
    if (!from || !into) return undefined;
    const [a, b] = [js(from.name), js(into.name)];
    return {
      sentences: [
        `Merge the contact group ${a} into the contact group ${b}`,
        `Move everyone of the contact group ${a} into ${b} and remove the emptied group ${a}`,
        `Let the contact group ${a} become part of ${b}, by a merge`,
        `Join my contact groups by merging ${a} into ${b}`,
        `My contact group ${a} should be merged into ${b}`,
      ],
      apply: (db) => {
        for (const { id, person } of db.where(members, { group: from.id })) {
          const there = db.where(members, { group: into.id, person }).length > 0;
          db.remove(members, id);
          if (!there) db.insert(members, { group: into.id, person });
        }
        db.remove(groups, from.id);
      },
      cells: [`apis.contacts.mergeGroups({group:${a},into:${b}})`],
    };
  },
};

const leaveGroup: Deed = {
  name: "remove-from-group",
  app: "contacts",
  draw: (draw) => {
    const own = ownGroups(draw);
    const group = own.length > 0 && draw.rng.pick(own);
    if (!group) return undefined;
    const inside = draw.db.where(members, { group: group.id });
    const person = draw.person(inside.map((row) => row.person));
    if (!person) return undefined;
    const [g, p] = [js(group.name), person.words];
    return {
      sentences: [
        `Remove ${p} from my contact group ${g}`,
        `Take ${p} out of the contact group ${g}`,
        `Drop ${p} from the contact group ${g}`,
        `Let ${p} no longer be in my contact group ${g}`,
        `Strike ${p} off the contact group ${g}`,
      ],
      apply: (db) => {
        const match = { group: group.id, person: person.value.id };
        for (const { id } of db.where(members, match)) db.remove(members, id);
      },
      cells: [`apis.contacts.removeFromGroup({group:${g},person:${person.code}})`],
      uses: [person],
    };
  },
};

const unfavour: Deed = {
  name: "unfavour",
  app: "contacts",
  draw: (draw) => {
    const marked = draw.db.where(details, { favourite: true });
    const person = draw.person(marked.map((row) => row.person));
    if (!person) return undefined;
    const p = person.words;
    return {
      sentences: [
        `Take the favourite mark off ${p} in Contacts`,
        `Let ${p} no longer be among the favourites in Contacts`,
        `Remove ${p} from the favourites in Contacts`,
        `Strip ${p} of the favourite mark in Contacts`,
        `Drop ${p} from my favourites in Contacts`,
      ],
      apply: (db) => {
        const [row] = db.where(details, { person: person.value.id });
        db.update(details, row!.id, { favourite: false });
      },
      cells: [`apis.contacts.unfavour({person:${person.code}})`],
      uses: [person],
    };
  },
};

const ungive: Deed = {
  name: "ungive",
  app: "contacts",
  draw: (draw) => {
    const given = draw.db.where(gifts, { given: true });
    const person = draw.person(given.map((row) => row.person));
    const own = given.filter((row) => row.person === person?.value.id);
    if (!person || own.length === 0) return undefined;
    const gift = draw.rng.pick(own);
    const [i, p] = [js(gift.idea), person.words];
    return {
      sentences: [
        `Mark the gift ${i} for ${p} as not given after all`,
        `Note in Contacts that I did not give ${p} the gift ${i} after all`,
        `Set the gift ${i} for ${p} back to not given`,
        `Take back the given mark of the gift ${i} for ${p}`,
        `Record the gift ${i} for ${p} as not given any more`,
      ],
      apply: (db) => {
        db.update(gifts, gift.id, { given: false });
      },
      cells: [
        `apis.contacts.ungiveGift({id:apis.contacts.gifts({for:${person.code},size:20}).items.find(x=>x.idea===${i}).id})`,
      ],
      uses: [person],
    };
  },
};

export const contactDeeds: readonly Deed[] = [
  addContact,
  addGroup,
  pair,
  merge,
  restore,
  mergeGroups,
  leaveGroup,
  unfavour,
  ungive,
];
