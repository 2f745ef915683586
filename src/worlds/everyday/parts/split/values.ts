/** What split knows that other parts may need, and single things done there. */
import {
  type Deed,
  type Draw,
  dayWords,
  type Fact,
  moneyWords,
  type Person,
  type Source,
  type Value,
} from "../../../../goals/index.ts";
import { equalParts } from "../../apps/pay/remainder.ts";
import { percentParts } from "../../apps/split/adding.ts";
import {
  EXPENSE_CATEGORIES,
  type ExpenseCategory,
  expenses,
  settlements,
  splitGroups,
  splitMembers,
} from "../../apps/split/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { payable } from "../pay/deeds.ts";
import { AT, js, TODAY } from "../pay/phrases.ts";
import { reachable, writePayment } from "../pay/writes.ts";
import { owed, ownShareOf, peopleIn, totalOf, writeExpense } from "./debts.ts";
import { groupNamed, household } from "./lookups.ts";

/** Somebody whom the owner owes (-1), or who owes the owner (1). */
function uneven(draw: Draw, sign: 1 | -1): Value<Person> | undefined {
  const ids = draw.people.map(({ id }) => id).filter((id) => sign * owed(draw.db, id) >= 100);
  return draw.person(ids);
}

function owing(name: string, sign: 1 | -1, words: (person: string) => string): Source<"money"> {
  return {
    name,
    type: "money",
    app: "split",
    draw: (draw) => {
      const person = uneven(draw, sign);
      if (!person) return undefined;
      const out = draw.variable("v");
      const side = sign === 1 ? "owesMe" : "iOwe";
      const cell = `var ${out}=apis.split.balance({person:${person.code}}).${side};print(${out})`;
      return {
        value: sign * owed(draw.db, person.value.id),
        words: words(person.words),
        code: out,
        cells: [...person.cells, cell],
        apps: ["split", ...person.apps],
      };
    },
  };
}

const myShare: Source<"money"> = {
  name: "my-share",
  type: "money",
  app: "split",
  draw: (draw) => {
    const group = household(draw, ({ id }) => ownShareOf(draw.db, id) < 25_000);
    if (!group) return undefined;
    const out = draw.variable("v");
    const cell = `var ${out}=apis.split.totals({id:${group.code}}).myShare;print(${out})`;
    return {
      value: ownShareOf(draw.db, group.value.id),
      words: `my share of everything spent in the Split group ${group.words}`,
      code: out,
      cells: [...group.cells, cell],
      apps: group.apps,
    };
  },
};

export const splitSources: readonly Source[] = [
  owing("owed-to", -1, (p) => `the amount that I owe ${p} in Split in all`),
  owing("owed-by", 1, (p) => `the amount that ${p} owes me in Split in all`),
  myShare,
];

// --- facts ---

function spentOn(category: ExpenseCategory): Fact {
  return {
    name: `spent ${category}`,
    app: "split",
    unit: "money",
    words: [
      `the total of all Split expenses in the category "${category}"`,
      `what all my Split groups together spent in the category "${category}"`,
      `the sum of everything in the Split category "${category}"`,
      `the amount spent in the category "${category}" over all Split groups`,
      `the whole spending of my Split groups in the category "${category}"`,
    ],
    value: (db) =>
      db.where(expenses, { category, removed: false }).reduce((sum, row) => sum + row.cents, 0) /
      100,
    code: `apis.split.categories({size:20}).items.find(x=>x.category===${js(category)}).total`,
  };
}

function groupTotal(name: string, mine: boolean): Fact {
  const n = js(name);
  return {
    name: `${mine ? "share" : "total"} ${name}`,
    app: "split",
    unit: "money",
    words: mine
      ? [
          `my share of everything spent in the Split group ${n}`,
          `what I bear of all expenses of the Split group ${n}`,
          `my part of the total spent in the Split group ${n}`,
          `the sum of my shares in the Split group ${n}`,
          `all my shares together in the Split group ${n}`,
        ]
      : [
          `the total spent in the Split group ${n}`,
          `the sum of all expenses of the Split group ${n}`,
          `what the Split group ${n} spent in total`,
          `the whole spending of the Split group ${n}`,
          `all expenses together in the Split group ${n}`,
        ],
    value: (db) => {
      const group = db.where(splitGroups, { name })[0]?.id ?? 0;
      return (mine ? ownShareOf(db, group) : totalOf(db, group)) / 100;
    },
    code: `apis.split.totals({id:(()=>{let p=1,r,g;do{r=apis.split.groups({size:20,page:p++});g=r.items.find(x=>x.name===${n})}while(!g&&r.more);return g.id})()}).${mine ? "myShare" : "total"}`,
  };
}

