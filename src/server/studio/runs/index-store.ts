/**
 * Indexes of rollout files, made when they are first asked for and kept between requests, the least recently used ones
 * dropped above a bound in bytes. One that is being made is waited for by everybody who wants it.
 */
import { gate } from "../../../core/index.ts";
import { type FoundFile, type Inside, withFile } from "./inside.ts";
import { eachLine } from "./lines.ts";
import { RolloutIndex } from "./rollout-index.ts";
import type { RunFile } from "./run-files.ts";

/** A hundred thousand rollouts are about ten million bytes. */
const KEPT_BYTES = 48 << 20;
/** Files that are read at once: each has a piece of a mebibyte in memory. */
const AT_ONCE = 3;

interface Kept {
  readonly index: RolloutIndex;
  readonly inode: string;
  readonly size: number;
  readonly changedMs: number;
}

export interface IndexStore {
  /** Of what the file holds now; an unreadable file has no rollouts. */
  of(file: Pick<RunFile, "path">): Promise<RolloutIndex>;
}

export function indexStore(inside: Inside, keptBytes = KEPT_BYTES): IndexStore {
  const kept = new Map<string, Kept>();
  const making = new Map<string, Promise<RolloutIndex>>();
  const turn = gate(AT_ONCE);

  const make = async (path: string, found: FoundFile): Promise<RolloutIndex> => {
    const before = kept.get(path);
    const index = before && hasGrown(before, found) ? before.index : new RolloutIndex();
    kept.delete(path);
    await withFile(inside, path, async (file) => {
      index.end = await eachLine(file, index.end, (...line) => index.add(...line));
    });
    index.trim();
    const { inode, size, changedMs } = found;
    kept.set(path, { index, inode, size, changedMs });
    dropBeyond(kept, keptBytes);
    return index;
  };

  return {
    async of({ path }) {
      const running = making.get(path);
      if (running) return running;
      const found = inside.at(path);
      if (found.kind !== "file") return new RolloutIndex();
      const here = kept.get(path);
      if (here && isSame(here, found)) {
        kept.delete(path);
        kept.set(path, here);
        return here.index;
      }
      const work = turn(() => make(path, found)).finally(() => making.delete(path));
      making.set(path, work);
      return work;
    },
  };
}

const isSame = (kept: Kept, { inode, size, changedMs }: FoundFile) =>
  kept.inode === inode && kept.size === size && kept.changedMs === changedMs;

/** Whole files appear by rename and journals are only appended to, or made anew: a larger one of the same inode goes on. */
const hasGrown = (kept: Kept, { inode, size }: FoundFile) =>
  kept.inode === inode && size > kept.size && size >= kept.index.end;

/** The one used last stays, however large. */
function dropBeyond(kept: Map<string, Kept>, most: number): void {
  let total = 0;
  for (const { index } of kept.values()) total += index.bytes;
  for (const [path, { index }] of kept) {
    if (total <= most || kept.size === 1) return;
    kept.delete(path);
    total -= index.bytes;
  }
}
