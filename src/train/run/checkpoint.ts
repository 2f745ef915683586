/**
 * A checkpoint is a folder with the engine's files, `tokenizer.json`, `policy.json` (what an evaluation needs) and
 * `trainer.json`.
 *
 * A folder cannot be replaced in one step. So a new checkpoint is first written to a folder `.next`, with `policy.json`
 * as its last file. Then the old checkpoint is renamed to `.previous`, and the new one takes its name. Whenever the
 * process dies, one of these three folders is complete.
 */
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  BowlineError,
  createFolder,
  errorMessage,
  flushFolder,
  writeFileAtomic,
  writeJson,
} from "../../core/index.ts";
import type { MemoryStore } from "../../methods/index.ts";
import type { Engine } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { RECORD_VERSION } from "./run-record.ts";

/** The content of `policy.json`: what an evaluation needs besides weights and tokenizer. */
export interface PolicyRecord {
  readonly version: typeof RECORD_VERSION;
  readonly config: Config;
  /** The policy's memory of earlier episodes; absent if the method has none. */
  readonly memory?: MemoryStore;
  /** Names of the parts that the caller passed to `train()`. */
  readonly given?: readonly string[];
}

/** Reads a text file of a checkpoint. Throws a `checkpoint` error that names it when it cannot be read. */
export function readCheckpointText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new BowlineError("checkpoint", `cannot read ${path}: ${errorMessage(cause)}`, { cause });
  }
}

/** Writes a checkpoint under a temporary name, then renames it to `directory`. */
export async function saveCheckpoint(
  directory: string,
  content: {
    engine: Engine;
    tokenizer: string;
    config: Config;
    trainer?: unknown;
    given?: readonly string[];
    state?: { readonly memory?: MemoryStore };
    /** Further files by name, such as the model's chat template. */
    files?: Readonly<Record<string, string>> | undefined;
  },
): Promise<void> {
  const next = `${directory}.next`;
  const previous = `${directory}.previous`;
  try {
    rmSync(next, { recursive: true, force: true });
    createFolder(next);
    await content.engine.save(join(next, "engine"));
    writeFileAtomic(join(next, "tokenizer.json"), content.tokenizer);
    for (const [name, text] of Object.entries(content.files ?? {})) {
      writeFileAtomic(join(next, name), text);
    }
    if (content.trainer !== undefined) writeJson(join(next, "trainer.json"), content.trainer);
    writeJson(join(next, "policy.json"), {
      version: RECORD_VERSION,
      config: content.config,
      ...(content.state?.memory && { memory: content.state.memory }),
      ...(content.given && content.given.length > 0 && { given: content.given }),
    } satisfies PolicyRecord);
    flushFolder(next);
    rmSync(previous, { recursive: true, force: true });
    if (existsSync(directory)) renameSync(directory, previous);
    renameSync(next, directory);
    flushFolder(dirname(directory));
    rmSync(previous, { recursive: true, force: true });
  } catch (cause) {
    if (BowlineError.is(cause)) throw cause;
    throw new BowlineError(
      "store",
      `cannot write the checkpoint ${directory}: ${errorMessage(cause)}`,
      { cause },
    );
  }
}

/**
 * Restores a complete checkpoint after the process was killed, and removes incomplete ones. Returns false if no
 * checkpoint is complete, and throws a `store` error when the folder cannot be changed.
 */
export function recoverCheckpoint(directory: string): boolean {
  const next = `${directory}.next`;
  const previous = `${directory}.previous`;
  try {
    if (!existsSync(directory)) {
      if (existsSync(join(next, "policy.json"))) renameSync(next, directory);
      else if (existsSync(previous)) renameSync(previous, directory);
    }
    rmSync(next, { recursive: true, force: true });
    rmSync(previous, { recursive: true, force: true });
    return existsSync(directory);
  } catch (cause) {
    throw new BowlineError(
      "store",
      `cannot recover the checkpoint ${directory}: ${errorMessage(cause)}`,
      { cause },
    );
  }
}
