/** Transactions: by category, account, way, amount, day, payee, card and note; sorted, annotated, disputed. */
import { type Action, type Clause, collection, type Relation } from "../../../../goals/index.ts";
import {
  accounts,
  CATEGORIES,
  cards,
  disputes,
  payees,
  type Transaction,
  transactions,
} from "../../apps/bank/tables.ts";
import { people } from "../../apps/tables.ts";
import { oneOfSome } from "../bounds.ts";
import { each, js, largeOnes, lateOnes, mentioning, mentions } from "../pay/phrases.ts";
import { maySpend, someAccount, writeLine } from "./lookups.ts";

const dayOf = ({ at }: Transaction) => at.slice(0, 10);

const inCategory: Clause<Transaction> = {
  name: "category",
  excludes: ["payee"],
  draw: ({ rng }, rows) => {
    const category = oneOfSome(
      rng,
      rows.map((row) => row.category),
    );
    if (category === undefined) return undefined;
    const c = js(category);
    return {
      words: [
        `in the category ${c}`,
        `of the category ${c}`,
        `that are in the category ${c}`,
        `whose category is ${c}`,
        `which are filed under the category ${c}`,
      ],
      holds: (row) => row.category === category,
      code: { args: `category:${c}` },
    };
  },
};

const onAccount: Clause<Transaction> = {
  name: "account",
  excludes: ["card"],
  draw: (draw, rows) => {
    const ids = new Set(rows.map((row) => row.account));
    const account = ids.size > 1 ? someAccount(draw, [...ids]) : undefined;
    if (!account) return undefined;
    const a = account.words;
    return {
      words: [
        `on the account ${a}`,
        `of the account ${a}`,
        `that were booked on the account ${a}`,
        `which belong to the account ${a}`,
        `booked on the account ${a}`,
      ],
      holds: (row) => row.account === account.value,
      code: { args: `account:${account.code}` },
      uses: [account],
    };
  },
};

const outgoing: Clause<Transaction> = {
  name: "out",
  excludes: ["in", "card"],
  draw: () => ({
    words: [
      "that went out",
      "which are money going out",
      "by which money went out",
      "that took money out of an account",
      "which are outgoing",
    ],
    holds: (row) => row.cents < 0,
    code: { args: 'way:"out"' },
  }),
};

const incoming: Clause<Transaction> = {
  name: "in",
  excludes: ["card"],
  draw: () => ({
    words: [
      "that came in",
      "which are money coming in",
      "by which money came in",
      "that brought money into an account",
      "which are incoming",
    ],
    holds: (row) => row.cents > 0,
    code: { args: 'way:"in"' },
  }),
};

const large: Clause<Transaction> = {
  name: "large",
  draw: (draw, rows) => {
    const drawn = largeOnes(
      draw,
      rows.map((row) => Math.abs(row.cents)),
    );
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => Math.abs(row.cents) >= drawn.bound,
      code: { args: `least:${drawn.bound / 100}` },
    };
  },
};

const late: Clause<Transaction> = {
  name: "late",
  draw: (draw, rows) => {
    const drawn = lateOnes(draw, rows.map(dayOf));
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => dayOf(row) >= drawn.bound,
      code: { args: `since:${js(drawn.bound)}` },
    };
  },
};

const withPayee: Clause<Transaction> = {
  name: "payee",
  draw: (draw, rows) => {
    const persons = new Set(draw.db.all(people).map((row) => row.name));
    const names = rows.map((row) => row.payee).filter((name) => !persons.has(name));
    const payee = oneOfSome(
      draw.rng,
      names.filter((name) => names.filter((n) => n === name).length > 1),
    );
    if (payee === undefined) return undefined;
    const p = js(payee);
    return {
      words: [
        `with the payee ${p}`,
        `whose payee is ${p}`,
        `that have ${p} as their payee`,
        `with ${p} as the payee`,
        `that name ${p} as the payee`,
      ],
      holds: (row) => row.payee === payee,
      code: { args: `payee:${p}` },
    };
  },
};

const byCard: Clause<Transaction> = {
  name: "card",
  draw: (draw, rows) => {
    const id = oneOfSome(
      draw.rng,
      rows.flatMap((row) => row.card ?? []),
    );
    const card = id === undefined ? undefined : draw.db.get(cards, id);
    if (!card || card.cancelled) return undefined;
    const name = draw.variable("b");
    const l = js(card.label);
    const cell = `var ${name}=apis.bank.cards({size:20}).items.find(x=>x.label===${l}).id;print(${name})`;
    const found = { value: card.id, words: l, code: name, cells: [cell], apps: ["bank"] };
    return {
      words: [
        `paid with the card ${l}`,
        `that were paid with the card ${l}`,
        `by the card ${l}`,
        `that the card ${l} paid`,
        `which I paid by the card ${l}`,
      ],
      holds: (row) => row.card === card.id,
      code: { args: `card:${name}` },
      uses: [found],
    };
  },
};

