/**
 * The rollouts of one task side by side: the checks that each of them passed, and their turns, which differ after the
 * shared ones.
 */
import type { GroupView } from "../../../src/spec/studio/index.ts";
import type { ViewProps } from "../lib/address.ts";
import { buildCheckMatrix } from "../lib/align-rollouts.ts";
import { fileCrumbs } from "../lib/rollout-place.ts";
import { taskAddress } from "../lib/task-address.ts";
import { useApi } from "../lib/use-api.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { HiddenChecks } from "../parts/hidden-checks.tsx";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { RecordedText } from "../parts/recorded-text.tsx";
import { CheckMatrix } from "./group/check-matrix.tsx";
import { SideBySide } from "./group/side-by-side.tsx";
import "../style/group.css";

export function GroupPage({ address, names }: ViewProps) {
  const place = { run: names["run"]!, file: names["file"]! };
  const view = useApi<GroupView>(
    ["runs", place.run, "files", place.file, "groups", names["task"]!],
    address.query["checks"] === "1" ? { checks: "1" } : {},
  );
  return (
    <>
      <Crumbs crumbs={fileCrumbs(place)} />
      <h1>Group {names["task"]}</h1>
      <LoadedContent loaded={view}>
        {(group) => (
          <>
            <p class="instruction">
              <RecordedText text={group.task.instruction} />
            </p>
            <p>
              <a href={taskAddress([place.run], group.task.id)}>All rollouts of this task</a>
            </p>
            <h2>Checks</h2>
            {group.hidden ? (
              <HiddenChecks />
            ) : (
              <CheckMatrix place={place} group={group} rows={buildCheckMatrix(group.rollouts)} />
            )}
            <h2>Turns</h2>
            <SideBySide place={place} group={group} />
          </>
        )}
      </LoadedContent>
    </>
  );
}
