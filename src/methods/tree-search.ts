/**
 * A search tree over the turns of one task, grown in forks of its episode (arXiv 2502.01600, section 5.3, after
 * arXiv 2408.07199 without its critic).
 *
 * Every round walks down from the start by the upper confidence bound  Q + c sqrt(ln N(parent) / N)  to a node without
 * children, samples two candidate turns there, rolls one of them to the end, and backs its return up the path. The other
 * candidate is rolled out when a later round comes to it. Siblings whose Q differ are a preference pair of turns.
 *
 * A turn that ended the episode is closed, and so is a node whose children all are: the search goes elsewhere, and ends
 * early when nothing is left to try. A rollout from a node is an ordinary rollout: the turns up to the node are repeated from their record, and the
 * episode, a fork in the node's state, answers them from the record too. So rows, masks and limits are those of `agent`.
 */
import { type RolloutTrace, replayThenContinue, runRollout } from "../agent/index.ts";
import { type ActionRow, isScored, type RewardOptions, rewardOf } from "../algo/index.ts";
import type { Episode, Rollout, TaskInfo } from "../spec/index.ts";
import type { RowPair } from "./pairs.ts";
import type { RolloutPlan } from "./rollouts/run-assignments.ts";

export interface TreeOptions {
  readonly task: TaskInfo;
  /** First part of the ids of its rollouts. */
  readonly id: string;
  /** Rollouts to the end, K. */
  readonly rollouts: number;
  /** c of the bound. */
  readonly exploration: number;
  /** Siblings are a pair when their values differ by more. */
  readonly minimumGap: number;
  readonly reward: RewardOptions;
  /** The random stream of the n-th sampling of this tree. */
  readonly stream: (n: number) => number;
}

export interface SearchedTree {
  readonly rollouts: readonly Rollout[];
  readonly pairs: readonly RowPair[];
}

interface TreeNode {
  /** Every turn up to here as it was sampled and answered. */
  readonly trace: RolloutTrace;
  /** Live, in the state after the trace. */
  readonly episode: Episode;
  /** The rollout up to here; of a finished episode it is whole. Absent at the root. */
  readonly record?: Rollout;
  readonly children: TreeNode[];
  visits: number;
  total: number;
  /** Everything below was rolled out: there is nothing left to try. */
  closed: boolean;
}

const CANDIDATES_PER_NODE = 2;

/** Rollouts that fail for reasons of the world are in the record and teach nothing; the caller judges how many may. */
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

  /** The return below the last node of the path; the path grows by the candidate that is rolled out. */
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

  /** Rolls a node that is visited for the first time to the end, unless it is there. */
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

  /** A rollout of at most `maxTurns` turns that begins with the node's. */
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

/** The limit of one turn more ends a candidate's record, not its episode, unless it is the limit of all. */
function hasEnded({ record, trace }: TreeNode, maxTurns: number): boolean {
  const turns = trace.results.length;
  return record !== undefined && (record.outcome !== "turn-limit" || turns >= maxTurns);
}

/** From the root to a node without children, at each step to the largest upper confidence bound. */
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

/** Infinite where nothing was tried; the earlier child wins a tie. */
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

/** The row up to the end of a node's turn, of which only that turn's tokens are asked for. */
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
