/** The changed rows. Content, which the checks compare, stands out from bookkeeping. */
import type { Change } from "../../../src/spec/studio/index.ts";
import { type FieldChange, listFieldChanges } from "../lib/field-changes.ts";
import { RecordedValue } from "./recorded-value.tsx";
import "../style/changes.css";

const KINDS = { insert: "added", update: "changed", remove: "removed" } as const;

export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <ul class="changes">
      {changes.map((change) => (
        <li key={`${change.table} ${change.id}`} class={change.content ? "" : "quiet"}>
          <span class={`kind ${change.kind}`}>{KINDS[change.kind]}</span>{" "}
          <code>
            {change.table} #{change.id}
          </code>
          {!change.content && <span class="soft"> bookkeeping</span>}
          <dl>
            {listFieldChanges(change).map((field) => (
              <ChangedField key={field.name} field={field} />
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function ChangedField({ field: { name, before, after } }: { readonly field: FieldChange }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {before !== undefined && (
          <del>
            <RecordedValue value={before} />
          </del>
        )}
        {before !== undefined && after !== undefined && <span aria-hidden="true"> → </span>}
        {after !== undefined && (
          <ins>
            <RecordedValue value={after} />
          </ins>
        )}
      </dd>
    </div>
  );
}
