/** Goals about people with whom the owner has open debts: their collections and actions. */
import {
  type Alternatives,
  actions,
  actionWithValue,
  atLeast,
  defineCollection,
  jsLiteral,
  type Noun,
  nouns,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { nudges, settlements, splitMembers } from "../../apps/split/tables.ts";
import { type Person, people } from "../../apps/tables.ts";
import { ANY_TIME, insertRequest } from "../pay/insert-rows.ts";
import { isReachable } from "../reachable-people.ts";
import { groupsWithDebt, insertRepayment, isActiveGroup, owedCents } from "./debts.ts";
import { drawHousehold } from "./lookups.ts";

interface DebtDirection {
  readonly name: "debtors" | "creditors";
  /** The sign is 1 when these people owe the owner, and -1 when the owner owes them. */
  readonly sign: 1 | -1;
  readonly way: "owes me" | "I owe";
  readonly debtNoun: string;
  readonly nouns: Alternatives<Noun>;
  readonly amountClause: ReturnType<ReturnType<typeof atLeast>>;
  readonly clauses: string;
}

const listOptions = { kind: "people", app: "split", table: people };

function peopleWithDebts({
  name,
  sign,
  way,
  debtNoun,
  nouns,
  amountClause,
  clauses,
}: DebtDirection) {
  const debtCents = ({ id }: Person, db: Reader) => sign * owedCents(db, id);
  return defineCollection<Person>({
    name,
    ...listOptions,
    includes: (row, db) => debtCents(row, db) > 0,
    nouns,
    list: { api: "balances", args: `way:${jsLiteral(way)}` },
    key: "person",
    clauses,
    columns: ({ text, money, withProperty, matchingValue }) => ({
      name: text("name", { noun: "name" }),
      debt: money(debtCents, { item: "amount", noun: debtNoun }, amountClause),
      several: withProperty(({ id }, db) => groupsWithDebt(db, id).length > 1, {
        test: "apis.split.balance({person:x.person}).groups.length>1",
      })`with whom I am not even in more than one group | with open balances in at least two groups
        | between whom and me two or more groups are not even
        | who are not even with me in two groups or more | with whom several groups are not even`,
      initial: matchingValue(
        ({ rng }, all) => rng.pick(all).name[0],
        (row, letter) => row.name.startsWith(letter),
        (letter) => ({ test: `x.name.startsWith(${letter})` }),
      )`whose names start with "$" | with names that begin with "$"
        | who have names starting with "$" | with "$" as the first letter of their names
        | whose names have "$" as their first letter`,
      reminded: withProperty(({ id }, db) => db.where(nudges, { person: id }).length > 0, {
        test: "apis.split.reminders({to:x.person}).items.length>0",
      })`whom I already reminded in Split | who got a Split reminder from me before
        | to whom I sent a Split reminder earlier | who have been reminded by me in Split
        | whom Split already reminded for me`,
    }),
  });
}

export const debtorsAndCreditors = [
  peopleWithDebts({
    name: "debtors",
    sign: 1,
    way: "owes me",
    debtNoun: "debt to me",
    nouns: nouns`person who owes me by Split / people in debt to me by Split
      | person in debt to me in Split / people in debt to me in Split
      | contact(s) with a debt to me in Split | debtor(s) of mine in Split
      | Split debtor(s) of mine`,
    amountClause: atLeast("much")`who owe me at least $ in all | with a debt of $ or more in all
      | whose debt is at least $ in all | who are behind by $ or more in all
      | whose whole debt comes to $ or more`,
    clauses: "much several initial reminded",
  }),
  peopleWithDebts({
    name: "creditors",
    sign: -1,
    way: "I owe",
    debtNoun: "claim on me",
    nouns: nouns`person whom I owe by Split / people with a claim on me by Split
      | person with a claim on me in Split / people with a claim on me in Split
      | contact(s) with a claim on me in Split | creditor(s) of mine in Split
      | Split creditor(s) of mine`,
    amountClause: atLeast("much")`whom I owe at least $ in all | to whom I owe $ or more in all
      | with a claim of at least $ in all | who are ahead by $ or more in all
      | whose whole claim comes to $ or more`,
    clauses: "much several initial",
  }),
];

const debtsByGroup = (db: Reader, { id }: Person) =>
  groupsWithDebt(db, id)
    .map((group) => ({ group, cents: owedCents(db, id, group) }))
    .filter(({ cents }) => cents > 0);

const isReachableDebtor = ({ id }: Person, db: Reader) =>
  isReachable(db, id) && owedCents(db, id) > 0;

export const splitPeopleActions = actions(
  { ...listOptions, key: "person" },
  ({ applies, addsRow, actionWithOne, difficulty2 }) => ({
    "pay-debt": difficulty2(
      applies((db, { id }) => insertRepayment(db, id, -owedCents(db, id)), {
        when: ({ id }, db) => isReachable(db, id) && owedCents(db, id) < 0,
        call: "apis.pay.send({to:x,amount:apis.split.balance({person:x}).iOwe})",
      })`Pay back with Pay exactly what I owe in Split in all to #
      | Use Pay to give back the exact amount that I owe by Split in all to #
      | With Pay, send exactly what Split says I owe in all, one payment each, to #
      | Send the exact amount of my whole Split debt by Pay, one payment each, to #
      | By one Pay payment each, pay exactly my whole debt in Split to #`,
    ),
    "request-debt": difficulty2(
      applies((db, { id }) => insertRequest(db, id, owedCents(db, id), ""), {
        when: isReachableDebtor,
        call: "apis.pay.request({from:x,amount:apis.split.balance({person:x}).owesMe})",
      })`Request with Pay exactly what they owe me in Split in all from #
      | Use Pay to ask for the exact amount that is owed to me by Split in all from #
      | With Pay, request exactly what Split says they owe me in all, one request each, from #
      | Request the exact amount of the whole Split debt to me by Pay, one request each, from #
      | By one Pay request each, ask for exactly the whole debt to me in Split from #`,
    ),
    /**
     * This action records a settlement in each group separately, because a balance over all groups may hide debts in
     * both directions.
     */
    "record-received": difficulty2(
      applies(
        (db, person) => {
          for (const { group, cents } of debtsByGroup(db, person)) {
            const row = { group, person: person.id, outgoing: false, cents, payment: null };
            db.insert(settlements, { ...row, undone: false, at: ANY_TIME });
          }
        },
        {
          when: (person, db) => {
            const debts = debtsByGroup(db, person);
            const member = { person: person.id, left: false };
            const isMember = (group: number) =>
              db.where(splitMembers, { group, ...member }).length > 0;
            return debts.length > 0 && debts.every(({ group }) => isMember(group));
          },
          call: "for(const g of apis.split.balance({person:x}).groups)if(g.owesMe>0)apis.split.recordReceived({group:g.group,from:x,amount:g.owesMe})",
        },
      )`Record in Split, in each group where they owe me, that I received the full debt from #
      | In every Split group with a debt to me, record the full debt as received from #
      | Note in Split as received, group by group, all that is owed to me there, by #
      | Let Split record all debts to me, in every group, as fully paid by #
      | Record the debts to me in every Split group as fully received from #`,
    ),
    remind: actionWithValue("text", ({ value, code }) =>
      addsRow(nudges, ({ id }) => ({ person: id, text: value, at: ANY_TIME }), {
        when: isReachableDebtor,
        api: "remind",
        args: `text:${code}`,
      }),
    )`Send a Split reminder of their debt, saying $, to #
    | Use Split to remind # of what they owe me, with the words $
    | Let Split send a reminder of the debt that says $ to #
    | In Split, send a reminder with the text $ about their debt to #
    | With Split, give a reminder of their debt, worded $, to #`,
    "add-to-group": actionWithOne(drawHousehold, ({ value: { id: group }, code }) =>
      addsRow(splitMembers, ({ id }) => ({ group, person: id, left: false }), {
        when: ({ id }, db) =>
          isActiveGroup(db, group) && db.where(splitMembers, { group, person: id }).length === 0,
        call: `apis.split.addMember({id:${code},person:x})`,
      }),
    )`Have # join the Split group $ | Add # to the Split group $ | Let # join the Split group $
    | Put # into the Split group $ | Include # in the Split group $`,
  }),
);
