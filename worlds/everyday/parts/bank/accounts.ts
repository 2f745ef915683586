/** Goals about bank accounts: their collection, relations and actions. */
import {
  type ActionKit,
  actions,
  actionWith,
  actionWithOneOf,
  type DrawContext,
  defineCollection,
  everyoneWhoDoesToEach,
  nouns,
  oneOf,
  propertyOnAllPages,
  relationBetween,
  relations,
  rowsReferencing,
  someone,
  superlatives,
  taskValue,
  wordList,
} from "bowline/goals";
import { type Account, accesses, accounts, cards, orders } from "../../apps/bank/tables.ts";
import { titleOfListItems } from "../pay/money-app-code.ts";
import { positiveAmountColumn } from "../pay/money-app-columns.ts";
import { idsOfUnblockedPeople, isReachable } from "../reachable-people.ts";
import { allowsSpending, availableCents, findAccountByName, insertMoneyMove } from "./lookups.ts";

const listOptions = { kind: "accounts", app: "bank", table: accounts };

export const accountsPart = defineCollection<Account>({
  ...listOptions,
  includes: { closed: false },
  nouns: nouns`open bank account(s) | open account(s) at my bank | open account(s) in the Bank app
    | bank account not closed / bank accounts in use | bank account(s) still open`,
  list: "accounts",
  allowsWhole: true,
  columns: ({ text, choice, withProperty, money }) => ({
    name: text("name", { noun: "name" }),
    kind: choice("kind", { arg: "kind" })`that are $ accounts | of the kind "$" | whose kind is "$"
      | which are $ accounts | that the bank lists as "$"`,
    mine: withProperty({ holder: null }, { test: 'x.holder==="me"' })`that I hold myself
      | of which I am the holder | whose holder I am | that are held by me
      | which have me as their holder`,
    rich: positiveAmountColumn<Account>(
      (row) => row.cents,
      "x.balance",
    )`with a balance of at least $ | that have a balance of $ or more | whose balance is at least $
      | with $ or more on them | that hold at least $`,
    "with-card": withProperty(
      ({ id }, db) => db.where(cards, { account: id, cancelled: false }).length > 0,
      {
        test: "apis.bank.cards({account:x.id}).items.length>0",
      },
    )`that have a card | with at least one card | for which there is a card
      | to which a card belongs | that come with at least one card`,
    balance: money(
      "cents",
      { item: "balance", noun: "balance" },
      superlatives`fullest / emptiest | fullest / emptiest | fullest / emptiest | fullest /
        emptiest | fullest / emptiest`,
    ),
    available: money((row, db) => availableCents(db, row.id), {
      code: "apis.bank.account({id:x.id}).available",
      noun: "available amount",
    }),
  }),
  title: titleOfListItems<Account>(
    "bank.accounts",
    "name",
    (row) => row.name,
    "Boat fund | Night savings | Third current | Workshop money",
  )`my bank account "$" | the bank account "$" | the account "$" at my bank
    | the bank account called "$" | the bank account with the name "$"`,
});

const isOwnOpenAccount = ({ holder, closed }: Account) => holder === null && !closed;

export const accountRelations = relations("bank", {
  "account-sharers": relationBetween("accounts", "people", {
    wordsForEach: everyoneWhoDoesToEach("has access from me to"),
    relatedIds: (account, db) =>
      db.get(accounts, account)!.holder === null
        ? db.where(accesses, { account, ended: false }).map((row) => row.person)
        : [],
    cells: propertyOnAllPages(
      "bank.sharers",
      "id:k",
      "person",
      'if(apis.bank.account({id:k}).holder!=="me")continue;',
    ),
  })`the people to whom I gave access to # | everyone who has access from me to #
    | whoever got access from me to # | those who have my permission to use #
    | the people with whom I share #`,
  "account-cards": relationBetween("accounts", "cards", {
    relatedIds: rowsReferencing(cards, "account", { cancelled: false }),
    cells: propertyOnAllPages("bank.cards", "account:k"),
  })`the cards of # | every card that belongs to # | whichever cards pay from #
    | the bank cards for # | the cards that draw on #`,
  "account-orders": relationBetween("accounts", "standingOrders", {
    relatedIds: rowsReferencing(orders, "account", { status: "active" }),
    cells: propertyOnAllPages("bank.orders", 'account:k,status:"active"'),
  })`the active standing orders of # | every active standing order paid by #
    | whatever standing orders are active on # | the standing orders in force on #
    | the active standing orders that draw on #`,
});

