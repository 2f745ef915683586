/** The goals of the records app: clients and pets. Which clients a task may name depends on its split. */
import {
  actions,
  alternatives,
  atLeast,
  atMost,
  deeds,
  defineCollection,
  drawnDeed,
  jsLiteral,
  nouns,
  type Parts,
  relationBetween,
  relations,
  source,
  sources,
  titleBy,
  wordList,
} from "bowline/goals";
import { type Client, CONTACTS, clients, DIETS, type Pet, pets, SPECIES } from "../apps/records.ts";

const clientRows = defineCollection<Client>({
  kind: "people",
  name: "clients",
  app: "records",
  table: clients,
  list: "clients",
  nouns: nouns`client(s) | client(s) of the clinic | client(s) of ours | client(s) in our records
    | client on our books / clients on our books`,
  columns: ({ choice, day, text }) => ({
    town: choice((row) => row.town, { arg: "town", item: "town", noun: "town" })`from $
      | who live in $ | living in $ | whose town is $ | with an address in $`,
    contact: choice((row) => row.contact, { arg: "contact" })`who want to hear from us by $
      | whom we reach by $ | with $ as their way of contact | who have asked for contact by $
      | whose preferred contact is by $`,
    since: day(
      (row) => row.since,
      {
        item: "since",
        noun: "day of the first visit",
      },
      atLeast("new")`who first came on $ or later | who have been with us since $ or later
        | whose first visit was on $ or later | who joined on $ or later
        | whose first visit was no earlier than $`,
    ),
    name: text((row) => row.name, { item: "name", noun: "name" }),
  }),
  title: titleBy<Client>({
    nameOf: (row) => row.name,
    find: (name) => `apis.records.clients({name:${jsLiteral(name)}}).items.map(x=>x.id)`,
    missing: ["Otto Nobody", "Rita Fielding-Moss", "Sven Unknown"],
  })`$ | our client $ | the client $ | client $ | $ from our records`,
});

const clientActions = actions(
  { kind: "people", app: "records", table: clients, key: "client" },
  ({ drawnAction, sets }) => ({
    contact: drawnAction(({ rng }) => {
      const contact = rng.pick(CONTACTS);
      const how = { when: (row: Client) => row.contact !== contact, api: "contact" };
      return sets({ contact }, { ...how, args: `contact:"${contact}"` })`
        Set the way of contact to ${contact} for # | Make ${contact} the way of contact for #
        | Note ${contact} as the preferred contact for # | Record that ${contact} is how we reach #
        | Change the contact preference for # to ${contact}`;
    }),
  }),
);

const petRows = defineCollection<Pet>({
  kind: "pets",
  app: "records",
  table: pets,
  list: "pets",
  nouns: nouns`pet(s) | pet(s) in our records | patient(s) of ours | animal(s) in our records
    | animal in our care / animals in our care`,
  columns: ({ choice, withOrWithout, number, person, text }) => ({
    species: choice((row) => row.species, { arg: "species", item: "species", noun: "species" })`
      of the species $ | whose species is $ | with the species $ | with $ as their species
      | that have the species $`,
    owner: person(
      (row) => row.owner,
      (handle) => ({ args: `owner:${handle}` }),
    )`of $ | that belong to $ | owned by $ | whose owner is $ | that live with $`,
    chipped: withOrWithout(
      (row) => row.chipped,
      (yes) => ({ args: `chipped:${yes}` }),
    )`that have a chip | with a chip | that are chipped | which carry a chip | which have been chipped``
      that have no chip | without a chip | that are not chipped | which carry no chip
      | which have not been chipped`,
    diet: choice((row) => row.diet, { item: "diet" })`on the $ diet | that are on the $ diet
      | which eat the $ diet | whose diet is $ | with $ as their diet`,
    weight: number(
      (row) => row.grams / 1000,
      {
        item: "kg",
        noun: "weight in kilograms",
        superlatives: [
          alternatives`heaviest | weightiest | biggest by weight | most heavy | largest by weight`,
          alternatives`lightest | least heavy | smallest by weight | least weighty | slightest by weight`,
        ],
      },
      atMost("light")`of at most $ kg | that weigh $ kg or less | with a weight of $ kg or less
        | no heavier than $ kg | whose weight is $ kg or below`,
    ),
    name: text((row) => row.name, { item: "name", noun: "name" }),
  }),
  title: titleBy<Pet>({
    nameOf: (row) => row.name,
    find: (name) => `apis.records.pets({name:${jsLiteral(name)}}).items.map(x=>x.id)`,
    missing: ["Zorro the Third", "Colonel Fluff", "Lady Pawsworth"],
  })`$ | our patient $ | the pet $ | the animal called $ | the patient $`,
});