const NOTES = [
  "tax papers",
  "neighbours",
  "too expensive",
  "piano lessons",
  "dog walking",
  "garage share",
  "dinner",
  "wine",
  "taxi",
  "groceries",
  "tickets",
  "gift",
  "monthly",
] as const;

const note: Clause<Transaction> = {
  name: "note",
  draw: (draw, rows) => {
    const drawn = mentioning(
      draw,
      rows.map((row) => row.note),
      NOTES,
    );
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => mentions(row.note, drawn.bound),
      code: {
        test: `apis.bank.transaction({id:x.id}).note.toLowerCase().includes(${js(drawn.bound)})`,
      },
    };
  },
};

export const transactionsPart = collection<Transaction>({
  name: "transactions",
  kind: "transactions",
  app: "bank",
  table: transactions,
  base: () => true,
  nouns: [
    { one: "bank transaction", many: "bank transactions" },
    { one: "transaction at my bank", many: "transactions at my bank" },
    { one: "transaction in the Bank app", many: "transactions in the Bank app" },
    { one: "transaction in my bank accounts", many: "transactions in my bank accounts" },
    { one: "transaction that the bank booked", many: "transactions booked by the bank" },
  ],
  list: { api: "bank.transactions" },
  key: "id",
  whole: false,
  clauses: [inCategory, onAccount, outgoing, incoming, large, late, withPayee, byCard, note],
  fields: [
    { name: "payee", unit: "text", noun: "payee", value: (row) => row.payee, code: "x.payee" },
    {
      name: "amount",
      unit: "money",
      noun: "amount",
      value: (row) => Math.abs(row.cents) / 100,
      code: "x.amount",
      superlatives: {
        most: ["largest", "biggest", "highest", "greatest", "most sizeable"],
        least: ["smallest", "lowest", "least", "littlest", "tiniest"],
      },
    },
    {
      name: "day",
      unit: "day",
      noun: "date",
      value: dayOf,
      code: "x.day",
      superlatives: {
        most: ["newest", "latest", "most recent", "last", "youngest"],
        least: ["oldest", "earliest", "least recent", "first", "most ancient"],
      },
    },
    {
      name: "account",
      unit: "text",
      noun: "name of the account",
      value: (row, db) => db.get(accounts, row.account)!.name,
      code: "apis.bank.account({id:x.account}).name",
    },
  ],
});

export const transactionRelations: readonly Relation[] = [
  {
    name: "transaction-accounts",
    from: "transactions",
    to: "accounts",
    app: "bank",
    words: [
      (noun) => `the accounts of ${noun}`,
      (noun) => `the accounts with a booking of ${noun}`,
      (noun) => `whichever accounts have ${noun} on them`,
      (noun) => `the accounts that hold ${noun}`,
      (noun) => `every account with any of ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(transactions, id)!.account))],
    cells: (from, to) => each("apis.bank.transaction({id:k}).account", from, to),
  },
  {
    name: "transaction-payees",
    from: "transactions",
    to: "payees",
    app: "bank",
    words: [
      (noun) => `the saved payees that are the payee of ${noun}`,
      (noun) => `those of my saved payees that occur in ${noun}`,
      (noun) => `my saved payees with any of ${noun}`,
      (noun) => `whichever saved payees stand in ${noun}`,
      (noun) => `every saved payee that is named by any of ${noun}`,
    ],
    map: (db, ids) =>
      [...new Set(ids.map((id) => db.get(transactions, id)!.payee))].flatMap((name) =>
        db.where(payees, { name, removed: false }).map((row) => row.id),
      ),
    cells: (from, to) => [
      `var ${to}=[];for(const n of new Set(${from}.map(k=>apis.bank.transaction({id:k}).payee))){const f=apis.bank.payees({name:n,size:20}).items.find(x=>x.name===n);if(f)${to}.push(f.id)}print(${to})`,
    ],
  },
];

// --- actions ---

function action(
  name: string,
  draw: Action["draw"],
  difficulty: 1 | 2 = 1,
  takes?: Action["takes"],
): Action {
  const part = { name, kind: "transactions", app: "bank", difficulty, draw } as const;
  return takes ? { ...part, takes } : part;
}

const spendable = (db: Parameters<typeof maySpend>[0], id: number) =>
  maySpend(db, db.get(transactions, id)!.account);

const categorise = action("categorise", ({ rng }) => {
  const category = rng.pick(CATEGORIES);
  const c = js(category);
  return {
    frames: [
      (noun) => `Change the category to ${c} for ${noun}`,
      (noun) => `Set the category of ${noun} to ${c}`,
      (noun) => `Move ${noun} to the category ${c}`,
      (noun) => `Make ${c} the category of ${noun}`,
      (noun) => `Sort ${noun} into the category ${c}`,
    ],
    permits: (db, id) => spendable(db, id) && db.get(transactions, id)!.category !== category,
    apply: (db, id) => void db.update(transactions, id, { category }),
    call: (x) => `apis.bank.categorise({id:${x},category:${c}})`,
  };
});

const annotate = action(
  "annotate",
  (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Replace the note with ${text.words} for ${noun}`,
        (noun) => `Set the note of ${noun} to ${text.words}`,
        (noun) => `Make ${text.words} the note of ${noun}`,
        (noun) => `Let the note of ${noun} be ${text.words}`,
        (noun) => `Give ${noun} the note ${text.words} instead of the present one`,
      ],
      permits: (db, id) => spendable(db, id) && db.get(transactions, id)!.note !== text.value,
      apply: (db, id) => void db.update(transactions, id, { note: text.value }),
      call: (x) => `apis.bank.annotate({id:${x},note:${text.code}})`,
      uses: [text],
    };
  },
  1,
  "text",
);

