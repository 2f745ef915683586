/**
 * A memory of earlier episodes. Before an episode it gives lines for the prompt, and after an iteration it is updated.
 * All rollouts of an iteration use the memory as it was at the start, so neither their order nor their speed matters.
 * Updates follow the order of the rollouts.
 */
import { isPassed, isScored, rewardOf } from "../../../algo/index.ts";
import { Rng, randomStreamId } from "../../../core/index.ts";
import type { Message, Rollout, TaskInfo } from "../../../spec/index.ts";
import { rewardOptions } from "../../learning/metrics.ts";
import type { ShapedConfig } from "../shape-config.ts";
import { type ItemOptions, type ItemStore, NO_ITEMS, recallItems, updateItems } from "./items.ts";
import {
  composeRewritePrompt,
  cutText,
  type MemoryTexts,
  NO_TEXTS,
  TEXT_NAMES,
  textPromptLines,
} from "./texts.ts";

type MemorySettings = ShapedConfig["memory"];
type ItemSettings = Extract<MemorySettings, { author: string }>;

/** Everything that is remembered, as plain data for checkpoints. */
export interface MemoryStore {
  readonly version: 1;
  readonly items: ItemStore;
  readonly texts: MemoryTexts;
}

export const EMPTY_MEMORY: MemoryStore = { version: 1, items: NO_ITEMS, texts: NO_TEXTS };

/** What memory adds to the prompt of an episode. */
export interface RecalledMemory {
  /** Lines for the end of the prompt. */
  readonly sections: readonly string[];
  /** Ids of the memory items that these lines contain. */
  readonly used: readonly string[];
}

/**
 * Asks a policy a question. Returns its answer, or undefined when it gave none. `name` determines the random stream.
 */
export type AskPolicy = (
  messages: readonly Message[],
  task: TaskInfo,
  name: readonly (string | number)[],
) => Promise<string | undefined>;

/**
 * Returns what the memory adds to the prompt of a task. All rollouts of a group share it, because they must have the
 * same prompt.
 */
export function recallBeforeEpisode(
  store: MemoryStore,
  task: TaskInfo,
  config: ShapedConfig,
  name: readonly (string | number)[] = [],
): RecalledMemory {
  const { memory } = config;
  if (memory.kind === "none") return { sections: [], used: [] };
  if (memory.kind === "texts") return { sections: textPromptLines(store.texts), used: [] };
  const rng = new Rng(randomStreamId(config.run.seed, "memory", ...name, task.id));
  const items = recallItems(store.items, task.instruction, readItemOptions(memory), rng);
  return {
    sections: items.map(({ about, text }) => `Known: ${about} ${text}`),
    used: items.map(({ id }) => id),
  };
}

/** Returns the memory after the rollouts of an iteration. Rollouts without an evaluation change nothing. */
export async function updateMemory(
  store: MemoryStore,
  rollouts: readonly Rollout[],
  config: ShapedConfig,
  ask: AskPolicy,
): Promise<MemoryStore> {
  const scored = rollouts.filter(isScored);
  const { memory } = config;
  if (memory.kind === "none") return store;
  if (memory.kind === "texts") {
    return { ...store, texts: await rewriteTexts(store.texts, scored, memory, ask) };
  }
  const items = scored.reduce((now, rollout) => {
    const episode = {
      instruction: rollout.task.instruction,
      text: cutText(composeItemText(rollout, memory), memory.characters),
      earned: rewardOf(rollout, rewardOptions(config)),
      passed: isPassed(rollout),
      used: rollout.memory ?? [],
    };
    return updateItems(now, episode, readItemOptions(memory));
  }, store.items);
  return { ...store, items };
}

/**
 * Rewrites both texts after each rollout, one rollout after another, so that each rewrite starts from the texts before
 * it.
 */
async function rewriteTexts(
  texts: MemoryTexts,
  rollouts: readonly Rollout[],
  { rewrites, characters }: Extract<MemorySettings, { kind: "texts" }>,
  ask: AskPolicy,
): Promise<MemoryTexts> {
  let now = texts;
  for (const rollout of rollouts.slice(0, rewrites)) {
    for (const name of TEXT_NAMES) {
      const messages = composeRewritePrompt(name, now, rollout, characters);
      const text = await ask(messages, rollout.task, ["memory", rollout.id, name]);
      if (text !== undefined) now = { ...now, [name]: cutText(text, characters) };
    }
  }
  return now;
}

/** Returns the text of a new item: the policy's note, or the code that ran and whether it worked. */
function composeItemText(rollout: Rollout, { author }: ItemSettings): string {
  if (author === "policy") {
    return rollout.turns.findLast(({ part }) => part === "note")?.message ?? "";
  }
  const code = rollout.turns
    .map((turn) => turn.code.trim())
    .filter((text) => text !== "")
    .join("; ");
  return code === "" ? "" : `${isPassed(rollout) ? "Worked" : "Failed"}: ${code}`;
}

function readItemOptions({
  kind: utility,
  author: _,
  characters: __,
  ...rest
}: ItemSettings): ItemOptions {
  return { ...rest, utility } as ItemOptions;
}