const petActions = actions(
  { kind: "pets", app: "records", table: pets },
  ({ sets, drawnAction }) => ({
    chip: sets({ chipped: true }, { when: (row) => !row.chipped, api: "chip" })`
    Note a new chip for # | Record that # got a chip | Mark # as chipped
    | Put a chip on record for # | Set # down as chipped`,
    diet: drawnAction(({ rng }) => {
      const diet = rng.pick(DIETS);
      const how = { when: (row: Pet) => row.diet !== diet, api: "diet", args: `diet:"${diet}"` };
      return sets({ diet }, how)`Put # on the ${diet} diet | Change the diet for # to ${diet}
      | Switch # to the ${diet} diet | Prescribe the ${diet} diet for #
      | Let # have the ${diet} diet from now on`;
    }),
  }),
);

const NEWCOMERS = wordList("Bandit | Cookie | Dash | Marble | Shadow | Storm | Tiger | Twix");

export const recordsParts: Parts = {
  collections: [clientRows, petRows],
  actions: [...clientActions, ...petActions],
  relations: relations("records", {
    owners: relationBetween({
      from: "pets",
      to: "people",
      relatedIds: (id, db) => db.get(pets, id)?.owner,
      code: (from) => `[...new Set(${from}.map(id=>apis.records.pet({id}).owner))]`,
    })`the owners of # | the clients who own # | whoever owns # | the people who own #
      | the clients on record as owners of #`,
    pets: relationBetween({
      from: "people",
      to: "pets",
      relatedIds: (id, db) => db.where(pets, { owner: id }).map((pet) => pet.id),
      code: (from) =>
        `${from}.flatMap(owner=>apis.records.pets({owner,size:20}).items.map(x=>x.id))`,
    })`the pets of # | the pets that belong to # | the animals that live with #
      | the pets whose owner is # | the animals owned by #`,
  }),
  sources: sources("records", {
    note: source.text("note", ({ rng, db, people }) => {
      const known = people.flatMap(({ id }) => db.where(pets, { owner: id }));
      if (known.length === 0) return undefined;
      const { name, note } = rng.pick(known);
      const code = `apis.records.pets({name:${jsLiteral(name)}}).items[0].note`;
      return { value: note, words: `the note in the records of ${name}`, code };
    }),
  }),
  deeds: deeds("records", {
    register: ({ rng, person }) => {
      const owner = person();
      if (!owner) return undefined;
      const [name, species] = [rng.pick(NEWCOMERS), rng.pick(SPECIES)];
      const row = { owner: owner.value.id, name, species, grams: 0, chipped: false };
      return drawnDeed({
        apply: (db) => void db.insert(pets, { ...row, diet: "normal", note: "" }),
        cells: [`apis.records.register({owner:${owner.code},name:"${name}",species:"${species}"})`],
        uses: [owner],
      })`Register ${name}, a new ${species} of ${owner.words}
        | Add ${name}, the new ${species} of ${owner.words}, to our records
        | Enter the new ${species} ${name} in our records for ${owner.words}
        | Create a record for ${name}, a ${species} that ${owner.words} now has
        | Put ${name}, a ${species} that belongs to ${owner.words}, into our records`;
    },
  }),
};
