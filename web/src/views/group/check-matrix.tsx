/** A table of the checks that each rollout passed, with one row for each check and one column for each rollout. */
import type { GroupView } from "../../../../src/spec/studio/index.ts";
import type { CheckRow } from "../../lib/align-rollouts.ts";
import { type FilePlace, rolloutAddress } from "../../lib/rollout-place.ts";
import { RecordedText } from "../../parts/recorded-text.tsx";

export function CheckMatrix({
  place,
  group: { rollouts },
  rows,
}: {
  readonly place: FilePlace;
  readonly group: GroupView;
  readonly rows: readonly CheckRow[];
}) {
  if (rows.length === 0) return <p class="note">No rollout of this group was evaluated.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <section class="scroll matrix" aria-label="Checks by rollout" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Check</th>
            {rollouts.map(({ row }) => (
              <th key={row.id} scope="col" class="cell">
                <a href={rolloutAddress({ ...place, rollout: row.id }, { tab: "state" })}>
                  #{row.index}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, label, passed }) => (
            <tr key={name}>
              <th scope="row">
                <RecordedText text={name} /> <span class="soft">{label}</span>
              </th>
              {passed.map((one, i) => (
                <td key={i} class="cell">
                  <CheckMark passed={one} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function CheckMark({ passed }: { readonly passed: boolean | undefined }) {
  if (passed === undefined) return <span class="soft">–</span>;
  return (
    <span class={passed ? "up" : "down"} role="img" aria-label={passed ? "passed" : "failed"}>
      {passed ? "✓" : "✗"}
    </span>
  );
}
