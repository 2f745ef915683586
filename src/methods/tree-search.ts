/**
 * Searches a tree over the turns of one task, in forks of its episode (arXiv 2502.01600, section 5.3, after arXiv
 * 2408.07199 without its critic).
 *
 * Every round goes down from the root by the upper confidence bound Q + c sqrt(ln N(parent) / N) to a node without
 * children, and samples two candidate turns there. It plays one of them to the end and adds its return to every node on
 * the path. The other candidate is played when a later round reaches it. Siblings with different Q form a preference
 * pair of turns.
 *
 * A turn that ended the episode is closed, and so is a node whose children are all closed. The search then goes
 * elsewhere, and ends early when nothing is left to try. A rollout from a node is an ordinary rollout: the turns up to
 * the node are repeated from their record, and their observations come from the record too. So rows, masks and limits
 * are those of `agent`.
 */
import { type RolloutTrace, replayThenContinue, runRollout } from "../agent/index.ts";
import { type ActionRow, isScored, type RewardOptions, rewardOf } from "../algo/index.ts";
import type { Episode, Rollout, TaskInfo } from "../spec/index.ts";
import type { RowPair } from "./pairs.ts";
import type { RolloutPlan } from "./rollouts/run-assignments.ts";

/** Options of the search in one tree, in addition to the plan of its rollouts. */
export interface TreeOptions {
  readonly task: TaskInfo;
  /** First part of the ids of the tree's rollouts. */
  readonly id: string;
  /** The number of rollouts that are played to the end, K. */
  readonly rollouts: number;
  /** The weight c of the uncertainty in the upper confidence bound. */
  readonly exploration: number;
  /** The difference of values above which two siblings become a pair. */
  readonly minimumGap: number;
  readonly reward: RewardOptions;
  /** Returns the random stream of the n-th sample in this tree. */
  readonly stream: (n: number) => number;
}

/** What a tree search found: its rollouts, and pairs of sibling turns. */
export interface SearchedTree {
  readonly rollouts: readonly Rollout[];
  readonly pairs: readonly RowPair[];
}

/** A state in the tree, after a sequence of turns. */
interface TreeNode {
  /** Every turn up to this node, with its samples and observations. */
  readonly trace: RolloutTrace;
  /** An open episode in the state after the trace. */
  readonly episode: Episode;
  /** The rollout up to this node; absent at the root. It is complete when its episode is finished. */
  readonly record?: Rollout;
  readonly children: TreeNode[];
  visits: number;
  total: number;
  /** True when everything below this node was played to the end, so that nothing is left to try. */
  closed: boolean;
}

const CANDIDATES_PER_NODE = 2;

/**
 * Searches the tree of one task and returns its rollouts and pairs. Rollouts that fail because of the world are
 * returned too. The caller decides how many failures it accepts.
 */
export async function searchTree(
  plan: RolloutPlan & { readonly policy: { readonly kind: "tokens" } },
  options: TreeOptions,
): Promise<SearchedTree> {
  const search = new TreeSearch(plan, options);
  try {
    return await search.run();
  } finally {
    await search.close();
  }
}

type TokenRolloutPlan = Parameters<typeof searchTree>[0];

class TreeSearch {
  readonly #plan: TokenRolloutPlan;
  readonly #options: TreeOptions;
  readonly #episodes: Episode[] = [];
  readonly #rollouts: Rollout[] = [];
  #samplings = 0;

  constructor(plan: TokenRolloutPlan, options: TreeOptions) {
    this.#plan = plan;
    this.#options = options;
  }

  async run(): Promise<SearchedTree> {
    const { task, rollouts, exploration } = this.#options;
    const root: TreeNode = {
      trace: { samples: [], results: [] },
      episode: await this.#openEpisode(task),
      children: [],
      visits: 0,
      total: 0,
      closed: false,
    };
    while (this.#rollouts.length < rollouts && !root.closed) {
      this.#plan.signal?.throwIfAborted();
      const path = descendToLeaf(root, exploration);
      const value = await this.#visitLeaf(path);
      if (value === undefined) break;
      for (const node of path) {
        node.visits += 1;
        node.total += value;
      }
      for (const node of path.toReversed()) {
        node.closed ||= node.children.length > 0 && node.children.every(({ closed }) => closed);
      }
    }
    return { rollouts: this.#rollouts, pairs: collectPairs(root, this.#options.minimumGap) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#episodes.map((episode) => episode.close().catch(() => {})));
  }

  /**
   * Plays the last node of the path to the end, or a new candidate below it, which is then added to the path. Returns
   * the rollout's return, or undefined when no candidate could be played.
   */
  async #visitLeaf(path: TreeNode[]): Promise<number | undefined> {
    const leaf = path.at(-1)!;
    if (leaf.visits === 0 && leaf.record !== undefined) return this.#rollOutNode(leaf);
    const children = await Promise.all(
      Array.from({ length: CANDIDATES_PER_NODE }, () => this.#sampleCandidate(leaf)),
    );
    for (const child of children) {
      const isNew = !leaf.children.some((other) => areSameTurn(other, child));
      if (isNew && child.record?.outcome !== "failed") leaf.children.push(child);
    }
    const child = leaf.children[0];
    if (child === undefined) return undefined;
    path.push(child);
    return this.#rollOutNode(child);
  }

  /**
   * Plays a node to the end, unless its episode has ended already. Returns the rollout's return, or undefined when it
   * has none.
   */
  async #rollOutNode(node: TreeNode): Promise<number | undefined> {
    const { reward } = this.#options;
    if (hasEnded(node, this.#plan.maxTurns)) {
      node.closed = true;
      this.#recordRollout(node.record!);
      return isScored(node.record!) ? rewardOf(node.record!, reward) : undefined;
    }
    const { rollout, episode } = await this.#continueFrom(node, this.#plan.maxTurns);
    await episode.close();
    this.#recordRollout(rollout);
    return isScored(rollout) ? rewardOf(rollout, reward) : undefined;
  }

  #recordRollout(rollout: Rollout): void {
    const index = this.#rollouts.length;
    this.#rollouts.push({ ...rollout, id: `${this.#options.id}/${index}`, index });
    this.#plan.onDone?.(index + 1, rollout);
  }