export const splitFacts: readonly Fact[] = [
  ...(["food", "transport", "lodging", "tickets"] as const).map(spentOn),
  ...["Studio rent", "House upstairs", "Garden plot"].map((name) => groupTotal(name, false)),
  ...["Studio rent", "House upstairs", "Garden plot"].map((name) => groupTotal(name, true)),
];

// --- deeds ---

const WHATS = ["paint", "shelves", "curtains", "spare keys", "heating oil", "doormat"] as const;

/** A household and one of its members who may be named. */
function homely(draw: Draw) {
  const named = new Set(draw.people.map(({ id }) => id));
  const known = (id: number) => peopleIn(draw.db, id).filter((person) => named.has(person));
  const group = household(draw, ({ id }) => known(id).length > 0);
  const person = group && draw.person(known(group.value.id));
  return group && person ? { group, person } : undefined;
}

const addShared: Deed = {
  name: "add-equal",
  app: "split",
  takes: "money",
  draw: (draw) => {
    const money = draw.value("money");
    const found = homely(draw);
    if (!found) return undefined;
    const { group, person } = found;
    const what = draw.rng.pick(WHATS);
    const category = draw.rng.pick(EXPENSE_CATEGORIES);
    const [m, g, p] = [money.words, group.words, person.words];
    return {
      sentences: [
        `Add the expense "${what}" of ${m}, category "${category}", to the Split group ${g}: ${p} paid it today and it is split equally among all members`,
        `In the Split group ${g}, add that ${p} paid ${m} for "${what}" today, in the category "${category}", split equally among all members`,
        `Record in the Split group ${g} today's expense "${what}" of ${m} in the category "${category}", paid by ${p} and split equally among all`,
        `Write down in the Split group ${g} that ${p} today paid ${m} for "${what}", to be split equally among all members, with the category "${category}"`,
        `Enter into the Split group ${g} an expense of today: "${what}", ${m}, category "${category}", payer ${p}, split equally among all members`,
      ],
      apply: (db) => {
        const sides = [null, ...peopleIn(db, group.value.id)];
        const row = { group: group.value.id, what, payer: person.value.id, category };
        const parts = equalParts(money.value, sides.length);
        writeExpense(db, { ...row, method: "equal" }, TODAY, sides, parts);
      },
      cells: [
        `apis.split.add({group:${group.code},what:"${what}",amount:${money.code},payer:${person.code},category:"${category}"})`,
      ],
      uses: [money, group, person],
    };
  },
};

const addPercent: Deed = {
  name: "add-percent",
  app: "split",
  draw: (draw) => {
    const found = homely(draw);
    if (!found) return undefined;
    const { group, person } = found;
    const what = draw.rng.pick(WHATS);
    const [cents, mine] = [draw.rng.integer(1501, 19_999), 5 * draw.rng.integer(3, 17)];
    const day = dayAfter(-draw.rng.integer(1, 9));
    const [m, g, p, d] = [moneyWords(cents), group.words, person.words, dayWords(day)];
    const shares = `${mine} percent for me and ${100 - mine} percent for ${p}`;
    return {
      sentences: [
        `Add the expense "${what}" of ${m}, which I paid on ${d}, to the Split group ${g} with ${shares}, me first`,
        `In the Split group ${g}, add that I paid ${m} for "${what}" on ${d}, shared by percentages in this order: ${shares}`,
        `Record in the Split group ${g} the expense "${what}" of ${m}, paid by me on ${d}; its percentages are, in order, ${shares}`,
        `Write down in the Split group ${g} that on ${d} I paid ${m} for "${what}", by percentages in the order ${shares}`,
        `Enter into the Split group ${g} an expense of ${d}: "${what}", ${m}, paid by me, with percentages in this order: ${shares}`,
      ],
      apply: (db) => {
        const row = { group: group.value.id, what, payer: null, category: "other" } as const;
        const parts = percentParts(cents, [mine, 100 - mine]);
        writeExpense(db, { ...row, method: "percent" }, day, [null, person.value.id], parts);
      },
      cells: [
        `apis.split.addPercent({group:${group.code},what:"${what}",amount:${cents / 100},day:"${day}",shares:[{person:"me",percent:${mine}},{person:${person.code},percent:${100 - mine}}]})`,
      ],
      uses: [group, person],
    };
  },
};

