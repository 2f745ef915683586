/** The tables of time in a world with actors. All their columns are `session`, so no check compares them. */
import { defineTable, type Reader, type Table, type Writer } from "../define.ts";

/** An event that an actor has planned and that has not happened yet. */
export type PlannedEvent = {
  readonly id: number;
  readonly actor: string;
  readonly kind: string;
  /** The event's data as JSON. */
  readonly data: string;
  readonly dueAt: string;
  /** The seed of the event's random stream. */
  readonly seed: number;
};
export const eventsTable = defineTable<PlannedEvent>("me.events", {
  classes: {
    actor: "session",
    kind: "session",
    data: "session",
    dueAt: "session",
    seed: "session",
  },
});

/** A line that an app has shown the owner. */
type Notice = {
  readonly id: number;
  readonly at: string;
  readonly app: string;
  readonly text: string;
};
export const noticesTable = defineTable<Notice>("me.notices", {
  classes: { at: "session", app: "session", text: "session" },
});

/** The milliseconds that the agent has waited, in at most one row. */
type Waited = { readonly id: number; readonly milliseconds: number };
export const waitedTable = defineTable<Waited>("me.waited", {
  classes: { milliseconds: "session" },
});

/** Where a task of several sessions stands, in at most one row. */
type SessionPlan = {
  readonly id: number;
  /** The number of the session that runs or has just ended, from 1. */
  readonly current: number;
  readonly count: number;
  /** True between the end of a session and the beginning of the next one. */
  readonly hasEnded: boolean;
};
export const sessionPlansTable = defineTable<SessionPlan>("me.sessionPlans", {
  classes: { current: "session", count: "session", hasEnded: "session" },
});

export const TIME_TABLES = [
  eventsTable,
  noticesTable,
  waitedTable,
  sessionPlansTable,
] as readonly Table[];

/** Returns the milliseconds that the agent has waited in all. */
export function readWaitedMs(db: Reader): number {
  return db.all(waitedTable)[0]?.milliseconds ?? 0;
}

/** Adds to the milliseconds that the agent has waited. */
export function addWaitedMs(db: Writer, milliseconds: number): void {
  const [row] = db.all(waitedTable);
  if (row) db.update(waitedTable, row.id, { milliseconds: row.milliseconds + milliseconds });
  else db.insert(waitedTable, { milliseconds });
}
