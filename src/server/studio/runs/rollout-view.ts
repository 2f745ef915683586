/**
 * Builds the view of one rollout with its neighbours, and separately, because they are most of its data, its token rows
 * as columns of equal length with what the trainer recorded about each token.
 *
 * Notes count positions over all rows of a rollout, as the learner does; here they are assigned to each row again.
 */
import type { Rollout, RolloutNotes, RolloutTokens } from "../../../spec/index.ts";
import type { RolloutTokensView, RolloutView, TokenColumns } from "../../../spec/studio/index.ts";
import { hidesChecks, removeChecks } from "../world-views.ts";
import type { RunLocation } from "./find-runs.ts";
import { prepareRowBuilder, sortByIndex } from "./groups.ts";
import { parseWithoutTokens } from "./parse-rollout.ts";
import type { RolloutIndex } from "./rollout-index.ts";
import type { RunFile } from "./run-files.ts";
import { findRolloutPosition, type Runs, readRolloutAt } from "./runs.ts";
import type { LoadTokenDecoder } from "./token-decoder.ts";

export async function buildRolloutView(
  runs: Runs,
  location: RunLocation,
  file: RunFile,
  id: string,
  includeHiddenChecks: boolean,
): Promise<RolloutView> {
  const index = await runs.indexes.load(file);
  const at = findRolloutPosition(file, index, id);
  const rollout = await readRolloutAt(file, index, at, parseWithoutTokens);
  const hidden = hidesChecks(rollout.task.split) && !includeHiddenChecks;
  const buildRow = await prepareRowBuilder(runs, location, file, index);
  return {
    file: file.name,
    row: buildRow(at),
    rollout: hidden ? removeChecks(rollout) : rollout,
    hidden,
    ...findNeighbours(index, at),
  };
}

export async function buildTokensView(
  runs: Runs,
  location: RunLocation,
  file: RunFile,
  id: string,
  loadTokenDecoder: LoadTokenDecoder,
): Promise<RolloutTokensView> {
  const { rollout } = await runs.readRollout(file, id, { tokens: true });
  const decodeTokens = await loadTokenDecoder(location);
  const readNotesOf = (rolloutId: string) => runs.notes.readNotes(location, file, rolloutId);
  const rows = buildTokenColumns(rollout, await readNotesOf(id), decodeTokens);
  // The learner treats each other role of the rollout as a separate rollout with this id.
  for (const { role, tokens } of rollout.cast ?? []) {
    const [row] = buildTokenColumns({ tokens }, await readNotesOf(`${id}/${role}`), decodeTokens);
    if (row) rows.push({ role, ...row });
  }
  return { rows };
}

/** Finds the previous and the next rollout in the order of the file's groups, and the others of its group. */
function findNeighbours(
  index: RolloutIndex,
  at: number,
): Pick<RolloutView, "previous" | "next" | "group"> {
  const groups = index.groups().map((members) => sortByIndex(index, members));
  const listed = groups.flat();
  const here = listed.indexOf(at);
  const idAt = (position: number) => {
    const found = listed[position];
    return found === undefined ? null : index.ids[found]!;
  };
  const own = groups[index.getNumber(at, "task")]!;
  return {
    previous: here > 0 ? idAt(here - 1) : null,
    next: idAt(here + 1),
    group: own.filter((one) => one !== at).map((one) => index.ids[one]!),
  };
}

function buildTokenColumns(
  { tokens, segments = [] }: Pick<Rollout, "tokens" | "segments">,
  note: RolloutNotes | undefined,
  decodeTokens: ((ids: readonly number[]) => string[]) | undefined,
): TokenColumns[] {
  if (tokens === undefined) return [];
  let start = 0;
  return [tokens, ...segments].map((row) => {
    const columns = buildRowColumns(row, start, note, decodeTokens);
    start += row.ids.length;
    return columns;
  });
}

function buildRowColumns(
  { ids, mask, logprobs }: RolloutTokens,
  start: number,
  note: RolloutNotes | undefined,
  decodeTokens: ((ids: readonly number[]) => string[]) | undefined,
): TokenColumns {
  return {
    ids,
    texts: decodeTokens ? decodeTokens(ids) : null,
    mask,
    sampled: logprobs,
    recorded: note && note.at.length > 0 ? buildRecordedColumns(note, start, ids.length) : null,
  };
}

/** Builds columns that are null wherever nothing was recorded. */
function buildRecordedColumns(
  note: RolloutNotes,
  start: number,
  length: number,
): TokenColumns["recorded"] {
  const spreadOverRow = <T>(values: readonly T[]): (T | null)[] => {
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
    ...(advantages && { advantages: spreadOverRow(advantages) }),
    ratio: spreadOverRow(ratios),
    old: old ? spreadOverRow(old) : null,
    current: current ? spreadOverRow(current) : null,
    clipped: clipped ? spreadOverRow(clipped) : null,
    entropy: entropies ? spreadOverRow(entropies) : null,
  };
}
