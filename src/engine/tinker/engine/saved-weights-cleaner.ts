/**
 * What was saved on the server and nobody will ask for again is deleted there, where the server lets us.
 *
 * A checkpoint is a folder here and weights there, and a run saves to the same folder again and again. Which of its saves
 * a folder holds is not known: whoever saves may be killed before the new folder takes the old one's place, and then goes
 * on from the save before, repeating recorded calls. So the newest few of each folder are kept, and of what was loaded
 * since, the loaded one counts as newest. A reference is kept until calls that could name it again are too old to be
 * repeated. Deleting is never waited for and its failures are nobody's: what could not be asked is asked later.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { readJson, writeJson } from "../../../core/index.ts";
import { TinkerError } from "../client/index.ts";

/** Of each folder; one more than a resume can want. */
const KEPT_SAVES_PER_FOLDER = 3;
/** At the end of a program a deletion under way is waited for no longer. */
const MAX_WAIT_MS = 1000;
const FILE = "saved.json";

const stateSchema = z.object({
  version: z.literal(1),
  /** Paths on the server by folder, newest last. */
  saved: z.record(z.string(), z.array(z.string())),
  /** The reference in use. */
  reference: z.string().optional(),
  /** Of references that are not used any more, and how many saves they are still kept. */
  old: z.array(z.object({ path: z.string(), saves: z.number() })),
  /** To be deleted. */
  doomed: z.array(z.string()),
});
type State = z.output<typeof stateSchema>;

export class SavedWeightsCleaner {
  readonly #deleteWeights: (path: string) => Promise<void>;
  readonly #file: string | undefined;
  readonly #state: State;
  #deletions: Promise<void> = Promise.resolve();

  /** `directory`: where it is noted, for calls that are repeated by another program. Undefined: none are. */
  constructor(deleteWeights: (path: string) => Promise<void>, directory: string | undefined) {
    this.#deleteWeights = deleteWeights;
    this.#file = directory === undefined ? undefined : join(directory, FILE);
    this.#state = readState(this.#file);
    this.#retireReference();
  }

  /** After the folder was written. */
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

  /** The reference is this one now. */
  recordReference(path: string): void {
    if (this.#state.reference !== path) this.#retireReference();
    this.#state.old = this.#state.old.filter((each) => each.path !== path);
    this.#state.reference = path;
    this.#deleteUnneeded();
  }

  /** There is no reference any more. */
  dropReference(): void {
    this.#retireReference();
    this.#deleteUnneeded();
  }

  /** When what can be deleted is, or that takes too long. */
  async waitForDeletions(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeLimit = new Promise<void>((end) => {
      timer = setTimeout(end, MAX_WAIT_MS);
    });
    await Promise.race([this.#deletions, timeLimit]);
    clearTimeout(timer);
  }

  /** Where no call is ever repeated it can go at once. */
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
        // No answer: asked again after the next save. Any answer is final: it is gone, or this server deletes nothing.
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

/** A note that cannot be read is none: some weights then stay on the server. */
function readState(file: string | undefined): State {
  const emptyState: State = { version: 1, saved: {}, old: [], doomed: [] };
  if (file === undefined || !existsSync(file)) return emptyState;
  try {
    return stateSchema.parse(readJson(file));
  } catch {
    return emptyState;
  }
}
