/**
 * The journal of a step: every rollout is written to `journal/<name>.jsonl` as soon as it is finished, one per line.
 *
 * Checkpoints are saved only between steps. Without a journal, a process that dies within a step would lose the step's
 * finished rollouts, which may have cost hours and money. After a restart, the rollouts in the journal are kept, and
 * only the missing ones run. A rollout depends only on the weights and its random stream, and the weights are those of
 * the newest checkpoint, so the result is the same as without an interruption.
 *
 * Failed rollouts are written too, so that a diagnosis of a run that ended because of them finds out why. They run again
 * after a restart, except those of an agent that took too long: time depends on the machine, so the decision to leave
 * them out of their group stands. A later line of the same rollout counts more.
 *
 * Lines are appended and never changed. When the process dies while it writes a line, the incomplete line is cut off
 * and its rollout runs again. Appending does not wait for the disk. So the journal survives the death of the process,
 * but after a power failure the last lines may be missing; their rollouts then run again.
 */
import { appendFileSync, existsSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { shareRow } from "../../agent/index.ts";
import { BowlineError, createFolder, errorMessage, readBytes } from "../../core/index.ts";
import { hasTimedOut, type RolloutJournal } from "../../methods/index.ts";
import { type Rollout, rolloutSchema } from "../../spec/index.ts";
import { encodeLine } from "./rollout-lines.ts";

/** Returns a function that opens the journals of a folder by name. */
export function openJournals(folder: string): (name: string) => RolloutJournal {
  return (name) => openJournal(join(folder, `${name}.jsonl`));
}

/**
 * Opens the journal at `path`: reads the rollouts of an existing file, and cuts off an incomplete last line. The first
 * `add` creates the file.
 */
export function openJournal(path: string): RolloutJournal {
  const known = new Map(readJournal(path).map((rollout) => [rollout.id, rollout]));
  return {
    find({ id, task, stream }) {
      const rollout = known.get(id);
      if (rollout?.task.id !== task.id || rollout.stream !== stream) return undefined;
      return rollout.evaluation !== undefined || hasTimedOut(rollout) ? rollout : undefined;
    },
    add(rollout) {
      if (rollout.outcome === "cancelled") return;
      withWriteErrors(path, () => {
        createFolder(dirname(path));
        appendFileSync(path, encodeLine(rollout));
      });
    },
  };
}

/** Returns the rollouts up to the first line that is not a valid rollout, and cuts the file off there. */
function readJournal(path: string): Rollout[] {
  if (!existsSync(path)) return [];
  const bytes = readBytes(path);
  const rollouts: Rollout[] = [];
  let whole = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, whole);
    const rollout = end < 0 ? undefined : parseRollout(bytes.toString("utf8", whole, end));
    if (rollout === undefined) break;
    rollouts.push(rollout);
    whole = end + 1;
  }
  if (whole < bytes.length) withWriteErrors(path, () => truncateSync(path, whole));
  return rollouts;
}

function parseRollout(line: string): Rollout | undefined {
  try {
    const rollout = rolloutSchema.parse(JSON.parse(line));
    const { tokens, segments } = rollout;
    if (tokens) rollout.tokens = shareRow(tokens);
    if (segments) rollout.segments = segments.map(shareRow);
    return Object.freeze(rollout);
  } catch {
    return undefined;
  }
}

function withWriteErrors(path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw new BowlineError("store", `cannot write ${path}: ${errorMessage(cause)}`, { cause });
  }
}
