/** Accounts: by kind, holder and balance; moved from, shared, given cards. */
import {
  type ActionKit,
  actions,
  eachOf,
  forms,
  joins,
  listOf,
  nouns,
  ranked,
  relations,
  rows,
} from "../../../../goals/index.ts";
import { type Account, accesses, accounts, cards, orders } from "../../apps/bank/tables.ts";
import { reachable, unblocked } from "../contact.ts";
import { entitled, gather } from "../pay/cells.ts";
import { surplus } from "../pay/columns.ts";
import { accountCalled, free, spends, writeMove } from "./lookups.ts";

const on = { kind: "accounts", app: "bank", table: accounts };

export const accountsPart = rows<Account>({
  ...on,
  base: { closed: false },
  nouns: nouns`open bank account(s) | open account(s) at my bank | open account(s) in the Bank app
    | bank account not closed / bank accounts in use | bank account(s) still open`,
  list: "accounts",
  whole: true,
  columns: ({ text, choice, is, money, clause }) => ({
    name: text("name", { noun: "name" }),
    kind: choice("kind", { arg: "kind" })`that are $ accounts | of the kind "$" | whose kind is "$"
      | which are $ accounts | that the bank lists as "$"`,
    mine: is({ holder: null }, { test: 'x.holder==="me"' })`that I hold myself
      | of which I am the holder | whose holder I am | that are held by me
      | which have me as their holder`,
    rich: clause(
      surplus(
        (row) => row.cents,
        "x.balance",
        (m) => forms`with a balance of at least ${m} | that have a balance of ${m} or more
          | whose balance is at least ${m} | with ${m} or more on them | that hold at least ${m}`,
      ),
    ),
    "with-card": is(({ id }, db) => db.where(cards, { account: id, cancelled: false }).length > 0, {
      test: "apis.bank.cards({account:x.id}).items.length>0",
    })`that have a card | with at least one card | for which there is a card
      | to which a card belongs | that come with at least one card`,
    balance: money("cents", {
      item: "balance",
      noun: "balance",
      ranks: ranked`fullest / emptiest | richest / poorest | best filled / least filled
        | most filled / worst filled | best funded / worst funded`,
    }),
    available: money((row, db) => free(db, row.id), {
      code: "apis.bank.account({id:x.id}).available",
      noun: "available amount",
    }),
  }),
  title: entitled<Account>(
    "bank.accounts",
    "name",
    (row) => row.name,
    "Boat fund | Night savings | Third current | Workshop money",
  )`my bank account "$" | the bank account "$" | the account "$" at my bank
    | the bank account called "$" | the bank account with the name "$"`,
});

const isOwn = ({ holder, closed }: Account) => holder === null && !closed;

