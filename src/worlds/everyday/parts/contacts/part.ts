/** What the actions of contacts share: the facts about a person, and that what is gone permits nothing. */

import type { Action, Draw, Effect } from "../../../../goals/index.ts";
import type { Reader, Table, Writer } from "../../../../world/index.ts";
import { type Details, details, gifts, meetings, remarks } from "../../apps/contacts/tables.ts";
import { groups, people } from "../../apps/tables.ts";

type Facts = Omit<Details, "id" | "person">;
const NONE: Facts = {
  relationship: null,
  birthday: null,
  street: null,
  workplace: null,
  job: null,
  favourite: false,
};

export const factsOf = (db: Reader, person: number): Facts =>
  db.where(details, { person })[0] ?? NONE;

export function know(db: Writer, person: number, facts: Partial<Facts>): void {
  const [row] = db.where(details, { person });
  if (row) db.update(details, row.id, facts);
  else db.insert(details, { ...NONE, person, ...facts });
}

const TABLES: { readonly [kind: string]: Table } = { people, gifts, remarks, meetings, groups };

/** What is gone (removed by another part of the goal) permits nothing. */
export function part(
  kind: string,
  name: string,
  draw: (draw: Draw) => Effect | undefined,
  takes?: Action["takes"],
): Action {
  const there = (db: Reader, id: number) => db.get(TABLES[kind]!, id) !== undefined;
  return {
    name,
    kind,
    app: "contacts",
    difficulty: 1,
    ...(takes && { takes }),
    draw: (drawn) => {
      const effect = draw(drawn);
      const permits = (db: Reader, id: number) =>
        there(db, id) && (effect?.permits?.(db, id) ?? true);
      return effect && { ...effect, permits };
    },
  };
}
