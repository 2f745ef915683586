/**
 * Weights that go on in an episode: one policy in memory, loaded when it is first asked for, put away when another one is
 * or when nobody asks for a while. Without the embedded engine there is none, and the page says so.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../core/index.ts";
import { CHECKPOINTS, type Checkpoint, type EpisodeView } from "../../spec/studio/index.ts";
import { loadResumable, type ResumablePolicy, readRunConfig } from "../../train/index.ts";
import type { Records } from "./records.ts";
import { StudioError } from "./studio-error.ts";

export interface PolicyShelf extends AsyncDisposable {
  /** Whose weights would go on, without loading them. */
  describe(run: string, checkpoint?: Checkpoint): Promise<EpisodeView["policy"]>;
  /** Until `release`. Throws 404, 409. */
  take(run: string, checkpoint?: Checkpoint): Promise<TakenPolicy>;
}

export interface TakenPolicy {
  readonly name: string;
  readonly policy: ResumablePolicy;
  /** Turns in the world that a rollout of this run has, in training and when it is scored. */
  readonly turns: { readonly train: number; readonly eval: number };
  release(): void;
}

/** Loads a policy from the folder of a checkpoint. */
export type LoadPolicy = (path: string) => Promise<ResumablePolicy>;

const IDLE_MS = 10 * 60_000;

interface Kept {
  readonly id: string;
  readonly loading: Promise<ResumablePolicy>;
  users: number;
  usedMs: number;
}

export function policyShelf(records: Records, load: LoadPolicy = loadResumable): PolicyShelf {
  let kept: Kept | undefined;
  const putAway = async () => {
    const last = kept;
    kept = undefined;
    await last?.loading.then((policy) => policy.close()).catch(() => {});
  };
  const timer = setInterval(() => {
    if (kept && kept.users === 0 && Date.now() - kept.usedMs > IDLE_MS) void putAway();
  }, 60_000).unref();

  /** A newer file of the same name is another policy. */
  const keptFor = (found: Found): Kept => {
    if (kept?.id === found.id) return kept;
    if (kept && kept.users > 0) {
      throw new StudioError(
        409,
        "another policy is going on in an episode: one is held at a time, so wait for it or stop it",
      );
    }
    const loading = putAway().then(() => load(found.folder));
    kept = { id: found.id, loading, users: 0, usedMs: 0 };
    return kept;
  };
  return {
    async describe(run, checkpoint) {
      try {
        const { name, scaffold } = await foundIn(records, run, checkpoint);
        return { name, scaffold };
      } catch (error) {
        return { why: messageOf(error) };
      }
    },
    async take(run, checkpoint) {
      const found = await foundIn(records, run, checkpoint);
      const mine = keptFor(found);
      mine.users += 1;
      const release = () => {
        mine.users -= 1;
        mine.usedMs = Date.now();
      };
      try {
        return { name: found.name, turns: found.turns, policy: await mine.loading, release };
      } catch (cause) {
        release();
        if (kept === mine) kept = undefined;
        throw new StudioError(409, `${found.name} cannot be loaded: ${messageOf(cause)}`);
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await putAway();
    },
  };
}

interface Found extends Pick<TakenPolicy, "name" | "turns"> {
  readonly id: string;
  readonly folder: string;
  readonly scaffold: string;
}

/** Throws 404, and 409 where the run has no such weights or is not for this. */
async function foundIn(records: Records, run: string, wanted?: Checkpoint): Promise<Found> {
  const directory = await records.directory(run);
  const folderOf = (name: string) => join(directory, "checkpoints", name);
  const isWhole = (name: string) => existsSync(join(folderOf(name), "policy.json"));
  const checkpoint = (wanted ? [wanted] : CHECKPOINTS).find(isWhole);
  if (checkpoint === undefined) {
    throw new StudioError(
      409,
      `run ${run} has no ${wanted ? `checkpoint ${wanted}` : "checkpoint yet"}`,
    );
  }
  const folder = folderOf(checkpoint);
  const { scaffold } = configOf(directory, run);
  if (scaffold.name === "agent") {
    throw new StudioError(
      409,
      `the policy of run ${run} speaks through an agent of its owner's own, which is not here`,
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

function configOf(directory: string, run: string) {
  try {
    return readRunConfig(directory);
  } catch (cause) {
    throw new StudioError(409, `run ${run} cannot be read: ${messageOf(cause)}`);
  }
}
