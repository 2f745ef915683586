/** The groups of a file as rows, and the rollouts of one group side by side. */
import { groupBy } from "../../../algo/index.ts";
import type { Rollout } from "../../../spec/index.ts";
import type { GroupList, GroupView, RolloutRow } from "../../../spec/studio/index.ts";
import { StudioError } from "../studio-error.ts";
import { isHidden, withoutChecks } from "../world-views.ts";
import type { RunPlace } from "./find-runs.ts";
import { turnsOnly } from "./parse-rollout.ts";
import type { RolloutIndex } from "./rollout-index.ts";
import type { RunFile } from "./run-files.ts";
import { type Runs, rolloutAt } from "./runs.ts";

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export async function groupList(
  runs: Runs,
  place: RunPlace,
  file: RunFile,
  { offset, limit }: Page,
): Promise<GroupList> {
  const index = await runs.indexes.of(file);
  const rowOf = await rowsOf(runs, place, file, index);
  const groups = index.groups();
  return {
    file: file.name,
    total: groups.length,
    groups: groups.slice(offset, offset + limit).map((members, i) => ({
      task: index.tasks[offset + i]!,
      rollouts: inOrder(index, members).map(rowOf),
    })),
  };
}

/** Rows of an index with the advantages that were noted. */
export async function rowsOf(
  runs: Runs,
  place: RunPlace,
  file: RunFile,
  index: RolloutIndex,
): Promise<(at: number) => RolloutRow> {
  const advantages = await runs.notes.advantages(place, file);
  return (at) => {
    const advantage = advantages.get(index.ids[at]!)?.advantage;
    return { ...index.row(at), ...(advantage !== undefined && { advantage }) };
  };
}

/** Of one group, by position in it. */
export function inOrder(index: RolloutIndex, members: readonly number[]): number[] {
  return [...members].sort((a, b) => index.number(a, "index") - index.number(b, "index"));
}

/** More are too many to stand side by side. */
const MOST_BESIDE = 64;

/** `asked`: also for the checks of test splits. Throws 404. */
export async function groupView(
  runs: Runs,
  place: RunPlace,
  file: RunFile,
  taskId: string,
  asked: boolean,
): Promise<GroupView> {
  const index = await runs.indexes.of(file);
  const number = index.tasks.findIndex(({ id }) => id === taskId);
  if (number < 0) {
    throw new StudioError(404, `${file.name} has no task ${JSON.stringify(taskId.slice(0, 200))}`);
  }
  const rowOf = await rowsOf(runs, place, file, index);
  const members = inOrder(index, index.groups()[number]!).slice(0, MOST_BESIDE);
  const task = index.tasks[number]!;
  const hidden = isHidden(task.split) && !asked;
  const rollouts: GroupView["rollouts"] = [];
  for (const at of members) {
    const rollout = await rolloutAt(file, index, at, turnsOnly);
    rollouts.push({ row: rowOf(at), rollout: hidden ? withoutChecks(rollout) : rollout });
  }
  return {
    file: file.name,
    task,
    rollouts,
    differAt: differAt(rollouts.map(({ rollout }) => rollout)),
    hidden,
  };
}

/**
 * The first turn in which not all say the same, or one has ended. Those that were cut off from outside (cancelled, failed)
 * say nothing of where the policy chose differently, and are left out as long as two others are there.
 */
export function differAt(rollouts: readonly Rollout[]): number | null {
  const ended = rollouts.filter(({ evaluation }) => evaluation !== undefined);
  const compared = ended.length > 1 ? ended : rollouts;
  if (compared.length < 2) return null;
  const most = Math.max(...compared.map(({ turns }) => turns.length));
  for (let turn = 0; turn < most; turn++) {
    if (groupBy(compared, ({ turns }) => turns[turn]?.message ?? null).size > 1) return turn;
  }
  return null;
}
