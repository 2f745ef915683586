/**
 * The weights that continue episodes. At most one policy is in memory: it is loaded at its first use, and unloaded when
 * another policy is needed or after ten minutes without use. Without the embedded engine no policy can be loaded, and
 * the page says so.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, isTrustError } from "../../core/index.ts";
import {
  CHECKPOINT_NAMES,
  type CheckpointName,
  type EpisodeView,
} from "../../spec/studio/index.ts";
import { loadPolicyToContinue, type ResumablePolicy, readRunConfig } from "../../train/index.ts";
import type { RunRecords } from "./run-records.ts";
import { StudioError } from "./studio-error.ts";

export interface PolicyCache extends AsyncDisposable {
  /** Names the weights that would continue, without loading them. */
  describePolicy(run: string, checkpoint?: CheckpointName): Promise<EpisodeView["policy"]>;
  /** Loads the policy and keeps it until `release` is called. Throws 404 or 409. */
  borrow(run: string, checkpoint?: CheckpointName): Promise<BorrowedPolicy>;
}

export interface BorrowedPolicy {
  readonly name: string;
  readonly policy: ResumablePolicy;
  /** The most turns that a rollout of this run may have, in training and in evaluation. */
  readonly turns: { readonly train: number; readonly eval: number };
  release(): void;
}

/** Loads a policy from the folder of a checkpoint. */
export type LoadPolicy = (path: string) => Promise<ResumablePolicy>;

const IDLE_MS = 10 * 60_000;

interface CachedPolicy {
  readonly id: string;
  readonly loading: Promise<ResumablePolicy>;
  users: number;
  lastUsedMs: number;
}

export function createPolicyCache(
  records: RunRecords,
  load: LoadPolicy = loadPolicyToContinue,
): PolicyCache {
  let cached: CachedPolicy | undefined;
  const unload = async () => {
    const last = cached;
    cached = undefined;
    await last?.loading.then((policy) => policy.close()).catch(() => {});
  };
  const timer = setInterval(() => {
    if (cached && cached.users === 0 && Date.now() - cached.lastUsedMs > IDLE_MS) void unload();
  }, 60_000).unref();

  /** Returns the loaded policy, or starts to load it. A file that was overwritten counts as another policy. */
  const cachedPolicyFor = (found: FoundCheckpoint): CachedPolicy => {
    if (cached?.id === found.id) return cached;
    if (cached && cached.users > 0) {
      throw new StudioError(
        409,
        "another policy is continuing an episode, and only one policy is loaded at a time: wait for it or stop it",
      );
    }
    const loading = unload().then(() => load(found.folder));
    cached = { id: found.id, loading, users: 0, lastUsedMs: 0 };
    return cached;
  };
  return {
    async describePolicy(run, checkpoint) {
      try {
        const { name, scaffold } = await findCheckpoint(records, run, checkpoint);
        return { name, scaffold };
      } catch (error) {
        return { why: errorMessage(error) };
      }
    },
    async borrow(run, checkpoint) {
      const found = await findCheckpoint(records, run, checkpoint);
      const entry = cachedPolicyFor(found);
      entry.users += 1;
      const release = () => {
        entry.users -= 1;
        entry.lastUsedMs = Date.now();
      };
      try {
        return { name: found.name, turns: found.turns, policy: await entry.loading, release };
      } catch (cause) {
        release();
        if (cached === entry) cached = undefined;
        if (isTrustError(cause)) throw cause;
        throw new StudioError(409, `${found.name} cannot be loaded: ${errorMessage(cause)}`);
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await unload();
    },
  };
}

interface FoundCheckpoint extends Pick<BorrowedPolicy, "name" | "turns"> {
  readonly id: string;
  readonly folder: string;
  readonly scaffold: string;
}

/** Throws 404 for an unknown run, and 409 if it has no such checkpoint or its policy cannot continue episodes. */
async function findCheckpoint(
  records: RunRecords,
  run: string,
  requested?: CheckpointName,
): Promise<FoundCheckpoint> {
  const directory = await records.findDirectory(run);
  const checkpointFolder = (name: string) => join(directory, "checkpoints", name);
  const isCompleteCheckpoint = (name: string) =>
    existsSync(join(checkpointFolder(name), "policy.json"));
  const checkpoint = (requested ? [requested] : CHECKPOINT_NAMES).find(isCompleteCheckpoint);
  if (checkpoint === undefined) {
    throw new StudioError(
      409,
      `run ${run} has no ${requested ? `checkpoint ${requested}` : "checkpoint yet"}`,
    );
  }
  const folder = checkpointFolder(checkpoint);
  const { scaffold } = requireRunConfig(directory, run);
  if (scaffold.name === "agent") {
    throw new StudioError(
      409,
      `the policy of run ${run} acts through a custom agent, so it cannot continue an episode here`,
    );
  }
  return {
    id: `${folder} ${statSync(join(folder, "policy.json")).mtimeMs}`,
    folder,
    name: `run ${run}, checkpoint ${checkpoint}`,
    scaffold: scaffold.name,
    turns: { train: scaffold.maxTurns, eval: scaffold.evaluationTurns },
  };
}

function requireRunConfig(directory: string, run: string) {
  try {
    return readRunConfig(directory);
  } catch (cause) {
    throw new StudioError(409, `run ${run} cannot be read: ${errorMessage(cause)}`);
  }
}
