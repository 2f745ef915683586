/** The records app: the clients of the clinic and their pets. The other apps refer to them by their ids. */
import { booleanParam, defineItem, idParam, resource, shortTextParam } from "bowline/resources";
import { defineApp, defineTable, z } from "bowline/world";

export const TOWNS = ["Ashby", "Brook End", "Coldwater", "Dunmore", "Elmstead"] as const;
export const CONTACTS = ["email", "phone", "letter"] as const;
export const SPECIES = ["dog", "cat", "rabbit", "parrot", "tortoise"] as const;
export const DIETS = ["normal", "light", "senior", "grain-free", "kidney"] as const;

export type Client = { id: number; name: string; town: string; contact: string; since: string };
export const clients = defineTable<Client>("records.clients", { indexes: ["name"] });

export type Pet = {
  id: number;
  owner: number;
  name: string;
  species: string;
  grams: number;
  chipped: boolean;
  diet: string;
  note: string;
};
export const pets = defineTable<Pet>("records.pets", { indexes: ["owner", "name"] });

const town = z.enum(TOWNS);
const contact = z.enum(CONTACTS).describe("how the client wants to hear from the clinic");
const species = z.enum(SPECIES);
const diet = z.enum(DIETS);

export const client = resource({
  table: clients,
  noun: "client",
  keys: { client: idParam("client") },
  item: defineItem(clients, {
    id: z.int(),
    name: z.string(),
    town,
    contact,
    since: z.string().describe("day of the first visit"),
  }),
});

export const pet = resource({
  table: pets,
  noun: "pet",
  item: defineItem(pets, {
    id: z.int(),
    owner: z.int().describe("id of the client"),
    name: z.string(),
    species,
    kg: [z.number(), (row) => row.grams / 1000],
    chipped: z.boolean(),
    diet,
    note: z.string(),
  }),
});

export const records = defineApp({
  name: "records",
  summary: "The clients of the clinic and their pets.",
  tables: [clients, pets],
  apis: {
    clients: client.list("List clients in the order of their ids.", {
      filters: { name: shortTextParam("full name"), town, contact },
    }),
    contact: client.change("Change how a client wants to hear from the clinic.", {
      params: { contact },
      example: { contact: "phone" },
    }),
    pets: pet.list("List pets in the order of their ids.", {
      filters: {
        owner: idParam("client"),
        name: shortTextParam("exact name"),
        species,
        chipped: booleanParam("only pets with a chip, or only those without"),
      },
    }),
    pet: pet.show("Show a pet."),
    chip: pet.change("Note that a pet has got its chip.", {
      set: { chipped: true },
      already: "has a chip already",
    }),
    diet: pet.change("Put a pet on a diet.", { params: { diet }, example: { diet: "light" } }),
    register: pet.add("Register a pet of a client.", {
      params: { owner: idParam("client"), name: shortTextParam("the pet's name"), species },
      checkArguments: ({ owner }, context) => client.find({ client: owner }, context),
      defaults: { grams: 0, chipped: false, diet: "normal", note: "" },
      example: { owner: 1, name: "Rex", species: "dog" },
    }),
  },
});
