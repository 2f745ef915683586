/**
 * Which rows have cached keys and values, and where: rows enter, grow from arena to arena, are found again by key,
 * and the one that was idle longest makes room when all places are taken.
 *
 * A row's arena follows from its length alone (`paddedPast`), because the padding takes part in the arithmetic.
 * An evicted prefix costs time, never correctness: prefilling again gives the same bits (see graphs.ts).
 */
import type { ModelConfig } from "../model/index.ts";
import { Arena, type Source, type Tenant } from "./arena.ts";
import { BLOCK } from "./graphs.ts";

export interface CacheRow extends Tenant {
  arena: Arena<CacheRow>;
  /** Ids at 0 .. cached - 1 have keys and values. */
  readonly tokens: Int32Array;
  cached: number;
  readonly key: string | undefined;
  /** Someone is continuing it: it may not be evicted. */
  busy: boolean;
  lastUse: number;
}

/** A finer ladder would waste less on padding and more on passes over fewer rows. */
const SMALLEST_PAST = 64;

/** From here on rows are long enough that a finer ladder pays. */
const LONG_PAST = 512;

/** The length to which a past of `past` positions is padded: 64, 128, 192, 256, 384, 512, 640, 768, 896, 1024, 1280, ... */
export function paddedPast(past: number, contextLength: number): number {
  let length = SMALLEST_PAST;
  while (length < past) {
    const power = 2 ** Math.floor(Math.log2(length));
    length += Math.max(SMALLEST_PAST, power < LONG_PAST ? power / 2 : power / 4);
  }
  return Math.min(length, Math.max(BLOCK, Math.ceil(contextLength / BLOCK) * BLOCK));
}

/** Memory for arenas, as a multiple of what all rows at full length would take. */
const BUDGET = 2;

export class PrefixCache {
  readonly #config: ModelConfig;
  readonly #maxRows: number;
  readonly #smallest: number;
  readonly #budgetBytes: number;
  readonly #arenas = new Map<number, Arena<CacheRow>>();
  readonly #rows = new Set<CacheRow>();
  readonly #byKey = new Map<string, CacheRow>();
  #uses = 0;

  /** `smallest`: slots that an arena has at least. */
  constructor(config: ModelConfig, maxRows: number, smallest: number) {
    this.#config = config;
    this.#maxRows = maxRows;
    this.#smallest = smallest;
    const { layers, kvHeads, headSize, contextLength } = config;
    this.#budgetBytes = BUDGET * maxRows * contextLength * layers * kvHeads * headSize * 2 * 4;
  }

  /**
   * A row for `tokens`, marked busy, holding as much of them as is cached under `key` or in a row that starts alike
   * (never the last token: it is to be computed). Undefined when every row is busy.
   */
  take(tokens: readonly number[], key: string | undefined): CacheRow | undefined {
    const known = key === undefined ? undefined : this.#byKey.get(key);
    const row = known && !known.busy ? known : this.#enter(known ? undefined : key);
    if (!row) return undefined;
    row.busy = true;
    row.lastUse = ++this.#uses;
    const kept = commonPrefix(row, tokens);
    if (kept < row.cached) this.#truncate(row, kept);
    if (row.cached === 0) this.#copyLongestPrefix(row, tokens);
    row.tokens.set(tokens);
    return row;
  }

