/**
 * Credit in a tree of rollouts: some share their first turns, because they were forked from one another.
 */
import { groupBy } from "../core/index.ts";
import { average } from "./moments.ts";

/** A rollout of a tree: forked from `parent` (an index into the list) before its turn `fork`. */
export interface Branch {
  readonly advantage: number;
  readonly turns: number;
  readonly parent?: number;
  readonly fork?: number;
}

/** What the turns of one rollout get where siblings hold some of them too. One entry a turn. */
export interface SharedCredit {
  /** A of each turn. */
  readonly advantages: readonly number[];
  /** Rollouts that hold each turn; a learner that meets it in each of them may divide by this. */
  readonly holders: readonly number[];
}

/**
 * Attribution by shared prefix: a turn that several rollouts hold gets the mean of their advantages, an own turn its
 * rollout's. Given the rollouts of one task.
 */
export function sharedPrefixAdvantages(branches: readonly Branch[]): SharedCredit[] {
  const held = branches.flatMap(({ turns, advantage }, i) =>
    Array.from({ length: turns }, (_, turn) => ({
      advantage,
      id: `${ownerOf(branches, i, turn)} ${turn}`,
    })),
  );
  const byTurn = groupBy(held, ({ id }) => id);
  return branches.map(({ turns }, i) => {
    const groups = Array.from(
      { length: turns },
      (_, turn) => byTurn.get(`${ownerOf(branches, i, turn)} ${turn}`)!,
    );
    return {
      advantages: groups.map((group) => average(group.map(({ advantage }) => advantage))),
      holders: groups.map((group) => group.length),
    };
  });
}

/** The rollout that sampled this turn: the ancestor that was not forked before it. */
function ownerOf(
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

/** The node before each turn of each rollout, by name: rollouts that stood at the same node share it. */
export function nodesOf(
  branches: readonly Pick<Branch, "turns" | "parent" | "fork">[],
): string[][] {
  return branches.map(({ turns }, i) =>
    Array.from({ length: turns }, (_, turn) =>
      turn === 0 ? "start" : `${ownerOf(branches, i, turn - 1)} ${turn}`,
    ),
  );
}

/**
 * The same, but only where rollouts part: a turn that all rollouts at its node share is no choice between them, so it
 * gets a name of its own and is compared with nothing.
 */
export function choiceNodesOf(
  branches: readonly Pick<Branch, "turns" | "parent" | "fork">[],
): string[][] {
  const nodes = nodesOf(branches);
  const turns = nodes.flatMap((names, i) =>
    names.map((node, turn) => ({ node, owner: ownerOf(branches, i, turn) })),
  );
  const byNode = groupBy(turns, ({ node }) => node);
  const isChoice = (node: string) => new Set(byNode.get(node)!.map(({ owner }) => owner)).size > 1;
  return nodes.map((names, i) =>
    names.map((node, turn) => (isChoice(node) ? node : `${i} alone ${turn}`)),
  );
}

/** A rollout that made a choice at a node of its task's tree. */
export interface Choice {
  readonly node: string;
  readonly choice: string;
  readonly return: number;
}

/**
 * Counterfactual baseline: the return less the mean return of rollouts from the same node that chose otherwise. What all
 * choices would have earned cancels. Undefined where nobody chose otherwise.
 */
export function counterfactualAdvantages(choices: readonly Choice[]): (number | undefined)[] {
  const byNode = groupBy(choices, ({ node }) => node);
  return choices.map(({ node, choice, return: earned }) => {
    const others = byNode.get(node)!.filter((other) => other.choice !== choice);
    if (others.length === 0) return undefined;
    return earned - average(others.map((other) => other.return));
  });
}
