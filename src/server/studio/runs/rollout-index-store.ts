/**
 * Caches the indexes of rollout files. An index is built at its first use, once for all who wait for it. Above a limit
 * in bytes the least recently used indexes are dropped.
 */
import type { RewardOptions } from "../../../algo/index.ts";
import { createConcurrencyLimiter } from "../../../core/index.ts";
import { forEachLine } from "./json-lines.ts";
import { RolloutIndex } from "./rollout-index.ts";
import type { RunFile } from "./run-files.ts";
import { type FoundFile, type StudioFolder, withFile } from "./studio-folder.ts";

/** The index of a hundred thousand rollouts takes about ten million bytes. */
const MAX_CACHED_BYTES = 48 << 20;
/** Each file that is being read takes up to a mebibyte of memory. */
const MAX_CONCURRENT_READS = 3;

interface CachedIndex {
  readonly index: RolloutIndex;
  readonly inode: string;
  readonly size: number;
  readonly changedMs: number;
  readonly reward: RewardOptions;
}

export interface RolloutIndexStore {
  /** Returns the index of the file's current content. The index of an unreadable file is empty. */
  load(file: Pick<RunFile, "path" | "reward">): Promise<RolloutIndex>;
}

export function createRolloutIndexStore(
  folder: StudioFolder,
  maxBytes = MAX_CACHED_BYTES,
): RolloutIndexStore {
  const cache = new Map<string, CachedIndex>();
  const pending = new Map<string, Promise<RolloutIndex>>();
  const limitReads = createConcurrencyLimiter(MAX_CONCURRENT_READS);

  const buildIndex = async (
    path: string,
    reward: RewardOptions,
    found: FoundFile,
  ): Promise<RolloutIndex> => {
    const before = cache.get(path);
    const canReadOn = before && hasSameReward(before, reward) && hasGrown(before, found);
    const index = canReadOn ? before.index : new RolloutIndex(reward);
    cache.delete(path);
    await withFile(folder, path, async (file) => {
      index.end = await forEachLine(file, index.end, (...line) => index.add(...line));
    });
    index.trim();
    const { inode, size, changedMs } = found;
    cache.set(path, { index, inode, size, changedMs, reward });
    evictBeyond(cache, maxBytes);
    return index;
  };

  return {
    async load({ path, reward }) {
      const running = pending.get(path);
      if (running) return running;
      const found = folder.inspect(path);
      if (found.kind !== "file") return new RolloutIndex();
      const here = cache.get(path);
      if (here && hasSameReward(here, reward) && isUnchanged(here, found)) {
        cache.delete(path);
        cache.set(path, here);
        return here.index;
      }
      const work = limitReads(() => buildIndex(path, reward, found)).finally(() =>
        pending.delete(path),
      );
      pending.set(path, work);
      return work;
    },
  };
}

const hasSameReward = ({ reward }: CachedIndex, other: RewardOptions) =>
  reward.reward === other.reward && reward.unfinished === other.unfinished;

const isUnchanged = (cached: CachedIndex, { inode, size, changedMs }: FoundFile) =>
  cached.inode === inode && cached.size === size && cached.changedMs === changedMs;

/**
 * Whether a file was only appended to. Files appear by rename or grow, so a larger file of the same inode has grown.
 */
const hasGrown = (cached: CachedIndex, { inode, size }: FoundFile) =>
  cached.inode === inode && size > cached.size && size >= cached.index.end;

/** Drops the least recently used indexes above the limit. The last used index stays, however large it is. */
function evictBeyond(cache: Map<string, CachedIndex>, maxBytes: number): void {
  let total = 0;
  for (const { index } of cache.values()) total += index.bytes;
  for (const [path, { index }] of cache) {
    if (total <= maxBytes || cache.size === 1) return;
    cache.delete(path);
    total -= index.bytes;
  }
}
