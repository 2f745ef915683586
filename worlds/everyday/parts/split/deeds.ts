/** Single tasks in split: adding an expense or a group, and paying and recording a debt. */
import {
  type DrawContext,
  dayInWords,
  deeds,
  dollarLiteral,
  drawnDeed,
  drawnDeedWithValue,
  moneyInWords,
  storeAndPrint,
  wordList,
} from "bowline/goals";
import { splitEqually } from "../../apps/pay/equal-parts.ts";
import { splitByPercent } from "../../apps/split/changing-expenses.ts";
import {
  EXPENSE_CATEGORIES,
  settlements,
  splitGroups,
  splitMembers,
} from "../../apps/split/tables.ts";
import { dayFromStart, TODAY } from "../../population/time.ts";
import { drawReachablePeople, joinNames } from "../pay/deeds.ts";
import { ANY_TIME, insertPayment } from "../pay/insert-rows.ts";
import { isReachable } from "../reachable-people.ts";
import { insertExpense, memberIds, owedCents } from "./debts.ts";
import { drawHousehold, makeGroupValue } from "./lookups.ts";

const EXPENSE_NAMES = wordList("paint | shelves | curtains | spare keys | heating oil | doormat");

/** Draws a household group and one of its members whom the task may name. */
function drawHouseholdAndMember(draw: DrawContext) {
  const named = new Set(draw.people.map(({ id }) => id));
  const nameableMemberIds = (id: number) =>
    memberIds(draw.db, id).filter((person) => named.has(person));
  const group = drawHousehold(draw, ({ id }) => nameableMemberIds(id).length > 0);
  const person = group && draw.person(nameableMemberIds(group.value.id));
  return group && person ? { group, person } : undefined;
}

/** Draws a member to whom the owner owes something in a group. */
function drawDebtInGroup(draw: DrawContext) {
  const debts = draw.db.where(splitGroups, { archived: false }).flatMap((group) =>
    memberIds(draw.db, group.id)
      .filter((id) => isReachable(draw.db, id) && owedCents(draw.db, id, group.id) < 0)
      .map((id) => ({ group, id })),
  );
  const person = draw.person(debts.map(({ id }) => id));
  const debt = debts.find(({ id }) => id === person?.value.id);
  return person && debt && { person, group: makeGroupValue(draw, debt.group) };
}

