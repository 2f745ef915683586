/** Ways to pick texts that hold for sent and received ones alike. */
import type { Clause } from "../../../../goals/index.ts";
import { every, has, js, someWord, wordForms } from "../contacts/common.ts";

type Sided = { readonly id: number; readonly person: number; readonly text: string };

/** A clause that names the other side. */
export function side<R extends Sided>(
  param: "from" | "to",
  excludes: readonly string[] = [],
): Clause<R> {
  return {
    name: param,
    excludes,
    draw: (draw, rows) => {
      const ids = rows.map(({ person }) => person);
      const person = new Set(ids).size > 1 ? draw.person(ids) : undefined;
      if (!person) return undefined;
      const p = person.words;
      const [other, verb] = param === "from" ? ["sender", "came from"] : ["receiver", "are to"];
      return {
        words: [
          `${param} ${p}`,
          `that ${verb} ${p}`,
          `whose ${other} is ${p}`,
          `with ${p} as the ${other}`,
          `that have ${p} as their ${other}`,
        ],
        holds: (row) => row.person === person.value.id,
        code: { args: `${param}:${person.code}` },
        uses: [person],
      };
    },
  };
}

const TOPICS = [
  "paid",
  "dinner",
  "tickets",
  "keys",
  "receipt",
  "split",
  "late",
  "invited",
  "starts",
  "wine",
  "groceries",
  "fuel",
  "umbrella",
  "dog",
  "birthday",
  "recipe",
];

export function mentions<R extends Sided>(): Clause<R> {
  return {
    name: "mentions",
    draw: (draw, rows) => {
      const word = someWord(
        draw,
        rows.map(({ text }) => text),
        TOPICS,
      );
      if (word === undefined) return undefined;
      return {
        words: wordForms(word),
        holds: ({ text }) => has(text, word),
        code: { test: `x.text.toLowerCase().includes(${js(word)})` },
      };
    },
  };
}

export function asks<R extends Sided>(): Clause<R> {
  return {
    name: "asks",
    draw: (_, rows) => {
      const asking = rows.filter(({ text }) => text.endsWith("?")).length;
      if (asking === 0 || asking === rows.length) return undefined;
      return {
        words: [
          "that end with a question mark",
          "whose last character is a question mark",
          "which end in a question mark",
          "with a question mark at the end",
          "that have a question mark as their last character",
        ],
        holds: ({ text }) => text.endsWith("?"),
        code: { test: 'x.text.endsWith("?")' },
      };
    },
  };
}

export function money<R extends Sided>(): Clause<R> {
  return {
    name: "money",
    draw: (_, rows) => {
      const found = rows.filter(({ text }) => text.includes("$")).length;
      if (found === 0 || found === rows.length) return undefined;
      return {
        words: [
          "that contain an amount in dollars",
          "with a dollar amount in them",
          "in which a dollar amount is written",
          "that have an amount in dollars in their text",
          "which tell an amount of dollars",
        ],
        holds: ({ text }) => text.includes("$"),
        code: { test: 'x.text.includes("$")' },
      };
    },
  };
}

/** Cells that leave the receivers of the listed texts. */
export const receivers = (api: string) => (from: string, to: string) => [
  `var ${to}=[...new Set(${every(api, "")}.filter(x=>${from}.includes(x.id)).map(x=>x.to))];print(${to})`,
];
