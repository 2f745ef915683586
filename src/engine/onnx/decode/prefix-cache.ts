/**
 * Which rows have cached keys and values, and where: rows enter, grow from arena to arena, are found again by key,
 * and the one that was idle longest makes room when all places are taken.
 *
 * What rows have in common far from their beginning is held once (roots.ts); `#settle` brings a row to where its length
 * and its share say. An evicted prefix costs time, never correctness: prefilling again gives the same bits (see graphs.ts).
 */
import type { ModelConfig } from "../model/index.ts";
import type { Arena, KeyValueSource } from "./arena.ts";
import { ArenaSet } from "./arena-set.ts";
import { type CacheRow, commonPrefixLength, listPieces, type RowPlace } from "./cache-row.ts";
import { BLOCK_LENGTH } from "./decode-graphs.ts";
import { MIN_SEGMENTED_PAST, SEGMENT_LENGTH } from "./segmented-attention.ts";
import { type PrefixShare, SharedPrefixes } from "./shared-prefixes.ts";

export type { CacheRow } from "./cache-row.ts";

/** Memory for arenas, as a multiple of what their rows would take at full length. */
const BUDGET_FACTOR = 2;

export interface CacheOptions {
  readonly maxRows: number;
  /** Memory that rows may come to need together; a single row always may. Default: no limit but `maxRows`. */
  readonly maxBytes?: number | undefined;
  /** Slots that an arena has at least. */
  readonly minSlots: number;
  /** Whether the far past is cut into segments, and those that rows have in common are held once. */
  readonly usesSegments?: boolean;
}

export class PrefixCache {
  readonly #config: ModelConfig;
  readonly #options: CacheOptions;
  readonly #positionBytes: number;
  readonly #budgetBytes: number;
  readonly #arenas: ArenaSet;
  readonly #rows = new Set<CacheRow>();
  readonly #byKey = new Map<string, CacheRow>();
  readonly #prefixes: SharedPrefixes;
  #uses = 0;

