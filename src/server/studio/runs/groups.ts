/** Builds the list of a file's groups, and the view of one group's rollouts side by side. */
import { groupBy } from "../../../algo/index.ts";
import type { Rollout } from "../../../spec/index.ts";
import type { GroupList, GroupView, RolloutRow } from "../../../spec/studio/index.ts";
import type { Page } from "../request-parameters.ts";
import { StudioError } from "../studio-error.ts";
import { hidesChecks, removeChecks } from "../world-views.ts";
import type { RunLocation } from "./find-runs.ts";
import { parseWithoutTokens } from "./parse-rollout.ts";
import type { RolloutIndex } from "./rollout-index.ts";
import type { RunFile } from "./run-files.ts";
import { type Runs, readRolloutAt } from "./runs.ts";

export async function buildGroupList(
  runs: Runs,
  location: RunLocation,
  file: RunFile,
  { offset, limit }: Page,
): Promise<GroupList> {
  const index = await runs.indexes.load(file);
  const buildRow = await prepareRowBuilder(runs, location, file, index);
  const groups = index.groups();
  return {
    file: file.name,
    total: groups.length,
    groups: groups.slice(offset, offset + limit).map((members, i) => ({
      task: index.tasks[offset + i]!,
      rollouts: sortByIndex(index, members).map(buildRow),
      ...index.countOutcomes(members),
    })),
  };
}

/**
 * Returns a function that builds the row at a position of the index, with the advantage and the return if the trainer
 * noted them.
 */
export async function prepareRowBuilder(
  runs: Runs,
  location: RunLocation,
  file: RunFile,
  index: RolloutIndex,
): Promise<(at: number) => RolloutRow> {
  const advantages = await runs.notes.readAdvantages(location, file);
  return (at) => {
    const noted = advantages.get(index.ids[at]!);
    if (noted === undefined) return index.rowAt(at);
    const { advantage, return: paid } = noted;
    return { ...index.rowAt(at), advantage, ...(paid !== undefined && { return: paid }) };
  };
}

/** Sorts positions of one group's rollouts by their index in the group. */
export function sortByIndex(index: RolloutIndex, members: readonly number[]): number[] {
  return [...members].sort((a, b) => index.getNumber(a, "index") - index.getNumber(b, "index"));
}

const MAX_ROLLOUTS_SIDE_BY_SIDE = 64;

/** Throws 404 for a task that the file does not have. */
export async function buildGroupView(
  runs: Runs,
  location: RunLocation,
  file: RunFile,
  taskId: string,
  includeHiddenChecks: boolean,
): Promise<GroupView> {
  const index = await runs.indexes.load(file);
  const taskNumber = index.tasks.findIndex(({ id }) => id === taskId);
  if (taskNumber < 0) {
    throw new StudioError(404, `${file.name} has no task ${JSON.stringify(taskId.slice(0, 200))}`);
  }
  const buildRow = await prepareRowBuilder(runs, location, file, index);
  const members = sortByIndex(index, index.groups()[taskNumber]!).slice(
    0,
    MAX_ROLLOUTS_SIDE_BY_SIDE,
  );
  const task = index.tasks[taskNumber]!;
  const hidden = hidesChecks(task.split) && !includeHiddenChecks;
  const rollouts: GroupView["rollouts"] = [];
  for (const at of members) {
    const rollout = await readRolloutAt(file, index, at, parseWithoutTokens);
    rollouts.push({ row: buildRow(at), rollout: hidden ? removeChecks(rollout) : rollout });
  }
  return {
    file: file.name,
    task,
    rollouts,
    differAt: firstDifferingTurn(rollouts.map(({ rollout }) => rollout)),
    hidden,
  };
}

/**
 * Returns the first turn (from 0) in which the messages differ or a rollout has ended, or null. Cancelled and failed
 * rollouts do not show where the policy chose differently, so they are left out if at least two others remain.
 */
export function firstDifferingTurn(rollouts: readonly Rollout[]): number | null {
  const ended = rollouts.filter(({ evaluation }) => evaluation !== undefined);
  const compared = ended.length > 1 ? ended : rollouts;
  if (compared.length < 2) return null;
  const maxTurns = Math.max(...compared.map(({ turns }) => turns.length));
  for (let turn = 0; turn < maxTurns; turn++) {
    if (groupBy(compared, ({ turns }) => turns[turn]?.message ?? null).size > 1) return turn;
  }
  return null;
}
