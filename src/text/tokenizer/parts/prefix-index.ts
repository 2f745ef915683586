/**
 * Finds which of many texts start at a position of another text. The texts are sorted, and each further character
 * narrows the range of those that still fit. That takes less memory than a trie.
 */

/** A text that was found: its length in code units and its value. */
export interface FoundPrefix {
  readonly length: number;
  readonly value: number;
}

export class PrefixIndex {
  private readonly texts: readonly string[];
  private readonly values: readonly number[];
  /** Where the texts with a first code unit start and end in `texts`. */
  private readonly starts = new Map<number, readonly [number, number]>();

  /** Of several entries with the same text, the last one counts. Empty texts are left out. */
  constructor(entries: Iterable<readonly [text: string, value: number]>) {
    const byText = new Map(entries);
    byText.delete("");
    this.texts = [...byText.keys()].sort();
    this.values = this.texts.map((text) => byText.get(text)!);
    let start = 0;
    for (let i = 1; i <= this.texts.length; i++) {
      const unit = this.texts[start]!.charCodeAt(0);
      if (i < this.texts.length && this.texts[i]!.charCodeAt(0) === unit) continue;
      this.starts.set(unit, [start, i]);
      start = i;
    }
  }

  /** The first code units of all texts. */
  get firstUnits(): readonly number[] {
    return [...this.starts.keys()];
  }

  /** Calls `visit` for each text that starts at `position` of `text`, the shortest first. */
  visitPrefixes(
    text: string,
    position: number,
    visit: (length: number, value: number) => void,
  ): void {
    let [low, high] = this.starts.get(text.charCodeAt(position)) ?? [0, 0];
    for (let depth = 1; low < high; depth++) {
      // All texts in the range start with the same `depth` code units, and the shortest of them comes first.
      if (this.texts[low]!.length === depth) visit(depth, this.values[low++]!);
      if (position + depth >= text.length) return;
      const unit = text.charCodeAt(position + depth);
      low = this.findUnit(low, high, depth, unit);
      high = this.findUnit(low, high, depth, unit + 1);
    }
  }

  /** Returns the longest text that starts at `position` of `text` and whose value `accepts` allows. */
  findLongest(
    text: string,
    position: number,
    accepts: (value: number) => boolean = () => true,
  ): FoundPrefix | undefined {
    let longest: FoundPrefix | undefined;
    this.visitPrefixes(text, position, (length, value) => {
      if (accepts(value)) longest = { length, value };
    });
    return longest;
  }

  /** Returns the first index from `low` whose text has at least `unit` at `depth`. */
  private findUnit(low: number, high: number, depth: number, unit: number): number {
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.texts[middle]!.charCodeAt(depth) < unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