export const accountRelations = relations("bank", {
  "account-sharers": joins("accounts", "people", {
    each: eachOf("has access from me to"),
    of: (account, db) =>
      db.get(accounts, account)!.holder === null
        ? db.where(accesses, { account, ended: false }).map((row) => row.person)
        : [],
    cells: (from, to) => [
      `var ${to}=[];for(const k of ${from}){if(apis.bank.account({id:k}).holder!=="me")continue;let p=1,r;do{r=apis.bank.sharers({id:k,size:20,page:p++});${to}.push(...r.items.map(x=>x.person))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
    ],
  })`the people to whom I gave access to # | everyone who has access from me to #
    | whoever got access from me to # | those who can get at # by my permission
    | the persons with whom I share #`,
  "account-cards": joins("accounts", "cards", {
    of: (account, db) => db.where(cards, { account, cancelled: false }).map(({ id }) => id),
    cells: gather("bank.cards", "account:k"),
  })`the cards of # | every card that belongs to # | whichever cards pay from #
    | the bank cards for # | the cards that draw on #`,
  "account-orders": joins("accounts", "standingOrders", {
    of: (account, db) => db.where(orders, { account, status: "active" }).map(({ id }) => id),
    cells: gather("bank.orders", 'account:k,status:"active"'),
  })`the active standing orders of # | every active standing order paid by #
    | whatever standing orders are active on # | the standing orders in force on #
    | the active standing orders that draw on #`,
});

// --- actions ---

const OTHERS = ["Everyday", "Household", "Rainy day"];

/** Between each account of the set and one other, out of it or into it. */
const moving = ({ taking, does }: ActionKit<Account>, out: boolean) =>
  taking("money", (money, draw) => {
    const other = accountCalled(draw, draw.rng.pick(OTHERS));
    if (!other) return undefined;
    const [m, o] = [money.words, other.words];
    const ends = out ? `from:x,to:${other.code}` : `from:${other.code},to:x`;
    const move = does(
      (db, { id }) =>
        out
          ? writeMove(db, id, other.value, money.value)
          : writeMove(db, other.value, id, money.value),
      {
        when: (row, db) =>
          row.id !== other.value &&
          spends(row) &&
          free(db, out ? row.id : other.value) >= 5 * money.value,
        call: `apis.bank.move({${ends},amount:${money.code}})`,
        uses: [other],
      },
    );
    if (out) {
      return move`Move ${m} from # to my account ${o}
        | Make a bank move of ${m} from # to my account ${o}
        | Let the bank move ${m} from # to my account ${o}
        | Shift ${m} in the bank from # to my account ${o}
        | Have ${m} moved from # to my account ${o}`;
    }
    return move`Move ${m} from my account ${o} to #
      | Make a bank move of ${m} from my account ${o} to #
      | Let the bank move ${m} from my account ${o} to #
      | Shift ${m} in the bank from my account ${o} to #
      | Have ${m} moved from my account ${o} to #`;
  });

export const accountActions = actions(on, (kit) => ({
  "move-from": moving(kit, true),
  "move-to": moving(kit, false),
  share: kit.drawn((draw) => {
    const person = draw.person(unblocked(draw));
    if (!person) return undefined;
    const role = draw.rng.pick(["view", "spend"] as const);
    const [p, id] = [person.words, person.value.id];
    return kit.adds(accesses, (row) => ({ account: row.id, person: id, role, ended: false }), {
      when: (row, db) =>
        isOwn(row) &&
        reachable(db, id) &&
        db.where(accesses, { account: row.id, person: id, ended: false }).length === 0,
      api: "share",
      args: `person:${person.code},role:"${role}"`,
      uses: [person],
    })`Give ${p} access, with the role "${role}", to #
      | Let # be shared with ${p} in the role "${role}"
      | Let ${p} have access with the role "${role}" to # | Grant ${p} the role "${role}" on #
      | Share # with ${p} in the role "${role}"`;
  }),
  /** Everyone who was given access loses it. */
  unshare: kit.hard(
    kit.does(
      (db, { id: account }) => {
        for (const { id } of db.where(accesses, { account, ended: false })) {
          db.update(accesses, id, { ended: true });
        }
      },
      {
        when: (row, db) =>
          isOwn(row) && db.where(accesses, { account: row.id, ended: false }).length > 0,
        call: "for(const s of apis.bank.sharers({id:x,size:20}).items)apis.bank.unshare({id:x,person:s.person})",
      },
    )`Take back the access of everyone else to # | End all access that I gave others to #
      | Remove whoever else has access from # | Stop sharing # with anyone
      | Take away from everyone else the access to #`,
  ),
  "order-card": kit.drawn(({ rng }) => {
    const label = rng.pick(listOf("Second card | Green card | Guest card | Holiday card | Backup"));
    const state = { digits: "", limit: 100_000, frozen: false, cancelled: false };
    return kit.adds(cards, ({ id }) => ({ label, account: id, ...state }), {
      when: spends,
      call: `apis.bank.orderCard({account:x,label:"${label}"})`,
    })`Order a card with the label "${label}" for #
      | Get a new bank card, labelled "${label}", for #
      | Have a card called "${label}" ordered for #
      | Ask the bank for a card labelled "${label}" for #
      | Let the bank send a new card with the label "${label}" for #`;
  }),
}));