  async #sampleCandidate(parent: TreeNode): Promise<TreeNode> {
    const turns = parent.trace.results.length + 1;
    const { rollout, trace, episode } = await this.#continueFrom(parent, turns);
    return { trace, episode, record: rollout, children: [], visits: 0, total: 0, closed: false };
  }

  /** Runs a rollout of at most `maxTurns` turns that begins with the node's turns. */
  async #continueFrom(node: TreeNode, maxTurns: number) {
    const { agent, policy, temperature, signal } = this.#plan;
    const { id, stream } = this.#options;
    const number = this.#samplings++;
    const episode = await node.episode.fork();
    this.#episodes.push(episode);
    const repetition = replayThenContinue({ policy, episode }, node.trace);
    const rollout = await runRollout({
      ...agent,
      id: `${id}/sampling ${number}`,
      index: 0,
      stream: stream(number),
      temperature,
      maxTurns,
      ...(signal && { signal }),
      policy: repetition.policy,
      episode: repetition.episode,
    });
    const { results } = repetition;
    const trace = { samples: repetition.samples.slice(0, results.length), results };
    return { rollout, trace, episode };
  }

  async #openEpisode(task: TaskInfo): Promise<Episode> {
    const episode = await this.#plan.world.open(task.id);
    this.#episodes.push(episode);
    return episode;
  }
}

/**
 * Returns true if the node's episode has ended. A candidate is played with a limit of one more turn. Reaching that
 * limit does not end the episode, unless it is also the limit of the whole rollout.
 */
function hasEnded({ record, trace }: TreeNode, maxTurns: number): boolean {
  const turns = trace.results.length;
  return record !== undefined && (record.outcome !== "turn-limit" || turns >= maxTurns);
}

/**
 * Returns the path from the root to a node without children. Each step goes to the child with the largest upper
 * confidence bound.
 */
function descendToLeaf(root: TreeNode, exploration: number): TreeNode[] {
  const path = [root];
  for (let node = root; node.children.length > 0; ) {
    const { visits } = node;
    const open = node.children.filter(({ closed }) => !closed);
    node = open.reduce((a, b) =>
      upperConfidenceBound(b, visits, exploration) > upperConfidenceBound(a, visits, exploration)
        ? b
        : a,
    );
    path.push(node);
  }
  return path;
}

/**
 * Returns the upper confidence bound of a node. It is Infinity for a node that was never visited, so that such a node
 * is tried first.
 */
function upperConfidenceBound(
  { visits, total }: TreeNode,
  parentVisits: number,
  exploration: number,
): number {
  if (visits === 0) return Infinity;
  return total / visits + exploration * Math.sqrt(Math.log(parentVisits) / visits);
}

function areSameTurn(a: TreeNode, b: TreeNode): boolean {
  const [x, y] = [a.trace.samples.at(-1)?.tokens, b.trace.samples.at(-1)?.tokens];
  return x !== undefined && y !== undefined && x.join() === y.join();
}

function collectPairs(node: TreeNode, minimumGap: number): RowPair[] {
  const [a, b] = node.children;
  const below = node.children.flatMap((child) => collectPairs(child, minimumGap));
  if (a === undefined || b === undefined || a.visits === 0 || b.visits === 0) return below;
  const gap = a.total / a.visits - b.total / b.visits;
  if (!(Math.abs(gap) > minimumGap)) return below;
  const [better, worse] = gap > 0 ? [a, b] : [b, a];
  const pair = {
    chosen: buildTurnRow(better),
    rejected: buildTurnRow(worse),
    gap: Math.abs(gap),
    differsAt: 0,
  };
  return [pair, ...below];
}

/** Builds the row that ends with a node's turn. Only the tokens of that turn are action tokens. */
function buildTurnRow({ record }: TreeNode): ActionRow {
  const { tokens, turns } = record!;
  const [start, end] = turns.at(-1)!.span!;
  const at = Array.from({ length: end - start }, (_, i) => start + i);
  return {
    tokens: tokens!.ids.slice(0, end),
    at,
    turnLengths: [at.length],
    sampled: at.map((position) => tokens!.logprobs[position]!),
  };
}
