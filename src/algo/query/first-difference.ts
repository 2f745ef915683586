/**
 * Finds where a rollout leaves the way of the best rollout of its group: the first API call that differs. A group is the
 * rollouts of one task in one file.
 */
import { groupBy } from "../../core/index.ts";
import type { Rollout, RolloutFacts } from "../../spec/index.ts";

/** Lists the API calls of a rollout in order, each as its name, a space, and its arguments. */
export function listCalls({ turns }: Pick<Rollout, "turns">): string[] {
  return turns.flatMap(({ calls }) =>
    calls.map(({ app, api, args }) => `${app}.${api} ${JSON.stringify(args)}`),
  );
}

/** Returns the facts of the rollouts of one file, with `differs` where a rollout differs from the best of its group. */
export function addFirstDifferences<
  Facts extends Pick<RolloutFacts, "task" | "return"> & Partial<Pick<RolloutFacts, "differs">>,
>(rollouts: readonly { readonly facts: Facts; readonly calls: readonly string[] }[]): Facts[] {
  const groups = groupBy(rollouts, ({ facts }) => facts.task.id);
  const best = new Map([...groups].map(([task, members]) => [task, findBest(members)]));
  return rollouts.map(({ facts, calls }) => {
    const differs = compareCalls(calls, best.get(facts.task.id)!.calls);
    return differs ? { ...facts, differs } : facts;
  });
}

function findBest<Member extends { readonly facts: Pick<RolloutFacts, "return"> }>(
  members: readonly Member[],
): Member {
  const earned = ({ facts }: Member) => facts.return ?? -Infinity;
  return members.reduce((best, member) => (earned(member) > earned(best) ? member : best));
}

function compareCalls(calls: readonly string[], best: readonly string[]): RolloutFacts["differs"] {
  const length = Math.max(calls.length, best.length);
  for (let i = 0; i < length; i++) {
    const [own, other] = [calls[i], best[i]];
    if (own === other) continue;
    return {
      call: i + 1,
      ...(own !== undefined && { api: nameOf(own) }),
      ...(other !== undefined && { best: nameOf(other) }),
    };
  }
  return undefined;
}

const nameOf = (call: string) => call.slice(0, call.indexOf(" "));
