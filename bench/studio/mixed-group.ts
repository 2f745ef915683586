/** Finds a group of a training file in which some rollouts passed and some failed, with many turns to compare. */
import type { GroupList, RolloutTokensView, RunDetail } from "../../src/spec/studio/index.ts";

type FetchJson = <T>(...path: string[]) => Promise<T>;
type Group = GroupList["groups"][number];

/**
 * Finds a mixed group of the last iteration that has one, preferably with a passed rollout that has notes on its
 * tokens.
 */
export async function findMixedGroup(fetchJson: FetchJson) {
  const { files } = await fetchJson<RunDetail>();
  const filesWithFailures = files.filter(
    ({ kind, passed, rollouts }) => kind === "train" && passed < rollouts,
  );
  let fallback: { file: string; task: string; rollout: string } | undefined;
  for (const { name } of filesWithFailures.toReversed()) {
    const { groups } = await fetchJson<GroupList>("files", name);
    const mixed = groups.filter(isMixed).sort((a, b) => longestTurnCount(b) - longestTurnCount(a));
    for (const { task, rollouts } of mixed) {
      for (const { id } of rollouts.filter(({ passed }) => passed)) {
        const found = { file: name, task: task.id, rollout: id };
        fallback ??= found;
        const { rows } = await fetchJson<RolloutTokensView>(
          "files",
          name,
          "rollouts",
          id,
          "tokens",
        );
        if (rows[0]?.recorded) return found;
      }
    }
  }
  if (!fallback) throw new Error("the run has no group with passed and failed rollouts");
  return fallback;
}

const isMixed = ({ rollouts }: Group) =>
  rollouts.some((one) => one.passed) && rollouts.some((one) => !one.passed);

const longestTurnCount = ({ rollouts }: Group) => Math.max(...rollouts.map(({ turns }) => turns));
