/**
 * A recipe is a named pair of setting and method. Any setting goes with any method: `bowline train SETTING --method
 * METHOD`. The pairs that are used most often have short names.
 */
import { methods } from "../../methods/index.ts";
import { agent } from "./agent.ts";
import { errands } from "./errands.ts";
import { imitationControl } from "./imitation-control.ts";
import { laptop } from "./laptop.ts";
import { laptopGpu } from "./laptop-gpu.ts";
import { paper } from "./paper.ts";
import { qwen2532b } from "./qwen2.5-32b.ts";
import { qwen38b } from "./qwen3-8b.ts";
import { qwen332b } from "./qwen3-32b.ts";
import type { Setting } from "./setting.ts";
import { smoke } from "./smoke.ts";
import { starter } from "./starter.ts";

/** The settings by name. A setting decides world, model and sizes; the method is chosen separately. */
export const settings: { readonly [name: string]: Setting } = {
  starter,
  smoke,
  laptop,
  "laptop-gpu": laptopGpu,
  paper,
  "qwen2.5-32b": qwen2532b,
  "qwen3-32b": qwen332b,
  "qwen3-8b": qwen38b,
  "imitation-control": imitationControl,
  errands,
  agent,
};

/** A pair of setting and method under one name. */
export interface Recipe {
  /** A description of one line, for lists and help. */
  readonly summary: string;
  readonly setting: string;
  readonly method: string;
}

/** The methods whose name is also the name of their recipe on `starter`. `on-policy` is LOOP with more fields. */
const METHODS_ON_STARTER = Object.keys(methods).filter(
  (name) => name !== "loop" && name !== "on-policy",
);

/** The pairs of setting and method that have a short name. Every other pair is called `<setting>/<method>`. */
export const recipes: { readonly [name: string]: Recipe } = {
  ...Object.fromEntries(
    Object.entries(settings).map(([name, { summary }]) => [
      name,
      { summary, setting: name, method: "loop" },
    ]),
  ),
  loop: { summary: paper.summary, setting: "paper", method: "loop" },
  "loop-qwen2.5-32b": { summary: qwen2532b.summary, setting: "qwen2.5-32b", method: "loop" },
  "loop-qwen3-8b": { summary: qwen38b.summary, setting: "qwen3-8b", method: "loop" },
  ...Object.fromEntries(
    METHODS_ON_STARTER.map((name) => [
      name,
      { summary: methods[name]!.summary, setting: "starter", method: name },
    ]),
  ),
};

/**
 * Returns the name of a pair: its short name if it has one, the setting's name if the method is LOOP, otherwise
 * `<setting>/<method>`.
 */
export function recipeName(setting: string, method: string): string {
  const aliases: Record<string, string> = {
    "paper/loop": "loop",
    "qwen2.5-32b/loop": "loop-qwen2.5-32b",
    "qwen3-8b/loop": "loop-qwen3-8b",
  };
  const pair = `${setting}/${method}`;
  if (aliases[pair] !== undefined) return aliases[pair];
  if (method === "loop") return setting;
  return setting === "starter" && Object.hasOwn(recipes, method) ? method : pair;
}

/**
 * The recipes that `compare` runs by default: the methods of the paper's table and two more (`loop-trajectory-mean`,
 * `many-strict`), all on the setting `starter`. One of them, `starter`, is LOOP with token ratios.
 */
export const COMPARED_RECIPES: readonly string[] = [
  "starter",
  "loop-turn",
  "loop-trajectory",
  "loop-trajectory-mean",
  "loop-rwnorm",
  "rloo",
  "grpo",
  "grpo-no-kl",
  "ppo-critic",
  "many-strict",
  "ei",
  "rft",
  "sft-gt",
  "dmpo",
  "dpo-mcts",
];
