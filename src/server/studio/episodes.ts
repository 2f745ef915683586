/**
 * Live episodes: opened from a task, or from a recorded rollout at a turn, then stepped by hand.
 *
 * Each holds a place in a world's worker, so there are few: the one that was used least lately ends for a new one, and an
 * idle one after half an hour. What is asked of one episode at the same time is done one after the other.
 */
import { randomBytes } from "node:crypto";
import type { Rollout, StepResult, TaskInfo } from "../../spec/index.ts";
import type { CellView, EpisodeView } from "../../spec/studio/index.ts";
import type { InspectedEpisode, WorldInspector } from "../../world/index.ts";
import { StudioError } from "./studio-error.ts";
import type { WorldCache, WorldKey } from "./world-cache.ts";
import { buildCellView } from "./world-views.ts";

/** What an episode begins with: where it stands, and how it came there. */
export interface EpisodeStart {
  readonly episode: InspectedEpisode;
  readonly cells: readonly CellView[];
  /** Of the cells, in order. */
  readonly results: readonly StepResult[];
  readonly finished: boolean;
  readonly run?: string;
  /** Of a fork: the record, and its address. */
  readonly record?: NonNullable<EpisodeView["record"]>;
  readonly rollout?: Rollout;
}

export interface LiveEpisode {
  readonly id: string;
  readonly task: TaskInfo;
  readonly key: WorldKey;
  /** Whose dials it has, and whose policy goes on where nobody says. */
  readonly run?: string;
  readonly world: WorldInspector;
  readonly episode: InspectedEpisode;
  readonly cells: CellView[];
  readonly results: StepResult[];
  readonly record?: EpisodeStart["record"];
  readonly rollout?: Rollout;
  finished: boolean;
}

export interface EpisodeStore extends AsyncDisposable {
  open(
    key: WorldKey,
    begin: (world: WorldInspector) => Promise<EpisodeStart>,
  ): Promise<LiveEpisode>;
  /** Does `work` when nothing else is being done to this episode. Throws 404 where it has ended. */
  use<T>(id: string, work: (live: LiveEpisode) => Promise<T>): Promise<T>;
  end(id: string): Promise<void>;
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

export function createEpisodeStore(shelf: WorldCache, idleMs = IDLE_MS): EpisodeStore {
  // The one that was used last stands last.
  const held = new Map<string, HeldEpisode>();
  const end = async (id: string) => {
    const found = held.get(id);
    if (!held.delete(id) || !found) return;
    await found.queue;
    await found.live.episode.close().catch(() => {});
    found.release();
  };
  const endIdleEpisodes = () => {
    for (const [id, { waiting, lastUsedMs: usedMs }] of held) {
      if (waiting === 0 && Date.now() - usedMs > idleMs) void end(id);
    }
  };
  const timer = setInterval(endIdleEpisodes, Math.min(idleMs, 60_000)).unref();

  return {
    async open(key, begin) {
      const { world, release } = await shelf.borrow(key);
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
        if (held.size > MAX_EPISODES) await end(findLeastRecentlyUsed(held));
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
        // Nothing of it is left there.
        if (found.live.world.ended) void end(id);
        throw error;
      } finally {
        found.waiting -= 1;
        found.lastUsedMs = Date.now();
      }
    },
    end: (id) => (held.has(id) ? end(id) : Promise.reject(episodeNotFound(id))),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.all([...held.keys()].map(end));
    },
  };
}

/** One that is at work is not ended for another. */
function findLeastRecentlyUsed(held: ReadonlyMap<string, HeldEpisode>): string {
  const quiet = [...held].find(([, { waiting }]) => waiting === 0);
  return quiet?.[0] ?? held.keys().next().value!;
}

function episodeNotFound(id: string): StudioError {
  return new StudioError(
    404,
    `there is no episode ${JSON.stringify(id)}: at most ${MAX_EPISODES} are live, an idle one ends after half an hour, and all of a world whose worker died`,
  );
}

/** One more cell, by hand. Throws 409 once the episode is finished. */
export async function runManualCell(live: LiveEpisode, code: string): Promise<void> {
  if (live.finished) throw new StudioError(409, "the task is finished; no more code is run");
  const step = await live.episode.look(code);
  live.cells.push(buildCellView("hand", code, step));
  live.results.push(step.result);
  live.finished = step.result.finished;
}
