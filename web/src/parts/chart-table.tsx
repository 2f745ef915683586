/** The values of a chart as a table, with the newest steps first and a limit on the number of rows. */
import { formatCompact } from "../lib/format.ts";
import type { Line } from "../lib/series.ts";

const MAX_ROWS = 400;

export function ChartTable({
  title,
  xName,
  x,
  lines,
  format,
  onStep,
}: {
  readonly title: string;
  readonly xName: string;
  readonly x: readonly number[];
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  readonly onStep: ((x: number) => void) | undefined;
}) {
  const rowIndexes = x.map((_, i) => i).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <section class="scroll chart-table" tabIndex={0} aria-label={`${title}, values`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{xName}</th>
            {lines.map(({ name }) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowIndexes.slice(0, MAX_ROWS).map((i) => (
            <tr key={x[i]}>
              <th scope="row">
                {onStep ? (
                  <button type="button" class="step-link" onClick={() => onStep(x[i]!)}>
                    {formatCompact(x[i]!)}
                  </button>
                ) : (
                  formatCompact(x[i]!)
                )}
              </th>
              {lines.map(({ name, values }) => (
                <td key={name} class="number">
                  {values[i] === null || values[i] === undefined ? "–" : format(values[i])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rowIndexes.length > MAX_ROWS && (
        <p class="note">and {rowIndexes.length - MAX_ROWS} earlier steps</p>
      )}
    </section>
  );
}
