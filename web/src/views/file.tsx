/** The groups of one file of rollouts. */
import { buildAddress, type ViewProps } from "../lib/address.ts";
import { useLive } from "../lib/use-live.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { FileGroups } from "../parts/file-groups.tsx";
import { RecordedText } from "../parts/recorded-text.tsx";

export function FilePage({ address, names }: ViewProps) {
  const run = names["run"]!;
  const file = names["file"]!;
  const live = useLive(run);
  return (
    <>
      <Crumbs
        crumbs={[
          { name: "Runs", href: "#/" },
          { name: run, href: buildAddress(["runs", run]) },
          { name: "Rollouts", href: buildAddress(["explore"], { run }) },
        ]}
      />
      <h1>
        <RecordedText text={file} />
      </h1>
      <FileGroups {...{ run, file, query: address.query }} version={live.changed.rollouts} />
    </>
  );
}
