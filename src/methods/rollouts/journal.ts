/**
 * What a step has collected so far, on disk the moment it is finished: `journal/<name>.jsonl`, one rollout a line.
 *
 * A checkpoint is taken between steps, so a controller that dies within one would lose its rollouts, and with a remote
 * model these are hours and money. The journal is what makes dying cheap: the next life reads it, keeps what is there,
 * and runs only what is missing. A rollout is a function of (weights, stream), and the weights are those of the newest
 * checkpoint, so kept and repeated rollouts are those of a life that was never interrupted.
 *
 * Lines are appended and never changed. A death in the middle of one leaves a torn tail, which is cut off: that rollout
 * is run again. Appending does not wait for the disk: it survives the death of the process; after a power cut the last
 * lines may be missing, and they too are run again.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { type Rollout, rolloutSchema } from "../../spec/index.ts";

/** What identifies a rollout: two of the same identity and the same weights are the same rollout. */
export interface RolloutIdentity {
  readonly id: string;
  readonly task: { readonly id: string };
  readonly stream: number;
}

export interface RolloutJournal {
  /** The rollout that an earlier life finished; undefined: it is to be run. */
  find(wanted: RolloutIdentity): Rollout | undefined;
  /**
   * Keeps a rollout that reached its evaluation. Failed and cancelled ones are left out, for another life may have more
   * luck. Throws a `store` error when it cannot be written.
   */
  add(rollout: Rollout): void;
}

/** Opens the journals of a folder by their names. */
export function openJournals(folder: string): (name: string) => RolloutJournal {
  return (name) => openJournal(join(folder, `${name}.jsonl`));
}

/** Reads the journal at `path`, if there is one, and cuts its torn tail off. It is created by the first `add`. */
export function openJournal(path: string): RolloutJournal {
  const known = new Map(readJournal(path).map((rollout) => [rollout.id, rollout]));
  return {
    find({ id, task, stream }) {
      const rollout = known.get(id);
      const same = rollout?.task.id === task.id && rollout.stream === stream;
      return same ? rollout : undefined;
    },
    add(rollout) {
      if (rollout.evaluation === undefined) return;
      try {
        mkdirSync(dirname(path), { recursive: true });
        appendFileSync(path, `${JSON.stringify(rollout)}\n`);
      } catch (cause) {
        throw new BowlineError("store", `cannot write ${path}: ${errorMessage(cause)}`, { cause });
      }
    },
  };
}

/** Whole rollouts up to the first line that is none; the file ends there from now on. */
function readJournal(path: string): Rollout[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const rollouts: Rollout[] = [];
  let whole = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, whole);
    const rollout = end < 0 ? undefined : parseRollout(bytes.toString("utf8", whole, end));
    if (rollout === undefined) break;
    rollouts.push(rollout);
    whole = end + 1;
  }
  if (whole < bytes.length) truncateSync(path, whole);
  return rollouts;
}

function parseRollout(line: string): Rollout | undefined {
  try {
    return Object.freeze(rolloutSchema.parse(JSON.parse(line)));
  } catch {
    return undefined;
  }
}