  /** The row is idle: kept while there is room when it has a key, gone otherwise. */
  giveBack(row: CacheRow): void {
    row.busy = false;
    if (row.key === undefined || this.#byKey.get(row.key) !== row) this.#remove(row);
  }

  release(key: string): void {
    const row = this.#byKey.get(key);
    if (!row) return;
    this.#byKey.delete(key);
    if (!row.busy) this.#remove(row);
  }

  /** Forgets every prefix; no row may be busy. The memory stays for those that come next. */
  clear(): void {
    for (const row of [...this.#rows]) this.#remove(row);
  }

  get sizeBytes(): number {
    return [...this.#arenas.values()].reduce((sum, arena) => sum + arena.sizeBytes, 0);
  }

  /** Appends one position's keys and values: row `from` of `source`, which has one position a row. */
  appendOne(row: CacheRow, source: Source, from: number): void {
    const inBlock = row.cached % BLOCK;
    row.arena.write(row.slot, row.arena.length + inBlock, source, from, 0, 1);
    row.cached++;
    if (inBlock + 1 < BLOCK) return;
    this.#appendPast(row, row.cached - BLOCK, row.arena, row.slot, row.arena.length);
  }

  /** Writes the block that `row.cached` lies in, up to position `end`, from row `from` of `source` (one block a row). */
  writeBlock(row: CacheRow, source: Source, from: number, end: number): void {
    const start = row.cached - (row.cached % BLOCK);
    row.cached = end;
    if (end - start === BLOCK) this.#appendPast(row, start, source, from, 0);
    else row.arena.write(row.slot, row.arena.length, source, from, 0, end - start);
  }

  /** A whole block becomes past, for which the row may have to move to a longer arena. */
  #appendPast(row: CacheRow, start: number, source: Source, from: number, first: number): void {
    const [old, oldSlot] = [row.arena, row.slot];
    const arena = this.#arena(paddedPast(start + BLOCK, this.#config.contextLength));
    if (arena !== old) {
      this.#enterArena(row, arena);
      arena.write(row.slot, 0, old, oldSlot, 0, start);
    }
    arena.write(row.slot, start, source, from, first, BLOCK);
    arena.clear(row.slot, start + BLOCK);
    if (arena !== old) old.vacate(oldSlot);
  }

  #truncate(row: CacheRow, length: number): void {
    const past = length - (length % BLOCK);
    const [old, oldSlot] = [row.arena, row.slot];
    const arena = this.#arena(paddedPast(past, this.#config.contextLength));
    row.cached = past;
    if (arena === old) {
      arena.clear(row.slot, past);
      return;
    }
    this.#enterArena(row, arena);
    arena.write(row.slot, 0, old, oldSlot, 0, past);
    old.vacate(oldSlot);
  }

  /** A new row may start as a copy of another row's whole blocks: the same tokens have the same bits. */
  #copyLongestPrefix(row: CacheRow, tokens: readonly number[]): void {
    let [donor, longest] = [row, 0];
    for (const other of this.#rows) {
      const shared = other === row ? 0 : commonPrefix(other, tokens);
      if (shared - (shared % BLOCK) > longest)
        [donor, longest] = [other, shared - (shared % BLOCK)];
    }
    if (donor === row) return;
    const old = row.slot;
    const arena = this.#arena(paddedPast(longest, this.#config.contextLength));
    if (arena !== row.arena) {
      row.arena.vacate(old);
      this.#enterArena(row, arena);
    }
    arena.write(row.slot, 0, donor.arena, donor.slot, 0, longest);
    row.cached = longest;
  }

  #enter(key: string | undefined): CacheRow | undefined {
    if (this.#rows.size >= this.#maxRows && !this.#evictOne()) return undefined;
    const arena = this.#arena(paddedPast(0, this.#config.contextLength));
    const row: CacheRow = {
      arena,
      slot: -1,
      tokens: new Int32Array(this.#config.contextLength),
      cached: 0,
      key,
      busy: true,
      lastUse: 0,
    };
    this.#enterArena(row, arena);
    this.#rows.add(row);
    if (key !== undefined) this.#byKey.set(key, row);
    return row;
  }

  #evictOne(): boolean {
    let oldest: CacheRow | undefined;
    for (const row of this.#rows) {
      if (!row.busy && (!oldest || row.lastUse < oldest.lastUse)) oldest = row;
    }
    if (oldest) this.#remove(oldest);
    return oldest !== undefined;
  }

  #remove(row: CacheRow): void {
    row.arena.vacate(row.slot);
    this.#rows.delete(row);
    if (row.key !== undefined && this.#byKey.get(row.key) === row) this.#byKey.delete(row.key);
  }

  #enterArena(row: CacheRow, arena: Arena<CacheRow>): void {
    row.arena = arena;
    arena.enter(row);
    if (this.sizeBytes > this.#budgetBytes) this.#dropEmpty();
  }

  /** Rows that grow together leave whole arenas behind; their memory is kept only while there is plenty. */
  #dropEmpty(): void {
    for (const [length, arena] of this.#arenas) if (arena.empty) this.#arenas.delete(length);
  }

  #arena(length: number): Arena<CacheRow> {
    const known = this.#arenas.get(length);
    if (known) return known;
    const arena = new Arena<CacheRow>(this.#config, length, this.#smallest);
    this.#arenas.set(length, arena);
    return arena;
  }
}

/** Leading tokens that are cached in `row`, the last of `tokens` not counted. */
function commonPrefix(row: CacheRow, tokens: readonly number[]): number {
  const end = Math.min(row.cached, tokens.length - 1);
  let i = 0;
  while (i < end && row.tokens[i] === tokens[i]) i++;
  return i;
}
