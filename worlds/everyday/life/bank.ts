/**
 * Writes the bank's rows: three months of an ordinary household. Each cost that the owner paid at a happening is one of
 * the transactions.
 *
 * The entries are made in any order and then booked in order of time. At last each balance is set to the opening
 * balance plus all entries.
 */
import type { Rng, Writer } from "bowline/world";
import {
  type Account,
  accesses,
  accounts,
  budgets,
  type Category,
  cards,
  disputes,
  goals,
  orders,
  type Payee,
  payees,
  type Transaction,
  transactions,
} from "../apps/bank/tables.ts";
import { PARTS } from "../population/name-pools.ts";
import { dayFromStart } from "../population/time.ts";
import type { Life } from "./life.ts";

/** The labels of the cards. The first three cards are linked to the pay app, and the wallet prefers the first card. */
export const CARD_LABELS = [
  "Blue card",
  "Online card",
  "Household card",
  "Allotment card",
  "Travel card",
  "Old grey card",
] as const;

const WALLET = "Pay wallet";

/**
 * Top-ups of the pay wallet from the bank (positive) and withdrawals to the bank (negative). All of them use the first
 * card.
 */
export const WALLET_MOVES: readonly { readonly at: string; readonly cents: number }[] = [
  { at: `${dayFromStart(-76)}T08:05:00Z`, cents: 412_000 },
  { at: `${dayFromStart(-60)}T08:10:00Z`, cents: 155_000 },
  { at: `${dayFromStart(-45)}T18:40:00Z`, cents: 123_500 },
  { at: `${dayFromStart(-37)}T12:15:00Z`, cents: -18_000 },
  { at: `${dayFromStart(-29)}T07:55:00Z`, cents: 128_000 },
  { at: `${dayFromStart(-13)}T19:25:00Z`, cents: 117_500 },
  { at: `${dayFromStart(-6)}T09:30:00Z`, cents: -9500 },
  { at: `${dayFromStart(-3)}T20:45:00Z`, cents: 94_000 },
];

type BankEntry = Omit<Transaction, "id">;
/** The owner's accounts and cards, which can be found by their names. */
interface AccountsAndCards {
  readonly account: (name: string) => number;
  readonly card: (label: (typeof CARD_LABELS)[number]) => Pick<BankEntry, "account" | "card">;
}

