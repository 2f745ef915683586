/**
 * Indexes of rollout files, made when they are first asked for and kept between requests, the least recently used ones
 * dropped above a bound in bytes. One that is being made is waited for by everybody who wants it.
 */
import { createConcurrencyLimiter } from "../../../core/index.ts";
import { forEachLine } from "./json-lines.ts";
import { RolloutIndex } from "./rollout-index.ts";
import type { RunFile } from "./run-files.ts";
import { type FoundFile, type StudioFolder, withFile } from "./studio-folder.ts";

/** A hundred thousand rollouts are about ten million bytes. */
const MAX_CACHED_BYTES = 48 << 20;
/** Files that are read at once: each has a piece of a mebibyte in memory. */
const MAX_CONCURRENT_READS = 3;

interface CachedIndex {
  readonly index: RolloutIndex;
  readonly inode: string;
  readonly size: number;
  readonly changedMs: number;
}

export interface RolloutIndexStore {
  /** Of what the file holds now; an unreadable file has no rollouts. */
  load(file: Pick<RunFile, "path">): Promise<RolloutIndex>;
}

export function createRolloutIndexStore(
  folder: StudioFolder,
  maxBytes = MAX_CACHED_BYTES,
): RolloutIndexStore {
  const cache = new Map<string, CachedIndex>();
  const pending = new Map<string, Promise<RolloutIndex>>();
  const limitReads = createConcurrencyLimiter(MAX_CONCURRENT_READS);

  const buildIndex = async (path: string, found: FoundFile): Promise<RolloutIndex> => {
    const before = cache.get(path);
    const index = before && hasGrown(before, found) ? before.index : new RolloutIndex();
    cache.delete(path);
    await withFile(folder, path, async (file) => {
      index.end = await forEachLine(file, index.end, (...line) => index.add(...line));
    });
    index.trim();
    const { inode, size, changedMs } = found;
    cache.set(path, { index, inode, size, changedMs });
    evictBeyond(cache, maxBytes);
    return index;
  };

  return {
    async load({ path }) {
      const running = pending.get(path);
      if (running) return running;
      const found = folder.inspect(path);
      if (found.kind !== "file") return new RolloutIndex();
      const here = cache.get(path);
      if (here && isUnchanged(here, found)) {
        cache.delete(path);
        cache.set(path, here);
        return here.index;
      }
      const work = limitReads(() => buildIndex(path, found)).finally(() => pending.delete(path));
      pending.set(path, work);
      return work;
    },
  };
}

const isUnchanged = (cached: CachedIndex, { inode, size, changedMs }: FoundFile) =>
  cached.inode === inode && cached.size === size && cached.changedMs === changedMs;

/** Whole files appear by rename and journals are only appended to, or made anew: a larger one of the same inode goes on. */
const hasGrown = (cached: CachedIndex, { inode, size }: FoundFile) =>
  cached.inode === inode && size > cached.size && size >= cached.index.end;

/** The one used last stays, however large. */
function evictBeyond(cache: Map<string, CachedIndex>, maxBytes: number): void {
  let total = 0;
  for (const { index } of cache.values()) total += index.bytes;
  for (const [path, { index }] of cache) {
    if (total <= maxBytes || cache.size === 1) return;
    cache.delete(path);
    total -= index.bytes;
  }
}
