/** Goals about groups that split expenses and are not archived: their collection, relations and actions. */
import {
  actions,
  atLeast,
  defineCollection,
  everyoneWhoDoesToEach,
  nouns,
  propertyOnAllPages,
  relationBetween,
  relations,
  someone,
  superlatives,
  wordList,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { splitEqually } from "../../apps/pay/equal-parts.ts";
import { type SplitGroup, splitGroups, splitMembers } from "../../apps/split/tables.ts";
import { TODAY } from "../../population/time.ts";
import { insertRequest } from "../pay/insert-rows.ts";
import { titleOfListItems } from "../pay/money-app-code.ts";
import { otherPersonColumn, positiveAmountColumn } from "../pay/money-app-columns.ts";
import { isReachable } from "../reachable-people.ts";
import {
  expensesOfGroup,
  groupBalanceCents,
  groupTotalCents,
  insertExpense,
  insertRepayment,
  isActiveGroup,
  memberIds,
  owedCents,
  ownShareCents,
} from "./debts.ts";

const listOptions = { kind: "splitGroups", app: "split", table: splitGroups };

export const groupsPart = defineCollection<SplitGroup>({
  ...listOptions,
  includes: { archived: false },
  nouns: nouns`active Split group(s) | active group(s) in Split | Split group(s) in use
    | group not archived in Split / unarchived groups in Split | active group(s) of mine in Split`,
  list: "groups",
  columns: ({ text, withProperty, number, money }) => ({
    name: text("name", { noun: "name" }),
    member: otherPersonColumn<SplitGroup>("person", (row, db) =>
      memberIds(db, row.id),
    )`with $ as a member
      | that $ is a member of | that have $ as a member | to which $ belongs | which $ is in`,
    ahead: positiveAmountColumn<SplitGroup>(
      (row, db) => groupBalanceCents(db, row.id),
      "x.balance",
    )`in which my balance is at least $ | with a balance of $ or more for me
      | that have a balance of $ or more in my favour | in which I am ahead by $ or more
      | whose balance for me is $ or more`,
    behind: withProperty(
      (row, db) => groupBalanceCents(db, row.id) < 0,
      { test: "x.balance<0" },
      { excludes: ["ahead"] },
    )`in which my balance is negative | with a negative balance for me
      | that have a balance against me | in which I owe more than I am owed
      | whose balance for me is below zero`,
    size: number(
      (row, db) => memberIds(db, row.id).length + 1,
      { item: "size" },
      atLeast("big")`with at least $ members, me included | that have $ or more members including me
        | of $ or more members, counting me | whose members, with me, are $ or more
        | that count $ or more members together with me`,
    ),
    total: money(
      (row, db) => groupTotalCents(db, row.id),
      { code: "apis.split.totals({id:x.id}).total", noun: "spending" },
      superlatives`most expensive / cheapest | costliest / cheapest | most expensive / cheapest
          | costliest / cheapest | most expensive / cheapest`,
      atLeast("expensive")`with total expenses of at least $ | that spent $ or more in total
        | whose expenses come to at least $ in total | in which $ or more was spent in total
        | that have expenses of $ or more altogether`,
    ),
    share: money((row, db) => ownShareCents(db, row.id), {
      code: "apis.split.totals({id:x.id}).myShare",
      noun: "share that I bear",
    }),
    expenses: number((row, db) => expensesOfGroup(db, row.id).length, {
      code: "apis.split.totals({id:x.id}).expenses",
      noun: "number of expenses",
    }),
  }),
  title: titleOfListItems<SplitGroup>(
    "split.groups",
    "name",
    (row) => row.name,
    "Regatta | Cheese tasting | Winter hike | Bowling night",
  )`the Split group "$" | my Split group "$" | the group "$" in Split | the Split group called "$"
    | the group with the name "$" in Split`,
});

export const groupRelations = relations("split", {
  "group-members": relationBetween("splitGroups", "people", {
    wordsForEach: everyoneWhoDoesToEach("besides me is a member of"),
    relatedIds: (group, db) => memberIds(db, group),
    code: (from) =>
      `[...new Set(${from}.flatMap(k=>apis.split.group({id:k}).members.map(m=>m.person)))].filter(k=>k!=="me")`,
  })`the other members of # | everyone else in # | whoever besides me is a member of #
    | all members but me of # | those who are members of #, leaving me aside`,
  "group-expenses": relationBetween("splitGroups", "expenses", {
    relatedIds: (group, db) => expensesOfGroup(db, group).map(({ id }) => id),
    cells: propertyOnAllPages("split.expenses", "group:k"),
  })`the expenses of # | every expense in # | whatever expenses are in #
    | the shared expenses that belong to # | each expense that was added to #`,
  "groups-with": relationBetween("people", "splitGroups", {
    relatedIds: (person, db) =>
      db
        .where(splitMembers, { person, left: false })
        .map(({ group }) => group)
        .filter((group) => isActiveGroup(db, group)),
    cells: propertyOnAllPages("split.groups", "person:k"),
  })`the active Split groups with # in them | every active Split group that has as a member any of #
    | whichever active Split groups have a member among # | my Split groups in use that include #
    | the unarchived Split groups with a member among #`,
});

const isInUse = ({ archived }: SplitGroup) => !archived;

/**
 * Returns the members with whom the owner has an open debt in a group: those who owe the owner (sign 1) or are owed
 * (sign -1).
 */
const unsettledMembers = (db: Reader, { id }: SplitGroup, sign: 1 | -1) =>
  memberIds(db, id)
    .map((person) => ({ person, cents: sign * owedCents(db, person, id) }))
    .filter(({ cents }) => cents > 0);

const canSettleWithAll = (sign: 1 | -1) => (group: SplitGroup, db: Reader) => {
  const unsettled = unsettledMembers(db, group, sign);
  return unsettled.length > 0 && unsettled.every(({ person }) => isReachable(db, person));
};

export const groupActions = actions(
  listOptions,
  ({ sets, addsRow, applies, actionWithOne, drawnActionWithValue, difficulty2 }) => ({
    archive: sets({ archived: true }, { when: isInUse, api: "archive" })`Archive #
    | Put # into the archive | Move # to the archive | Let # be archived | Have # archived`,
    "add-member": actionWithOne(someone(), ({ value: { id: person }, code }) =>
      addsRow(splitMembers, ({ id }) => ({ group: id, person, left: false }), {
        when: (row, db) =>
          isInUse(row) && db.where(splitMembers, { group: row.id, person }).length === 0,
        api: "addMember",
        args: `person:${code}`,
      }),
    )`Add $ to # | Make $ a member of # | Let $ join # | Take $ into #
    | Put $ as a new member into #`,
    "add-expense": drawnActionWithValue("money", ({ value, words, code }, { rng }) => {
      const what = rng.pick(wordList("ferry | museum | sandwiches | parking | cleaning | tent"));
      const row = { what, payer: null, category: "other", method: "equal" } as const;
      return applies(
        (db, { id }) => {
          const sides = [null, ...memberIds(db, id)];
          const parts = splitEqually(value, sides.length);
          insertExpense(db, { group: id, ...row }, TODAY, sides, parts);
        },
        { when: isInUse, call: `apis.split.add({group:x,what:"${what}",amount:${code}})` },
      )`Add an expense "${what}" of ${words}, paid by me today and split equally among everyone,
        to # | Put a new expense "${what}" of ${words} that I paid today, split equally among all
        members, into # | Write down that I paid ${words} for "${what}" today, to be split equally
        among all members, in # | Record an expense "${what}" of ${words}, which I paid today and
        all members share equally, in # | Enter today's expense "${what}" of ${words} with me as
        payer, split equally among all members, into #`;
    }),
    "pay-debts": difficulty2(
      applies(
        (db, group) => {
          for (const { person, cents } of unsettledMembers(db, group, -1))
            insertRepayment(db, person, cents);
        },
        {
          when: canSettleWithAll(-1),
          call: 'for(const o of apis.split.balances({group:x,way:"I owe",size:20}).items)apis.pay.send({to:o.person,amount:o.amount})',
        },
      )`Use Pay to pay everyone in # to whom I owe something there exactly that | For #, send by
        Pay to each member whom I owe there exactly what I owe them there | Use Pay to give back
        to each member what I owe them there, group by group, in # | With Pay, pay every member of
        # what I owe them in the group, one payment for each member | By Pay, send each member of
        # what I owe them in the group, with a payment for each group and member`,
    ),
    "request-debts": difficulty2(
      applies(
        (db, group) => {
          for (const { person, cents } of unsettledMembers(db, group, 1))
            insertRequest(db, person, cents, "");
        },
        {
          when: canSettleWithAll(1),
          call: 'for(const o of apis.split.balances({group:x,way:"owes me",size:20}).items)apis.pay.request({from:o.person,amount:o.amount})',
        },
      )`Use Pay to request from everyone in # who owes me something there exactly that | For #,
        request by Pay from each member who owes me there exactly what they owe me there | Use Pay
        to ask each member for what they owe me there, group by group, in # | With Pay, request
        from every member of # what they owe me in the group, one request for each member | By
        Pay, ask each member of # for what they owe me in the group, with a request for each group
        and member`,
    ),
  }),
);
