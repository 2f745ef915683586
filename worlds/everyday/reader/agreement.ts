/**
 * Compares what the reader understands of an instruction with what the goal means. Two opinions that differ mean that a
 * person could read the task in another way than its checks.
 */
import type { Reader, TableRow, Task, Writer } from "bowline/world";
import { fullApps } from "../apps/full.ts";
import type { Row, Tables } from "./phrases.ts";
import { type Reading, readInstruction } from "./read.ts";

const TABLES = new Map(
  fullApps.flatMap(({ tables }) => tables).map((table) => [table.name, table]),
);

/** Returns the rows of tables by name. Each table is read once. */
function tablesOf(db: Reader): Tables {
  const known = new Map<string, readonly Row[]>();
  return (name) => {
    const rows =
      known.get(name) ?? (db.all<TableRow>(TABLES.get(name)! as never) as readonly Row[]);
    known.set(name, rows);
    return rows;
  };
}

export type Agreement = "agrees" | "differs" | "unread";

/**
 * Reads a task's instruction in its start state. `scratch` returns a copy of this state that the goal may change. The
 * result is "unread" when the reader understands too little to compare anything.
 */
export function compareReading(task: Task, db: Reader, scratch: () => Writer): Agreement {
  const reading = readInstruction(task.instruction, tablesOf(db));
  if (!reading) return "unread";
  if (reading.groups) return compareGroups(reading.groups, task, db);
  return reading.answer === undefined
    ? compareRows(reading, task, db)
    : equalLists(reading.answer, answerOf(task, scratch))
      ? "agrees"
      : "differs";
}

function answerOf(task: Task, scratch: () => Writer): unknown {
  // A composed goal happens at one moment, so it needs no time.
  const outcome = (task.goal as (db: Writer) => ReturnType<Task["goal"]>)(scratch());
  return outcome && "answer" in outcome ? outcome.answer : undefined;
}

/** Compares the rows with those that all clauses of the goal's only collection select. */
function compareRows({ rows }: Reading, task: Task, db: Reader): Agreement {
  const claims = task.claims?.listClaims(db) ?? [];
  const wholes = claims.filter(({ part }) => part.startsWith("collection "));
  if (wholes.length !== 1) return "unread";
  const clauses = claims.filter(({ part }) => part.startsWith("clause "));
  const meant = wholes[0]!.expected.filter((id) =>
    clauses.every(({ expected }) => expected.includes(id)),
  );
  return equalLists(meant, rows) ? "agrees" : "differs";
}

/** Each group that was read has to be what all clauses of one of the goal's collections select. */
function compareGroups(groups: readonly (readonly number[])[], task: Task, db: Reader): Agreement {
  const claims = task.claims?.listClaims(db) ?? [];
  const wholes = claims.filter(({ part }) => part.startsWith("collection "));
  if (new Set(wholes.map(({ part }) => part)).size < wholes.length) return "unread";
  const meant = wholes.map(({ part, expected }) => {
    const clauses = claims.filter((claim) => claim.part.endsWith(` of ${part}`));
    return expected.filter((id) => clauses.every((clause) => clause.expected.includes(id)));
  });
  return groups.every((rows) => meant.some((ids) => equalLists(ids, rows))) ? "agrees" : "differs";
}

function equalLists(a: unknown, b: unknown): boolean {
  const sorted = (value: unknown) => JSON.stringify([value].flat().map(String).sort());
  return sorted(a) === sorted(b);
}
