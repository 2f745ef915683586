/**
 * Advantages of anything that has a return: rollouts, turns, branches, roles, links of a chain.
 *
 * What varies between methods is which returns are compared. That is a key: two credits with the same key are in one
 * group. `task` compares the rollouts of a start state (LOOP); `task-turn` the k-th turns of a task's rollouts;
 * `task-branch` what grew from the same node of a tree; `role` all returns of a role, where several act;
 * `chain-position` the same link of chains of tasks.
 */
import { assert, groupBy } from "../core/index.ts";
import type { Rollout } from "../spec/index.ts";
import { type AdvantageKey, type AdvantageOptions, groupAdvantages } from "./advantage.ts";
import { populationStd, STD_FLOOR } from "./moments.ts";

/** Something that has a return, with what a key may compare it by. */
export interface Credit {
  readonly task: string;
  readonly return: number;
  readonly turn?: number;
  /** Names a node of the task's tree. */
  readonly branch?: string;
  readonly role?: string;
  /** In a chain of tasks; the chain's name is then `task`. */
  readonly position?: number;
}

/** What a rollout's return is credited to. The chains that are compared have the same task at a position. */
export function creditOf(
  { task, role = "agent", chain }: Pick<Rollout, "task" | "role" | "chain">,
  value: number,
): Credit {
  return { task: task.id, return: value, role, position: chain?.position ?? 0 };
}

/** Exponential averages of returns by key; 0 when never seen. Plain data, so a checkpoint holds it. */
export type RunningBaselines = { readonly [key: string]: number };

/** The name of a credit's group. A credit without the field that the key asks for is a bug. */
function creditKey(key: AdvantageKey, credit: Credit): string {
  const { task, turn, branch, role, position } = credit;
  const field = {
    task,
    "task-turn": turn,
    "task-branch": branch,
    role,
    "chain-position": position,
  }[key];
  assert(field !== undefined, `advantages by ${key} need that of every credit`);
  return key === "task" || key === "role" ? String(field) : `${task} ${field}`;
}

/** A of each credit, in order; undefined where its group has nothing to compare it with. */
export function creditAdvantages(
  credits: readonly Credit[],
  { baseline, scale, key = "task", decay = 0.95 }: AdvantageOptions,
  running: RunningBaselines = {},
): { readonly advantages: (number | undefined)[]; readonly running: RunningBaselines } {
  const advantages = new Array<number | undefined>(credits.length).fill(undefined);
  const next: Record<string, number> = { ...running };
  const byKey = groupBy([...credits.keys()], (i) => creditKey(key, credits[i]!));
  for (const [name, members] of byKey) {
    const returns = members.map((i) => credits[i]!.return);
    if (baseline === "leave-one-out" || baseline === "mean") {
      const options = { baseline, scale: scale === "group" ? scale : "none" } as const;
      const values = groupAdvantages(returns, options);
      for (const [k, value] of values.entries()) advantages[members[k]!] = value;
      continue;
    }
    const divisor = scale === "group" ? Math.max(populationStd(returns), STD_FLOOR) : 1;
    for (const [k, value] of returns.entries()) {
      const before = next[name] ?? 0;
      advantages[members[k]!] = (baseline === "running" ? value - before : value) / divisor;
      if (baseline === "running") next[name] = decay * before + (1 - decay) * value;
    }
  }
  if (scale !== "batch") return { advantages, running: next };
  const divisor = Math.max(populationStd(credits.map((credit) => credit.return)), STD_FLOOR);
  return { advantages: advantages.map((a) => a && a / divisor), running: next };
}
