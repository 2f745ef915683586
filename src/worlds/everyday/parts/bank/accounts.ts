/** Accounts: by kind, holder and balance; moved from, shared, given cards. */

import {
  type Action,
  type Clause,
  collection,
  eachOf,
  type Forms,
  moneyWords,
  type Relation,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  type Account,
  type AccountKind,
  accesses,
  accounts,
  cards,
  orders,
} from "../../apps/bank/tables.ts";
import { centsAtLeast, oneOfSome } from "../bounds.ts";
import { unblocked } from "../contact.ts";
import { gather, js } from "../pay/phrases.ts";
import { reachable } from "../pay/writes.ts";
import { accountCalled, free, maySpend, writeMove } from "./lookups.ts";

const KINDS: { readonly [K in AccountKind]: Forms } = {
  current: [
    "that are current accounts",
    'of the kind "current"',
    'whose kind is "current"',
    "which are current accounts",
    'that the bank lists as "current"',
  ],
  savings: [
    "that are savings accounts",
    'of the kind "savings"',
    'whose kind is "savings"',
    "which are savings accounts",
    'that the bank lists as "savings"',
  ],
  joint: [
    "that are joint accounts",
    'of the kind "joint"',
    'whose kind is "joint"',
    "which are joint accounts",
    'that the bank lists as "joint"',
  ],
};

const ofKind: Clause<Account> = {
  name: "kind",
  draw: ({ rng }, rows) => {
    const kind = oneOfSome(
      rng,
      rows.map((row) => row.kind),
    );
    if (kind === undefined) return undefined;
    return {
      words: KINDS[kind],
      holds: (row) => row.kind === kind,
      code: { args: `kind:${js(kind)}` },
    };
  },
};

const mine: Clause<Account> = {
  name: "mine",
  draw: () => ({
    words: [
      "that I hold myself",
      "of which I am the holder",
      "whose holder I am",
      "that are held by me",
      "which have me as their holder",
    ],
    holds: (row) => row.holder === null,
    code: { test: 'x.holder==="me"' },
  }),
};

const rich: Clause<Account> = {
  name: "rich",
  draw: ({ rng }, rows) => {
    const cents = centsAtLeast(
      rng,
      rows.map((row) => row.cents),
    );
    if (cents === undefined || cents <= 0) return undefined;
    const m = moneyWords(cents);
    return {
      words: [
        `with a balance of at least ${m}`,
        `that have a balance of ${m} or more`,
        `whose balance is at least ${m}`,
        `with ${m} or more on them`,
        `that hold at least ${m}`,
      ],
      holds: (row) => row.cents >= cents,
      code: { test: `x.balance>=${cents / 100}` },
    };
  },
};

const withCard: Clause<Account> = {
  name: "with-card",
  draw: () => ({
    words: [
      "that have a card",
      "with at least one card",
      "for which there is a card",
      "to which a card belongs",
      "that come with at least one card",
    ],
    holds: (row, db) => db.where(cards, { account: row.id, cancelled: false }).length > 0,
    code: { test: "apis.bank.cards({account:x.id}).items.length>0" },
  }),
};

