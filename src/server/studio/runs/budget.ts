/** Computes what a run with token prices has spent so far, from the sum of `spending.jsonl`. */
import { join } from "node:path";
import { isPlainObject } from "../../../core/index.ts";
import type { RunDetail } from "../../../spec/studio/index.ts";
import { addUsage, costOf, NO_USAGE, type TokenPrices } from "../../../train/index.ts";
import type { RunLocation } from "./find-runs.ts";
import { forEachLine, parseObjectLine } from "./json-lines.ts";
import { type StudioFolder, withFile } from "./studio-folder.ts";

export async function readBudget(
  folder: StudioFolder,
  { directory }: RunLocation,
  config: Record<string, unknown>,
): Promise<RunDetail["budget"]> {
  const section = config["budget"];
  if (!isPlainObject(section)) return undefined;
  const path = join(directory, "spending.jsonl");
  let total = NO_USAGE;
  await withFile(folder, path, (file) =>
    forEachLine(file, 0, (bytes, start, end) => {
      for (const line of parseObjectLine(bytes.toString("utf8", start, end))) {
        total = addUsage(total, pickNumbers(line));
      }
    }),
  );
  const { ceiling } = section;
  return {
    spent: costOf(total, readPrices(section)),
    ceiling: typeof ceiling === "number" && Number.isFinite(ceiling) ? ceiling : null,
  };
}

function pickNumbers(line: Record<string, unknown>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(line).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}

function readPrices(section: Record<string, unknown>): TokenPrices {
  const readPrice = (name: string) =>
    typeof section[name] === "number" ? Number(section[name]) : 0;
  return {
    prefillPrice: readPrice("prefillPrice"),
    cachedPrice: typeof section["cachedPrice"] === "number" ? section["cachedPrice"] : null,
    samplePrice: readPrice("samplePrice"),
    trainPrice: readPrice("trainPrice"),
  };
}
