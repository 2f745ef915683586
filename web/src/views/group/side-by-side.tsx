/**
 * A table with rollouts in columns and turns in rows. Turns that are equal in all rollouts are shown only once, in a
 * section that can be opened.
 */
import type { Turn } from "../../../../src/spec/rollout.ts";
import type { GroupView, RolloutRow } from "../../../../src/spec/studio/index.ts";
import { type AlignedRow, alignRollouts } from "../../lib/align-rollouts.ts";
import { formatDecimals, pluralize } from "../../lib/format.ts";
import { type FilePlace, rolloutAddress } from "../../lib/rollout-place.ts";
import { OutcomeBadge } from "../../parts/outcome.tsx";
import { TurnBody, TurnMark } from "../../parts/turn.tsx";

interface SideProps {
  readonly place: FilePlace;
  readonly group: GroupView;
}

export function SideBySide({ place, group }: SideProps) {
  const { shared, rows } = alignRollouts(group);
  const { rollouts, differAt } = group;
  if (rollouts.length === 0) return <p class="note">There is no rollout of this task yet.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <section class="scroll beside" aria-label="Rollouts side by side" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden-word">Turn</span>
            </th>
            {rollouts.map(({ row }) => (
              <RolloutHead key={row.id} place={place} row={row} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shared.length > 0 && <SharedRow turns={shared} columns={rollouts.length} />}
          {rows.map((row) => (
            <TurnRow
              key={row.turn}
              row={row}
              first={row.turn === differAt}
              place={place}
              ids={rollouts.map(({ row: { id } }) => id)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RolloutHead({ place, row }: { readonly place: FilePlace; readonly row: RolloutRow }) {
  const { id, index, reward, advantage, turns, sampled } = row;
  const paid = row.return ?? reward;
  return (
    <th scope="col" class="rollout-head">
      <a href={rolloutAddress({ ...place, rollout: id })}>
        #{index} <span class="soft">{id}</span>
      </a>{" "}
      <OutcomeBadge row={row} />
      <dl>
        <Fact name="return" value={paid === undefined ? "–" : formatDecimals(paid, 2)} />
        <Fact
          name="advantage"
          value={advantage === undefined ? "not recorded" : formatDecimals(advantage, 2)}
        />
        <Fact name="turns" value={String(turns)} />
        <Fact name="tokens" value={sampled.toLocaleString("en")} />
      </dl>
    </th>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function SharedRow({
  turns,
  columns,
}: {
  readonly turns: readonly Turn[];
  readonly columns: number;
}) {
  return (
    <tr class="shared">
      <th scope="row">{turns.length === 1 ? "1" : `1–${turns.length}`}</th>
      <td colSpan={columns}>
        <details>
          <summary>{pluralize(turns.length, "turn")}, equal in all rollouts</summary>
          <ol class="plain">
            {turns.map((turn, i) => (
              <li key={i}>
                <TurnBody turn={turn} />
              </li>
            ))}
          </ol>
        </details>
      </td>
    </tr>
  );
}

interface TurnRowProps {
  readonly row: AlignedRow;
  readonly first: boolean;
  readonly place: FilePlace;
  readonly ids: readonly string[];
}

function TurnRow({ row: { turn, cells }, first, place, ids }: TurnRowProps) {
  const kinds = new Set(cells.map((cell) => cell?.variant)).size;
  return (
    <tr class={first ? "parting" : undefined}>
      <th scope="row">
        {turn + 1}
        {first && <span class="badge">the rollouts differ from here on</span>}
      </th>
      {cells.map((cell, i) => (
        <td key={ids[i]}>
          {cell ? (
            <>
              <p class="cell-head">
                <a href={rolloutAddress({ ...place, rollout: ids[i]! }, { turn })}>
                  turn {turn + 1}
                  <span class="hidden-word"> of rollout {ids[i]}</span>
                </a>{" "}
                {kinds > 1 && (
                  <span class={`way way-${cell.variant % 6}`}>
                    variant {"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[cell.variant] ?? cell.variant + 1}
                  </span>
                )}{" "}
                <TurnMark turn={cell.turn} />
              </p>
              <TurnBody turn={cell.turn} />
            </>
          ) : (
            <span class="soft">ended</span>
          )}
        </td>
      ))}
    </tr>
  );
}
