/** A list of checks, with what was expected of those that failed, and remarks on others. */
import type { StateView } from "../../../src/spec/studio/index.ts";
import { RecordedText } from "./recorded-text.tsx";

export function CheckList({ checks }: { readonly checks: NonNullable<StateView["checks"]> }) {
  return (
    <ul class="plain check-list">
      {checks.map(({ name, passed, detail }) => (
        <li key={name}>
          <span class={passed ? "up" : "down"}>{passed ? "✓ passed" : "✗ failed"}</span>{" "}
          <RecordedText text={name} />
          {detail !== undefined && (
            <div class="soft">
              <RecordedText text={detail} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