const addToNote = action(
  "extend-note",
  ({ rng }) => {
    const word = rng.pick(["checked", "business", "reimbursed", "private", "split later"]);
    const added = js(` (${word})`);
    return {
      frames: [
        (noun) => `Append ${added} to the note, keeping what it says, for ${noun}`,
        (noun) => `Add ${added} at the end of the note of ${noun}`,
        (noun) => `Extend the note of ${noun} by ${added} at its end`,
        (noun) => `Put ${added} behind what the note of ${noun} says`,
        (noun) => `Let the note of ${noun} end with ${added} after its present text`,
      ],
      permits: spendable,
      apply: (db, id) => {
        const { note } = db.get(transactions, id)!;
        db.update(transactions, id, { note: `${note} (${word})`.trim() });
      },
      call: (x) =>
        `apis.bank.annotate({id:${x},note:apis.bank.transaction({id:${x}}).note+${added}})`,
    };
  },
  2,
);

const dispute = action(
  "dispute",
  (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Dispute ${noun} with the reason ${text.words}`,
        (noun) => `Open a dispute at the bank, giving the reason ${text.words}, about ${noun}`,
        (noun) => `Raise a dispute with the reason ${text.words} over ${noun}`,
        (noun) => `Start a bank dispute for the reason ${text.words} about ${noun}`,
        (noun) => `File a dispute over ${noun} and state the reason ${text.words}`,
      ],
      permits: (db, id) => {
        const { card, cents } = db.get(transactions, id)!;
        const open = db.where(disputes, { transaction: id, status: "open" });
        return spendable(db, id) && card !== null && cents < 0 && open.length === 0;
      },
      apply: (db, id) =>
        void db.insert(disputes, { transaction: id, reason: text.value, status: "open" }),
      call: (x) => `apis.bank.dispute({id:${x},reason:${text.code}})`,
      uses: [text],
    };
  },
  1,
  "text",
);

/** The same to the same payee again; only payees that are saved have a number to send to. */
const repeat = action(
  "transfer-again",
  () => ({
    frames: [
      (noun) => `Repeat ${noun} as a transfer with the same account, payee, amount and note`,
      (noun) => `Make a new transfer with the same account, payee, amount and note for ${noun}`,
      (noun) =>
        `Transfer the same amount with the same note from the same account to the same payee again, for ${noun}`,
      (noun) => `For ${noun}, make another transfer with unchanged account, payee, amount and note`,
      (noun) =>
        `Do ${noun} once more as a transfer, with unchanged account, payee, amount and note`,
    ],
    permits: (db, id) => {
      const { payee, cents, category } = db.get(transactions, id)!;
      const saved = db.where(payees, { name: payee, removed: false });
      const known = saved.every(
        ({ person }) => person === null || !db.get(people, person)?.blocked,
      );
      return (
        spendable(db, id) && cents < 0 && category === "transfers" && saved.length === 1 && known
      );
    },
    apply: (db, id) => {
      const { account, cents, payee, note } = db.get(transactions, id)!;
      writeLine(db, { account, cents, payee, note });
    },
    call: (x) =>
      `const o=apis.bank.transaction({id:${x}}),to=apis.bank.payees({name:o.payee,size:20}).items.find(f=>f.name===o.payee).id;apis.bank.transfer({from:o.account,payee:to,amount:o.amount,note:o.note})`,
  }),
  2,
);

export const transactionActions: readonly Action[] = [
  categorise,
  annotate,
  addToNote,
  dispute,
  repeat,
];
