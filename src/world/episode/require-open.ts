/** Refuses to use an episode that is closed. */
import { BowlineError } from "../../core/index.ts";

/** Throws a `world` error, which names the operation and the task, when the episode is closed. */
export function requireOpenEpisode(isClosed: boolean, operation: string, taskId: string): void {
  if (!isClosed) return;
  throw new BowlineError("world", `cannot ${operation}: this episode of ${taskId} is closed`);
}
