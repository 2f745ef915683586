/** A group worth looking at: of a training file, some rollouts passed and some did not, with turns enough to compare. */
import type { GroupList, RunDetail } from "../../src/spec/studio/index.ts";

type Ask = <T>(...path: string[]) => Promise<T>;

export async function mixedGroup(ask: Ask) {
  const { files } = await ask<RunDetail>();
  const teaching = files.filter(
    ({ kind, passed, rollouts }) => kind === "train" && passed < rollouts,
  );
  for (const { name } of teaching.toReversed()) {
    const { groups } = await ask<GroupList>("files", name);
    const mixed = groups
      .filter(
        ({ rollouts }) => rollouts.some((one) => one.passed) && rollouts.some((one) => !one.passed),
      )
      .sort((a, b) => turnsOf(b) - turnsOf(a))[0];
    const passed = mixed?.rollouts.find((one) => one.passed);
    if (mixed && passed) return { file: name, task: mixed.task.id, rollout: passed.id };
  }
  throw new Error("no group of the run is mixed");
}

const turnsOf = ({ rollouts }: GroupList["groups"][number]) =>
  Math.max(...rollouts.map(({ turns }) => turns));
