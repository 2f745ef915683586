/** A table of a task's checks with their results. Failed checks stand out. */
import type { StateView } from "../../../src/spec/studio/index.ts";
import { RecordedText } from "./recorded-text.tsx";
import "../style/checks.css";

export function CheckTable({ checks }: { readonly checks: NonNullable<StateView["checks"]> }) {
  if (checks.length === 0) return <p class="note">No checks were run.</p>;
  return (
    <div class="scroll">
      <table class="checks">
        <thead>
          <tr>
            <th scope="col">Result</th>
            <th scope="col">Check</th>
            <th scope="col">Kind</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {checks.map(({ name, label, passed, detail }) => (
            <tr key={name}>
              <td class={passed ? "up" : "down"}>{passed ? "✓ passed" : "✗ failed"}</td>
              <td>
                <RecordedText text={name} />
              </td>
              <td class="soft">{label}</td>
              <td>{detail !== undefined && <RecordedText text={detail} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
