/** Values that other parts can look up in split (debts and shares), and facts about its sums. */
import { fact, facts, jsLiteral, source, sources } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type ExpenseCategory, expenses, splitGroups } from "../../apps/split/tables.ts";
import { groupTotalCents, owedCents, ownShareCents } from "./debts.ts";
import { drawHousehold } from "./lookups.ts";

/** Makes a source for a debt: the owner owes the person (sign -1), or the person owes the owner (sign 1). */
const debtSource = (sign: 1 | -1, words: (person: string) => string) =>
  source.money("v", (draw) => {
    const ids = draw.people.map(({ id }) => id);
    const person = draw.person(ids.filter((id) => sign * owedCents(draw.db, id) >= 100));
    if (!person) return undefined;
    return {
      value: sign * owedCents(draw.db, person.value.id),
      words: words(person.words),
      code: `apis.split.balance({person:${person.code}}).${sign === 1 ? "owesMe" : "iOwe"}`,
      uses: [person],
    };
  });

export const splitSources = sources("split", {
  "owed-to": debtSource(-1, (p) => `the amount that I owe ${p} in Split in all`),
  "owed-by": debtSource(1, (p) => `the amount that ${p} owes me in Split in all`),
  "my-share": source.money("v", (draw) => {
    const group = drawHousehold(draw, ({ id }) => ownShareCents(draw.db, id) < 25_000);
    if (!group) return undefined;
    return {
      value: ownShareCents(draw.db, group.value.id),
      words: `my share of everything spent in the Split group ${group.words}`,
      code: `apis.split.totals({id:${group.code}}).myShare`,
      uses: [group],
    };
  }),
});

const spentOnFact = (category: ExpenseCategory) =>
  fact(
    "money",
    (db) =>
      db.where(expenses, { category, removed: false }).reduce((sum, row) => sum + row.cents, 0) /
      100,
    `apis.split.categories({size:20}).items.find(x=>x.category===${jsLiteral(category)}).total`,
  )`the total of all Split expenses in the category "${category}"
    | what all my Split groups together spent in the category "${category}"
    | the sum of everything in the Split category "${category}"
    | the amount spent in the category "${category}" over all Split groups
    | the whole spending of my Split groups in the category "${category}"`;

const groupFact = (
  name: string,
  cents: (db: Reader, group: number) => number,
  property: "total" | "myShare",
) =>
  fact(
    "money",
    (db) => cents(db, db.where(splitGroups, { name })[0]?.id ?? 0) / 100,
    `apis.split.totals({id:(()=>{let p=1,r,g;do{r=apis.split.groups({size:20,page:p++});g=r.items.find(x=>x.name===${jsLiteral(name)})}while(!g&&r.more);return g.id})()}).${property}`,
  );

const groupTotalFact = (name: string) =>
  groupFact(name, groupTotalCents, "total")`the total spent in the Split group "${name}"
    | the sum of all expenses of the Split group "${name}"
    | what the Split group "${name}" spent in total
    | the whole spending of the Split group "${name}"
    | all expenses together in the Split group "${name}"`;

const ownShareFact = (name: string) =>
  groupFact(name, ownShareCents, "myShare")`
    my share of everything spent in the Split group "${name}"
    | what I bear of all expenses of the Split group "${name}"
    | my part of the total spent in the Split group "${name}"
    | the sum of my shares in the Split group "${name}"
    | all my shares together in the Split group "${name}"`;

export const splitFacts = facts("split", {
  "spent food": spentOnFact("food"),
  "spent transport": spentOnFact("transport"),
  "spent lodging": spentOnFact("lodging"),
  "spent tickets": spentOnFact("tickets"),
  "total Studio rent": groupTotalFact("Studio rent"),
  "total House upstairs": groupTotalFact("House upstairs"),
  "total Garden plot": groupTotalFact("Garden plot"),
  "share Studio rent": ownShareFact("Studio rent"),
  "share House upstairs": ownShareFact("House upstairs"),
  "share Garden plot": ownShareFact("Garden plot"),
});
