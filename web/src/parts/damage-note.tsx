/** A warning about lines of a run's files that cannot be read, with what to do. */
import type { Damage } from "../../../src/spec/studio/index.ts";
import { pluralize } from "../lib/format.ts";
import { useApi } from "../lib/use-api.ts";
import { RecordedText } from "./recorded-text.tsx";

export function DamageNote({ run }: { readonly run: string }) {
  const files = useApi<Damage>(["runs", run, "damage"]).value?.files ?? [];
  if (files.length === 0) return null;
  return (
    <section class="alarms" aria-label="Damaged files">
      <h2>
        <span aria-hidden="true">⚠ </span>
        {pluralize(files.length, "file")} cannot be read completely
      </h2>
      <ul>
        {files.map(({ file, unreadable, readable, torn }) => (
          <li key={file}>
            <code>
              <RecordedText text={file} />
            </code>
            : {describeLines(unreadable, torn)}; {pluralize(readable, "line")} can be
          </li>
        ))}
      </ul>
      <p>
        Numbers and lists on these pages leave these lines out. If the run is a copy, copy the files
        again. Otherwise the lines are lost; the weights are not affected.
      </p>
    </section>
  );
}

function describeLines(unreadable: number, torn: boolean): string {
  const parts = [
    ...(unreadable > 0 ? [`${pluralize(unreadable, "line")} cannot be read`] : []),
    ...(torn ? ["it ends in the middle of a line"] : []),
  ];
  return parts.join(", and ");
}
