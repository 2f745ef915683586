/** Finds and shows members of groups. In parameters and answers a member is a handle, or "me" for the owner. */

import { idParam, refuseUnless, type ViewContext } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handleOf, requirePerson, requireRow } from "../shared.ts";
import type { Side } from "./debts.ts";
import { type SplitGroup, splitGroups, splitMembers } from "./tables.ts";

export function sideParam(whose: string) {
  return z.string().min(1).max(80).describe(`${whose}, a handle such as "amara.o", or "me"`);
}

export const sideName = (db: Reader, side: Side): string =>
  side === null ? "me" : handleOf(db, side);

/** Makes a field of an item: the member whose id is in a column of the row. */
export const sideField = <C extends string>(column: C) =>
  [
    z.string(),
    (row: { readonly [K in C]: Side }, { db }: ViewContext) => sideName(db, row[column]),
  ] as const;

/** Returns the side with this handle: a person, who need not be a member of a group, or the owner for "me". */
export const requireSide = (db: Reader, handle: string, param: string): Side =>
  handle === "me" ? null : requirePerson(db, handle, param).id;

/** Returns the ids of the people who are in the group now, in the order in which they joined. */
export function presentPeople(db: Reader, group: number): number[] {
  return db.where(splitMembers, { group, left: false }).map((member) => member.person);
}

/** Returns the id of a person who is in the group now. Throws a 404 or 422 otherwise. */
export function requireMember(
  db: Reader,
  group: SplitGroup,
  handle: string,
  param: string,
): number {
  const { id } = requirePerson(db, handle, param);
  refuseUnless(
    presentPeople(db, group.id).includes(id),
    422,
    `${param}: expected a member of "${group.name}", "${handle}" is none; split.group lists them`,
  );
  return id;
}

export function requireMemberSide(
  db: Reader,
  group: SplitGroup,
  handle: string,
  param: string,
): Side {
  return handle === "me" ? null : requireMember(db, group, handle, param);
}

export function requireGroup(db: Reader, id: number, param = "group"): SplitGroup {
  const row = db.get(splitGroups, id);
  refuseUnless(row, 404, `${param}: there is no group with id ${id}; see split.groups`);
  return row;
}

/** Returns a group that is not archived. Throws a 404 or 409 otherwise. */
export function requireActiveGroup(db: Reader, id: number, param = "group"): SplitGroup {
  const row = requireGroup(db, id, param);
  refuseUnless(!row.archived, 409, `${param}: "${row.name}" is archived; split.unarchive first`);
  return row;
}

/** The parameter of a list that may be restricted to one group. `requireGroupIfGiven` checks it. */
export const optionalGroupParam = idParam("group").optional();
export function requireGroupIfGiven(db: Reader, id: number | undefined): void {
  if (id !== undefined) requireGroup(db, id);
}

/** Returns the first active group with several members. Examples of API calls use it. */
export function exampleGroup(db: Reader): SplitGroup {
  const groups = db.where(splitGroups, { archived: false });
  return (
    groups.find((row) => presentPeople(db, row.id).length > 1) ??
    requireRow(db, splitGroups, 1, "group")
  );
}
