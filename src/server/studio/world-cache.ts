/**
 * Open worlds. Each is a worker thread with a population, so only the most recently used ones stay open. A world that
 * an episode uses stays open as long as the episode.
 */
import { BowlineError, isTrustError, type ModuleOrigin } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";
import { digestWorldModules, resolveNamedWorld, resolveWorld } from "../../train/index.ts";
import { inspectWorld, type WorldInspector } from "../../world/index.ts";
import { StudioError } from "./studio-error.ts";

/** Identifies an open world: equal keys share one world. */
export interface WorldKey {
  readonly name: string;
  /** Who named the world: the file of a run, or for a built-in world the request. */
  readonly origin: ModuleOrigin;
  readonly seed: number;
  readonly dials: Partial<Dials>;
}

export interface WorldCache extends AsyncDisposable {
  /**
   * Runs `work` with the world, which is opened if needed. Throws 403 if its module is not trusted, and 409 if it cannot
   * be opened.
   */
  use<T>(key: WorldKey, work: (world: WorldInspector) => Promise<T>): Promise<T>;
  /** Returns the world and keeps it open until `release` is called. Throws 409 if it cannot be opened. */
  borrow(key: WorldKey): Promise<{ readonly world: WorldInspector; release(): void }>;
}

/** How many unused worlds stay open. */
const MAX_UNUSED_WORLDS = 2;
const IDLE_MS = 5 * 60_000;

interface CachedWorld {
  readonly opening: Promise<WorldInspector>;
  users: number;
  lastUsedMs: number;
}

export function createWorldCache(): WorldCache {
  // The most recently used world is the last entry.
  const cache = new Map<string, CachedWorld>();
  const closeWorld = (id: string, kept: CachedWorld) => {
    if (cache.get(id) === kept) cache.delete(id);
    void kept.opening.then((world) => world.close()).catch(() => {});
  };
  const closeUnusedWorlds = () => {
    const unused = [...cache].filter(([, { users }]) => users === 0);
    const isOld = ({ lastUsedMs: usedMs }: CachedWorld) => Date.now() - usedMs > IDLE_MS;
    unused.forEach(([id, kept], i) => {
      if (i < unused.length - MAX_UNUSED_WORLDS || isOld(kept)) closeWorld(id, kept);
    });
  };
  const timer = setInterval(closeUnusedWorlds, 60_000).unref();

  const borrow: WorldCache["borrow"] = async (key) => {
    const id = identifyWorld(key);
    const kept = cache.get(id) ?? { opening: openWorldInspector(key), users: 0, lastUsedMs: 0 };
    cache.delete(id);
    cache.set(id, kept);
    kept.users += 1;
    const release = () => {
      kept.users -= 1;
      kept.lastUsedMs = Date.now();
      closeUnusedWorlds();
    };
    const world = await kept.opening.catch((cause) => {
      release();
      closeWorld(id, kept);
      throw cause;
    });
    if (!world.isEnded) return { world, release };
    release();
    closeWorld(id, kept);
    return borrow(key);
  };
  return {
    borrow: borrow,
    async use(key, work) {
      const { world, release } = await borrow(key);
      try {
        return await work(world);
      } finally {
        release();
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      const worlds = await Promise.allSettled([...cache.values()].map(({ opening }) => opening));
      cache.clear();
      await Promise.all(worlds.map((w) => (w.status === "fulfilled" ? w.value.close() : null)));
    },
  };
}

/** Returns a text that two keys share only if they mean one world. A module that was changed is another world. */
function identifyWorld({ name, seed, dials }: WorldKey): string {
  let modules: object;
  try {
    modules = digestWorldModules(resolveWorld(name).url);
  } catch {
    // Opening the world reports what is wrong with it.
    modules = {};
  }
  return JSON.stringify([name, seed, Object.entries(dials).sort(), modules]);
}

async function openWorldInspector({
  name,
  origin: namedBy,
  seed,
  dials,
}: WorldKey): Promise<WorldInspector> {
  try {
    const { url, origin } = resolveNamedWorld(name, namedBy);
    return await inspectWorld(url, { seed, dials, origin });
  } catch (cause) {
    if (!BowlineError.is(cause) || isTrustError(cause)) throw cause;
    throw new StudioError(409, `the world ${name} cannot be opened: ${cause.message}`);
  }
}
