/** The goals of the diary app: visits, relations between visits and pets, and when a vet is back from leave. */
import {
  actions,
  alternatives,
  atLeast,
  deeds,
  defineCollection,
  drawnDeed,
  drawnDeedWithValue,
  fact,
  facts,
  nouns,
  type Parts,
  relationBetween,
  relations,
  source,
  sources,
} from "bowline/goals";
import { closures, leaves, VETS, type Visit, visits } from "../apps/diary.ts";
import { pets } from "../apps/records.ts";

/** Counts the unconfirmed visits over all pages, because there are more of them than one page holds. */
const COUNT_UNCONFIRMED = `(()=>{let n=0,p=1,r;do{r=apis.diary.visits({confirmed:false,size:20,page:p++});
  n+=r.items.length}while(r.more);return n})()`;

const visitRows = defineCollection<Visit>({
  kind: "visits",
  app: "diary",
  table: visits,
  list: "visits",
  nouns: nouns`visit(s) | visit(s) in our diary | planned visit(s) | appointment(s) in our diary
    | appointment of ours / appointments of ours`,
  columns: ({ choice, day, withOrWithout, number, person, text }) => ({
    vet: choice((row) => row.vet, { arg: "vet", item: "vet", noun: "vet" })`with $
      | that are with $ | where the vet is $ | whose vet is $ | that $ has`,
    reason: choice((row) => row.reason, { item: "reason" })`for a $ | that are for a $
      | where the reason is a $ | whose reason is a $ | with a $ as the reason`,
    owner: person(
      (row, db) => db.get(pets, row.pet)!.owner,
      (handle) => ({ args: `owner:${handle}` }),
    )`by pets of $ | by a pet of $ | for which a pet of $ comes | to which a pet of $ comes
      | where a pet of $ is the patient`,
    confirmed: withOrWithout(
      (row) => row.confirmed,
      (yes) => ({ args: `confirmed:${yes}` }),
    )`that are confirmed | which are already confirmed | which have been confirmed
      | which are down as confirmed | that stand as confirmed``
      that are not confirmed | which are not confirmed yet | which have not been confirmed
      | which are not down as confirmed | that do not stand as confirmed`,
    day: day(
      (row) => row.day,
      { item: "day", noun: "day" },
      atLeast("late", { arg: "from" })`on $ or later | that are on $ or later
        | that take place on $ or after that day | that are no earlier than $ | whose day is $ or a later one`,
    ),
    length: number(
      (row) => row.minutes,
      {
        item: "minutes",
        noun: "length in minutes",
        superlatives: [
          alternatives`longest | lengthiest | most time-consuming | most lengthy | longest-lasting`,
          alternatives`shortest | quickest | briefest | least lengthy | least time-consuming`,
        ],
      },
      atLeast("long")`of $ minutes or more | that take at least $ minutes
        | with a length of $ minutes or more | that are no shorter than $ minutes
        | whose length is $ minutes or above`,
    ),
    purpose: text((row) => row.reason, { item: "reason", noun: "reason" }),
  }),
});

const visitActions = actions(
  { kind: "visits", app: "diary", table: visits },
  ({ drawnAction, removesRow, sets, drawnActionWithValue }) => ({
    confirm: sets({ confirmed: true }, { when: (row) => !row.confirmed, api: "confirm" })`
      Confirm # | Mark # as confirmed | Enter a confirmation for # | Have # confirmed
      | Put # down as confirmed`,
    cancel: removesRow({ api: "cancel" })`Cancel # | Call # off | Strike # from the diary
      | Take # out of the diary | Have # cancelled`,
    assign: drawnAction(({ rng }) => {
      const vet = rng.pick(VETS);
      const how = { when: (row: Visit) => row.vet !== vet, api: "assign", args: `vet:"${vet}"` };
      return sets({ vet }, how)`Give # to ${vet} | Hand # over to ${vet} | Assign # to ${vet}
        | Let ${vet} take over # | Put # with ${vet}`;
    }),
    move: drawnActionWithValue(
      "day",
      ({ value: day, words, code }) =>
        sets({ day }, { when: (row) => row.day !== day, api: "move", args: `day:${code}` })`
        Move # to ${words} | Transfer # to ${words} | Reschedule # to ${words}
        | Shift # to ${words} | Let ${words} be the new day for #`,
    ),
  }),
);

export const diaryParts: Parts = {
  collections: [visitRows],
  actions: visitActions,
  relations: relations("diary", {
    visits: relationBetween({
      from: "pets",
      to: "visits",
      relatedIds: (id, db) => db.where(visits, { pet: id }).map((visit) => visit.id),
      code: (from) => `${from}.flatMap(pet=>apis.diary.visits({pet,size:20}).items.map(x=>x.id))`,
    })`the visits of # | the visits in our diary for # | the planned visits of #
      | the appointments of # | the appointments in our diary for #`,
    visitors: relationBetween({
      from: "visits",
      to: "pets",
      relatedIds: (id, db) => db.get(visits, id)?.pet,
      code: (from) => `[...new Set(${from}.map(id=>apis.diary.visit({id}).pet))]`,
    })`the pets with # | the animals with # | the patients of # | the pets expected for #
      | the animals expected for #`,
  }),
  sources: sources("diary", {
    back: source.day("back", ({ rng, db }) => {
      const { vet, back } = rng.pick(db.all(leaves));
      const code = `apis.diary.leaves({}).items.find(x=>x.vet==="${vet}").back`;
      return { value: back, words: `the day when ${vet} is back from leave`, code };
    }),
  }),
  facts: facts("diary", {
    open: fact(
      "number",
      (db) => db.where(visits, { confirmed: false }).length,
      COUNT_UNCONFIRMED,
    )`the number of unconfirmed visits | the count of visits that are not confirmed
      | the number of visits without a confirmation | the number of visits still unconfirmed
      | the count of unconfirmed visits`,
  }),
  deeds: deeds("diary", {
    close: drawnDeedWithValue(
      "day",
      ({ value: day, words, code }) =>
        drawnDeed({
          apply: (db) => void db.insert(closures, { day }),
          cells: [`apis.diary.close({day:${code}})`],
        })`Close the clinic on ${words} | Make ${words} a closing day
        | Enter ${words} as a closing day | Have the clinic closed on ${words}
        | Put ${words} down as a closing day`,
    ),
  }),
};