export const splitDeeds = deeds("split", {
  "add-equal": drawnDeedWithValue("money", (money, draw) => {
    const found = drawHouseholdAndMember(draw);
    if (!found) return undefined;
    const { group, person } = found;
    const [what, category] = [draw.rng.pick(EXPENSE_NAMES), draw.rng.pick(EXPENSE_CATEGORIES)];
    const [amountWords, groupWords, personWords] = [money.words, group.words, person.words];
    return drawnDeed({
      apply: (db) => {
        const sides = [null, ...memberIds(db, group.value.id)];
        const row = { group: group.value.id, what, payer: person.value.id, category };
        const parts = splitEqually(money.value, sides.length);
        insertExpense(db, { ...row, method: "equal" }, TODAY, sides, parts);
      },
      call: `apis.split.add({group:${group.code},what:"${what}",amount:${money.code},payer:${person.code},category:"${category}"})`,
      uses: [group, person],
    })`Add the expense "${what}" of ${amountWords}, category "${category}", to the Split group
        ${groupWords}: ${personWords} paid it today and it is split equally among all members
      | In the Split group ${groupWords}, add that ${personWords} paid ${amountWords} for "${what}"
        today, in the category "${category}", split equally among all members
      | Record in the Split group ${groupWords} today's expense "${what}" of ${amountWords} in the
        category "${category}", paid by ${personWords} and split equally among all
      | Write down in the Split group ${groupWords} that ${personWords} today paid ${amountWords}
        for "${what}", to be split equally among all members, with the category "${category}"
      | Enter into the Split group ${groupWords} an expense of today: "${what}", ${amountWords},
        category "${category}", payer ${personWords}, split equally among all members`;
  }),
  "add-percent": (draw) => {
    const found = drawHouseholdAndMember(draw);
    if (!found) return undefined;
    const { group, person } = found;
    const what = draw.rng.pick(EXPENSE_NAMES);
    const [cents, mine] = [draw.rng.integer(1501, 19_999), 5 * draw.rng.integer(3, 17)];
    const day = dayFromStart(-draw.rng.integer(1, 9));
    const [amountWords, groupWords, personWords, dayWords] = [
      moneyInWords(cents),
      group.words,
      person.words,
      dayInWords(day),
    ];
    const shares = `${mine} percent for me and ${100 - mine} percent for ${personWords}`;
    return drawnDeed({
      apply: (db) => {
        const row = { group: group.value.id, what, payer: null, category: "other" } as const;
        const parts = splitByPercent(cents, [mine, 100 - mine]);
        insertExpense(db, { ...row, method: "percent" }, day, [null, person.value.id], parts);
      },
      call: `apis.split.addPercent({group:${group.code},what:"${what}",amount:${dollarLiteral(cents)},day:"${day}",shares:[{person:"me",percent:${mine}},{person:${person.code},percent:${100 - mine}}]})`,
      uses: [group, person],
    })`Add the expense "${what}" of ${amountWords}, which I paid on ${dayWords}, to the Split group
        ${groupWords} with ${shares}, me first
      | In the Split group ${groupWords}, add that I paid ${amountWords} for "${what}" on
        ${dayWords}, shared by percentages in this order: ${shares}
      | Record in the Split group ${groupWords} the expense "${what}" of ${amountWords}, paid by me
        on ${dayWords}; its percentages are, in order, ${shares}
      | Write down in the Split group ${groupWords} that on ${dayWords} I paid ${amountWords} for
        "${what}", by percentages in the order ${shares}
      | Enter into the Split group ${groupWords} an expense of ${dayWords}: "${what}",
        ${amountWords}, paid by me, with percentages in this order: ${shares}`;
  },
  "add-group": (draw) => {
    const persons = drawReachablePeople(draw, draw.rng.integer(2, 3));
    if (!persons) return undefined;
    const names = wordList("Canoe week | Choir bus | Allotment shed | Board games | Sauna");
    const name = draw.rng.pick(names);
    const who = joinNames(persons.map(({ words }) => words));
    const handles = persons.map(({ code }) => code).join();
    return drawnDeed({
      apply: (db) => {
        const { id } = db.insert(splitGroups, { name, archived: false });
        for (const { value } of persons) {
          db.insert(splitMembers, { group: id, person: value.id, left: false });
        }
      },
      cells: [`apis.split.addGroup({name:"${name}",people:[${handles}]})`],
      uses: persons,
    })`Start a Split group "${name}" with ${who}
      | In Split, start a group called "${name}" with ${who} and me
      | Make a new Split group named "${name}" for ${who} and me
      | Let Split have a new group "${name}" whose other members are ${who}
      | Add a group with the name "${name}" to Split, with ${who} as the other members`;
  },
  /** Pays a debt of one group and records it there together with the payment. */
  settle: (draw) => {
    const found = drawDebtInGroup(draw);
    if (!found) return undefined;
    const { person, group } = found;
    const [personWords, handleCode, groupWords] = [person.words, person.code, group.words];
    const [due, paid] = [draw.variable("v"), draw.variable("v")];
    const debt = `apis.split.balance({person:${handleCode}}).groups.find(x=>x.group===${group.code}).iOwe`;
    return drawnDeed({
      apply: (db) => {
        const cents = -owedCents(db, person.value.id, group.value.id);
        const payment = insertPayment(db, person.value.id, cents, "");
        const row = { group: group.value.id, person: person.value.id, outgoing: true, cents };
        db.insert(settlements, { ...row, payment, undone: false, at: ANY_TIME });
      },
      cells: [
        storeAndPrint(due, debt),
        `var ${paid}=apis.pay.send({to:${handleCode},amount:${due}}).id;apis.split.recordPaid({group:${group.code},to:${handleCode},amount:${due},payment:${paid}})`,
      ],
      uses: [person, group],
    })`Pay ${personWords} with Pay what I owe them in the Split group ${groupWords}, and record in
        that group that I paid, with the payment
      | Settle with ${personWords} in the Split group ${groupWords}: pay what I owe them there by
        Pay and record it there with that payment
      | Use Pay to give ${personWords} what I owe them in the Split group ${groupWords} and record
        this payment in the group as paid
      | In the Split group ${groupWords}, make me even with ${personWords}: pay my debt there by
        Pay, then record it there together with the payment
      | Send ${personWords} by Pay exactly what I owe them in the Split group ${groupWords}; then
        record in the group that I paid it, with that payment`;
  },
});
