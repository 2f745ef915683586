/**
 * Collects groups that branch: some rollouts (roots) run from the start, the others are forked from them at a turn that
 * a rule chooses, and share every token before it.
 *
 * While a root runs, its episode is forked before the turns that rank highest so far, and these forks are kept. There
 * are at most as many of them as branches. Before a fork is used, it is verified: a copy of it repeats the turn that
 * its root took, and must answer with exactly the same text.
 */
import {
  type BeforeCell,
  maskFirstTurns,
  type Replay,
  type RolloutTrace,
  replayThenContinue,
  requireSameResultInFork,
} from "../../agent/index.ts";
import { groupBy } from "../../algo/index.ts";
import { mapConcurrently, Rng, randomStreamId } from "../../core/index.ts";
import type { Episode, Policy, Rollout, Sample, StepResult, World } from "../../spec/index.ts";
import { throwIfTooManyFailed } from "./failures.ts";
import { completeRecord } from "./rollout-shaper.ts";
import { type Assignment, type RolloutPlan, runAssignment } from "./run-assignments.ts";
import type { ShapedConfig } from "./shape-config.ts";

type TokenPolicy = Extract<Policy, { kind: "tokens" }>;
type TokenBranchPlan = RolloutPlan & { readonly policy: TokenPolicy };
type BranchSettings = Extract<ShapedConfig["collect"], { kind: "branches" }>;
/** A configuration whose groups branch. */
type BranchConfig = ShapedConfig & { readonly collect: BranchSettings };

/** Ranks a turn for branching: higher is better, and undefined means that no branch may begin there. */
type RankTurn = (turn: { readonly cells: number; readonly sample: Sample }) => number | undefined;

/** A kept fork of a root's episode, in the state before the cell that follows `trace`. */
interface KeptFork {
  readonly parent: string;
  readonly rank: number;
  readonly episode: Episode;
  readonly trace: RolloutTrace;
  /** The code cell that the root ran in this state, with its result. */
  readonly nextCell: { readonly code: string; readonly result: StepResult };
  /** Index of the turn in the root's record: the number of samples before it. */
  readonly turn: number;
}

/**
 * Runs the rollouts of all groups and returns them in the order of the assignments. In each group, the forked rollouts
 * come last.
 */
export async function collectBranchedGroups(
  assignments: readonly Assignment[],
  plan: TokenBranchPlan,
  config: BranchConfig,
): Promise<readonly Rollout[]> {
  const groups = groupBy([...assignments.keys()], (i) => assignments[i]!.task.id);
  const { groupSize } = config.algo;
  // A group keeps its running rollouts open and, for each root, up to as many forks as there are branches.
  const roots = groupSize - config.collect.count;
  const live = groupSize + roots * config.collect.count;
  const pool = Math.max(1, Math.floor(plan.episodes / live));
  const rollouts: Rollout[] = [];
  let done = 0;
  await mapConcurrently([...groups.values()], pool, async (positions) => {
    plan.signal?.throwIfAborted();
    const members = positions.map((i) => assignments[i]!);
    const group = await collectBranchedGroup(members, plan, config);
    plan.signal?.throwIfAborted();
    group.forEach((rollout, k) => {
      rollouts[positions[k]!] = rollout;
      plan.onDone?.(++done, rollout);
    });
  });
  throwIfTooManyFailed(rollouts);
  return rollouts;
}

async function collectBranchedGroup(
  members: readonly Assignment[],
  plan: TokenBranchPlan,
  config: BranchConfig,
): Promise<Rollout[]> {
  // Groups may have different sizes. A small group still has one root.
  const roots = members.slice(0, Math.max(1, members.length - config.collect.count));
  const grown = await Promise.all(roots.map((root) => runRootRollout(root, plan, config)));
  const forks = grown.flatMap((root) => root.forks);
  try {
    const chosen = assignForks(
      members.slice(roots.length),
      grown.map((root) => root.forks),
    );
    const branches = await Promise.all(
      chosen.map(([member, fork]) =>
        fork ? runForkedRollout(member, fork, plan, config) : runAssignment(member, plan),
      ),
    );
    return [...grown.map(({ rollout }) => rollout), ...branches];
  } finally {
    await Promise.all(forks.map(({ episode }) => episode.close().catch(() => {})));
  }
}

/**
 * Assigns kept forks to branches: first the best fork of each root, then the second best ones, and so on. A branch
 * without a fork becomes a linear rollout.
 */
function assignForks(
  members: readonly Assignment[],
  forks: readonly (readonly KeptFork[])[],
): [Assignment, KeptFork | undefined][] {
  const deepest = Math.max(0, ...forks.map((own) => own.length));
  const order = Array.from({ length: deepest }, (_, rank) => forks.map((own) => own[rank]))
    .flat()
    .filter((fork) => fork !== undefined);
  return members.map((member, i) => [member, order[i]]);
}

