/**
 * A memory of items over episodes: what was done for which instruction, and how useful it has been. No weight changes.
 *
 *   recall   the items nearest to a task by its words, and of these the most useful
 *   update   what an episode earned flows to the items that its prompt held, and the episode becomes an item
 *
 * Utility is a value learned by Q <- Q + a (R - Q), or the share of uses that succeeded, (s + 1) / (n + 2). The store
 * is plain data: a checkpoint holds it, and equal runs have equal stores.
 */
import type { Rng } from "../../../core/index.ts";
import { computeSimilarities } from "./similarity.ts";

export interface MemoryItem {
  readonly id: string;
  /** The instruction that it is about. */
  readonly about: string;
  readonly text: string;
  readonly value: number;
  readonly uses: number;
  readonly successes: number;
}

/** Oldest first. `made` counts all items that there ever were. */
export interface ItemStore {
  readonly made: number;
  readonly items: readonly MemoryItem[];
}

export const NO_ITEMS: ItemStore = { made: 0, items: [] };

export type ItemOptions = {
  readonly items: number;
  readonly candidates: number;
  readonly minimumSimilarity: number;
  readonly capacity: number;
  readonly exploration: number;
} & (
  | { readonly utility: "q-values"; readonly learningRate: number }
  | {
      readonly utility: "success-counts";
      readonly minimumUses: number;
      readonly minimumShare: number;
    }
);

/** Step of an item's value; where items are judged by counts, their values only tell. */
const COUNTED_RATE = 0.3;
const valueLearningRate = (options: ItemOptions) =>
  options.utility === "q-values" ? options.learningRate : COUNTED_RATE;

/** The items for a task, most useful first; an earlier rank by words wins a tie. */
export function recallItems(
  { items }: ItemStore,
  instruction: string,
  options: ItemOptions,
  rng: Rng,
): readonly MemoryItem[] {
  const near = computeSimilarities(
    instruction,
    items.map(({ about }) => about),
  );
  const candidates = [...items.keys()]
    .filter((i) => near[i]! > 0 && near[i]! >= options.minimumSimilarity)
    .sort((a, b) => near[b]! - near[a]! || a - b)
    .slice(0, options.candidates)
    .map((i) => items[i]!);
  const chosen: MemoryItem[] = [];
  while (chosen.length < options.items && candidates.length > 0) {
    const best = candidates.reduce((a, b) =>
      itemUtility(b, options) > itemUtility(a, options) ? b : a,
    );
    const pick = rng.chance(options.exploration) ? rng.pick(candidates) : best;
    chosen.push(pick);
    candidates.splice(candidates.indexOf(pick), 1);
  }
  return chosen;
}

export interface RememberedEpisode {
  readonly instruction: string;
  /** What it becomes as an item. */
  readonly text: string;
  readonly earned: number;
  readonly passed: boolean;
  /** Ids of the items that its prompt held. */
  readonly used: readonly string[];
}

/** The store after an episode. Where utility is counted, only a success becomes an item. */
export function updateItems(
  store: ItemStore,
  episode: RememberedEpisode,
  options: ItemOptions,
): ItemStore {
  const { earned, passed, used } = episode;
  const known = store.items.map((item) => {
    if (!used.includes(item.id)) return item;
    const value = item.value + valueLearningRate(options) * (earned - item.value);
    const successes = item.successes + Number(passed);
    return { ...item, value, uses: item.uses + 1, successes };
  });
  const kept = known.filter((item) => !isUselessItem(item, options));
  if (episode.text === "" || (options.utility === "success-counts" && !passed)) {
    return { ...store, items: kept };
  }
  return addItem({ made: store.made, items: kept }, episode, options);
}

/** The same text about the same instruction is one item; what it earned again moves its value. */
function addItem(
  { made, items }: ItemStore,
  { instruction: about, text, earned }: RememberedEpisode,
  options: ItemOptions,
): ItemStore {
  const same = items.findIndex((item) => item.about === about && item.text === text);
  if (same >= 0) {
    const old = items[same]!;
    const value = old.value + valueLearningRate(options) * (earned - old.value);
    return { made, items: items.with(same, { ...old, value }) };
  }
  const item = { id: `m${made}`, about, text, value: earned, uses: 0, successes: 0 };
  return { made: made + 1, items: [...items, item].slice(-options.capacity) };
}

function itemUtility({ value, uses, successes }: MemoryItem, options: ItemOptions): number {
  return options.utility === "q-values" ? value : (successes + 1) / (uses + 2);
}

function isUselessItem(item: MemoryItem, options: ItemOptions): boolean {
  if (options.utility !== "success-counts" || item.uses < options.minimumUses) return false;
  return item.successes / item.uses < options.minimumShare;
}
