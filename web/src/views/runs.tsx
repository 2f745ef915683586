/** The table of runs. */
import type { RunList } from "../../../src/spec/studio/index.ts";
import { useApi } from "../lib/use-api.ts";
import { Shown } from "../parts/shown.tsx";

export function Runs() {
  const runs = useApi<RunList>(["runs"]);
  return (
    <>
      <h1>Runs</h1>
      <Shown of={runs}>{({ runs }) => <p>{runs.length} runs</p>}</Shown>
    </>
  );
}
