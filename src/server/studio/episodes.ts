/**
 * Live episodes: opened from a task or at a turn of a recorded rollout, then stepped by hand.
 *
 * Each episode takes memory in a world's worker, so their number is limited: a new one ends the least recently used
 * one, and an episode ends after half an hour without a request. Requests to the same episode run one after the other.
 */
import { randomBytes } from "node:crypto";
import type { Rollout, StepResult, TaskInfo } from "../../spec/index.ts";
import type { CellView, EpisodeView } from "../../spec/studio/index.ts";
import type { InspectedEpisode, WorldInspector } from "../../world/index.ts";
import { StudioError } from "./studio-error.ts";
import type { WorldCache, WorldKey } from "./world-cache.ts";
import { buildCellView } from "./world-views.ts";

/** The state in which an episode starts, and the cells that led to it. */
export interface EpisodeStart {
  readonly episode: InspectedEpisode;
  readonly cells: readonly CellView[];
  /** The results of `cells`, in the same order. */
  readonly results: readonly StepResult[];
  readonly finished: boolean;
  readonly run?: string;
  /** The address and row of the recorded rollout, if the episode is a fork of one. */
  readonly record?: NonNullable<EpisodeView["record"]>;
  readonly rollout?: Rollout;
  /** The id of the fork, if the episode was opened from one that is kept. */
  readonly fork?: { readonly id: string };
}

export interface LiveEpisode {
  readonly id: string;
  readonly task: TaskInfo;
  readonly key: WorldKey;
  /** The run whose world settings (dials) apply, and whose policy continues unless a request names another run. */
  readonly run?: string;
  readonly world: WorldInspector;
  readonly episode: InspectedEpisode;
  readonly cells: CellView[];
  readonly results: StepResult[];
  readonly record?: EpisodeStart["record"];
  readonly rollout?: Rollout;
  finished: boolean;
  /** The id under which the fork is kept, and why its last change could not be kept. */
  fork?: { readonly id?: string; readonly why?: string };
}

export interface EpisodeStore extends AsyncDisposable {
  open(
    key: WorldKey,
    begin: (world: WorldInspector) => Promise<EpisodeStart>,
  ): Promise<LiveEpisode>;
  /** Runs `work` once all earlier work on this episode is done. Throws 404 if the episode has ended. */
  use<T>(id: string, work: (live: LiveEpisode) => Promise<T>): Promise<T>;
  end(id: string): Promise<void>;
  /** Returns the id of the open episode of a fork. */
  findByFork(fork: string): string | undefined;
}

export const MAX_EPISODES = 16;
const IDLE_MS = 30 * 60_000;

interface HeldEpisode {
  readonly live: LiveEpisode;
  readonly release: () => void;
  queue: Promise<unknown>;
  waiting: number;
  lastUsedMs: number;
}

export function createEpisodeStore(worlds: WorldCache, idleMs = IDLE_MS): EpisodeStore {
  // The most recently used episode is the last entry.
  const held = new Map<string, HeldEpisode>();
  const endEpisode = async (id: string) => {
    const found = held.get(id);
    if (!held.delete(id) || !found) return;
    await found.queue;
    await found.live.episode.close().catch(() => {});
    found.release();
  };
  const endIdleEpisodes = () => {
    for (const [id, { waiting, lastUsedMs: usedMs }] of held) {
      if (waiting === 0 && Date.now() - usedMs > idleMs) void endEpisode(id);
    }
  };
  const timer = setInterval(endIdleEpisodes, Math.min(idleMs, 60_000)).unref();

  return {
    async open(key, begin) {
      const { world, release } = await worlds.borrow(key);
      try {
        const { cells, results, episode, ...rest } = await begin(world);
        const id = randomBytes(9).toString("base64url");
        const history = { cells: [...cells], results: [...results] };
        const live = { id, task: episode.task, key, world, episode, ...history, ...rest };
        held.set(id, {
          live,
          release,
          queue: Promise.resolve(),
          waiting: 0,
          lastUsedMs: Date.now(),
        });
        if (held.size > MAX_EPISODES) await endEpisode(findLeastRecentlyUsed(held));
        return live;
      } catch (error) {
        release();
        throw error;
      }
    },
    async use(id, work) {
      const found = held.get(id);
      if (!found) throw episodeNotFound(id);
      held.delete(id);
      held.set(id, found);
      found.waiting += 1;
      const done = found.queue.then(() => work(found.live));
      found.queue = done.catch(() => {});
      try {
        return await done;
      } catch (error) {
        // A world that has ended keeps no episodes.
        if (found.live.world.isEnded) void endEpisode(id);
        throw error;
      } finally {
        found.waiting -= 1;
        found.lastUsedMs = Date.now();
      }
    },
    findByFork(fork) {
      return [...held.values()].find(({ live }) => live.fork?.id === fork)?.live.id;
    },
    end: (id) => (held.has(id) ? endEpisode(id) : Promise.reject(episodeNotFound(id))),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.all([...held.keys()].map(endEpisode));
    },
  };
}

/** Prefers an episode without running work, so that no work is interrupted. */
function findLeastRecentlyUsed(held: ReadonlyMap<string, HeldEpisode>): string {
  const quiet = [...held].find(([, { waiting }]) => waiting === 0);
  return quiet?.[0] ?? held.keys().next().value!;
}

function episodeNotFound(id: string): StudioError {
  return new StudioError(
    404,
    `there is no episode ${JSON.stringify(id)}: at most ${MAX_EPISODES} are kept, an episode ends after half an hour without a request, and all episodes of a world end when its worker dies`,
  );
}

/**
 * Runs cells that were run by hand before. Throws 409 if the world does not print and call what it did then.
 */
export async function runCellsAgain(
  before: EpisodeStart,
  cells: readonly CellView[],
): Promise<EpisodeStart> {
  const { episode } = before;
  const [again, results] = [[...before.cells], [...before.results]];
  try {
    for (const [i, cell] of cells.entries()) {
      const step = await episode.inspectStep(cell.code);
      const view = buildCellView("hand", cell.code, step);
      if (JSON.stringify(describeCell(view)) !== JSON.stringify(describeCell(cell))) {
        throw new StudioError(
          409,
          `the world no longer behaves as this fork records, from its cell ${i + 1} on, so the fork cannot be opened`,
        );
      }
      again.push(view);
      results.push(step.result);
    }
  } catch (error) {
    await episode.close().catch(() => {});
    throw error;
  }
  const finished = results.at(-1)?.finished ?? before.finished;
  return { ...before, cells: again, results, finished };
}

/** Returns what must be equal when a cell is run again. */
function describeCell({ status, text, calls }: CellView) {
  return [status, text, calls.map(({ app, api, status }) => [app, api, status])];
}

/** Runs a cell that the user typed. Throws 409 once the episode is finished. */
export async function runManualCell(live: LiveEpisode, code: string): Promise<void> {
  if (live.finished) throw new StudioError(409, "the task is finished, so no more code can be run");
  const step = await live.episode.inspectStep(code);
  live.cells.push(buildCellView("hand", code, step));
  live.results.push(step.result);
  live.finished = step.result.finished;
}
