/** Rows that are not what they were. What counts for the checks stands out; bookkeeping is quiet. */
import type { Change } from "../../../src/spec/studio/index.ts";
import { type FieldChange, listFieldChanges } from "../lib/field-changes.ts";
import { Value } from "./value.tsx";
import "../style/changes.css";

const KINDS = { insert: "added", update: "changed", remove: "removed" } as const;

export function Changes({ of: changes }: { readonly of: readonly Change[] }) {
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
              <ChangedField key={field.name} of={field} />
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function ChangedField({ of: { name, before, after } }: { readonly of: FieldChange }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {before !== undefined && (
          <del>
            <Value of={before} />
          </del>
        )}
        {before !== undefined && after !== undefined && <span aria-hidden="true"> → </span>}
        {after !== undefined && (
          <ins>
            <Value of={after} />
          </ins>
        )}
      </dd>
    </div>
  );
}