export function addBank(db: Writer, rng: Rng, life: Life): void {
  const owned = addAccounts(db, life);
  const allPayees = addPayees(db, rng.child("payees"), life);
  addOrders(db, rng.child("orders"), owned, allPayees);
  const entries = [
    ...entriesOfHappenings(rng.child("happenings"), life, owned),
    ...shoppingEntries(rng.child("shopping"), life, owned),
    ...regularEntries(rng.child("regular"), owned),
    ...transferEntries(rng.child("transfers"), owned, allPayees),
    ...walletEntries(owned),
    ...sharedAccountEntries(rng.child("clubs"), owned),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  for (const entry of entries) db.insert(transactions, entry);
  for (const account of db.all(accounts)) setBalance(db, account);
  addGoals(db, owned);
  addBudgets(db);
  addDisputes(db, rng.child("disputes"));
}

/** Sets the balance of an account. It raises the opening balance when the account would have gone below zero. */
function setBalance(db: Writer, { id, opening }: Account): void {
  let [sum, lowest] = [0, 0];
  for (const { cents } of db.where(transactions, { account: id })) {
    sum += cents;
    lowest = Math.min(lowest, sum);
  }
  const enough = lowest < 0 ? Math.max(opening, 150_000 - lowest) : opening;
  db.update(accounts, id, { opening: enough, cents: enough + sum });
}

function addAccounts(db: Writer, { everyone }: Life): AccountsAndCards {
  const [first, second, third, fourth] = everyone.circle;
  const add = (name: string, kind: Account["kind"], opening: number, more: Partial<Account> = {}) =>
    db.insert(accounts, {
      name,
      kind,
      holder: null,
      role: "spend",
      opening,
      cents: opening,
      closed: false,
      ...more,
    });
  const everyday = add("Everyday", "current", 3_084_120).id;
  add("Rainy day", "savings", 1_452_300);
  const household = add("Household", "joint", 318_450).id;
  const travel = add("Travel fund", "savings", 642_075).id;
  add("Garden club", "current", 92_310, { holder: third!.id, role: "view" });
  const allotment = add("Allotment", "joint", 143_680, { holder: fourth!.id }).id;
  add("Student account", "current", 0);
  add("Summer house", "savings", 0, { closed: true });
  db.insert(accesses, { account: household, person: first!.id, role: "spend", ended: false });
  db.insert(accesses, { account: household, person: second!.id, role: "view", ended: false });
  db.insert(accesses, { account: travel, person: second!.id, role: "view", ended: false });
  db.insert(accesses, { account: travel, person: third!.id, role: "spend", ended: true });
  const cardAccounts = [everyday, everyday, household, allotment, travel, everyday];
  const limits = [600_000, 90_000, 150_000, 60_000, 200_000, 50_000];
  for (const [i, label] of CARD_LABELS.entries()) {
    db.insert(cards, {
      label,
      account: cardAccounts[i]!,
      digits: String(4821 + 713 * i),
      limit: limits[i]!,
      frozen: label === "Travel card",
      cancelled: label === "Old grey card",
    });
  }
  return {
    account: (name) => db.where(accounts, { name })[0]!.id,
    card: (label) => {
      const row = db.all(cards).find((card) => card.label === label)!;
      return { account: row.account, card: row.id };
    },
  };
}

const COMPANIES = [
  "Mossbank Homes",
  "Northlight Energy",
  "Clearwater",
  "Fibrelink",
  "Harbour Insurance",
  "Sprint Gym",
  "Animal Shelter",
  "Morning Paper",
  "City Council",
  "Tiny Steps Nursery",
  "Bright Dental",
  "Cedar Storage",
] as const;

function addPayees(db: Writer, rng: Rng, { everyone }: Life): readonly Payee[] {
  const people = PARTS.flatMap((part) => rng.sample(everyone[part], 5));
  const names: (readonly [string, number | null])[] = [
    ...COMPANIES.map((name) => [name, null] as const),
    ...people.map(({ name, id }) => [name, id] as const),
  ];
  return names.map(([name, person], i) => {
    const number = String(20_000_000 + 1_317_000 * i + rng.integer(100, 999_999));
    return db.insert(payees, { name, number, person, removed: false });
  });
}

interface RegularBill {
  readonly note: string;
  readonly cents: number;
  readonly category: Category;
}
const REGULAR_BILLS: { readonly [C in (typeof COMPANIES)[number]]?: RegularBill } = {
  "Mossbank Homes": { note: "rent", cents: 118_500, category: "housing" },
  "Northlight Energy": { note: "power and gas", cents: 9_640, category: "bills" },
  Clearwater: { note: "water", cents: 3_175, category: "bills" },
  Fibrelink: { note: "internet", cents: 3_990, category: "bills" },
  "Harbour Insurance": { note: "home insurance", cents: 2_815, category: "housing" },
  "Sprint Gym": { note: "membership", cents: 3_450, category: "health" },
  "Animal Shelter": { note: "donation", cents: 1_200, category: "gifts" },
  "Morning Paper": { note: "subscription", cents: 1_860, category: "leisure" },
};

const FAVOUR_NOTES = [
  "piano lessons",
  "dog walking",
  "garage share",
  "cleaning",
  "van share",
] as const;

function addOrders(
  db: Writer,
  rng: Rng,
  owned: AccountsAndCards,
  allPayees: readonly Payee[],
): void {
  for (const [i, [name, { note, cents }]] of Object.entries(REGULAR_BILLS).entries()) {
    const payee = allPayees.find((row) => row.name === name)!.id;
    const account = owned.account(i % 4 === 2 ? "Household" : "Everyday");
    const next = dayFromStart(2 + 3 * i);
    db.insert(orders, { account, payee, cents, every: "month", next, note, status: "active" });
  }
  const people = allPayees.filter(({ person }) => person !== null);
  for (const [i, { id }] of people.filter((_, i) => i % 2 === 0).entries()) {
    db.insert(orders, {
      account: owned.account(i % 3 === 0 ? "Household" : "Everyday"),
      payee: id,
      cents: rng.integer(800, 9000),
      every: i % 2 === 0 ? "week" : "month",
      next: dayFromStart(rng.integer(1, 28)),
      note: FAVOUR_NOTES[i % FAVOUR_NOTES.length]!,
      status: i % 4 === 1 ? "paused" : i % 6 === 5 ? "ended" : "active",
    });
  }
}

const CATEGORY_OF_COST: { readonly [what: string]: Category } = {
  dinner: "eating out",
  wine: "eating out",
  drinks: "eating out",
  cake: "eating out",
  taxi: "transport",
  fuel: "transport",
  "train fare": "transport",
  lodge: "travel",
  "boat hire": "travel",
  "bike hire": "travel",
  groceries: "groceries",
  gift: "gifts",
  flowers: "gifts",
};

/**
 * Returns an entry for each cost that the owner paid at a happening, on the day of the happening and with its place as
 * the payee.
 */
function entriesOfHappenings(rng: Rng, life: Life, owned: AccountsAndCards): BankEntry[] {
  return life.happenings.flatMap(({ costs, place, day, time, title }) =>
    costs
      .filter(({ payer }) => payer === null)
      .map(({ what, cents }, i) => ({
        ...owned.card(rng.chance(0.8) ? "Blue card" : "Online card"),
        cents: -cents,
        payee: place,
        category: CATEGORY_OF_COST[what] ?? "leisure",
        note: `${what}, ${title}`,
        at: `${day}T${time}:${10 + i}Z`,
      })),
  );
}

interface ShopPattern {
  readonly names: readonly string[];
  readonly category: Category;
  readonly card: (typeof CARD_LABELS)[number];
  readonly from: number;
  readonly to: number;
  readonly times: number;
}
const SHOPS: readonly ShopPattern[] = [
  {
    names: ["Greenleaf Market", "Corner Deli", "Daily Basket"],
    category: "groceries",
    card: "Household card",
    from: 900,
    to: 11_500,
    times: 24,
  },
  {
    names: ["Bluebird Cafe", "Noodle Corner", "Old Bakery"],
    category: "eating out",
    card: "Blue card",
    from: 450,
    to: 5_800,
    times: 20,
  },
  {
    names: ["City Metro", "Taxi Line", "Shell Road Garage"],
    category: "transport",
    card: "Blue card",
    from: 250,
    to: 6_200,
    times: 18,
  },
  {
    names: ["Odeon Cinema", "Page Turner Books", "Record Loft"],
    category: "leisure",
    card: "Online card",
    from: 800,
    to: 7_400,
    times: 12,
  },
  {
    names: ["Riverside Pharmacy", "Bright Dental"],
    category: "health",
    card: "Blue card",
    from: 500,
    to: 12_900,
    times: 6,
  },
  {
    names: ["Petal Flowers", "Gift Attic"],
    category: "gifts",
    card: "Blue card",
    from: 1_200,
    to: 8_600,
    times: 6,
  },
  {
    names: ["Skyline Rail", "Lakeside Hotel"],
    category: "travel",
    card: "Online card",
    from: 3_500,
    to: 32_000,
    times: 5,
  },
];

/** The names of the shops in which the owner buys something. */
export const SHOP_NAMES: ReadonlySet<string> = new Set(SHOPS.flatMap(({ names }) => names));

/** Draws an instant of one of the last 74 days, never of today. */
function drawInstant(rng: Rng): string {
  const [hour, minute, second] = [rng.integer(8, 21), rng.integer(10, 59), rng.integer(10, 59)];
  return `${dayFromStart(-rng.integer(1, 74))}T${String(hour).padStart(2, "0")}:${minute}:${second}Z`;
}

const NOTES = ["", "", "", "for the tax papers", "shared with the neighbours", "too expensive"];

function shoppingEntries(rng: Rng, { density }: Life, owned: AccountsAndCards): BankEntry[] {
  return SHOPS.flatMap(({ names, category, card, from, to, times }) =>
    Array.from({ length: Math.round(times * density) }, () => ({
      ...owned.card(card),
      cents: -rng.integer(from, to),
      payee: rng.pick(names),
      category,
      note: rng.pick(NOTES),
      at: drawInstant(rng),
    })),
  );
}

/** Regular entries, such as the rent, are booked this many days before today. */
const REGULAR_DAYS_AGO = [70, 40, 12] as const;

function regularEntries(rng: Rng, owned: AccountsAndCards): BankEntry[] {
  const entry = (
    name: string,
    cents: number,
    payee: string,
    category: Category,
    note: string,
    days: number,
  ) => {
    const at = `${dayFromStart(-days)}T06:0${rng.integer(0, 9)}:00Z`;
    return { account: owned.account(name), card: null, cents, payee, category, note, at };
  };
  return REGULAR_DAYS_AGO.flatMap((days, i): BankEntry[] => {
    const move = (to: string, cents: number): BankEntry[] => [
      entry("Everyday", -cents, to, "transfers", "monthly", days - 1),
      entry(to, cents, "Everyday", "transfers", "monthly", days - 1),
    ];
    const bills = Object.entries(REGULAR_BILLS).map(([payee, { note, cents, category }], j) => {
      const account = j % 4 === 2 ? "Household" : "Everyday";
      const extra = rng.integer(-90, 90) * (category === "bills" ? 1 : 0);
      return entry(account, -cents - extra, payee, category, note, days - (j % 8));
    });
    return [
      entry("Everyday", 412_350 + 100 * i, "Fernway Studio", "income", "salary", days),
      ...move("Rainy day", 25_000 + 500 * i),
      ...move("Household", 60_000 + 1_000 * i),
      entry("Rainy day", 1_180 + 23 * i, "Interest", "income", "", days - 3),
      entry("Travel fund", 530 + 11 * i, "Interest", "income", "", days - 3),
      ...bills,
    ];
  });
}

/** Returns entries of transfers to people, and of some transfers from people. */
function transferEntries(
  rng: Rng,
  owned: AccountsAndCards,
  allPayees: readonly Payee[],
): BankEntry[] {
  const people = allPayees.filter(({ person }) => person !== null);
  return people.flatMap(({ name }, i): BankEntry[] => {
    const cents = rng.integer(1500, 14_000) * (i % 4 === 3 ? 1 : -1);
    const account = owned.account(i % 5 === 4 ? "Household" : "Everyday");
    const note = FAVOUR_NOTES[(i + 2) % FAVOUR_NOTES.length]!;
    return [
      {
        account,
        card: null,
        cents,
        payee: name,
        category: "transfers",
        note,
        at: drawInstant(rng),
      },
    ];
  });
}

function walletEntries(owned: AccountsAndCards): BankEntry[] {
  return WALLET_MOVES.map(({ at, cents }) => {
    const { account, card } = owned.card("Blue card");
    const entry = { account, cents: -cents, payee: WALLET, note: "", at };
    return { ...entry, category: "transfers", card: cents > 0 ? card : null };
  });
}

/** Returns the entries of the accounts that others share with the owner. */
function sharedAccountEntries(rng: Rng, owned: AccountsAndCards): BankEntry[] {
  const shops = ["Seed House", "Tool Shed", "Compost Works"];
  return ["Garden club", "Allotment"].flatMap((name) =>
    Array.from({ length: 9 }, (_, i): BankEntry => {
      const isDues = i % 3 === 0;
      return {
        account: owned.account(name),
        card: null,
        cents: isDues ? rng.integer(2000, 5000) : -rng.integer(400, 3900),
        payee: isDues ? "Member dues" : rng.pick(shops),
        category: isDues ? "income" : "leisure",
        note: isDues ? "dues" : "",
        at: drawInstant(rng),
      };
    }),
  );
}

function addGoals(db: Writer, owned: AccountsAndCards): void {
  const add = (name: string, from: string, target: number, saved: number, days: number | null) =>
    db.insert(goals, {
      name,
      account: owned.account(from),
      target,
      saved,
      deadline: days === null ? null : dayFromStart(days),
      closed: false,
    });
  add("Emergency cushion", "Rainy day", 800_000, 512_500, null);
  add("New bicycle", "Rainy day", 95_000, 61_250, 80);
  add("Kitchen table", "Rainy day", 64_000, 64_000, 20);
  add("Winter cabin", "Travel fund", 180_000, 72_400, 250);
  add("Canoe course", "Travel fund", 42_000, 18_900, 45);
  add("Family reunion", "Travel fund", 110_000, 110_000, 130);
  add("Piano", "Rainy day", 240_000, 35_600, 400);
  const closedGoal = add("Old boiler", "Rainy day", 150_000, 0, null);
  db.update(goals, closedGoal.id, { closed: true });
}

function addBudgets(db: Writer): void {
  const plan: readonly (readonly [Category, number])[] = [
    ["groceries", 42_000],
    ["eating out", 18_000],
    ["transport", 12_000],
    ["leisure", 9_000],
    ["health", 15_000],
    ["travel", 30_000],
    ["bills", 22_000],
  ];
  for (const [category, cents] of plan) db.insert(budgets, { category, cents });
}

const REASONS = [
  "I was not there that day.",
  "It was booked twice.",
  "The goods never came.",
  "The amount is wrong.",
  "I cancelled this before.",
  "Nobody in the house knows this shop.",
] as const;

function addDisputes(db: Writer, rng: Rng): void {
  const paid = db.all(transactions).filter(({ card, cents }) => card !== null && cents < -1000);
  const rows = rng.sample(
    paid.filter(({ payee }) => SHOP_NAMES.has(payee)),
    7,
  );
  const statuses = ["open", "open", "open", "withdrawn", "refused", "open", "refunded"] as const;
  for (const [i, { id }] of rows.entries()) {
    const reason = REASONS[i % REASONS.length]!;
    db.insert(disputes, { transaction: id, reason, status: statuses[i]! });
  }
}