async function runRootRollout(assignment: Assignment, plan: TokenBranchPlan, config: BranchConfig) {
  const rank = createTurnRank(config, assignment);
  let kept: ForkKeeper | undefined;
  const world: Pick<World, "open"> = {
    open: async (id) => {
      await kept?.close();
      kept = new ForkKeeper(await plan.world.open(id), plan.policy, rank, config.collect.count);
      return kept.episode;
    },
  };
  const policy: TokenPolicy = {
    ...plan.policy,
    sample: (request, signal) => (kept?.policy ?? plan.policy).sample(request, signal),
  };
  const rollout = await runAssignment(assignment, { ...plan, world, policy });
  return { rollout, forks: (await kept?.forks(rollout)) ?? [] };
}

/** Follows a root while it runs, and keeps its trace and the states before its highest-ranking turns. */
class ForkKeeper {
  readonly #origin: Episode;
  readonly #repetition: Replay;
  readonly #most: number;
  #kept: {
    readonly cells: number;
    readonly samples: number;
    readonly rank: number;
    readonly episode: Episode;
  }[] = [];

  constructor(origin: Episode, policy: TokenPolicy, rank: RankTurn, most: number) {
    this.#origin = origin;
    this.#most = most;
    this.#repetition = replayThenContinue({ policy, episode: origin }, undefined, (at) =>
      this.#keepIfBest(at, rank),
    );
  }

  get policy(): TokenPolicy {
    return this.#repetition.policy;
  }

  get episode(): Episode {
    return { ...this.#repetition.episode, close: () => this.#origin.close() };
  }

  async #keepIfBest(
    { episode, cells, samples }: Parameters<BeforeCell>[0],
    rank: RankTurn,
  ): Promise<void> {
    const value = cells === 0 ? undefined : rank({ cells, sample: samples.at(-1)! });
    if (value === undefined) return;
    const last = this.#kept.at(-1);
    if (this.#kept.length >= this.#most && last && value <= last.rank) return;
    const state = {
      cells,
      samples: samples.length - 1,
      rank: value,
      episode: await episode.fork(),
    };
    this.#kept = [...this.#kept, state].sort((a, b) => b.rank - a.rank || a.cells - b.cells);
    for (const dropped of this.#kept.splice(this.#most)) await dropped.episode.close();
  }

  /** Returns the kept forks, best first. A rollout without an evaluation has none. */
  async forks(rollout: Rollout): Promise<KeptFork[]> {
    if (rollout.evaluation === undefined) {
      await this.close();
      return [];
    }
    const { samples, results } = this.#repetition;
    const cells = rollout.turns.filter(({ part }) => part === undefined);
    return this.#kept.map((state) => ({
      parent: rollout.id,
      rank: state.rank,
      episode: state.episode,
      trace: { samples: samples.slice(0, state.samples), results: results.slice(0, state.cells) },
      nextCell: { code: cells[state.cells]!.code, result: results[state.cells]! },
      turn: state.samples,
    }));
  }

  async close(): Promise<void> {
    await Promise.all(this.#kept.map(({ episode }) => episode.close().catch(() => {})));
    this.#kept = [];
  }
}

async function runForkedRollout(
  assignment: Assignment,
  { parent, episode, trace, nextCell, turn }: KeptFork,
  plan: TokenBranchPlan,
  { collect }: BranchConfig,
): Promise<Rollout> {
  await requireSameResultInFork(episode, nextCell.code, nextCell.result);
  let repetition: Replay | undefined;
  const world: Pick<World, "open"> = {
    open: async () => {
      const fork = await episode.fork();
      repetition = replayThenContinue({ policy: plan.policy, episode: fork }, trace);
      return { ...repetition.episode, close: () => fork.close() };
    },
  };
  const policy: TokenPolicy = {
    ...plan.policy,
    sample: (request, signal) => (repetition?.policy ?? plan.policy).sample(request, signal),
  };
  const rollout = await runAssignment(assignment, { ...plan, world, policy });
  const shared = collect.sharedPrefix === "masked" ? maskFirstTurns(rollout, turn) : rollout;
  return completeRecord(shared, { branch: { parent, turn } });
}

/**
 * Creates the rule that ranks turns for branching. The surprise of a turn, which is the mean of -log p over its sampled
 * tokens, estimates the policy's entropy there, in nats.
 */
function createTurnRank({ collect, run }: BranchConfig, { id }: Assignment): RankTurn {
  switch (collect.at) {
    case "entropy":
      return ({ sample }) => meanSurprise(sample.logprobs.slice(0, collect.tokens));
    case "logprob":
      return ({ sample }) => -sample.logprobs.reduce((sum, value) => sum + value, 0);
    case "every":
      return ({ cells }) => (cells % collect.every === 0 ? -cells : undefined);
    case "random": {
      const random = new Rng(randomStreamId(run.seed, "branch", id));
      return ({ cells }) => random.child(cells).uniform();
    }
    default:
      return collect satisfies never;
  }
}

function meanSurprise(logprobs: readonly number[]): number {
  return -logprobs.reduce((sum, value) => sum + value, 0) / Math.max(logprobs.length, 1);
}
