/** What the reader knows of the apps about money: nouns, phrases and columns of bank, Pay, Split and the shop. */
import {
  belonging,
  compared,
  fixed,
  isPerson,
  NAME,
  type Row,
  type Tables,
  valued,
} from "./phrases.ts";
import type { Thing } from "./things.ts";

const day = (row: Row) => String(row["at"]).slice(0, 10);
const cents = (row: Row) => Number(row["cents"]);
const noteSays = [
  valued(
    'whose note mentions "([^"]*)"|that (?:mention|have) "([^"]*)" in (?:their|the) note|with "([^"]*)" in the note|with a note that contains "([^"]*)"',
    (row, value) => String(row["note"]).toLowerCase().includes(value),
  ),
];
const large = (read: (row: Row) => number) =>
  compared("of|with an amount of|that are not below|that come to", "money", read);
const late = (read: (row: Row) => string) =>
  compared("dated|with a date of|that are dated|that date|whose date is", "day", read);
const onAccount = (tables: Tables, id: unknown, name: string) =>
  tables("bank.accounts").some((row) => row.id === id && row["name"] === name);
const accountPhrase = valued(
  '(?:(?:booked )?(?:on|of|in)|kept in|paid by|that were booked on|which belong to|that belong to|which draw on) the account "([^"]*)"|that the account "([^"]*)" pays|whose account is "([^"]*)"',
  (row, value, tables) => onAccount(tables, row["account"], value),
);
const AMOUNTS = { most: "largest|biggest|highest", least: "smallest|lowest" };
const PAST = { most: "newest|latest|most recent", least: "oldest|earliest" };
const amountField = { words: "amount", read: cents, isMoney: true, ranks: AMOUNTS } as const;

const spentThisMonth = (tables: Tables, test: (row: Row) => boolean) =>
  -tables("bank.transactions")
    .filter((row) => cents(row) < 0 && day(row) >= "2026-03-01" && test(row))
    .reduce((sum, row) => sum + cents(row), 0);

