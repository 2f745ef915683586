/**
 * Checkpoints: an engine's files, `tokenizer.json`, `policy.json` (what an evaluation needs) and `trainer.json`.
 *
 * A folder cannot be replaced in one step, so a new checkpoint is written beside the old one and only then takes its
 * name: `next` is filled, its `policy.json` last; `latest` becomes `previous`, `next` becomes `latest`. Whatever
 * moment the process dies at, `latest`, or else `next`, is whole.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, errorMessage, writeFileAtomic, writeJson } from "../../core/index.ts";
import type { MemoryStore } from "../../methods/index.ts";
import type { Engine } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { RECORD_VERSION } from "./run-record.ts";

/** What turns a folder of weights into a policy: everything an evaluation reads. */
export interface PolicyRecord {
  readonly version: typeof RECORD_VERSION;
  readonly config: Config;
  /** What the policy remembers of its episodes, where it does. */
  readonly memory?: MemoryStore;
  /** Parts that its training was handed: `partsGiven`. */
  readonly given?: readonly string[];
}

/** Writes `directory` whole under a temporary name, then puts it in place. */
export async function saveCheckpoint(
  directory: string,
  content: {
    engine: Engine;
    tokenizer: string;
    config: Config;
    trainer?: unknown;
    given?: readonly string[];
    state?: { readonly memory?: MemoryStore };
    /** More files by name, such as the chat template of the model that was trained. */
    files?: Readonly<Record<string, string>> | undefined;
  },
): Promise<void> {
  const next = `${directory}.next`;
  const previous = `${directory}.previous`;
  try {
    rmSync(next, { recursive: true, force: true });
    mkdirSync(next, { recursive: true });
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
    rmSync(previous, { recursive: true, force: true });
    if (existsSync(directory)) renameSync(directory, previous);
    renameSync(next, directory);
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
 * Brings `directory` back to a whole checkpoint after a kill and clears what was half written. False: there is none.
 */
export function recoverCheckpoint(directory: string): boolean {
  const next = `${directory}.next`;
  const previous = `${directory}.previous`;
  if (!existsSync(directory)) {
    if (existsSync(join(next, "policy.json"))) renameSync(next, directory);
    else if (existsSync(previous)) renameSync(previous, directory);
  }
  rmSync(next, { recursive: true, force: true });
  rmSync(previous, { recursive: true, force: true });
  return existsSync(directory);
}
