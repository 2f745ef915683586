/** What the mail parts share: quoting, amounts and days in prose, and clauses that several collections have. */

import { type Clause, type Draw, dayWords, type Value } from "../../../../goals/index.ts";
import type { Reader, TableRow } from "../../../../world/index.ts";
import { people } from "../../apps/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { atLeast, atMost } from "../bounds.ts";

export const TODAY = dayAfter(0);

export const js = (value: string) => JSON.stringify(value);

/** Whether something may be sent to this person. */
export function reachable(db: Reader, person: number): boolean {
  return db.get(people, person)?.blocked === false;
}

export function firstName(db: Reader, person: number): string {
  return db.get(people, person)!.name.split(" ")[0]!;
}

/** The first amount in a text in cents; 0 without one. `amountCode` says the same in dollars. */
export function centsIn(text: string): number {
  const [, amount] = /\$(\d+\.\d\d)/.exec(text) ?? [];
  return amount === undefined ? 0 : Math.round(Number(amount) * 100);
}
export const amountCode = (text: string) =>
  `Number((/\\$(\\d+\\.\\d\\d)/.exec(${text})||[0,0])[1])`;

/** The first day in a text; "" without one. */
export function dayIn(text: string): string {
  return /\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? "";
}
export const dayCode = (text: string) => `(/\\d{4}-\\d\\d-\\d\\d/.exec(${text})||[""])[0]`;

/** One of the people who occur, by the number of rows that they occur in; both a few and one are likely. */
export function personOf(
  draw: Draw,
  ids: readonly number[],
): Value<{ readonly id: number; readonly name: string }> | undefined {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const several = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
  const own = new Set(draw.people.map(({ id }) => id));
  const many = several.filter((id) => own.has(id));
  return draw.person(many.length > 0 && draw.rng.chance(0.7) ? many : [...counts.keys()]);
}

/** From someone, as an argument of the list API. */
export function fromClause<R extends TableRow>(
  name: string,
  arg: string,
  person: (row: R) => number | null,
  words: (name: string) => readonly [string, string, string, string, string],
): Clause<R> {
  return {
    name,
    draw: (draw, rows) => {
      const someone = personOf(
        draw,
        rows.flatMap((row) => person(row) ?? []),
      );
      if (!someone) return undefined;
      return {
        words: words(someone.words),
        holds: (row) => person(row) === someone.value.id,
        code: { args: `${arg}:${someone.code}` },
        uses: [someone],
      };
    },
  };
}

/** A bound on a day. `code` makes arguments or a test of it. */
export function dayClause<R extends TableRow>(
  name: string,
  end: "since" | "until",
  excludes: readonly string[],
  day: (row: R, db: Reader) => string,
  words: (day: string) => readonly [string, string, string, string, string],
  code: (day: string) => { readonly args?: string; readonly test?: string },
): Clause<R> {
  return {
    name,
    excludes,
    draw: ({ rng, db }, rows) => {
      const days = rows.map((row) => day(row, db)).filter(Boolean);
      const bound = end === "since" ? atLeast(rng, days) : atMost(rng, days);
      if (bound === undefined) return undefined;
      const inside = (value: string) =>
        value !== "" && (end === "since" ? value >= bound : value <= bound);
      return {
        words: words(dayWords(bound)),
        holds: (row, reader) => inside(day(row, reader)),
        code: code(js(bound)),
      };
    },
  };
}
