/** Members in parameters and answers: a handle, or "me" for the owner. */

import { idParam, refuseUnless, type ViewContext } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handleOf, requirePerson, requireRow } from "../shared.ts";
import type { Side } from "./debts.ts";
import { type SplitGroup, splitGroups, splitMembers } from "./tables.ts";

export function side(whose: string) {
  return z.string().min(1).max(80).describe(`${whose}, a handle such as "amara.o", or "me"`);
}

export const sideName = (db: Reader, side: Side): string =>
  side === null ? "me" : handleOf(db, side);

/** A field of an item: the member in a column of the row. */
export const sideIn = <C extends string>(column: C) =>
  [
    z.string(),
    (row: { readonly [K in C]: Side }, { db }: ViewContext) => sideName(db, row[column]),
  ] as const;

/** The handle of anybody, member of a group or not. */
export const anySide = (db: Reader, came: string, param: string): Side =>
  came === "me" ? null : requirePerson(db, came, param).id;

/** People in the group now, in the order in which they joined. */
export function peopleIn(db: Reader, group: number): number[] {
  return db.where(splitMembers, { group, left: false }).map((member) => member.person);
}

/** A person who is in the group now; otherwise a 404 or 422. */
export function memberBy(db: Reader, group: SplitGroup, came: string, param: string): number {
  const { id } = requirePerson(db, came, param);
  refuseUnless(
    peopleIn(db, group.id).includes(id),
    422,
    `${param}: expected a member of "${group.name}", "${came}" is none; split.group lists them`,
  );
  return id;
}

export function sideBy(db: Reader, group: SplitGroup, came: string, param: string): Side {
  return came === "me" ? null : memberBy(db, group, came, param);
}

export function groupBy(db: Reader, id: number, param = "group"): SplitGroup {
  const row = db.get(splitGroups, id);
  refuseUnless(row, 404, `${param}: there is no group with id ${id}; see split.groups`);
  return row;
}

/** A group that is not archived; otherwise a 404 or 409. */
export function activeGroup(db: Reader, id: number, param = "group"): SplitGroup {
  const row = groupBy(db, id, param);
  refuseUnless(!row.archived, 409, `${param}: "${row.name}" is archived; split.unarchive first`);
  return row;
}

/** Of a list that may be narrowed to one group: the filter, and what checks it. */
export const onlyGroup = idParam("group").optional();
export function mustBeGroup(db: Reader, id: number | undefined): void {
  if (id !== undefined) groupBy(db, id);
}

/** The first active group with members, for examples. */
export function firstGroup(db: Reader): SplitGroup {
  const groups = db.where(splitGroups, { archived: false });
  return (
    groups.find((row) => peopleIn(db, row.id).length > 1) ?? requireRow(db, splitGroups, 1, "group")
  );
}
