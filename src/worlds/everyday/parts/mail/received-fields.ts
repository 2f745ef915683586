/** What received mail tells: subject, day, attachments; and for bills and receipts the amount and the day in the text. */
import { type Clause, type Field, moneyWords } from "../../../../goals/index.ts";
import { dayOf } from "../../apps/shared.ts";
import type { Mail } from "../../apps/tables.ts";
import { centsAtLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { body, filesOf } from "./received-clauses.ts";
import { amountCode, centsIn, dayClause, dayCode, dayIn, js } from "./words.ts";

export const subject: Field<Mail> = {
  name: "subject",
  unit: "text",
  noun: "subject",
  value: (row) => row.subject,
  code: "x.subject",
};

const NEWEST = {
  most: ["newest", "latest", "most recent", "last-received", "freshest"],
  least: ["oldest", "earliest", "least recent", "first-received", "least new"],
} as const;

export const received: Field<Mail> = {
  name: "day",
  unit: "day",
  noun: "day of arrival",
  value: (row) => dayOf(row.at),
  code: "x.day",
  superlatives: NEWEST,
};

export const fileCount: Field<Mail> = {
  name: "attachments",
  unit: "number",
  noun: "number of attachments",
  value: (row, db) => filesOf(db, row).length,
  code: "x.attachments",
};

export const amount: Field<Mail> = {
  name: "amount",
  unit: "money",
  noun: "amount",
  value: (row) => centsIn(row.body) / 100,
  code: amountCode(body),
  superlatives: {
    most: ["largest", "biggest", "highest", "most expensive", "costliest"],
    least: ["smallest", "lowest", "cheapest", "least expensive", "least costly"],
  },
};

export const due: Field<Mail> = {
  name: "due",
  unit: "day",
  noun: "due day",
  value: (row) => dayIn(row.body),
  code: dayCode(body),
  superlatives: {
    most: ["latest due", "last due", "least pressing", "farthest-off", "least urgent"],
    least: ["earliest due", "first due", "most pressing", "soonest due", "most urgent"],
  },
};

export const atLeastSum: Clause<Mail> = {
  name: "amount-from",
  excludes: ["amount-to"],
  draw: ({ rng }, rows) => {
    const cents = centsAtLeast(
      rng,
      rows.map((row) => centsIn(row.body)),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `with an amount of ${sum} or more`,
        `whose amount is at least ${sum}`,
        `with an amount no lower than ${sum}`,
        `in which the amount is ${sum} or more`,
        `whose text names an amount of at least ${sum}`,
      ],
      holds: (row) => centsIn(row.body) >= cents,
      code: { test: `${amount.code}>=${cents / 100}` },
    };
  },
};

export const atMostSum: Clause<Mail> = {
  name: "amount-to",
  draw: ({ rng }, rows) => {
    const cents = centsAtMost(
      rng,
      rows.map((row) => centsIn(row.body)),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `with an amount of ${sum} or less`,
        `whose amount is at most ${sum}`,
        `with an amount no higher than ${sum}`,
        `in which the amount is ${sum} or less`,
        `whose text names an amount of at most ${sum}`,
      ],
      holds: (row) => centsIn(row.body) <= cents,
      code: { test: `${amount.code}<=${cents / 100}` },
    };
  },
};

export const dueBy = dayClause<Mail>(
  "due-by",
  "until",
  [],
  (row) => dayIn(row.body),
  (day) => [
    `due on ${day} or earlier`,
    `that are due by ${day}`,
    `that have to be paid on or before ${day}`,
    `whose due day is ${day} or before`,
    `to be paid by ${day} at the latest`,
  ],
  (day) => ({ test: `${due.code}<=${day}` }),
);

const WHATS = ["dinner", "wine", "taxi", "tickets", "drinks", "groceries", "gift", "cake"] as const;
export const whatFor: Clause<Mail> = {
  name: "what",
  draw: ({ rng }, rows) => {
    const begins = (row: Mail, what: string) => row.subject.startsWith(`Receipt: ${what},`);
    const what = oneOfSome<string>(
      rng,
      rows.flatMap((row) => WHATS.filter((word) => begins(row, word))),
    );
    if (what === undefined) return undefined;
    return {
      words: [
        `whose subject starts with "Receipt: ${what},"`,
        `with a subject that begins with "Receipt: ${what},"`,
        `whose subject line begins with "Receipt: ${what},"`,
        `with "Receipt: ${what}," at the start of the subject`,
        `that have "Receipt: ${what}," at the start of their subjects`,
      ],
      holds: (row) => begins(row, what),
      code: { test: `x.subject.startsWith(${js(`Receipt: ${what},`)})` },
    };
  },
};
