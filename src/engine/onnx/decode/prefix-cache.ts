/**
 * The cache of keys and values: rows enter, grow from arena to arena and are found again by key, and the row that was
 * idle longest is evicted when there is no room.
 *
 * Long common beginnings of rows are stored once (shared-prefixes.ts). `#relocate` moves a row to where its length
 * and its share of a prefix say. An evicted prefix costs time and never correctness, because prefilling again gives
 * the same bits (decode-graphs.ts).
 */
import type { ModelConfig } from "../model/index.ts";
import type { Arena, KeyValueSource } from "./arena.ts";
import { ArenaSet } from "./arena-set.ts";
import { type CacheRow, commonPrefixLength, listPieces, type RowPlace } from "./cache-row.ts";
import { BLOCK_LENGTH } from "./decode-graphs.ts";
import type { DeviceKeyValues } from "./device-key-values.ts";
import { MIN_SEGMENTED_PAST, SEGMENT_LENGTH } from "./segmented-attention.ts";
import { type PrefixShare, SharedPrefixes } from "./shared-prefixes.ts";

export type { CacheRow } from "./cache-row.ts";

/** The memory for arenas, as a multiple of what their rows would take at full length. */
const BUDGET_FACTOR = 2;

export interface CacheOptions {
  readonly maxRows: number;
  /** The memory that rows may need together. A single row is always allowed. Default: no limit other than `maxRows`. */
  readonly maxBytes?: number | undefined;
  /** The smallest number of slots of an arena. */
  readonly minSlots: number;
  /** Whether a long past is cut into segments, and segments that rows have in common are stored once. */
  readonly usesSegments?: boolean;
  /** Where keys and values lie, if not in this thread's memory. There are no segments then. */
  readonly device?: DeviceKeyValues | undefined;
}