export const accountsPart = collection<Account>({
  name: "accounts",
  kind: "accounts",
  app: "bank",
  table: accounts,
  base: (row) => !row.closed,
  nouns: [
    { one: "open bank account", many: "open bank accounts" },
    { one: "open account at my bank", many: "open accounts at my bank" },
    { one: "open account in the Bank app", many: "open accounts in the Bank app" },
    { one: "bank account not closed", many: "bank accounts in use" },
    { one: "bank account still open", many: "bank accounts still open" },
  ],
  list: { api: "bank.accounts" },
  key: "id",
  whole: true,
  clauses: [ofKind, mine, rich, withCard],
  fields: [
    { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
    {
      name: "balance",
      unit: "money",
      noun: "balance",
      value: (row) => row.cents / 100,
      code: "x.balance",
      superlatives: {
        most: ["fullest", "richest", "best filled", "most filled", "best funded"],
        least: ["emptiest", "poorest", "least filled", "worst filled", "worst funded"],
      },
    },
    {
      name: "available",
      unit: "money",
      noun: "available amount",
      value: (row, db) => free(db, row.id) / 100,
      code: "apis.bank.account({id:x.id}).available",
    },
  ],
  title: {
    of: (row) => row.name,
    nouns: (name) => [
      `my bank account ${js(name)}`,
      `the bank account ${js(name)}`,
      `the account ${js(name)} at my bank`,
      `the bank account called ${js(name)}`,
      `the bank account with the name ${js(name)}`,
    ],
    cells: (name, out) => [
      `var ${out}=[],p=1,r;do{r=apis.bank.accounts({size:20,page:p++});${out}.push(...r.items.filter(x=>x.name===${js(name)}).map(x=>x.id))}while(r.more);print(${out})`,
    ],
    missing: ["Boat fund", "Night savings", "Third current", "Workshop money"],
  },
});

export const accountRelations: readonly Relation[] = [
  {
    name: "account-sharers",
    from: "accounts",
    to: "people",
    app: "bank",
    words: [
      (noun) => `the people to whom I gave access to ${noun}`,
      (noun) => `everyone who has access from me to ${noun}`,
      (noun) => `whoever got access from me to ${noun}`,
      (noun) => `those who can get at ${noun} by my permission`,
      (noun) => `the persons with whom I share ${noun}`,
    ],
    each: eachOf("has access from me to"),
    map: (db, ids) => [
      ...new Set(
        ids
          .filter((id) => db.get(accounts, id)!.holder === null)
          .flatMap((account) => db.where(accesses, { account, ended: false }))
          .map((row) => row.person),
      ),
    ],
    cells: (from, to) => [
      `var ${to}=[];for(const k of ${from}){if(apis.bank.account({id:k}).holder!=="me")continue;let p=1,r;do{r=apis.bank.sharers({id:k,size:20,page:p++});${to}.push(...r.items.map(x=>x.person))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
    ],
  },
  {
    name: "account-cards",
    from: "accounts",
    to: "cards",
    app: "bank",
    words: [
      (noun) => `the cards of ${noun}`,
      (noun) => `every card that belongs to ${noun}`,
      (noun) => `whichever cards pay from ${noun}`,
      (noun) => `the bank cards for ${noun}`,
      (noun) => `the cards that draw on ${noun}`,
    ],
    map: (db, ids) =>
      ids.flatMap((account) => db.where(cards, { account, cancelled: false }).map((row) => row.id)),
    cells: (from, to) => gather("bank.cards", "account:k", "id", from, to),
  },
  {
    name: "account-orders",
    from: "accounts",
    to: "standingOrders",
    app: "bank",
    words: [
      (noun) => `the active standing orders of ${noun}`,
      (noun) => `every active standing order paid by ${noun}`,
      (noun) => `whatever standing orders are active on ${noun}`,
      (noun) => `the standing orders in force on ${noun}`,
      (noun) => `the active standing orders that draw on ${noun}`,
    ],
    map: (db, ids) =>
      ids.flatMap((account) => db.where(orders, { account, status: "active" }).map((o) => o.id)),
    cells: (from, to) => gather("bank.orders", 'account:k,status:"active"', "id", from, to),
  },
];

// --- actions ---

function moving(name: string, out: boolean): Action {
  return {
    name,
    kind: "accounts",
    app: "bank",
    difficulty: 1,
    takes: "money",
    draw: (draw) => {
      const money = draw.value("money");
      const other = accountCalled(draw, draw.rng.pick(["Everyday", "Household", "Rainy day"]));
      if (!other) return undefined;
      const [m, o] = [money.words, other.words];
      const end = out
        ? (noun: string) => `from ${noun} to my account ${o}`
        : (noun: string) => `from my account ${o} to ${noun}`;
      return {
        frames: [
          (noun) => `Move ${m} ${end(noun)}`,
          (noun) => `Make a bank move of ${m} ${end(noun)}`,
          (noun) => `Let the bank move ${m} ${end(noun)}`,
          (noun) => `Shift ${m} in the bank ${end(noun)}`,
          (noun) => `Have ${m} moved ${end(noun)}`,
        ],
        permits: (db, id) => {
          const from = out ? id : other.value;
          return id !== other.value && maySpend(db, id) && free(db, from) >= 5 * money.value;
        },
        apply: (db, id) => {
          if (out) writeMove(db, id, other.value, money.value);
          else writeMove(db, other.value, id, money.value);
        },
        call: (x) =>
          out
            ? `apis.bank.move({from:${x},to:${other.code},amount:${money.code}})`
            : `apis.bank.move({from:${other.code},to:${x},amount:${money.code}})`,
        uses: [money, other],
      };
    },
  };
}

const isOwn = (db: Reader, id: number) => {
  const row = db.get(accounts, id)!;
  return row.holder === null && !row.closed;
};

const share: Action = {
  name: "share",
  kind: "accounts",
  app: "bank",
  difficulty: 1,
  draw: (draw) => {
    const person = draw.person(unblocked(draw));
    if (!person) return undefined;
    const role = draw.rng.pick(["view", "spend"] as const);
    const p = person.words;
    return {
      frames: [
        (noun) => `Give ${p} access, with the role "${role}", to ${noun}`,
        (noun) => `Let ${noun} be shared with ${p} in the role "${role}"`,
        (noun) => `Let ${p} have access with the role "${role}" to ${noun}`,
        (noun) => `Grant ${p} the role "${role}" on ${noun}`,
        (noun) => `Share ${noun} with ${p} in the role "${role}"`,
      ],
      permits: (db, id) =>
        isOwn(db, id) &&
        reachable(db, person.value.id) &&
        db.where(accesses, { account: id, person: person.value.id, ended: false }).length === 0,
      apply: (db, id) =>
        void db.insert(accesses, { account: id, person: person.value.id, role, ended: false }),
      call: (x) => `apis.bank.share({id:${x},person:${person.code},role:"${role}"})`,
      uses: [person],
    };
  },
};

const orderCard: Action = {
  name: "order-card",
  kind: "accounts",
  app: "bank",
  difficulty: 1,
  draw: ({ rng }) => {
    const label = rng.pick(["Second card", "Green card", "Guest card", "Holiday card", "Backup"]);
    return {
      frames: [
        (noun) => `Order a card with the label "${label}" for ${noun}`,
        (noun) => `Get a new bank card, labelled "${label}", for ${noun}`,
        (noun) => `Have a card called "${label}" ordered for ${noun}`,
        (noun) => `Ask the bank for a card labelled "${label}" for ${noun}`,
        (noun) => `Let the bank send a new card with the label "${label}" for ${noun}`,
      ],
      permits: maySpend,
      apply: (db, account) => {
        const state = { limit: 100_000, frozen: false, cancelled: false };
        db.insert(cards, { label, account, digits: "", ...state });
      },
      call: (x) => `apis.bank.orderCard({account:${x},label:"${label}"})`,
    };
  },
};

/** Everyone who was given access loses it. */
const unshare: Action = {
  name: "unshare",
  kind: "accounts",
  app: "bank",
  difficulty: 2,
  draw: () => ({
    frames: [
      (noun) => `Take back the access of everyone else to ${noun}`,
      (noun) => `End all access that I gave others to ${noun}`,
      (noun) => `Remove whoever else has access from ${noun}`,
      (noun) => `Stop sharing ${noun} with anyone`,
      (noun) => `Take away from everyone else the access to ${noun}`,
    ],
    permits: (db, id) =>
      isOwn(db, id) && db.where(accesses, { account: id, ended: false }).length > 0,
    apply: (db, account) => {
      for (const { id } of db.where(accesses, { account, ended: false })) {
        db.update(accesses, id, { ended: true });
      }
    },
    call: (x) =>
      `for(const s of apis.bank.sharers({id:${x},size:20}).items)apis.bank.unshare({id:${x},person:s.person})`,
  }),
};

export const accountActions: readonly Action[] = [
  moving("move-from", true),
  moving("move-to", false),
  share,
  unshare,
  orderCard,
];
