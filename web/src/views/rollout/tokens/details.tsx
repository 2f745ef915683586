/** All recorded values of the selected token. */
import type { Turn } from "../../../../../src/spec/rollout.ts";
import type { TokenColumns } from "../../../../../src/spec/studio/index.ts";
import { COLUMN_DESCRIPTIONS, type ColumnName, readColumn } from "../../../lib/token-columns.ts";
import { RecordedText } from "../../../parts/recorded-text.tsx";
import { formatTokenNumber } from "./format-token-number.ts";

const SHOWN_COLUMNS: readonly ColumnName[] = [
  "sampled",
  "old",
  "current",
  "change",
  "gap",
  "ratio",
  "clipped",
  "advantage",
  "entropy",
];

interface DetailsProps {
  readonly row: TokenColumns;
  readonly token: number;
  readonly turns: readonly Turn[];
  readonly number: number;
}

export function TokenDetails({ row, token, turns, number }: DetailsProps) {
  const turn = turns.findIndex(
    ({ span, segment = 0 }) => span && segment === number && token >= span[0] && token < span[1],
  );
  const text = row.texts?.[token];
  return (
    <section class="card token-details" aria-label="Selected token" id="token-details">
      <dl>
        <Fact name="token">
          {text === undefined ? (
            "text not known"
          ) : (
            <code>
              <RecordedText text={JSON.stringify(text)} />
            </code>
          )}
        </Fact>
        <Fact name="id">{row.ids[token] ?? "–"}</Fact>
        <Fact name="position">
          {token.toLocaleString("en")} of {row.ids.length.toLocaleString("en")}
        </Fact>
        <Fact name="turn">{turn < 0 ? "context" : turn + 1}</Fact>
        <Fact name="mask">{row.mask[token] === 1 ? "1 (agent)" : "0"}</Fact>
        {SHOWN_COLUMNS.map((name) => (
          <Fact
            key={name}
            name={COLUMN_DESCRIPTIONS[name].name}
            title={COLUMN_DESCRIPTIONS[name].meaning}
          >
            <ColumnValue name={name} row={row} token={token} />
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function ColumnValue({
  name,
  row,
  token,
}: {
  readonly name: ColumnName;
  readonly row: TokenColumns;
  readonly token: number;
}) {
  const column = readColumn(name, row);
  if (column === null) return <span class="soft">not recorded</span>;
  const value = column[token];
  if (value === null || value === undefined) return <span class="soft">not an action</span>;
  if (name === "clipped") return <>{value ? "yes" : "no"}</>;
  return <>{formatTokenNumber(value)}</>;
}

function Fact({
  name,
  title,
  children,
}: {
  readonly name: string;
  readonly title?: string;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
