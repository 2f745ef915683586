/** Texts that speak of money: the price in the words is what goals use. */
import {
  type Clause,
  type Collection,
  collection,
  dayWords,
  moneyWords,
} from "../../../../goals/index.ts";
import { type Text, texts } from "../../apps/tables.ts";
import { atLeast, centsAtLeast, centsAtMost } from "../bounds.ts";
import { has, js, someWord } from "../contacts/common.ts";
import { side } from "./text-clauses.ts";

/** The amount in the text, in cents; 0 where there is none. */
export function centsIn(text: string): number {
  return Math.round(Number(/\$(\d+\.\d\d)/.exec(text)?.[1] ?? 0) * 100);
}
const AMOUNT = "Number((/\\$(\\d+\\.\\d\\d)/.exec(x.text)||[0,0])[1])";
const dayOf = ({ at }: Text) => at.slice(0, 10);

function priced(name: "at-least" | "at-most", edge: typeof centsAtLeast): Clause<Text> {
  return {
    name,
    excludes: ["at-least", "at-most"].filter((other) => other !== name),
    draw: ({ rng }, rows) => {
      const bound = edge(
        rng,
        rows.map(({ text }) => centsIn(text)),
      );
      if (bound === undefined) return undefined;
      const than = name === "at-least" ? "at least" : "at most";
      const m = moneyWords(bound);
      return {
        words: [
          `over ${than} ${m}`,
          `with an amount of ${than} ${m}`,
          `whose amount is ${than} ${m}`,
          `that tell an amount of ${than} ${m}`,
          `in which the amount is ${than} ${m}`,
        ],
        holds: ({ text }) =>
          name === "at-least" ? centsIn(text) >= bound : centsIn(text) <= bound,
        code: { test: `${AMOUNT}${name === "at-least" ? ">" : "<"}=${bound / 100}` },
      };
    },
  };
}

const THINGS =
  "dinner wine taxi lodge fuel groceries tickets drinks gift cake flowers fee materials".split(" ");

const paidFor: Clause<Text> = {
  name: "for",
  draw: (draw, rows) => {
    const thing = someWord(
      draw,
      rows.map(({ text }) => text),
      THINGS.map((name) => `the ${name} at`),
    );
    const name = thing?.split(" ")[1];
    if (thing === undefined || name === undefined) return undefined;
    return {
      words: [
        `that are about the ${name}`,
        `for the ${name}`,
        `which speak of the ${name}`,
        `where the ${name} was paid`,
        `concerning the ${name}`,
      ],
      holds: ({ text }) => has(text, thing),
      code: { test: `x.text.includes(${js(thing)})` },
    };
  },
};

const since: Clause<Text> = {
  name: "since",
  draw: ({ rng }, rows) => {
    const bound = atLeast(rng, rows.map(dayOf));
    const day = bound && new Date(Date.parse(bound) - 86_400_000).toISOString().slice(0, 10);
    if (!day) return undefined;
    const d = dayWords(day);
    return {
      words: [
        `that came after ${d}`,
        `received after ${d}`,
        `which I got later than ${d}`,
        `that reached me after ${d}`,
        `with a date after ${d}`,
      ],
      holds: (row) => dayOf(row) > day,
      code: { args: `after:${js(day)}` },
    };
  },
};

export const paidPart: Collection = collection<Text>({
  name: "paid-texts",
  kind: "texts",
  app: "messages",
  table: texts,
  base: ({ outgoing, text }) => !outgoing && has(text, "paid"),
  nouns: [
    {
      one: "message in which someone says they paid",
      many: "messages in which someone says they paid",
    },
    {
      one: "message that tells what its sender paid",
      many: "messages that tell what their sender paid",
    },
    {
      one: "received message about what its sender paid",
      many: "received messages about what their sender paid",
    },
    {
      one: "message I got on what its sender paid",
      many: "messages I got on what their sender paid",
    },
    { one: 'received message that says "paid"', many: 'received messages that say "paid"' },
  ],
  list: { api: "messages.history", args: 'query:"paid"' },
  key: "id",
  whole: false,
  clauses: [
    side<Text>("from", ["since", "at-least", "at-most"]),
    since,
    paidFor,
    priced("at-least", centsAtLeast),
    priced("at-most", centsAtMost),
  ],
  fields: [
    { name: "text", unit: "text", noun: "text", value: (row) => row.text, code: "x.text" },
    {
      name: "amount",
      unit: "money",
      noun: "amount told",
      value: ({ text }) => centsIn(text) / 100,
      code: AMOUNT,
      superlatives: {
        most: ["costliest", "most expensive", "dearest", "highest-priced", "priciest"],
        least: ["cheapest", "least expensive", "lowest-priced", "least dear", "least costly"],
      },
    },
    {
      name: "moment",
      unit: "day",
      noun: "date",
      value: ({ at }) => `${at.slice(0, 10)} ${at.slice(11, 16)}`,
      code: '(x.day+" "+x.time)',
      superlatives: {
        most: ["newest", "latest", "most recent", "last-received", "least old"],
        least: ["oldest", "earliest", "least recent", "first-received", "least new"],
      },
    },
  ],
});
