/** How rows that are about a person name that person, and lead to the people they are about. */

import type { Clause, Relation } from "../../../../goals/index.ts";
import type { Table, TableRow } from "../../../../world/index.ts";
import { every } from "./common.ts";

/** A clause that names the person whom rows are about; `param` is the filter of the list API. */
export function of<R extends TableRow & { readonly person: number }>(
  param: "about" | "with" | "for",
): Clause<R> {
  return {
    name: "person",
    draw: (draw, rows) => {
      const ids = rows.map(({ person }) => person);
      const person = new Set(ids).size > 1 ? draw.person(ids) : undefined;
      if (!person) return undefined;
      const p = person.words;
      return {
        words: [
          `${param} ${p}`,
          `noted ${param} ${p}`,
          `that are ${param} ${p}`,
          `which are noted ${param} ${p}`,
          `I have noted ${param} ${p}`,
        ],
        holds: (row) => row.person === person.value.id,
        code: { args: `${param}:${person.code}` },
        uses: [person],
      };
    },
  };
}

export function peopleOf<R extends TableRow & { readonly person: number }>(
  table: Table<R>,
): Relation["map"] {
  return (db, ids) => [...new Set(ids.map((id) => db.get(table, id)!.person))];
}

/** People of listed rows: the keys are ids, `field` of the item is the handle. */
export const side = (api: string, field: string) => (from: string, to: string) => [
  `var ${to}=[...new Set(${every(api, "")}.filter(x=>${from}.includes(x.id)).map(x=>x.${field}))];print(${to})`,
];
