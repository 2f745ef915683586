/**
 * Finds what cannot be read of a run: lines of its rollout files and of `metrics.jsonl` that hold something else, and
 * files that end in the middle of a line. A run in training still writes its journal and its metrics, so an incomplete
 * last line counts only where nobody writes.
 */
import { join } from "node:path";
import { giveWay } from "../../../core/index.ts";
import type { Damage } from "../../../spec/studio/index.ts";
import type { RunLocation } from "./find-runs.ts";
import { forEachLine, parseObjectLine } from "./json-lines.ts";
import type { Runs } from "./runs.ts";
import { withFile } from "./studio-folder.ts";

type DamagedFile = Damage["files"][number];

/** Reads every file of the run whose lines are not known yet. */
export async function findDamage(runs: Runs, location: RunLocation): Promise<Damage> {
  if (location.problem !== undefined) return { files: [] };
  const isWritten = (await runs.readRow(location)).status === "running";
  const files: DamagedFile[] = [];
  const metrics = await checkMetrics(runs, location);
  if (metrics) files.push({ ...metrics, torn: metrics.torn && !isWritten });
  for (const file of await runs.listFiles(location)) {
    await giveWay();
    const index = await runs.indexes.load(file);
    const found = runs.folder.inspect(file.path);
    const torn = found.kind === "file" && index.end < found.size && (file.whole || !isWritten);
    files.push({
      file: `${file.whole ? "rollouts" : "journal"}/${file.name}.jsonl`,
      unreadable: index.foreignLines,
      readable: index.size,
      torn,
    });
  }
  return { files: files.filter(({ unreadable, torn }) => unreadable > 0 || torn) };
}

/** Returns undefined if the run has no metrics yet. */
async function checkMetrics(
  runs: Runs,
  { directory }: RunLocation,
): Promise<DamagedFile | undefined> {
  const file = "metrics.jsonl";
  return withFile(runs.folder, join(directory, file), async (opened, sizeBytes) => {
    const counts = { unreadable: 0, readable: 0 };
    const end = await forEachLine(opened, 0, (bytes, start, stop) => {
      const isObject = parseObjectLine(bytes.toString("utf8", start, stop)).length > 0;
      counts[isObject ? "readable" : "unreadable"] += 1;
    });
    return { file, ...counts, torn: end < sizeBytes };
  });
}
