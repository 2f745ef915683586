/**
 * Worlds that are open: each is a worker thread with a population, so only a few are kept, the last used ones. One that an
 * episode lives in stays as long as it does.
 */
import { BowlineError } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";
import { resolveWorld } from "../../train/index.ts";
import { inspectWorld, type WorldInspector } from "../../world/index.ts";
import { StudioError } from "./studio-error.ts";

/** What names an open world: the same three, the same world. */
export interface WorldKey {
  readonly name: string;
  readonly seed: number;
  readonly dials: Partial<Dials>;
}

export interface WorldShelf extends AsyncDisposable {
  /** Opens the world where it is not open. Throws 409 where it cannot be. */
  use<T>(key: WorldKey, work: (world: WorldInspector) => Promise<T>): Promise<T>;
  /** The same for longer: until `release`. */
  take(key: WorldKey): Promise<{ readonly world: WorldInspector; release(): void }>;
}

/** Worlds without users that stay open. */
const KEPT = 2;
const IDLE_MS = 5 * 60_000;

interface Kept {
  readonly opening: Promise<WorldInspector>;
  users: number;
  usedMs: number;
}

export function worldShelf(): WorldShelf {
  // The last used one stands last.
  const open = new Map<string, Kept>();
  const forget = (id: string, kept: Kept) => {
    if (open.get(id) === kept) open.delete(id);
    void kept.opening.then((world) => world.close()).catch(() => {});
  };
  const tidy = () => {
    const unused = [...open].filter(([, { users }]) => users === 0);
    const isOld = ({ usedMs }: Kept) => Date.now() - usedMs > IDLE_MS;
    unused.forEach(([id, kept], i) => {
      if (i < unused.length - KEPT || isOld(kept)) forget(id, kept);
    });
  };
  const timer = setInterval(tidy, 60_000).unref();

  const take: WorldShelf["take"] = async (key) => {
    const id = JSON.stringify([key.name, key.seed, Object.entries(key.dials).sort()]);
    const kept = open.get(id) ?? { opening: opened(key), users: 0, usedMs: 0 };
    open.delete(id);
    open.set(id, kept);
    kept.users += 1;
    const release = () => {
      kept.users -= 1;
      kept.usedMs = Date.now();
      tidy();
    };
    const world = await kept.opening.catch((cause) => {
      release();
      forget(id, kept);
      throw cause;
    });
    if (!world.ended) return { world, release };
    release();
    forget(id, kept);
    return take(key);
  };
  return {
    take,
    async use(key, work) {
      const { world, release } = await take(key);
      try {
        return await work(world);
      } finally {
        release();
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      const worlds = await Promise.allSettled([...open.values()].map(({ opening }) => opening));
      open.clear();
      await Promise.all(worlds.map((w) => (w.status === "fulfilled" ? w.value.close() : null)));
    },
  };
}

async function opened({ name, seed, dials }: WorldKey): Promise<WorldInspector> {
  try {
    return await inspectWorld(resolveWorld(name).url, { seed, dials });
  } catch (cause) {
    if (!BowlineError.is(cause)) throw cause;
    throw new StudioError(409, `the world ${name} cannot be opened: ${cause.message}`);
  }
}