/** Holds the keys and values of rows. */
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
    this.#arenas = new ArenaSet(config, options.minSlots, options.device);
    const { layers, kvHeads, headSize, contextLength } = config;
    const { maxRows, maxBytes = Number.POSITIVE_INFINITY } = options;
    this.#positionBytes = layers * kvHeads * headSize * 2 * 4;
    const full = maxRows * contextLength * this.#positionBytes;
    this.#budgetBytes = BUDGET_FACTOR * Math.min(full, maxBytes);
    this.#prefixes = new SharedPrefixes(config, this.#rows, (row, sharedSegments) => {
      this.#relocate(row, roundDownToBlocks(row.cachedLength), {
        prefix: row.prefix,
        sharedSegments,
      });
    });
  }

  /**
   * Returns a row for `tokens`, marked busy, with as many of their keys and values as are cached under `key` or in a
   * row with the same beginning. The last token never counts as cached, because it is to be computed. `maxLength` is
   * the largest number of tokens of the row. Returns undefined when every row is busy or memory is full.
   */
  acquireRow(
    tokens: readonly number[],
    key: string | undefined,
    maxLength = this.#config.contextLength,
  ): CacheRow | undefined {
    const known = key === undefined ? undefined : this.#byKey.get(key);
    const row =
      known && !known.isBusy ? known : this.#addRow(known ? undefined : key, tokens, maxLength);
    if (!row) return undefined;
    row.isBusy = true;
    row.lastUse = ++this.#uses;
    row.maxLength = maxLength;
    // A kept row may need more memory than before. It is returned whether there is room or not.
    while (!this.#fitsInMemory([], 0) && this.#evictOldestIdleRow());
    const kept = commonPrefixLength(row, tokens);
    if (kept < row.cachedLength) this.#truncateTo(row, kept);
    row.tokens.set(tokens);
    row.requestLength = tokens.length;
    this.reuseCachedPrefix(row);
    return row;
  }

  /** Marks the row as idle. A row with a key is kept while there is room; a row without a key is removed. */
  returnRow(row: CacheRow): void {
    row.isBusy = false;
    row.maxLength = row.cachedLength;
    if (row.key === undefined || this.#byKey.get(row.key) !== row) this.#removeRow(row);
  }

  /** Forgets a key, and removes its row unless it is busy. */
  releaseKey(key: string): void {
    const row = this.#byKey.get(key);
    if (!row) return;
    this.#byKey.delete(key);
    if (!row.isBusy) this.#removeRow(row);
  }

  /** Drops every prefix. No row may be busy. The memory stays allocated for later rows. */
  clear(): void {
    for (const row of [...this.#rows]) this.#removeRow(row);
    this.#prefixes.clear();
  }

  /** The bytes of all arenas and shared prefixes. */
  get sizeBytes(): number {
    return this.#arenas.sizeBytes + this.#prefixes.sizeBytes;
  }

  /**
   * Appends the keys and values of one position: row `sourceRow` of `source`, which has one position per row. On a
   * device the step has written them.
   */
  appendPosition(row: CacheRow, source: KeyValueSource, sourceRow: number): void {
    const inBlock = row.cachedLength % BLOCK_LENGTH;
    if (!this.#options.device) {
      row.arena.writePositions(row.slot, row.arena.pastLength + inBlock, source, sourceRow, 0, 1);
    }
    row.cachedLength++;
    if (inBlock + 1 < BLOCK_LENGTH) return;
    if (this.#options.device) {
      this.#relocate(row, row.cachedLength, row);
      return;
    }
    this.#appendToPast(
      row,
      row.cachedLength - BLOCK_LENGTH,
      row.arena,
      row.slot,
      row.arena.pastLength,
    );
  }

  /** Writes the block of position `row.cachedLength` up to position `end`. `source` has one block per row. */
  writeBlock(row: CacheRow, source: KeyValueSource, sourceRow: number, end: number): void {
    const start = roundDownToBlocks(row.cachedLength);
    if (this.#options.device) {
      this.#writeBlockOnDevice(row, source, sourceRow, end);
      return;
    }
    row.cachedLength = end;
    if (end - start === BLOCK_LENGTH) this.#appendToPast(row, start, source, sourceRow, 0);
    else
      row.arena.writePositions(row.slot, row.arena.pastLength, source, sourceRow, 0, end - start);
  }

  /** Writes positions `row.cachedLength` to `end`, which a graph on a device has just computed. */
  #writeBlockOnDevice(row: CacheRow, source: KeyValueSource, sourceRow: number, end: number): void {
    const { cachedLength } = row;
    const inBlock = cachedLength % BLOCK_LENGTH;
    const count = end - cachedLength;
    row.arena.writePositions(row.slot, cachedLength, source, sourceRow, inBlock, count);
    row.cachedLength = end;
    if (end % BLOCK_LENGTH === 0) this.#relocate(row, end, row);
  }

  /** Moves a whole block to the past. That may complete a segment or fill the arena. */
  #appendToPast(
    row: CacheRow,
    start: number,
    source: KeyValueSource,
    sourceRow: number,
    sourcePosition: number,
  ): void {
    const at = start - (row.sharedSegments + row.ownSegments) * SEGMENT_LENGTH;
    // Where the past is as long as its room, the block already lies behind it.
    row.arena.writePositions(row.slot, at, source, sourceRow, sourcePosition, BLOCK_LENGTH);
    const past = start + BLOCK_LENGTH;
    const segments = this.#segmentsInPast(past);
    const hasNew = segments > row.sharedSegments + row.ownSegments;
    this.#relocate(row, past, hasNew ? this.#prefixes.extend(row, segments) : row);
  }

  #truncateTo(row: CacheRow, length: number): void {
    const past = roundDownToBlocks(length);
    row.cachedLength = past;
    const sharedSegments = Math.min(row.sharedSegments, this.#segmentsInPast(past));
    this.#relocate(row, past, {
      prefix: sharedSegments > 0 ? row.prefix : undefined,
      sharedSegments,
    });
  }

  /** Lets an empty row start with another row's whole blocks or a shared prefix: equal tokens have equal bits. */
  reuseCachedPrefix(row: CacheRow): void {
    if (row.cachedLength > 0) return;
    const tokens = row.tokens.subarray(0, row.requestLength);
    let [donor, longest] = [row, 0];
    for (const other of this.#rows) {
      const common = other === row ? 0 : roundDownToBlocks(commonPrefixLength(other, tokens));
      if (common > longest) [donor, longest] = [other, common];
    }
    const known = this.#prefixes.findLongest(tokens, tokens.length - 1);
    const prefixPositions = known.sharedSegments * SEGMENT_LENGTH;
    if (prefixPositions >= Math.max(longest, MIN_SEGMENTED_PAST)) {
      row.cachedLength = prefixPositions;
      this.#relocate(row, prefixPositions, this.#prefixes.join(known), { ...row, ...known });
    } else if (longest > 0) {
      const share = this.#shareWith(donor, this.#segmentsInPast(longest));
      row.cachedLength = longest;
      this.#relocate(row, longest, share, donor);
    }
  }

  /** Returns the share of a row with another row that has the same first `segments` segments. */
  #shareWith(donor: CacheRow, segments: number): PrefixShare {
    if (segments === 0) return { prefix: undefined, sharedSegments: 0 };
    const { prefix, sharedSegments } = donor;
    if (prefix)
      return this.#prefixes.join({ prefix, sharedSegments: Math.min(sharedSegments, segments) });
    const share = this.#prefixes.create(donor.tokens, donor, segments);
    this.#relocate(donor, roundDownToBlocks(donor.cachedLength), share);
    return share;
  }

  #segmentsInPast(past: number): number {
    const isFar = this.#options.usesSegments === true && past >= MIN_SEGMENTED_PAST;
    return isFar ? Math.floor(past / SEGMENT_LENGTH) : 0;
  }

  /**
   * Moves a row's first `past` positions from where they lie (`from`) to where the row's length says, given its share
   * of a prefix. The block that is being filled moves too when the row is its own source.
   */
  #relocate(
    row: CacheRow,
    past: number,
    { prefix, sharedSegments }: PrefixShare,
    from: RowPlace = row,
  ): void {
    const segments = this.#segmentsInPast(past);
    const arena =
      segments > 0
        ? this.#arenas.forSegmentedPast(segments - sharedSegments)
        : this.#arenas.forUnsegmentedPast(past);
    const old = { ...row };
    const isMoving =
      arena !== old.arena ||
      from !== row ||
      prefix !== old.prefix ||
      sharedSegments !== old.sharedSegments;
    const oldPlace = from === row ? old : from;
    Object.assign(row, { prefix, sharedSegments, ownSegments: segments - sharedSegments });
    if (isMoving) this.#moveToArena(row, arena);
    for (const { position, count, source, sourceRow, sourcePosition } of listPieces(
      oldPlace,
      past,
    )) {
      const index = position / SEGMENT_LENGTH;
      if (index < sharedSegments) continue;
      if (index < segments) {
        if (isMoving || index >= old.sharedSegments + old.ownSegments)
          arena.writeSegment(row.slot, index - sharedSegments, source, sourceRow, sourcePosition);
      } else if (isMoving || source !== arena) {
        arena.writePositions(
          row.slot,
          position - segments * SEGMENT_LENGTH,
          source,
          sourceRow,
          sourcePosition,
          count,
        );
      }
    }
    arena.maskSegmentsBeyond(row.slot, row.ownSegments);
    arena.maskBeyond(row.slot, past - segments * SEGMENT_LENGTH);
    const inBlock = from === row ? row.cachedLength - past : 0;
    if (inBlock > 0 && (isMoving || !arena.pool))
      arena.writePositions(
        row.slot,
        arena.blockStart(past),
        old.arena,
        old.slot,
        old.arena.blockStart(past),
        inBlock,
      );
    if (isMoving) old.arena.freeSlot(old.slot);
  }

  #addRow(
    key: string | undefined,
    tokens: readonly number[],
    maxLength: number,
  ): CacheRow | undefined {
    while (!this.#hasRoom(tokens, maxLength)) if (!this.#evictOldestIdleRow()) return undefined;
    const row: CacheRow = {
      arena: this.#arenas.forUnsegmentedPast(0),
      slot: -1,
      prefix: undefined,
      sharedSegments: 0,
      ownSegments: 0,
      tokens: new Int32Array(this.#config.contextLength),
      cachedLength: 0,
      requestLength: 0,
      maxLength,
      key,
      isBusy: true,
      lastUse: 0,
    };
    this.#moveToArena(row, row.arena);
    this.#rows.add(row);
    if (key !== undefined) this.#byKey.set(key, row);
    return row;
  }

  #hasRoom(tokens: readonly number[], maxLength: number): boolean {
    if (this.#rows.size >= this.#options.maxRows) return false;
    return this.#rows.size === 0 || this.#fitsInMemory(tokens, maxLength);
  }

  /**
   * Returns whether all rows and a new one for `tokens` fit in memory at full length, so none must be evicted later.
   */
  #fitsInMemory(tokens: readonly number[], maxLength: number): boolean {
    const { maxBytes } = this.#options;
    if (maxBytes === undefined) return true;
    const known = this.#prefixes.findLongest(tokens, tokens.length - 1);
    let positions = maxLength - known.sharedSegments * SEGMENT_LENGTH;
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

  /** Empty arenas and unused prefixes are kept only while there is plenty of memory. */
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
