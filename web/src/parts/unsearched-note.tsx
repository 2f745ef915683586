/** Says which folders were not searched for runs, and what to do. */
import type { RunList } from "../../../src/spec/studio/index.ts";
import { pluralize } from "../lib/format.ts";
import { RecordedText } from "./recorded-text.tsx";

export function UnsearchedNote({ unsearched }: Pick<RunList, "unsearched">) {
  if (unsearched === undefined) return null;
  const { depth, deepRuns, deepRunCount, folders, stopped } = unsearched;
  const [first = ""] = deepRuns;
  return (
    <footer class="note unsearched">
      {deepRunCount > 0 && (
        <p>
          {pluralize(deepRunCount, "run")} not listed, because the studio searches {depth} levels of
          folders and {deepRunCount === 1 ? "it lies" : "they lie"} deeper:{" "}
          <RecordedText text={deepRuns.join(", ")} />
          {deepRunCount > deepRuns.length && ", …"}. Open the studio nearer to them: run{" "}
          <code>bowline studio</code> with the folder{" "}
          <code>
            <RecordedText text={first.slice(0, first.lastIndexOf("/"))} />
          </code>{" "}
          of this one.
        </p>
      )}
      {folders > 0 && (
        <p>
          {pluralize(folders, "folder")} deeper than {depth} levels {folders === 1 ? "was" : "were"}{" "}
          not searched. If runs are there, open the studio on a folder nearer to them.
        </p>
      )}
      {stopped && (
        <p>
          The search ended early, because there are too many folders here, so runs may be missing.
          Open the studio on the folder of the runs.
        </p>
      )}
    </footer>
  );
}
