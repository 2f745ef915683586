/** The groups of one file of rollouts: a row for each group, with its rollouts as marks, filtered by the address. */
import { useState } from "preact/hooks";
import type { GroupRow } from "../../../src/spec/studio/index.ts";
import { replaceQuery, type ViewProps } from "../lib/address.ts";
import { formatPercent, pluralize } from "../lib/format.ts";
import { countGroups, filterGroups } from "../lib/groups.ts";
import { useGroups } from "../lib/use-groups.ts";
import { FilterSelect } from "./filter-select.tsx";
import { GroupTable } from "./group-table.tsx";
import { ErrorMessage } from "./loaded-content.tsx";
import { SearchBox } from "./search-box.tsx";
import "../style/file.css";

const PAGE_SIZE = 200;

interface FileProps {
  readonly run: string;
  readonly file: string;
  /** A number that changes when the run's rollouts change. */
  readonly version: number;
  readonly query: ViewProps["address"]["query"];
}

export function FileGroups({ run, file, version, query }: FileProps) {
  const { groups, total, error } = useGroups(run, file, version);
  const [shownCount, setMost] = useState(PAGE_SIZE);
  if (error) return <ErrorMessage text={error.message} />;
  if (total === undefined) {
    return (
      <p class="note" role="status">
        Loading …
      </p>
    );
  }
  const { q, kind, difficulty } = query;
  const shown = filterGroups(groups, { text: q, kind, difficulty });
  return (
    <>
      <GroupOverview groups={groups} total={total} />
      <div class="runs-tools">
        <SearchBox
          label="Filter"
          value={q ?? ""}
          found={`${shown.length} of ${pluralize(groups.length, "group")}`}
          onChange={(text) => replaceQuery({ q: text })}
        />
        <OutcomeFilter groups={groups} value={kind} />
        <FilterSelect
          name="difficulty"
          label="Difficulty"
          value={difficulty}
          choices={[...new Set(groups.map(({ task }) => String(task.difficulty)))].sort()}
        />
      </div>
      <GroupTable {...{ run, file }} groups={shown.slice(0, shownCount)} />
      {shown.length > shownCount && (
        <button type="button" onClick={() => setMost(shownCount + PAGE_SIZE)}>
          Show more of the {shown.length} groups
        </button>
      )}
    </>
  );
}

function GroupOverview({
  groups,
  total,
}: {
  readonly groups: readonly GroupRow[];
  readonly total: number;
}) {
  const rollouts = groups.reduce((sum, { size }) => sum + size, 0);
  const passed = groups.reduce((sum, group) => sum + group.passed, 0);
  const share = rollouts === 0 ? "" : `, ${formatPercent(passed / rollouts)}% passed`;
  return (
    <p class="note">
      {pluralize(total, "group")}
      {groups.length < total && `, of which the first ${groups.length} are loaded`};{" "}
      {pluralize(rollouts, "rollout")} with an outcome{share}.
    </p>
  );
}

function OutcomeFilter({
  groups,
  value,
}: {
  readonly groups: readonly GroupRow[];
  readonly value: string | undefined;
}) {
  const counts = countGroups(groups);
  const kinds = [
    { value: "wrong", text: `all failed (${counts.wrong})` },
    { value: "mixed", text: `mixed (${counts.mixed})` },
    { value: "right", text: `all passed (${counts.right})` },
    ...(counts.none > 0 ? [{ value: "none", text: `not evaluated (${counts.none})` }] : []),
  ];
  return <FilterSelect name="kind" label="Groups" value={value} choices={kinds} />;
}
