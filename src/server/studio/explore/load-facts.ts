/**
 * Loads the facts of the rollouts of a file: from the facts that the trainer stored beside it, or else by scanning the
 * file. They are cached until the file or the notes about it change.
 */
import { dirname, join } from "node:path";
import { addFirstDifferences, collectFacts, listCalls, placeFacts } from "../../../algo/index.ts";
import type { RolloutFacts, StoredFacts } from "../../../spec/index.ts";
import { storedFactsSchema } from "../../../spec/index.ts";
import { describesFile, factsFileName } from "../../../train/index.ts";
import {
  computeFingerprint,
  forEachLine,
  parseWithoutTokens,
  type RunFile,
  type RunLocation,
  type Runs,
  scanRollout,
  withFile,
} from "../runs/index.ts";

/** A rollout with its place in the file, in bytes. */
export interface PlacedFacts {
  readonly facts: RolloutFacts;
  readonly at: StoredFacts["at"];
}

export type LoadFacts = (location: RunLocation, file: RunFile) => Promise<readonly PlacedFacts[]>;

/** The facts of a hundred thousand rollouts take about fifty million bytes. */
const MAX_CACHED_ROLLOUTS = 120_000;

export function createFactsLoader(runs: Runs): LoadFacts {
  const cache = new Map<
    string,
    { fingerprint: string; loading: Promise<readonly PlacedFacts[]>; size: number }
  >();
  const evictOld = () => {
    let total = [...cache.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [path, { size }] of cache) {
      if (total <= MAX_CACHED_ROLLOUTS || cache.size === 1) return;
      cache.delete(path);
      total -= size;
    }
  };
  return async (location, file) => {
    const notes = runs.notes.fingerprint(location, file);
    const fingerprint = `${computeFingerprint(runs.folder.inspect(file.path))} ${notes}`;
    const known = cache.get(file.path);
    cache.delete(file.path);
    const entry =
      known?.fingerprint === fingerprint
        ? known
        : { fingerprint, loading: readFacts(runs, location, file), size: 0 };
    cache.set(file.path, entry);
    const facts = await entry.loading;
    entry.size = facts.length;
    evictOld();
    return facts;
  };
}

async function readFacts(
  runs: Runs,
  location: RunLocation,
  file: RunFile,
): Promise<readonly PlacedFacts[]> {
  const stored = (await readStored(runs, file)) ?? (await scanFacts(runs, file));
  const noted = await runs.notes.readAdvantages(location, file);
  const place = { run: location.id, file: file.name };
  return stored.map(({ at, ...facts }) => ({
    at,
    facts: placeFacts(facts, place, noted.get(facts.id)),
  }));
}

/** Returns a function that lets equal parts of facts be one object. Most rollouts of a file have the same parts. */
function createSharer(): (facts: StoredFacts) => StoredFacts {
  const known = new Map<string, unknown>();
  const share = <T>(value: T): T => {
    const key = JSON.stringify(value);
    if (!known.has(key)) known.set(key, value);
    return known.get(key) as T;
  };
  return (facts) => ({
    ...facts,
    task: share(facts.task),
    statuses: share(facts.statuses),
    apis: share(facts.apis),
    failedChecks: share(facts.failedChecks),
    passedChecks: share(facts.passedChecks),
    has: share(facts.has),
  });
}

/** Reads the facts that are stored beside the file. Returns undefined if they are not those of the file as it is. */
async function readStored(runs: Runs, file: RunFile): Promise<StoredFacts[] | undefined> {
  const found = runs.folder.inspect(file.path);
  if (found.kind !== "file" || !file.whole) return undefined;
  const rows: StoredFacts[] = [];
  const share = createSharer();
  await withFile(runs.folder, join(dirname(file.path), factsFileName(file.name)), (opened) =>
    forEachLine(opened, 0, (bytes, start, end) => {
      const row = parseFacts(bytes.toString("utf8", start, end));
      if (row) rows.push(share(row));
    }),
  );
  return rows.length > 0 && describesFile(rows, found.size) ? rows : undefined;
}

function parseFacts(line: string): StoredFacts | undefined {
  try {
    const parsed = storedFactsSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

async function scanFacts(runs: Runs, file: RunFile): Promise<StoredFacts[]> {
  const rows: { facts: StoredFacts; calls: string[] }[] = [];
  const share = createSharer();
  await withFile(runs.folder, file.path, (opened) =>
    forEachLine(opened, 0, (bytes, start, end, offset) => {
      const rollout = parseWithoutTokens(bytes, start, end);
      if (rollout === undefined) return;
      const { sampled } = scanRollout(bytes, start, end);
      const facts = collectFacts(rollout, file.reward);
      const has = sampled > 0 ? (["tokens", ...facts.has] as const) : facts.has;
      rows.push({
        facts: share({ ...facts, at: [offset, end - start], tokens: sampled, has: [...has] }),
        calls: listCalls(rollout),
      });
    }),
  );
  return addFirstDifferences(rows);
}
