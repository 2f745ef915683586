/**
 * Computes advantages of anything that has a return: rollouts, turns, branches, roles, or positions in a chain.
 *
 * Methods differ in which returns are compared with each other. A key decides this: two credits with the same key value
 * are in one group.
 * * `task` compares the rollouts of one start state (LOOP).
 * * `task-turn` compares the k-th turns of a task's rollouts.
 * * `task-branch` compares the continuations of the same node of a tree.
 * * `role` compares all returns of a role, when several roles act.
 * * `chain-position` compares rollouts at the same position in chains of tasks.
 */
import { assert, groupBy } from "../core/index.ts";
import type { Rollout } from "../spec/index.ts";
import { type AdvantageKey, type AdvantageOptions, groupAdvantages } from "./advantage.ts";
import { populationStd, STD_FLOOR } from "./mean-and-spread.ts";

/** A return together with the fields by which it can be grouped with other returns. */
export interface Credit {
  readonly task: string;
  readonly return: number;
  readonly turn?: number;
  /** Name of a node in the task's tree. */
  readonly branch?: string;
  readonly role?: string;
  /** Position in a chain of tasks. `task` is then the name of the chain. */
  readonly position?: number;
}

/**
 * Returns the credit of a rollout with this return. Chains that are compared have the same task at the same position.
 */
export function creditForRollout(
  { task, role = "agent", chain }: Pick<Rollout, "task" | "role" | "chain">,
  value: number,
): Credit {
  return { task: task.id, return: value, role, position: chain?.position ?? 0 };
}

/**
 * Exponential averages of past returns by group name. A group that was never seen counts as 0. The object is plain
 * data, so a checkpoint can hold it.
 */
export type RunningBaselines = { readonly [key: string]: number };

/**
 * Returns the name of the group that a credit belongs to. An assertion fails when the credit lacks the field that the
 * key needs.
 */
function creditGroupName(key: AdvantageKey, credit: Credit): string {
  const { task, turn, branch, role, position } = credit;
  const field = {
    task,
    "task-turn": turn,
    "task-branch": branch,
    role,
    "chain-position": position,
  }[key];
  assert(field !== undefined, `advantages by ${key} need this field in every credit`);
  return key === "task" || key === "role" ? String(field) : `${task} ${field}`;
}

/**
 * Returns the advantage of each credit, in order, and the running baselines afterwards. An advantage is undefined
 * when the credit's group has no other member to compare it with.
 */
export function computeCreditAdvantages(
  credits: readonly Credit[],
  { baseline, scale, key = "task", decay = 0.95 }: AdvantageOptions,
  running: RunningBaselines = {},
): { readonly advantages: (number | undefined)[]; readonly running: RunningBaselines } {
  const advantages = new Array<number | undefined>(credits.length).fill(undefined);
  const next: Record<string, number> = { ...running };
  const byKey = groupBy([...credits.keys()], (i) => creditGroupName(key, credits[i]!));
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
