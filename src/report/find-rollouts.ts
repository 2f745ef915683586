/**
 * Answers a query from run directories. It reads their rollouts file by file, and keeps only facts.
 *
 * Rollouts of an unfinished iteration stand in the run's journal, and are found there.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  addFirstDifferences,
  asksForText,
  collectFacts,
  compareFileNames,
  listCalls,
  matchesFacts,
  matchesText,
  type NotedCredit,
  parseFileName,
  parseQuery,
  placeFacts,
} from "../algo/index.ts";
import { listNames, readFittingLines } from "../core/index.ts";
import {
  type Rollout,
  type RolloutFacts,
  rolloutNotesSchema,
  rolloutSchema,
  type StoredFacts,
} from "../spec/index.ts";
import { readRunRecord, readStoredFacts, rewardOfConfig } from "../train/index.ts";
import { requireRun } from "./run-directory.ts";

/** What a query found. */
export interface QueryResult {
  readonly query: string;
  /** How many rollouts the runs have. */
  readonly total: number;
  /** The rollouts that match, by run in the order given, then training by iteration, then evaluations. */
  readonly rollouts: readonly RolloutFacts[];
}

/**
 * Returns the rollouts of the runs that match the query (see `parseQuery`). Lines that are not rollouts are skipped.
 * Throws a `config` error for a query that cannot be read and for a directory that is not a run.
 */
export function findRollouts(runs: readonly string[], query: string): QueryResult {
  const parsed = parseQuery(query);
  for (const run of runs) requireRun(run);
  const rollouts: RolloutFacts[] = [];
  let total = 0;
  for (const run of runs) {
    for (const { facts, rollout } of readRunFacts(run, asksForText(parsed))) {
      total += 1;
      if (!matchesFacts(parsed, facts)) continue;
      if (rollout === undefined || matchesText(parsed, rollout)) rollouts.push(facts);
    }
  }
  return { query, total, rollouts };
}

interface ReadFacts {
  readonly facts: RolloutFacts;
  /** The rollout itself; undefined if its facts were stored and its text is not needed. */
  readonly rollout?: Rollout;
}

/** Reads the facts of a run's rollouts, one file at a time. Facts that are not stored are computed. */
function* readRunFacts(run: string, needsText: boolean): Generator<ReadFacts> {
  const reward = rewardOfConfig(readRunRecord(run).config);
  for (const { file, folder } of listRolloutFiles(run)) {
    const credits = readCredits(run, file);
    const place = (facts: Omit<StoredFacts, "at">) =>
      placeFacts(facts, { run, file }, credits.get(facts.id));
    const stored = needsText ? undefined : readStoredFacts(folder, file);
    if (stored) for (const { at: _, ...facts } of stored) yield { facts: place(facts) };
    else {
      const rollouts = readFittingLines(join(folder, `${file}.jsonl`), rolloutSchema);
      const computed = addFirstDifferences(
        rollouts.map((one) => ({ facts: collectFacts(one, reward), calls: listCalls(one) })),
      );
      for (const [i, rollout] of rollouts.entries()) yield { facts: place(computed[i]!), rollout };
    }
  }
}

/** Lists whole files, and journals of files that are not whole yet. */
function listRolloutFiles(run: string): { readonly file: string; readonly folder: string }[] {
  const listFolder = (folder: string) =>
    (existsSync(join(run, folder)) ? listNames(join(run, folder)) : []).flatMap((name) => {
      const file = name.endsWith(".jsonl") ? name.slice(0, -".jsonl".length) : "";
      return parseFileName(file) ? [{ file, folder: join(run, folder) }] : [];
    });
  const whole = listFolder("rollouts");
  const names = new Set(whole.map(({ file }) => file));
  const growing = listFolder("journal").filter(({ file }) => !names.has(file));
  return [...whole, ...growing].sort((a, b) => compareFileNames(a.file, b.file));
}

function readCredits(run: string, file: string): ReadonlyMap<string, NotedCredit> {
  const name = `${file.replace(/^train-/, "notes-")}.jsonl`;
  if (name === `${file}.jsonl`) return new Map();
  const notes = readFittingLines(join(run, "rollouts", name), rolloutNotesSchema);
  return new Map(notes.map((note) => [note.id, note]));
}
