/** The values of fields among the rollouts that match. A click adds a value to the query, or removes it. */
import type { Facet } from "../../../../src/spec/studio/index.ts";
import { replaceQuery } from "../../lib/address.ts";
import { formatTerm, hasTerm, toggleTerm } from "../../lib/query-text.ts";
import { RecordedText } from "../../parts/recorded-text.tsx";

const NAMES: Readonly<Record<string, string>> = {
  check: "failed check",
  api: "API",
  differs: "first other call than the best",
};

export function Facets({
  query,
  facets,
}: {
  readonly query: string;
  readonly facets: readonly Facet[];
}) {
  const shown = facets.filter(({ values }) => values.length > 0);
  // On a narrow screen, open lists would push the rollouts out of sight.
  const isWide = matchMedia("(min-width: 981px)").matches;
  return (
    <aside class="facets" aria-label="Narrow the query">
      {shown.map(({ field, values, more }) => (
        <details key={field} open={isWide}>
          <summary>{NAMES[field] ?? field}</summary>
          <ul class="plain">
            {values.map(({ value, rollouts }) => (
              <li key={value}>
                <FacetValue {...{ query, field, value, rollouts }} />
              </li>
            ))}
          </ul>
          {more > 0 && <p class="soft">and {more} more</p>}
        </details>
      ))}
    </aside>
  );
}

function FacetValue({
  query,
  field,
  value,
  rollouts,
}: {
  readonly query: string;
  readonly field: string;
  readonly value: string;
  readonly rollouts: number;
}) {
  const term = formatTerm(field, value);
  return (
    <button
      type="button"
      aria-pressed={hasTerm(query, term)}
      onClick={() =>
        replaceQuery({ q: toggleTerm(query, term) || undefined, open: undefined, limit: undefined })
      }
    >
      <RecordedText text={value} />
      <span class="soft">{rollouts}</span>
    </button>
  );
}
