/**
 * Memory over episodes as two hooks around them: before an episode it gives lines for the prompt, after it the store
 * changes. All rollouts of an iteration see the store as it was at its start, so neither order nor speed matters; updates
 * follow the order of the rollouts.
 */
import { isPassed, isScored, rewardOf } from "../../../algo/index.ts";
import { Rng } from "../../../core/index.ts";
import type { Message, Rollout, TaskInfo } from "../../../spec/index.ts";
import { streamOf } from "../../agent.ts";
import type { Config } from "../../config.ts";
import { rewardOptions } from "../../metrics.ts";
import { type ItemStore, NO_ITEMS, recalled, updated } from "./items.ts";
import { cut, NO_TEXTS, rewriteMessages, TEXT_NAMES, type Texts, textSections } from "./texts.ts";

/** Everything that is remembered; JSON. */
export interface MemoryStore {
  readonly version: 1;
  readonly items: ItemStore;
  readonly texts: Texts;
}

export const EMPTY_MEMORY: MemoryStore = { version: 1, items: NO_ITEMS, texts: NO_TEXTS };

export interface Recall {
  /** Lines for the end of the prompt. */
  readonly sections: readonly string[];
  /** Ids of the items among them. */
  readonly used: readonly string[];
}

/** A policy's answer to a prompt; `name` makes its random stream. Undefined: none. */
export type Ask = (
  messages: readonly Message[],
  task: TaskInfo,
  name: readonly (string | number)[],
) => Promise<string | undefined>;

/** What a prompt holds. The rollouts of a group share it: they must start alike. */
export function beforeEpisode(
  store: MemoryStore,
  task: TaskInfo,
  config: Config,
  name: readonly (string | number)[] = [],
): Recall {
  const { memory } = config;
  if (memory.kind === "none") return { sections: [], used: [] };
  if (memory.kind === "texts") return { sections: textSections(store.texts), used: [] };
  const rng = new Rng(streamOf(config.run.seed, "memory", ...name, task.id));
  const items = recalled(store.items, task.instruction, itemOptions(config), rng);
  return {
    sections: items.map(({ about, text }) => `Known: ${about} ${text}`),
    used: items.map(({ id }) => id),
  };
}

/** The store after the rollouts of an iteration. Those without a return leave nothing. */
export async function afterEpisodes(
  store: MemoryStore,
  rollouts: readonly Rollout[],
  config: Config,
  ask: Ask,
): Promise<MemoryStore> {
  const scored = rollouts.filter(isScored);
  if (config.memory.kind === "none") return store;
  if (config.memory.kind === "texts") {
    return { ...store, texts: await rewritten(store.texts, scored, config, ask) };
  }
  const items = scored.reduce((now, rollout) => {
    const episode = {
      instruction: rollout.task.instruction,
      text: cut(itemText(rollout, config), config.memory.characters),
      earned: rewardOf(rollout, rewardOptions(config)),
      passed: isPassed(rollout),
      used: rollout.memory ?? [],
    };
    return updated(now, episode, itemOptions(config));
  }, store.items);
  return { ...store, items };
}

/** One rollout after the other, one text after the other: each is written in view of the ones before. */
async function rewritten(
  texts: Texts,
  rollouts: readonly Rollout[],
  { memory }: Config,
  ask: Ask,
): Promise<Texts> {
  let now = texts;
  for (const rollout of rollouts.slice(0, memory.rewrites)) {
    for (const name of TEXT_NAMES) {
      const messages = rewriteMessages(name, now, rollout, memory.characters);
      const text = await ask(messages, rollout.task, ["memory", rollout.id, name]);
      if (text !== undefined) now = { ...now, [name]: cut(text, memory.characters) };
    }
  }
  return now;
}

/** The policy's note, or the code that ran and whether it worked. */
function itemText(rollout: Rollout, { memory }: Config): string {
  if (memory.author === "policy") {
    return rollout.turns.findLast(({ part }) => part === "note")?.message ?? "";
  }
  const code = rollout.turns
    .map((turn) => turn.code.trim())
    .filter((text) => text !== "")
    .join("; ");
  return code === "" ? "" : `${isPassed(rollout) ? "Worked" : "Failed"}: ${code}`;
}

function itemOptions({ memory }: Config) {
  const { kind, author: _, rewrites: __, characters: ___, ...rest } = memory;
  return { ...rest, utility: kind === "success-counts" ? kind : ("q-values" as const) };
}
