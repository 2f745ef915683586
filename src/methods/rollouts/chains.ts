/**
 * Collects chains. A chain solves the tasks of one scenario one after another, and carries what it learned into later
 * prompts: a note that the policy writes after a task, or skills, which are the programs of tasks that passed.
 *
 * K chains over the same tasks are compared position by position. Rollouts at the same position have the same task, but
 * what their chains carry differs. A note counts as an action of the rollout that wrote it.
 */
import { mapConcurrently, randomStreamId } from "../../core/index.ts";
import type { Rollout, TaskInfo } from "../../spec/index.ts";
import { throwIfTooManyFailed } from "./failures.ts";
import { completeRecord } from "./rollout-shaper.ts";
import {
  type Assignment,
  type RolloutPlan,
  type RolloutShaper,
  runAssignment,
} from "./run-assignments.ts";
import type { ShapedConfig } from "./shape-config.ts";
import { findSkill } from "./skills.ts";

type ChainSettings = Extract<ShapedConfig["collect"], { kind: "chains" }>;

/** Settings of the chains, and where to find their tasks and shapes. */
export interface ChainOptions {
  readonly chains: ChainSettings;
  /** All training tasks, among which the other tasks of a scenario are found. */
  readonly tasks: readonly TaskInfo[];
  /**
   * Returns the shape of a rollout whose prompt ends with the lines `sections`. `note` says whether the rollout writes
   * a note.
   */
  readonly shape: (sections: readonly string[], note: boolean) => RolloutShaper | undefined;
}

/** Runs the chains and returns all their rollouts, chain by chain. Each assignment is the first rollout of a chain. */
export async function collectChains(
  assignments: readonly Assignment[],
  plan: RolloutPlan,
  options: ChainOptions,
): Promise<readonly Rollout[]> {
  let done = 0;
  const chains = await mapConcurrently(assignments, plan.episodes, (first) =>
    runChain(first, plan, options, (rollout) => plan.onDone?.(++done, rollout)),
  );
  throwIfTooManyFailed(chains.flat());
  return chains.flat();
}

async function runChain(
  first: Assignment,
  plan: RolloutPlan,
  { chains, tasks, shape }: ChainOptions,
  onDone: (rollout: Rollout) => void,
): Promise<Rollout[]> {
  const links = tasksOfChain(first.task, tasks, chains.length);
  const name = first.id.slice(0, first.id.lastIndexOf("/"));
  const rollouts: Rollout[] = [];
  for (const [position, task] of links.entries()) {
    const library = rollouts.flatMap((rollout) => textCarriedFrom(rollout, chains));
    const note = chains.carry === "notes" && position < links.length - 1;
    const link = position === 0 ? first : makeLinkAssignment(first, task, position);
    const rollout = await runAssignment(link, { ...plan, shape: shape(library, note) });
    plan.signal?.throwIfAborted();
    rollouts.push(completeRecord(rollout, { chain: { name, position } }));
    onDone(rollout);
  }
  return rollouts;
}

/**
 * Returns the tasks of a chain: the given task, then the other tasks of its scenario in order. After the last one, the
 * order starts over.
 */
export function tasksOfChain(
  task: TaskInfo,
  tasks: readonly TaskInfo[],
  length: number,
): TaskInfo[] {
  const scenario = tasks.filter((other) => other.scenario === task.scenario);
  const at = scenario.findIndex(({ id }) => id === task.id);
  return [...scenario.slice(at), ...scenario.slice(0, at)].slice(0, length);
}

function makeLinkAssignment(first: Assignment, task: TaskInfo, position: number): Assignment {
  const id = `${first.id}.${position}`;
  return { ...first, task, id, stream: randomStreamId(first.stream, "link", position) };
}

/**
 * Returns the prompt line that carries a rollout's note or skill on, or nothing. A note is cut to its largest length; a
 * skill that is too long is left out.
 */
function textCarriedFrom(rollout: Rollout, { carry, characters }: ChainSettings): string[] {
  const text =
    carry === "skills"
      ? (findSkill(rollout, characters) ?? "")
      : Array.from(rollout.turns.findLast(({ part }) => part === "note")?.message ?? "")
          .slice(0, characters)
          .join("")
          .trim();
  return text === "" ? [] : [`From before: ${rollout.task.instruction} ${text}`];
}
