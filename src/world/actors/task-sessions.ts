/**
 * A task of several sessions. `finishTask` ends a session; the next one begins with its own instruction and a new
 * console, some time later. The world's data goes on, so what the agent has written into an app is still there.
 */
import { type Api, ApiError, type CallContext, type Reader, type Writer } from "../define.ts";
import { sessionPlansTable } from "./tables.ts";

/** Says how many sessions a task has, at its start. */
export function planSessions(db: Writer, count: number): void {
  db.insert(sessionPlansTable, { current: 1, count, hasEnded: false });
}

/** Returns the number of the session that follows; undefined unless a session has ended and another one follows. */
export function readNextSession(db: Reader): number | undefined {
  const [plan] = db.all(sessionPlansTable);
  return plan?.hasEnded ? plan.current + 1 : undefined;
}

/** Begins the session that follows. */
export function beginSession(db: Writer, current: number): void {
  const [plan] = db.all(sessionPlansTable);
  db.update(sessionPlansTable, plan!.id, { current, hasEnded: false });
}

/** Throws an error of the API between the end of a session and the beginning of the next one. */
export function requireRunningSession(db: Reader): void {
  if (readNextSession(db) !== undefined) throw new ApiError(409, "this session is over");
}

/** Returns `finishTask` so that it ends only the session when another one follows. */
export function endSessionFirst(finishTask: Api): Api {
  const handler = (context: CallContext, args: never) => {
    const [plan] = context.db.all(sessionPlansTable);
    if (!plan || plan.current === plan.count) return finishTask.handler(context, args);
    context.db.update(sessionPlansTable, plan.id, { hasEnded: true });
    return { finished: true };
  };
  return { ...finishTask, handler };
}
