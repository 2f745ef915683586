/** What the rollouts that match did less and more: APIs, statuses, failed checks and outcomes. */
import type { ExploredUse } from "../../../../src/spec/studio/index.ts";
import { buildAddress } from "../../lib/address.ts";
import { formatInterval, formatPercent, formatPoints, pluralize } from "../../lib/format.ts";
import { formatTerm, toggleTerm } from "../../lib/query-text.ts";
import { RecordedText } from "../../parts/recorded-text.tsx";
import { ScrollFrame } from "../../parts/scroll-frame.tsx";

type Comparison = NonNullable<ExploredUse["comparison"]>;
type Change = Comparison["changes"][number];

export function UseRows({
  answer: { comparison },
  runs,
  query,
}: {
  readonly answer: ExploredUse;
  readonly runs: readonly string[];
  readonly query: string;
}) {
  if (!comparison)
    return (
      <p class="note">
        There is nothing to compare: the rollouts that match have neither evaluations before and
        after training nor several iterations.
      </p>
    );
  const { early, late, changes } = comparison;
  const isClear = ({ interval: [low, high] }: Change) => low > 0 || high < 0;
  const shown = [...changes].sort((a, b) => Number(isClear(b)) - Number(isClear(a)));
  const parts = { ...comparison, runs, query };
  return (
    <>
      <p class="note">
        The share of rollouts in which each of these occurs, {early.name} (
        {pluralize(early.rollouts, "rollout")}) and {late.name} (
        {pluralize(late.rollouts, "rollout")}). Intervals are 95% and treat rollouts as independent.
      </p>
      <UseTable title="Less often" rows={shown.filter(({ change }) => change < 0)} {...parts} />
      <UseTable
        title="More often"
        rows={shown.filter(({ change }) => change > 0).sort((a, b) => b.change - a.change)}
        {...parts}
      />
    </>
  );
}

const FIELD_NAMES: Readonly<Record<string, string>> = { check: "failed check", api: "API" };

function UseTable({
  title,
  rows,
  early,
  late,
  runs,
  query,
}: {
  readonly title: string;
  readonly rows: readonly Change[];
  readonly runs: readonly string[];
  readonly query: string;
} & Pick<Comparison, "early" | "late">) {
  if (rows.length === 0) return null;
  const share = (count: number, all: number) => `${formatPercent(count / all)}% (${count})`;
  return (
    <section>
      <h2>{title}</h2>
      <ScrollFrame class="explore-table explore-changes" label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Kind</th>
              <th scope="col" class="number">
                {early.name}
              </th>
              <th scope="col" class="number">
                {late.name}
              </th>
              <th scope="col" class="number">
                Change in points
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const term = formatTerm(row.field, row.value);
              return (
                <tr key={term}>
                  <th scope="row">
                    <a href={buildAddress(["explore"], { run: runs, q: toggleTerm(query, term) })}>
                      <RecordedText text={row.value} />
                    </a>
                  </th>
                  <td class="soft">{FIELD_NAMES[row.field] ?? row.field}</td>
                  <td class="number">{share(row.early, early.rollouts)}</td>
                  <td class="number">{share(row.late, late.rollouts)}</td>
                  <td class="number">
                    {formatPoints(row.change)} {formatInterval(row.interval)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollFrame>
    </section>
  );
}
