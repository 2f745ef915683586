/** The diary app: visits of pets to vets, the leaves of vets, and the days when the clinic is closed. */
import {
  booleanParam,
  dayParam,
  defineItem,
  filterWhere,
  idParam,
  refuseUnless,
  resource,
} from "bowline/resources";
import { defineApp, defineTable, z } from "bowline/world";
import { pets } from "./records.ts";

export const VETS = ["Dr Novak", "Dr Adeyemi", "Dr Sorel", "Dr Kane"] as const;
export const REASONS = ["check-up", "vaccination", "dental cleaning", "blood test"] as const;

export type Visit = {
  id: number;
  pet: number;
  vet: string;
  reason: string;
  day: string;
  minutes: number;
  confirmed: boolean;
};
export const visits = defineTable<Visit>("diary.visits", { indexes: ["pet", "vet"] });

export type Leave = { id: number; vet: string; back: string };
export const leaves = defineTable<Leave>("diary.leaves");

type Closure = { id: number; day: string };
export const closures = defineTable<Closure>("diary.closures");

const vet = z.enum(VETS);
const visit = resource({
  table: visits,
  noun: "visit",
  item: defineItem(visits, {
    id: z.int(),
    pet: z.int().describe("id of the pet"),
    vet,
    reason: z.enum(REASONS),
    day: z.string().describe("such as 2026-05-19"),
    minutes: z.int(),
    confirmed: z.boolean(),
  }),
});
const leave = resource({
  table: leaves,
  noun: "leave",
  item: defineItem(leaves, { vet, back: z.string().describe("first day in the clinic again") }),
});
const closure = resource({
  table: closures,
  noun: "closure",
  item: defineItem(closures, { id: z.int(), day: z.string() }),
});

export const diary = defineApp({
  name: "diary",
  summary: "Visits to the clinic, its vets and its closing days.",
  tables: [visits, leaves, closures],
  apis: {
    visits: visit.list("List visits in the order of their ids.", {
      filters: {
        pet: idParam("pet"),
        owner: [
          idParam("client who owns the pet"),
          filterWhere((row, owner, { db }) => db.get(pets, row.pet)?.owner === owner),
        ],
        vet,
        from: [dayParam("first day"), filterWhere((row, from) => row.day >= from)],
        confirmed: booleanParam("only confirmed visits, or only the others"),
      },
    }),
    visit: visit.show("Show a visit."),
    confirm: visit.change("Confirm a visit.", {
      set: { confirmed: true },
      already: "is confirmed already",
    }),
    move: visit.change("Move a visit to another day.", {
      params: { day: dayParam("new day") },
      checkRow: (row, to) =>
        refuseUnless(row.day !== to.day, 409, `day: the visit is on ${to.day} already`),
      example: { day: "2026-08-03" },
    }),
    assign: visit.change("Give a visit to another vet.", {
      params: { vet },
      example: { vet: "Dr Kane" },
    }),
    cancel: visit.remove("Cancel a visit."),
    leaves: leave.list("List the vets who are on leave."),
    close: closure.add("Close the clinic for a day.", {
      params: { day: dayParam("the day") },
      example: { day: "2026-08-03" },
    }),
  },
});
