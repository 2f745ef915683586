/**
 * Skills of a chain of tasks (SAGE, arXiv 2512.17102): what solved one task is shown to the next ones, and a reward pays
 * the rollout that wrote a skill and the rollout that used it.
 *
 * A skill is the whole program of a task that passed. A later task uses it when its own program calls the same APIs in
 * the same order; other calls may stand between them. Both rollouts are paid only when both of their tasks passed, so a
 * skill never rewards a failure.
 */
import { groupBy, isPassed } from "../../algo/index.ts";
import type { Rollout } from "../../spec/index.ts";

/**
 * Returns the skill that a rollout found, on one line: the code of its turns that ran without an error. Returns nothing
 * when the task failed, or when the skill has more than `characters` characters, because a part of a program is no
 * skill.
 */
export function findSkill(rollout: Rollout, characters: number): string | undefined {
  if (!isPassed(rollout)) return undefined;
  const cells = rollout.turns
    .filter(({ code, status }) => status === "ok" && code.trim() !== "")
    .map(({ code }) => code.replace(/\s+/g, " ").trim());
  const program = cells.join("; ");
  return program === "" || program.length > characters ? undefined : program;
}

/**
 * Returns what the reward term `skill` pays each turn, by rollout id: 1 at the last turn of each rollout whose skill was
 * used in a later task of its chain, and of each rollout that used a skill of an earlier one.
 */
export function scoreSkills(
  rollouts: readonly Rollout[],
  characters: number,
): ReadonlyMap<string, readonly number[]> {
  const chains = groupBy(
    rollouts.filter(({ chain }) => chain !== undefined),
    ({ id }) => id.replace(/\.\d+$/, ""),
  );
  const paid = new Set<string>();
  for (const links of chains.values()) {
    for (const writer of links.filter((link) => findSkill(link, characters) !== undefined)) {
      const users = links.filter(
        (link) => link.chain!.position > writer.chain!.position && usesSkill(link, writer),
      );
      for (const { id } of users.length > 0 ? [writer, ...users] : []) paid.add(id);
    }
  }
  return new Map(
    rollouts.map(({ id, turns }) => [
      id,
      turns.map((_, j) => Number(paid.has(id) && j === turns.length - 1)),
    ]),
  );
}

/** Returns whether a rollout passed and made all calls of the skill's writer in their order. */
function usesSkill(rollout: Rollout, writer: Rollout): boolean {
  const skill = listCalls(writer);
  let next = 0;
  for (const call of listCalls(rollout)) if (call === skill[next]) next++;
  return isPassed(rollout) && skill.length > 0 && next === skill.length;
}

/** Lists the calls of the turns that ran without an error, as `app.api`. */
function listCalls({ turns }: Rollout): string[] {
  return turns
    .filter(({ status }) => status === "ok")
    .flatMap(({ calls }) => calls.map(({ app, api }) => `${app}.${api}`));
}
