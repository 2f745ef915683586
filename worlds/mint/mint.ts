/**
 * The mode of MINT (arXiv 2309.10691) over any world: an agent has five turns and two proposals. Finishing the task is a
 * proposal. When it fails, the agent is told so, a partner may say what is wrong, and the agent starts the task again
 * with the turns that are left. Success is counted within 1 to 5 turns, with and without the partner.
 */
import type { Episode, Evaluation, LoadedPolicy, StepResult, TaskInfo, World } from "bowline";

/** Says what is wrong with a failed proposal, in words for the agent. */
export type Partner = (evaluation: Evaluation) => string;

/** A scripted partner: names the checks that failed, and never what would be right. */
export const nameFailedChecks: Partner = ({ checks }) =>
  `Failed: ${checks.flatMap(({ passed, name }) => (passed ? [] : [name])).join("; ")}`;

export interface MintOptions {
  /** The number of turns of an episode. Default: 5, as in the paper. */
  readonly turns?: number;
  /** The number of proposals of an episode. Default: 2, as in the paper. */
  readonly proposals?: number;
  /** Without a partner, the agent is told only that it failed. */
  readonly partner?: Partner | undefined;
}

/** The agent reads this after a failed proposal, as in training with `collect.attempts`. */
const WRONG = "That is not right. Try again.";

/** What was used up of an episode's turns and proposals. */
interface Progress {
  readonly turns: number;
  readonly proposals: number;
}

/** Wraps an episode of any world. `open` opens the task again after a failed proposal. */
export function mintEpisode(
  first: Episode,
  open: () => Promise<Episode>,
  options: MintOptions = {},
  progress: Progress = { turns: 0, proposals: 0 },
): Episode {
  const { turns: mostTurns = 5, proposals: mostProposals = 2, partner } = options;
  let current = first;
  let { turns, proposals } = progress;

  const judgeProposal = async (result: StepResult): Promise<StepResult> => {
    proposals += 1;
    const evaluation = await current.evaluate();
    if (evaluation.passed || proposals >= mostProposals || turns >= mostTurns) return result;
    await current.close();
    current = await open();
    const remark = partner === undefined ? WRONG : `${WRONG} ${partner(evaluation)}`;
    return { ...result, finished: false, text: `${result.text.trimEnd()}\n${remark}`.trim() };
  };
  return {
    task: first.task,
    async step(code, signal) {
      const result = await current.step(code, signal);
      turns += 1;
      if (result.finished) return judgeProposal(result);
      return turns >= mostTurns ? { ...result, finished: true } : result;
    },
    evaluate: () => current.evaluate(),
    fork: async () => mintEpisode(await current.fork(), open, options, { turns, proposals }),
    close: () => current.close(),
  };
}

/** Returns the world in the mode of MINT. Closing it leaves the wrapped world open. */
export function mintWorld(world: World, options: MintOptions = {}): World {
  const open = (id: string) => world.open(id);
  return {
    name: `${world.name} (MINT)`,
    seed: world.seed,
    dials: world.dials,
    hasSolutions: world.hasSolutions,
    tasks: (split, scenarios) => world.tasks(split, scenarios),
    open: async (id) => mintEpisode(await open(id), () => open(id), options),
    demonstrate: (id, style, seed) => world.demonstrate(id, style, seed),
    close: async () => {},
  };
}

/** The number of turns after which each task was solved; null where it was not. */
export type TurnsToSuccess = readonly (number | null)[];

/** Lets a policy play tasks in the mode of MINT, sampled at temperature 1. */
export async function measureMint(
  policy: Pick<LoadedPolicy, "act">,
  world: World,
  tasks: readonly TaskInfo[],
  { seed = 1, ...options }: MintOptions & { readonly seed?: number } = {},
): Promise<TurnsToSuccess> {
  const mode = mintWorld(world, options);
  const found: (number | null)[] = [];
  for (const task of tasks) {
    const { passed, rollout } = await policy.act(mode, task, { temperature: 1, seed });
    found.push(passed ? rollout.turns.length : null);
  }
  return found;
}

/** Returns the share of tasks that were solved within `turns` turns. */
export function successWithin(found: TurnsToSuccess, turns: number): number {
  return found.filter((used) => used !== null && used <= turns).length / found.length;
}