const bank: readonly Thing[] = [
  {
    name: "payees",
    table: "bank.payees",
    noun: "saved payees?|payees? (?:saved at my bank|on my bank's list|in the Bank app)|bank payees? of mine",
    includes: (row) => row["removed"] === false,
    phrases: [
      fixed(
        "that are companies|which are no contacts of mine|that do not belong to a contact|which are not linked to any contact|that have no contact",
        (row) => row["person"] === null,
      ),
      fixed(
        "that no standing order ever paid|that never had a standing order|for which there never was a standing order|that have no standing order in any state|which never were in a standing order",
        (row, tables) => !tables("bank.orders").some((order) => order["payee"] === row.id),
      ),
      valued(
        'whose names start with "(\\w)"|(?:that have|with) names (?:that begin|starting|beginning) with "(\\w)"|with "(\\w)" as the first letter of their names|whose names have "(\\w)" as their first letter',
        (row, letter) => String(row["name"]).startsWith(letter),
      ),
    ],
    fields: [{ words: "name", read: (row) => String(row["name"]) }],
  },
  {
    name: "transactions",
    table: "bank.transactions",
    noun: "bank transactions?|transactions? (?:at my bank|in the Bank app|in my bank accounts)|transactions booked by the bank",
    includes: () => true,
    phrases: [
      valued(
        '(?:in|of|that are in) the category "([^"]*)"|whose category is "([^"]*)"|which are filed under the category "([^"]*)"',
        (row, value) => row["category"] === value,
      ),
      accountPhrase,
      fixed(
        "that went out|which are payments going out|by which money went out|that took money out of an account|which are outgoing",
        (row) => cents(row) < 0,
      ),
      fixed(
        "that came in|which are payments coming in|by which money came in|that brought money into an account|which are incoming",
        (row) => cents(row) > 0,
      ),
      large((row) => Math.abs(cents(row))),
      late(day),
      valued(
        '(?:with|whose|that have|that name) (?:the payee|payee is|"(.*?)" as (?:their|the) payee)(?: "([^"]*)")?',
        (row, value) => row["payee"] === value,
      ),
      ...noteSays,
    ],
    fields: [
      { words: "payee", read: (row) => String(row["payee"]) },
      { ...amountField, read: (row) => Math.abs(cents(row)) },
      { words: "date", read: day, ranks: PAST },
    ],
  },
  {
    name: "accounts",
    table: "bank.accounts",
    noun: "open bank accounts?|open accounts? (?:at my bank|in the Bank app)|bank accounts? (?:not closed|in use|still open)",
    includes: (row) => row["closed"] === false,
    phrases: [
      valued(
        'that are (savings|current) accounts|of the kind "([^"]*)"|whose kind is "([^"]*)"|which are (savings|current) accounts|that the bank lists as "([^"]*)"',
        (row, value) => row["kind"] === value,
      ),
      fixed(
        "that I hold myself|of which I am the holder|whose holder I am|that are held by me|which have me as their holder",
        (row) => row["holder"] === null,
      ),
      compared(
        "with a balance of|that have a balance of|whose balance is|that hold|with",
        "money",
        cents,
        "on them",
      ),
      fixed(
        "that have a card|with at least one card|for which there is a card|to which a card belongs|that come with at least one card",
        (row, tables) =>
          tables("bank.cards").some((card) => card["account"] === row.id && !card["cancelled"]),
      ),
    ],
    fields: [
      { words: "name", read: (row) => String(row["name"]) },
      {
        words: "balance",
        read: cents,
        isMoney: true,
        ranks: { most: "fullest", least: "emptiest" },
      },
    ],
  },
  {
    name: "cards",
    table: "bank.cards",
    noun: "bank cards? of mine|bank cards?|cards? (?:of my bank|in the Bank app|that the bank lists|on the bank's list)",
    includes: (row) => row["cancelled"] === false,
    phrases: [
      fixed(
        "that are not frozen|which work and are not frozen|that nobody has frozen|which are free from being frozen|that are usable because they are not frozen",
        (row) => row["frozen"] === false,
      ),
      compared(
        "(?:with|that have) a monthly limit of|whose monthly limit is|with a limit of|that may pay",
        "money",
        (row) => Number(row["limit"]),
        "a month",
      ),
    ],
    fields: [
      { words: "label", read: (row) => String(row["label"]) },
      {
        words: "monthly limit",
        read: (row) => Number(row["limit"]),
        isMoney: true,
        ranks: { most: "highest-limit", least: "lowest-limit" },
      },
      {
        words: "spending this month",
        read: (row, tables) => spentThisMonth(tables, (one) => one["card"] === row.id),
        isMoney: true,
      },
    ],
  },
  {
    name: "orders",
    table: "bank.orders",
    noun: "active (?:bank )?standing orders? (?:of mine|at my bank)|active (?:bank )?standing orders?|standing orders? in force",
    includes: (row) => row["status"] === "active",
    phrases: [
      valued(
        "that are paid every (week|month|year)|which (?:repeat|are due) every (week|month|year)|that (?:pay|run) every (week|month|year)",
        (row, value) => row["every"] === value,
      ),
      accountPhrase,
      large(cents),
      compared(
        "due|with a next date of|that come up|that are next due|whose next date is",
        "day",
        (row) => String(row["next"]),
      ),
      ...noteSays,
    ],
    fields: [
      {
        words: "payee",
        read: (row, tables) =>
          String(tables("bank.payees").find((payee) => payee.id === row["payee"])?.["name"]),
      },
      amountField,
      {
        words: "next date",
        read: (row) => String(row["next"]),
        ranks: { most: "latest \\(by next date\\)", least: "earliest \\(by next date\\)" },
      },
    ],
  },
  {
    name: "goals",
    table: "bank.goals",
    noun: "open savings goals? (?:of mine|at my bank)|open savings goals?|savings goals? still open|open goals? for saving",
    includes: (row) => row["closed"] === false,
    phrases: [
      fixed(
        "that have not reached their target|which are below their target|whose target is not reached|that still miss their target|which hold less than their target",
        (row) => Number(row["saved"]) < Number(row["target"]),
      ),
      compared(
        "with|that hold|for which|whose saved amount is|that have",
        "money",
        (row) => Number(row["saved"]),
        "saved|are saved|set aside",
      ),
      compared(
        "with a deadline|whose deadline is|that have a deadline|that are to be reached",
        "day",
        (row) => row["deadline"] as string | null,
      ),
      accountPhrase,
    ],
    fields: [
      { words: "name", read: (row) => String(row["name"]) },
      {
        words: "saved amount",
        read: (row) => Number(row["saved"]),
        isMoney: true,
        ranks: { most: "fullest", least: "emptiest" },
      },
      {
        words: "target",
        read: (row) => Number(row["target"]),
        isMoney: true,
        ranks: {
          most: "(?:largest|biggest) \\(by target\\)",
          least: "smallest \\(by target\\)",
        },
      },
      {
        words: "missing amount",
        read: (row) => Math.max(0, Number(row["target"]) - Number(row["saved"])),
        isMoney: true,
      },
    ],
  },
  {
    name: "budgets",
    table: "bank.budgets",
    noun: "monthly budgets? (?:at my bank|of mine)|monthly budgets?|budgets? for a month in the Bank app|bank budgets? for a month",
    includes: () => true,
    phrases: [
      compared(
        "(?:with|that have) a limit of|whose limit is|with|that are limited to",
        "money",
        cents,
        "as their limit",
      ),
    ],
    fields: [
      { words: "category", read: (row) => String(row["category"]) },
      { words: "limit", read: cents, isMoney: true, ranks: AMOUNTS },
      {
        words: "spending so far this month",
        read: (row, tables) => spentThisMonth(tables, (one) => one["category"] === row["category"]),
        isMoney: true,
      },
    ],
  },
];

