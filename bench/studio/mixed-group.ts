/** A group worth looking at: of a training file, some rollouts passed and some did not, with turns enough to compare. */
import type { GroupList, RolloutTokensView, RunDetail } from "../../src/spec/studio/index.ts";

type Ask = <T>(...path: string[]) => Promise<T>;
type Group = GroupList["groups"][number];

/** Of the last iteration that has one, preferably with a rollout that passed and on whose tokens notes were taken. */
export async function findMixedGroup(ask: Ask) {
  const { files } = await ask<RunDetail>();
  const teaching = files.filter(
    ({ kind, passed, rollouts }) => kind === "train" && passed < rollouts,
  );
  let any: { file: string; task: string; rollout: string } | undefined;
  for (const { name } of teaching.toReversed()) {
    const { groups } = await ask<GroupList>("files", name);
    const mixed = groups.filter(isMixed).sort((a, b) => turnsOf(b) - turnsOf(a));
    for (const { task, rollouts } of mixed) {
      for (const { id } of rollouts.filter(({ passed }) => passed)) {
        const found = { file: name, task: task.id, rollout: id };
        any ??= found;
        const { rows } = await ask<RolloutTokensView>("files", name, "rollouts", id, "tokens");
        if (rows[0]?.recorded) return found;
      }
    }
  }
  if (!any) throw new Error("no group of the run is mixed");
  return any;
}

const isMixed = ({ rollouts }: Group) =>
  rollouts.some((one) => one.passed) && rollouts.some((one) => !one.passed);

const turnsOf = ({ rollouts }: Group) => Math.max(...rollouts.map(({ turns }) => turns));
