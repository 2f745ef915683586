/**
 * One rollout: its record and who stands beside it; and, asked for apart since they are most of it, its rows of tokens as
 * columns of equal length, with what the trainer recorded of each.
 *
 * Notes count positions over all rows end to end (as learning sees a rollout); here they are cut apart again.
 */
import type { Rollout, RolloutNotes, RolloutTokens } from "../../../spec/index.ts";
import type { RolloutTokensView, RolloutView, TokenColumns } from "../../../spec/studio/index.ts";
import { isHidden, withoutChecks } from "../world-views.ts";
import type { RunPlace } from "./find-runs.ts";
import { inOrder, rowsOf } from "./groups.ts";
import { turnsOnly } from "./parse-rollout.ts";
import type { RolloutIndex } from "./rollout-index.ts";
import type { RunFile } from "./run-files.ts";
import { positionOf, type Runs, rolloutAt } from "./runs.ts";
import type { TextsOf } from "./token-texts.ts";

/** `asked`: also for the checks of test splits. */
export async function rolloutView(
  runs: Runs,
  place: RunPlace,
  file: RunFile,
  id: string,
  asked: boolean,
): Promise<RolloutView> {
  const index = await runs.indexes.of(file);
  const at = positionOf(file, index, id);
  const rollout = await rolloutAt(file, index, at, turnsOnly);
  const hidden = isHidden(rollout.task.split) && !asked;
  const rowOf = await rowsOf(runs, place, file, index);
  return {
    file: file.name,
    row: rowOf(at),
    rollout: hidden ? withoutChecks(rollout) : rollout,
    hidden,
    ...neighbours(index, at),
  };
}

export async function rolloutTokens(
  runs: Runs,
  place: RunPlace,
  file: RunFile,
  id: string,
  textsOf: TextsOf,
): Promise<RolloutTokensView> {
  const { rollout } = await runs.rollout(file, id, { tokens: true });
  const texts = await textsOf(place);
  const noteOf = (one: string) => runs.notes.of(place, file, one);
  const rows = columnsOf(rollout, await noteOf(id), texts);
  // Learning takes each of the cast as a rollout of its own, of this name.
  for (const { role, tokens } of rollout.cast ?? []) {
    const [row] = columnsOf({ tokens }, await noteOf(`${id}/${role}`), texts);
    if (row) rows.push({ role, ...row });
  }
  return { rows };
}

/** In the order in which the file's groups list them. */
function neighbours(
  index: RolloutIndex,
  at: number,
): Pick<RolloutView, "previous" | "next" | "group"> {
  const groups = index.groups().map((members) => inOrder(index, members));
  const listed = groups.flat();
  const here = listed.indexOf(at);
  const idAt = (position: number) => {
    const found = listed[position];
    return found === undefined ? null : index.ids[found]!;
  };
  const own = groups[index.number(at, "task")]!;
  return {
    previous: here > 0 ? idAt(here - 1) : null,
    next: idAt(here + 1),
    group: own.filter((one) => one !== at).map((one) => index.ids[one]!),
  };
}

function columnsOf(
  { tokens, segments = [] }: Pick<Rollout, "tokens" | "segments">,
  note: RolloutNotes | undefined,
  texts: ((ids: readonly number[]) => string[]) | undefined,
): TokenColumns[] {
  if (tokens === undefined) return [];
  let start = 0;
  return [tokens, ...segments].map((row) => {
    const columns = rowColumns(row, start, note, texts);
    start += row.ids.length;
    return columns;
  });
}

function rowColumns(
  { ids, mask, logprobs }: RolloutTokens,
  start: number,
  note: RolloutNotes | undefined,
  texts: ((ids: readonly number[]) => string[]) | undefined,
): TokenColumns {
  return {
    ids,
    texts: texts ? texts(ids) : null,
    mask,
    sampled: logprobs,
    recorded: note && note.at.length > 0 ? recordedOf(note, start, ids.length) : null,
  };
}

/** A column of null but where something was recorded. */
function recordedOf(note: RolloutNotes, start: number, length: number): TokenColumns["recorded"] {
  const spread = <T>(values: readonly T[]): (T | null)[] => {
    const column = new Array<T | null>(length).fill(null);
    note.at.forEach((position, i) => {
      const at = position - start;
      if (at >= 0 && at < length) column[at] = values[i] ?? null;
    });
    return column;
  };
  const { advantage, advantages, ratios, old, current, clipped, entropies } = note;
  return {
    advantage,
    ...(advantages && { advantages: spread(advantages) }),
    ratio: spread(ratios),
    old: old ? spread(old) : null,
    current: current ? spread(current) : null,
    clipped: clipped ? spread(clipped) : null,
    entropy: entropies ? spread(entropies) : null,
  };
}
