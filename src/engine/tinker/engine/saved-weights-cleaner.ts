/**
 * Deletes saved weights on the server that will not be used again, where the server allows it.
 *
 * A checkpoint is a local folder and weights on the server, and a run saves to the same folder again and again. It is
 * not known which of the saves a folder holds: the run may be killed before the new folder replaces the old one, and
 * then continues from the earlier save, repeating recorded calls. So the newest few saves of each folder are kept, and
 * a save that was loaded counts as the newest. A reference is kept until the calls that could name it are too old to be
 * repeated. Nothing waits for deletions and their failures are ignored; a deletion without an answer is tried again
 * later.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { readJson, writeJson } from "../../../core/index.ts";
import { TinkerError } from "../client/index.ts";

/** How many saves of each folder are kept: one more than a resume can need. */
const KEPT_SAVES_PER_FOLDER = 3;
/** The longest wait for running deletions when the engine closes. */
const MAX_WAIT_MS = 1000;
const STATE_FILE = "saved.json";

const stateSchema = z.object({
  version: z.literal(1),
  /** The paths on the server for each local folder, newest last. */
  saved: z.record(z.string(), z.array(z.string())),
  /** The path of the reference in use. */
  reference: z.string().optional(),
  /** References that are no longer used, and for how many more saves each is kept. */
  old: z.array(z.object({ path: z.string(), saves: z.number() })),
  /** The paths that wait to be deleted. */
  doomed: z.array(z.string()),
});
type State = z.output<typeof stateSchema>;

export class SavedWeightsCleaner {
  readonly #deleteWeights: (path: string) => Promise<void>;
  readonly #file: string | undefined;
  readonly #state: State;
  #deletions: Promise<void> = Promise.resolve();

  /**
   * The state is stored in `directory`, for a process that resumes the run. Undefined when no process can resume it.
   */
  constructor(deleteWeights: (path: string) => Promise<void>, directory: string | undefined) {
    this.#deleteWeights = deleteWeights;
    this.#file = directory === undefined ? undefined : join(directory, STATE_FILE);
    this.#state = readState(this.#file);
    this.#retireReference();
  }

  /** Records that the folder now holds the save at `path`. */
  recordSave(directory: string, path: string): void {
    const { saved } = this.#state;
    const folder = resolve(directory);
    const paths = [...(saved[folder] ?? []).filter((each) => each !== path), path];
    saved[folder] = paths.slice(-KEPT_SAVES_PER_FOLDER);
    this.#scheduleDeletion(paths.slice(0, -KEPT_SAVES_PER_FOLDER));
    for (const each of this.#state.old) each.saves -= 1;
    this.#deleteUnneeded();
  }

  recordLoad(path: string): void {
    const { saved } = this.#state;
    for (const [folder, paths] of Object.entries(saved)) {
      if (paths.includes(path)) saved[folder] = [...paths.filter((each) => each !== path), path];
    }
    this.dropReference();
  }

  /** Records the path of the new reference. */
  recordReference(path: string): void {
    if (this.#state.reference !== path) this.#retireReference();
    this.#state.old = this.#state.old.filter((each) => each.path !== path);
    this.#state.reference = path;
    this.#deleteUnneeded();
  }

  /** Records that there is no reference any more. */
  dropReference(): void {
    this.#retireReference();
    this.#deleteUnneeded();
  }

  /** Waits until the scheduled deletions have ended, or for a second. */
  async waitForDeletions(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeLimit = new Promise<void>((end) => {
      timer = setTimeout(end, MAX_WAIT_MS);
    });
    await Promise.race([this.#deletions, timeLimit]);
    clearTimeout(timer);
  }

  /** Puts the reference on the list of old ones. It can be deleted at once when no call is ever repeated. */
  #retireReference(): void {
    const { reference } = this.#state;
    if (reference === undefined) return;
    this.#state.old.push({
      path: reference,
      saves: this.#file === undefined ? 0 : KEPT_SAVES_PER_FOLDER,
    });
    delete this.#state.reference;
  }

  #deleteUnneeded(): void {
    const { old } = this.#state;
    this.#scheduleDeletion(old.filter(({ saves }) => saves <= 0).map(({ path }) => path));
    this.#state.old = old.filter(({ saves }) => saves > 0);
    this.#writeState();
    this.#deletions = this.#deletions.then(() => this.#deleteScheduled());
  }

  #scheduleDeletion(paths: readonly string[]): void {
    this.#state.doomed.push(...paths);
  }

  async #deleteScheduled(): Promise<void> {
    for (const path of [...this.#state.doomed]) {
      try {
        await this.#deleteWeights(path);
      } catch (error) {
        // Without an answer the deletion is tried again after the next save. Any answer is final.
        if (!TinkerError.is(error) || TinkerError.is(error, "unreachable", "closed")) return;
      }
      this.#state.doomed = this.#state.doomed.filter((each) => each !== path);
      this.#writeState();
    }
  }

  #writeState(): void {
    if (this.#file !== undefined) writeJson(this.#file, this.#state);
  }
}

/** Reads the stored state. An unreadable file counts as empty; some weights then stay on the server. */
function readState(file: string | undefined): State {
  const emptyState: State = { version: 1, saved: {}, old: [], doomed: [] };
  if (file === undefined || !existsSync(file)) return emptyState;
  try {
    return stateSchema.parse(readJson(file));
  } catch {
    return emptyState;
  }
}
