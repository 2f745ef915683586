/** A table of groups: the task, and a mark for each of its rollouts that links to the rollout. */
import type { GroupRow, RolloutRow } from "../../../src/spec/studio/index.ts";
import { buildAddress } from "../lib/address.ts";
import { describeRollout, rolloutMark } from "../lib/groups.ts";
import { escapeInvisible } from "../lib/invisible-characters.ts";
import { Difficulty } from "./difficulty.tsx";
import { RecordedText } from "./recorded-text.tsx";
import { ScrollFrame } from "./scroll-frame.tsx";

interface FileProps {
  readonly run: string;
  readonly file: string;
}

export function GroupTable({
  groups,
  ...where
}: FileProps & { readonly groups: readonly GroupRow[] }) {
  if (groups.length === 0) return <p class="note">No group matches the filter.</p>;
  return (
    <ScrollFrame class="group-table" label="Groups of the file">
      <table>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Rollouts</th>
            <th scope="col" class="number">
              Passed
            </th>
            <th scope="col">Difficulty</th>
            <th scope="col">Instruction</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <GroupTableRow key={group.task.id} group={group} {...where} />
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function GroupTableRow({ group, run, file }: FileProps & { readonly group: GroupRow }) {
  const { task, rollouts, size, passed } = group;
  return (
    <tr>
      <th scope="row">
        <a href={buildAddress(["runs", run, "files", file, "groups", task.id])}>
          <RecordedText text={task.id} />
        </a>
      </th>
      <td>
        <ul class="marks">
          {rollouts.map((rollout) => (
            <li key={rollout.id}>
              <RolloutMark rollout={rollout} run={run} file={file} />
            </li>
          ))}
        </ul>
      </td>
      <td class="number">
        {passed} of {size}
      </td>
      <td>
        <Difficulty level={task.difficulty} />
      </td>
      <td class="group-instruction">
        <RecordedText text={task.instruction} />
      </td>
    </tr>
  );
}

function RolloutMark({ rollout, run, file }: FileProps & { readonly rollout: RolloutRow }) {
  const words = escapeInvisible(describeRollout(rollout));
  const tone = rollout.outcome === "failed" ? "failed" : rollout.passed ? "passed" : "missed";
  return (
    <a
      class={`mark ${tone}`}
      href={buildAddress(["runs", run, "files", file, "rollouts", rollout.id])}
      title={words}
      aria-label={words}
    >
      {rolloutMark(rollout)}
    </a>
  );
}