  constructor(config: ModelConfig, options: CacheOptions) {
    this.#config = config;
    this.#options = options;
    this.#arenas = new ArenaSet(config, options.minSlots);
    const { layers, kvHeads, headSize, contextLength } = config;
    const { maxRows, maxBytes = Number.POSITIVE_INFINITY } = options;
    this.#positionBytes = layers * kvHeads * headSize * 2 * 4;
    const full = maxRows * contextLength * this.#positionBytes;
    this.#budgetBytes = BUDGET_FACTOR * Math.min(full, maxBytes);
    this.#prefixes = new SharedPrefixes(config, this.#rows, (row, shared) => {
      this.#relocate(row, roundDownToBlocks(row.cachedLength), {
        prefix: row.prefix,
        sharedSegments: shared,
      });
    });
  }

  /**
   * A row for `tokens`, marked busy, holding as much of them as is cached under `key` or in a row that starts alike
   * (never the last token: it is to be computed). Undefined when every row is busy, or memory is taken. `end`: tokens
   * that it may come to have.
   */
  acquireRow(
    tokens: readonly number[],
    key: string | undefined,
    end = this.#config.contextLength,
  ): CacheRow | undefined {
    const known = key === undefined ? undefined : this.#byKey.get(key);
    const row = known && !known.isBusy ? known : this.#addRow(known ? undefined : key, tokens, end);
    if (!row) return undefined;
    row.isBusy = true;
    row.lastUse = ++this.#uses;
    row.maxLength = end;
    // A kept row may need more than it did; its turn comes whether there is room or not.
    while (!this.#fitsInMemory([], 0) && this.#evictOldestIdleRow());
    const kept = commonPrefixLength(row, tokens);
    if (kept < row.cachedLength) this.#truncateTo(row, kept);
    row.tokens.set(tokens);
    row.requestLength = tokens.length;
    this.reuseCachedPrefix(row);
    return row;
  }

  /** The row is idle: kept while there is room when it has a key, gone otherwise. */
  returnRow(row: CacheRow): void {
    row.isBusy = false;
    row.maxLength = row.cachedLength;
    if (row.key === undefined || this.#byKey.get(row.key) !== row) this.#removeRow(row);
  }

  releaseKey(key: string): void {
    const row = this.#byKey.get(key);
    if (!row) return;
    this.#byKey.delete(key);
    if (!row.isBusy) this.#removeRow(row);
  }

  /** Forgets every prefix; no row may be busy. The memory stays for those that come next. */
  clear(): void {
    for (const row of [...this.#rows]) this.#removeRow(row);
    this.#prefixes.clear();
  }

  /** What is held, roots once. */
  get sizeBytes(): number {
    return this.#arenas.sizeBytes + this.#prefixes.sizeBytes;
  }

  /** Appends one position's keys and values: row `from` of `source`, which has one position a row. */
  appendPosition(row: CacheRow, source: KeyValueSource, from: number): void {
    const inBlock = row.cachedLength % BLOCK_LENGTH;
    row.arena.writePositions(row.slot, row.arena.pastLength + inBlock, source, from, 0, 1);
    row.cachedLength++;
    if (inBlock + 1 < BLOCK_LENGTH) return;
    this.#appendToPast(
      row,
      row.cachedLength - BLOCK_LENGTH,
      row.arena,
      row.slot,
      row.arena.pastLength,
    );
  }

  /** Writes the block that `row.cached` lies in, up to position `end`, from row `from` of `source` (one block a row). */
  writeBlock(row: CacheRow, source: KeyValueSource, from: number, end: number): void {
    const start = roundDownToBlocks(row.cachedLength);
    row.cachedLength = end;
    if (end - start === BLOCK_LENGTH) this.#appendToPast(row, start, source, from, 0);
    else row.arena.writePositions(row.slot, row.arena.pastLength, source, from, 0, end - start);
  }

  /** A whole block becomes past; it may complete a segment, or fill the arena. */
  #appendToPast(
    row: CacheRow,
    start: number,
    source: KeyValueSource,
    from: number,
    first: number,
  ): void {
    const at = start - (row.sharedSegments + row.ownSegments) * SEGMENT_LENGTH;
    // Where the past is as long as its place, the block lies behind it already.
    row.arena.writePositions(row.slot, at, source, from, first, BLOCK_LENGTH);
    const past = start + BLOCK_LENGTH;
    const segments = this.#segmentsInPast(past);
    const hasNew = segments > row.sharedSegments + row.ownSegments;
    this.#relocate(row, past, hasNew ? this.#prefixes.extend(row, segments) : row);
  }

  #truncateTo(row: CacheRow, length: number): void {
    const past = roundDownToBlocks(length);
    row.cachedLength = past;
    const shared = Math.min(row.sharedSegments, this.#segmentsInPast(past));
    this.#relocate(row, past, {
      prefix: shared > 0 ? row.prefix : undefined,
      sharedSegments: shared,
    });
  }

  /** A row with nothing may start as another row's whole blocks, or on a root: the same tokens have the same bits. */
  reuseCachedPrefix(row: CacheRow): void {
    if (row.cachedLength > 0) return;
    const tokens = row.tokens.subarray(0, row.requestLength);
    let [donor, longest] = [row, 0];
    for (const other of this.#rows) {
      const common = other === row ? 0 : roundDownToBlocks(commonPrefixLength(other, tokens));
      if (common > longest) [donor, longest] = [other, common];
    }
    const known = this.#prefixes.findLongest(tokens, tokens.length - 1);
    const onRoot = known.sharedSegments * SEGMENT_LENGTH;
    if (onRoot >= Math.max(longest, MIN_SEGMENTED_PAST)) {
      row.cachedLength = onRoot;
      this.#relocate(row, onRoot, this.#prefixes.join(known), { ...row, ...known });
    } else if (longest > 0) {
      const share = this.#shareWith(donor, this.#segmentsInPast(longest));
      row.cachedLength = longest;
      this.#relocate(row, longest, share, donor);
    }
  }

  /** What a row shares with another that has the same first `segments` segments. */
  #shareWith(donor: CacheRow, segments: number): PrefixShare {
    if (segments === 0) return { prefix: undefined, sharedSegments: 0 };
    const { prefix: root, sharedSegments: shared } = donor;
    if (root)
      return this.#prefixes.join({ prefix: root, sharedSegments: Math.min(shared, segments) });
    const share = this.#prefixes.create(donor.tokens, donor, segments);
    this.#relocate(donor, roundDownToBlocks(donor.cachedLength), share);
    return share;
  }

  #segmentsInPast(past: number): number {
    const isFar = this.#options.usesSegments === true && past >= MIN_SEGMENTED_PAST;
    return isFar ? Math.floor(past / SEGMENT_LENGTH) : 0;
  }

  /**
   * Brings a row's first `past` positions, which lie at `given`, to where its length says that they belong when it has
   * `share` in common with others. Its block comes along when the row is its own giver.
   */
  #relocate(
    row: CacheRow,
    past: number,
    { prefix: root, sharedSegments: shared }: PrefixShare,
    given: RowPlace = row,
  ): void {
    const segments = this.#segmentsInPast(past);
    const arena =
      segments > 0
        ? this.#arenas.forSegmentedPast(segments - shared)
        : this.#arenas.forUnsegmentedPast(past);
    const old = { ...row };
    const isMoving =
      arena !== old.arena || given !== row || root !== old.prefix || shared !== old.sharedSegments;
    const from = given === row ? old : given;
    Object.assign(row, { root, shared, own: segments - shared });
    if (isMoving) this.#moveToArena(row, arena);
    for (const {
      position: at,
      count,
      source,
      sourceRow: place,
      sourcePosition: first,
    } of listPieces(from, past)) {
      const index = at / SEGMENT_LENGTH;
      if (index < shared) continue;
      if (index < segments) {
        if (isMoving || index >= old.sharedSegments + old.ownSegments)
          arena.writeSegment(row.slot, index - shared, source, place, first);
      } else if (isMoving || source !== arena) {
        arena.writePositions(row.slot, at - segments * SEGMENT_LENGTH, source, place, first, count);
      }
    }
    arena.maskSegmentsBeyond(row.slot, row.ownSegments);
    arena.maskBeyond(row.slot, past - segments * SEGMENT_LENGTH);
    const inBlock = given === row ? row.cachedLength - past : 0;
    if (inBlock > 0)
      arena.writePositions(
        row.slot,
        arena.pastLength,
        old.arena,
        old.slot,
        old.arena.pastLength,
        inBlock,
      );
    if (isMoving) old.arena.freeSlot(old.slot);
  }

  #addRow(key: string | undefined, tokens: readonly number[], end: number): CacheRow | undefined {
    while (!this.#hasRoom(tokens, end)) if (!this.#evictOldestIdleRow()) return undefined;
    const row: CacheRow = {
      arena: this.#arenas.forUnsegmentedPast(0),
      slot: -1,
      prefix: undefined,
      sharedSegments: 0,
      ownSegments: 0,
      tokens: new Int32Array(this.#config.contextLength),
      cachedLength: 0,
      requestLength: 0,
      maxLength: end,
      key,
      isBusy: true,
      lastUse: 0,
    };
    this.#moveToArena(row, row.arena);
    this.#rows.add(row);
    if (key !== undefined) this.#byKey.set(key, row);
    return row;
  }

  #hasRoom(tokens: readonly number[], end: number): boolean {
    if (this.#rows.size >= this.#options.maxRows) return false;
    return this.#rows.size === 0 || this.#fitsInMemory(tokens, end);
  }

  /** Counts what rows may come to need of their own, with one more for `tokens`, so that no busy row must give way. */
  #fitsInMemory(tokens: readonly number[], end: number): boolean {
    const { maxBytes } = this.#options;
    if (maxBytes === undefined) return true;
    const known = this.#prefixes.findLongest(tokens, tokens.length - 1);
    let positions = end - known.sharedSegments * SEGMENT_LENGTH;
    for (const row of this.#rows) positions += row.maxLength - row.sharedSegments * SEGMENT_LENGTH;
    return positions * this.#positionBytes + this.#prefixes.sizeBytes <= maxBytes;
  }

  #evictOldestIdleRow(): boolean {
    let oldest: CacheRow | undefined;
    for (const row of this.#rows) {
      if (!row.isBusy && (!oldest || row.lastUse < oldest.lastUse)) oldest = row;
    }
    if (oldest) this.#removeRow(oldest);
    return oldest !== undefined;
  }

  #removeRow(row: CacheRow): void {
    row.arena.freeSlot(row.slot);
    this.#rows.delete(row);
    if (row.key !== undefined && this.#byKey.get(row.key) === row) this.#byKey.delete(row.key);
  }

  /** Emptied arenas and unused roots are kept only while there is plenty of memory. */
  #moveToArena(row: CacheRow, arena: Arena<CacheRow>): void {
    row.arena = arena;
    arena.assignSlot(row);
    if (this.sizeBytes <= this.#budgetBytes) return;
    this.#arenas.dropEmpty();
    this.#prefixes.dropUnused();
  }
}

function roundDownToBlocks(positions: number): number {
  return positions - (positions % BLOCK_LENGTH);
}
