/**
 * A memory of items from earlier episodes: what was done for which instruction, and how useful it was. No weights
 * change.
 *
 *   recall   takes the items that are most similar to a task in their words, and among these the most useful ones
 *   update   credits an episode's return to the items in its prompt, and makes the episode itself an item
 *
 * The usefulness of an item is a value learned by Q <- Q + a (R - Q), or the share of its uses that succeeded, (s + 1)
 * / (n + 2). The memory is plain data that is stored in checkpoints, and equal runs have equal memories.
 */
import type { Rng } from "../../../core/index.ts";
import { computeSimilarities } from "./similarity.ts";

/** One remembered episode. */
export interface MemoryItem {
  readonly id: string;
  /** The instruction of the episode that became the item. */
  readonly about: string;
  readonly text: string;
  readonly value: number;
  readonly uses: number;
  readonly successes: number;
}

/** The remembered items, from oldest to newest. `made` counts all items that were ever made. */
export interface ItemStore {
  readonly made: number;
  readonly items: readonly MemoryItem[];
}

export const NO_ITEMS: ItemStore = { made: 0, items: [] };

/** How items are chosen, valued and dropped. */
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

/** The step by which an item's value moves when items are chosen by success counts. The value is then only reported. */
const COUNTED_RATE = 0.3;
const valueLearningRate = (options: ItemOptions) =>
  options.utility === "q-values" ? options.learningRate : COUNTED_RATE;

/**
 * Returns the items for a task, the most useful first. Among equally useful items, the one more similar to the task
 * comes first.
 */
export function recallItems(
  { items }: ItemStore,
  instruction: string,
  options: ItemOptions,
  rng: Rng,
): readonly MemoryItem[] {
  const nearness = computeSimilarities(
    instruction,
    items.map(({ about }) => about),
  );
  const candidates = [...items.keys()]
    .filter((i) => nearness[i]! > 0 && nearness[i]! >= options.minimumSimilarity)
    .sort((a, b) => nearness[b]! - nearness[a]! || a - b)
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

/** What the memory needs to know about a finished episode. */
export interface RememberedEpisode {
  readonly instruction: string;
  /** Text of the item that the episode becomes. */
  readonly text: string;
  readonly earned: number;
  readonly passed: boolean;
  /** Ids of the items in the episode's prompt. */
  readonly used: readonly string[];
}

/** Returns the store after an episode. When items are chosen by success counts, only a success becomes an item. */
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

/** Adds an episode as an item. If an item with the same text and instruction exists, only its value is updated. */
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