const addGroup: Deed = {
  name: "add-group",
  app: "split",
  draw: (draw) => {
    const persons = payable(draw, draw.rng.integer(2, 3));
    if (!persons) return undefined;
    const name = draw.rng.pick([
      "Canoe week",
      "Choir bus",
      "Allotment shed",
      "Board games",
      "Sauna",
    ]);
    const words = persons.map(({ words }) => words);
    const who = `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
    return {
      sentences: [
        `Start a Split group "${name}" with ${who}`,
        `In Split, start a group called "${name}" with ${who} and me`,
        `Make a new Split group named "${name}" for ${who} and me`,
        `Let Split have a new group "${name}" whose other members are ${who}`,
        `Add a group with the name "${name}" to Split, with ${who} as the other members`,
      ],
      apply: (db) => {
        const { id } = db.insert(splitGroups, { name, archived: false });
        for (const { value } of persons) {
          db.insert(splitMembers, { group: id, person: value.id, left: false });
        }
      },
      cells: [
        `apis.split.addGroup({name:"${name}",people:[${persons.map(({ code }) => code).join()}]})`,
      ],
      uses: persons,
    };
  },
};

/** Pays a debt of one group and records it there with the payment. */
const settle: Deed = {
  name: "settle",
  app: "split",
  draw: (draw) => {
    const debts = draw.db.where(splitGroups, { archived: false }).flatMap((group) =>
      peopleIn(draw.db, group.id)
        .filter((id) => reachable(draw.db, id) && owed(draw.db, id, group.id) < 0)
        .map((id) => ({ group, id })),
    );
    const person = draw.person(debts.map(({ id }) => id));
    const debt = debts.find(({ id }) => id === person?.value.id);
    if (!person || !debt) return undefined;
    const group = groupNamed(draw, debt.group);
    const [p, g] = [person.words, group.words];
    const [due, paid] = [draw.variable("v"), draw.variable("v")];
    return {
      sentences: [
        `Pay ${p} with Pay what I owe them in the Split group ${g}, and record in that group that I paid, with the payment`,
        `Settle with ${p} in the Split group ${g}: pay what I owe them there by Pay and record it there with that payment`,
        `Use Pay to give ${p} what I owe them in the Split group ${g} and record this payment in the group as paid`,
        `In the Split group ${g}, make me even with ${p}: pay my debt there by Pay, then record it there together with the payment`,
        `Send ${p} by Pay exactly what I owe them in the Split group ${g}; then record in the group that I paid it, with that payment`,
      ],
      apply: (db) => {
        const cents = -owed(db, person.value.id, debt.group.id);
        const payment = writePayment(db, person.value.id, cents, "");
        const row = { group: debt.group.id, person: person.value.id, outgoing: true, cents };
        db.insert(settlements, { ...row, payment, undone: false, at: AT });
      },
      cells: [
        `var ${due}=apis.split.balance({person:${person.code}}).groups.find(x=>x.group===${group.code}).iOwe;print(${due})`,
        `var ${paid}=apis.pay.send({to:${person.code},amount:${due}}).id;apis.split.recordPaid({group:${group.code},to:${person.code},amount:${due},payment:${paid}})`,
      ],
      uses: [person, group],
    };
  },
};

export const splitDeeds: readonly Deed[] = [addShared, addPercent, addGroup, settle];
