/** Computes credit in a tree of rollouts. Rollouts that were forked from one another share their first turns. */
import { groupBy } from "../core/index.ts";
import { average } from "./mean-and-spread.ts";

/** A rollout of a tree. It was forked from the rollout with index `parent` in the list, just before its turn `fork`. */
export interface Branch {
  readonly advantage: number;
  readonly turns: number;
  readonly parent?: number;
  readonly fork?: number;
}

/**
 * Advantages of the turns of one rollout in a tree, in which other rollouts may contain the same turns. Lists have one
 * entry per turn.
 */
export interface SharedCredit {
  /** The advantage of each turn. */
  readonly advantages: readonly number[];
  /**
   * The number of rollouts that contain each turn. A learner that uses the turn once for each of them may divide by
   * this.
   */
  readonly holders: readonly number[];
}

/**
 * Returns advantages by shared prefix: a turn that several rollouts contain gets the mean of their advantages.
 * `branches` are the rollouts of one task.
 */
export function sharedPrefixAdvantages(branches: readonly Branch[]): SharedCredit[] {
  const held = branches.flatMap(({ turns, advantage }, i) =>
    Array.from({ length: turns }, (_, turn) => ({
      advantage,
      id: `${findTurnOwner(branches, i, turn)} ${turn}`,
    })),
  );
  const byTurn = groupBy(held, ({ id }) => id);
  return branches.map(({ turns }, i) => {
    const groups = Array.from(
      { length: turns },
      (_, turn) => byTurn.get(`${findTurnOwner(branches, i, turn)} ${turn}`)!,
    );
    return {
      advantages: groups.map((group) => average(group.map(({ advantage }) => advantage))),
      holders: groups.map((group) => group.length),
    };
  });
}

/** Returns the index of the rollout that sampled a turn: the nearest ancestor that was not forked before it. */
function findTurnOwner(
  branches: readonly Pick<Branch, "parent" | "fork">[],
  index: number,
  turn: number,
): number {
  let owner = index;
  for (;;) {
    const { parent, fork } = branches[owner]!;
    if (parent === undefined || turn >= (fork ?? 0)) return owner;
    owner = parent;
  }
}

/**
 * Returns the name of the tree's node before each turn of each rollout. Rollouts that were at the same node have the
 * same name there.
 */
export function nameNodesBeforeTurns(
  branches: readonly Pick<Branch, "turns" | "parent" | "fork">[],
): string[][] {
  return branches.map(({ turns }, i) =>
    Array.from({ length: turns }, (_, turn) =>
      turn === 0 ? "start" : `${findTurnOwner(branches, i, turn - 1)} ${turn}`,
    ),
  );
}

/**
 * Returns the name of the node before each turn, as `nameNodesBeforeTurns` does, but with a unique name for nodes at
 * which all rollouts continue with the same turn. No choice is made there, so the turn must not be compared with
 * others.
 */
export function nameChoiceNodes(
  branches: readonly Pick<Branch, "turns" | "parent" | "fork">[],
): string[][] {
  const nodes = nameNodesBeforeTurns(branches);
  const turns = nodes.flatMap((names, i) =>
    names.map((node, turn) => ({ node, owner: findTurnOwner(branches, i, turn) })),
  );
  const byNode = groupBy(turns, ({ node }) => node);
  const isChoice = (node: string) => new Set(byNode.get(node)!.map(({ owner }) => owner)).size > 1;
  return nodes.map((names, i) =>
    names.map((node, turn) => (isChoice(node) ? node : `${i} alone ${turn}`)),
  );
}

/** A choice that a rollout made at a node of its task's tree, and the return that followed. */
export interface Choice {
  readonly node: string;
  readonly choice: string;
  readonly return: number;
}

/**
 * Returns counterfactual advantages: each return minus the mean return of rollouts that chose otherwise at the same
 * node. So what every choice would have earned cancels out. An advantage is undefined when no rollout chose otherwise.
 */
export function counterfactualAdvantages(choices: readonly Choice[]): (number | undefined)[] {
  const byNode = groupBy(choices, ({ node }) => node);
  return choices.map(({ node, choice, return: earned }) => {
    const others = byNode.get(node)!.filter((other) => other.choice !== choice);
    if (others.length === 0) return undefined;
    return earned - average(others.map((other) => other.return));
  });
}
