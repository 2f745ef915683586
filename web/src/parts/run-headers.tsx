/** A column header for each run. */
import { RecordedText } from "./recorded-text.tsx";

export function RunHeaders({ runs }: { readonly runs: readonly string[] }) {
  return (
    <>
      {runs.map((run) => (
        <th key={run} scope="col">
          <RecordedText text={run} />
        </th>
      ))}
    </>
  );
}
