/** The tables of time in a world with actors. All their columns are `session`, so no check compares them. */
import { defineTable, type Reader, type Table } from "../define.ts";

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

export const TIME_TABLES = [eventsTable, noticesTable, waitedTable] as readonly Table[];

/** Returns the milliseconds that the agent has waited in all. */
export function readWaitedMs(db: Reader): number {
  return db.all(waitedTable)[0]?.milliseconds ?? 0;
}