const withSide = valued(
  `between ${NAME} and me|to or from ${NAME}|with ${NAME} on the other side|that went between me and ${NAME}|that have ${NAME} on the other side`,
  (row, value, tables) => isPerson(tables, row["person"], value),
);

const people: readonly Thing[] = [
  {
    name: "payments",
    table: "pay.payments",
    noun: "payments? in my Pay history|payments? in the Pay app|Pay payments? of mine|payments? on my Pay account|payments? of my Pay wallet",
    includes: () => true,
    phrases: [
      withSide,
      fixed(
        "that I sent|which I made to others|that went out|that I paid to somebody|which went from me to others",
        (row) => row["outgoing"] === true,
      ),
      fixed(
        "that I received|which others made to me|that came in|that somebody paid to me|which went from others to me",
        (row) => row["outgoing"] === false,
      ),
      large(cents),
      late(day),
      ...noteSays,
      fixed(
        "that I liked|that have my like|which I gave a like|that carry a like of mine|which I marked with a like",
        (row, tables) => belonging(tables, "pay.likes", "payment", row.id) !== undefined,
      ),
    ],
    fields: [
      { words: "note", read: (row) => String(row["note"]) },
      amountField,
      { words: "date", read: day, ranks: PAST },
    ],
  },
  {
    name: "settlements",
    table: "split.settlements",
    noun: "settlements in Split|Split settlements|recorded settlements in Split|settlements in the Split app|settlements recorded by Split",
    includes: (row) => row["undone"] === false,
    phrases: [
      withSide,
      fixed(
        "without a payment in Pay|that no Pay payment belongs to|which are not linked to a payment in Pay|that have no payment of the Pay app|for which there is no linked Pay payment",
        (row) => row["payment"] === null,
      ),
      fixed(
        "that I paid|in which I was the one to pay|by which I paid others back|which went from me to others|that were paid by me",
        (row) => row["outgoing"] === true,
      ),
      large(cents),
      late(day),
    ],
    fields: [amountField],
  },
  {
    name: "gifts",
    table: "contacts.gifts",
    noun: "gift ideas? (?:in Contacts|of my contacts list|in my contacts list|listed in Contacts)|gifts? in Contacts|ideas? for (?:a gift|gifts) in Contacts",
    includes: () => true,
    phrases: [
      valued(
        `(?:noted |that are |which are noted )?for ${NAME}|that I have noted for ${NAME}`,
        (row, value, tables) => isPerson(tables, row["person"], value),
      ),
      fixed(
        "not given yet|that are still open|that I have not given|which are not given so far|that remain to be given",
        (row) => row["given"] === false,
      ),
      fixed(
        "already given|that I have given|that are given already|which were given|that count as given",
        (row) => row["given"] === true,
      ),
      compared("that cost|for|with a price of|whose price is", "money", cents),
      valued(
        'that are "([^"]*)"|with the idea "([^"]*)"|whose idea is "([^"]*)"|noted as "([^"]*)"|which say "([^"]*)"',
        (row, value) => row["idea"] === value,
      ),
    ],
    fields: [
      { words: "idea", read: (row) => String(row["idea"]) },
      {
        words: "price",
        read: cents,
        isMoney: true,
        ranks: { most: "most expensive|costliest|priciest", least: "cheapest|least expensive" },
      },
    ],
  },
];

export const moneyThings: readonly Thing[] = [...bank, ...people];