const drawOwnAccount = (draw: DrawContext) =>
  findAccountByName(draw, draw.rng.pick(["Everyday", "Household", "Rainy day"]));

/** Makes an action that moves money between each account of the set and one other account. */
const moveMoneyAction = ({ applies }: ActionKit<Account>, isOutgoing: boolean) =>
  actionWith({ money: taskValue("money"), account: drawOwnAccount }, ({ money, account }) => {
    const ends = isOutgoing ? `from:x,to:${account.code}` : `from:${account.code},to:x`;
    return applies(
      (db, { id }) =>
        isOutgoing
          ? insertMoneyMove(db, id, account.value, money.value)
          : insertMoneyMove(db, account.value, id, money.value),
      {
        when: (row, db) =>
          row.id !== account.value &&
          allowsSpending(row) &&
          availableCents(db, isOutgoing ? row.id : account.value) >= 5 * money.value,
        call: `apis.bank.move({${ends},amount:${money.code}})`,
      },
    );
  });

export const accountActions = actions(listOptions, (kit) => ({
  "move-from": moveMoneyAction(kit, true)`Move $money from # to my account $account
    | Make a bank move of $money from # to my account $account
    | Let the bank move $money from # to my account $account
    | Shift $money in the bank from # to my account $account
    | Have $money moved from # to my account $account`,
  "move-to": moveMoneyAction(kit, false)`Move $money from my account $account to #
    | Make a bank move of $money from my account $account to #
    | Let the bank move $money from my account $account to #
    | Shift $money in the bank from my account $account to #
    | Have $money moved from my account $account to #`,
  share: actionWith(
    { person: someone(idsOfUnblockedPeople), role: oneOf(["view", "spend"] as const) },
    ({ person: { value, code }, role }) => {
      const given = { person: value.id, ended: false };
      const made = { person: value.id, role: role.value, ended: false };
      return kit.addsRow(accesses, ({ id }) => ({ account: id, ...made }), {
        when: (row, db) =>
          isOwnOpenAccount(row) &&
          isReachable(db, value.id) &&
          db.where(accesses, { account: row.id, ...given }).length === 0,
        api: "share",
        args: `person:${code},role:${role.code}`,
      });
    },
  )`Give $person access, with the role "$role", to #
    | Let # be shared with $person in the role "$role"
    | Let $person have access with the role "$role" to # | Grant $person the role "$role" on #
    | Share # with $person in the role "$role"`,
  /** Ends the access of every person to whom the owner gave access. */
  unshare: kit.difficulty2(
    kit.applies(
      (db, { id: account }) => {
        for (const { id } of db.where(accesses, { account, ended: false })) {
          db.update(accesses, id, { ended: true });
        }
      },
      {
        when: (row, db) =>
          isOwnOpenAccount(row) && db.where(accesses, { account: row.id, ended: false }).length > 0,
        call: "for(const s of apis.bank.sharers({id:x,size:20}).items)apis.bank.unshare({id:x,person:s.person})",
      },
    )`Take back the access of everyone else to # | End all access that I gave others to #
      | Remove whoever else has access from # | Stop sharing # with anyone
      | Let nobody else have access to # any more`,
  ),
  "order-card": actionWithOneOf(
    wordList("Second card | Green card | Guest card | Holiday card | Backup"),
    (label) => {
      const state = { digits: "", limit: 100_000, frozen: false, cancelled: false };
      return kit.addsRow(cards, ({ id }) => ({ label, account: id, ...state }), {
        when: allowsSpending,
        call: `apis.bank.orderCard({account:x,label:"${label}"})`,
      });
    },
  )`Order a card with the label "$" for # | Get a new bank card, labelled "$", for #
    | Have a card called "$" ordered for # | Ask the bank for a card labelled "$" for #
    | Let the bank send a new card with the label "$" for #`,
}));
