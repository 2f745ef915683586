/**
 * Merges the symbols of a piece in the order of the ranks of their pairs (byte-pair encoding). Symbols are a linked
 * list and pairs wait in a heap, so that a piece of n symbols takes n log n steps.
 */

/** The merges of a model. */
export interface Merges {
  /** Returns the rank of the merge of two ids, or -1. */
  rankOf(left: number, right: number): number;
  /** The id that a merge forms, by rank. */
  readonly results: ArrayLike<number>;
}

/** Positions in the heap's numbers: rank times this plus the position of the left symbol. */
const POSITIONS = 2 ** 32;
const REMOVED = -2;
const NONE = -1;

/** Returns the ids that are left after all merges. Of equal ranks, the leftmost pair comes first. */
export function mergeSymbols(symbols: readonly number[], merges: Merges): number[] {
  if (symbols.length < 2) return [...symbols];
  return new MergeQueue(symbols, merges).run();
}

class MergeQueue {
  private readonly ids: number[];
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  private readonly heap: number[] = [];
  private readonly merges: Merges;

  constructor(symbols: readonly number[], merges: Merges) {
    this.merges = merges;
    this.ids = [...symbols];
    const { length } = symbols;
    this.next = Int32Array.from(symbols, (_, i) => (i + 1 < length ? i + 1 : NONE));
    this.previous = Int32Array.from(symbols, (_, i) => i - 1);
    for (let i = 0; i + 1 < length; i++) this.enqueue(i);
  }

  run(): number[] {
    while (this.heap.length > 0) {
      const top = this.pop();
      const position = top % POSITIONS;
      this.mergeAt(position, (top - position) / POSITIONS);
    }
    return this.ids.filter((_, i) => this.next[i] !== REMOVED);
  }

  /** Merges a symbol with the next one, unless the pair has changed since it was put into the heap. */
  private mergeAt(position: number, rank: number): void {
    const right = this.next[position]!;
    if (right === REMOVED || right === NONE) return;
    if (this.merges.rankOf(this.ids[position]!, this.ids[right]!) !== rank) return;
    const after = this.next[right]!;
    this.ids[position] = this.merges.results[rank]!;
    this.next[position] = after;
    this.next[right] = REMOVED;
    if (after !== NONE) {
      this.previous[after] = position;
      this.enqueue(position);
    }
    const before = this.previous[position]!;
    if (before !== NONE) this.enqueue(before);
  }

  private enqueue(position: number): void {
    const rank = this.merges.rankOf(this.ids[position]!, this.ids[this.next[position]!]!);
    if (rank >= 0) this.push(rank * POSITIONS + position);
  }

  private push(value: number): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(value);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= value) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = value;
  }

  private pop(): number {
    const { heap } = this;
    const top = heap[0]!;
    const value = heap.pop()!;
    const { length } = heap;
    if (length === 0) return top;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= value) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = value;
    return top;
  }
}
