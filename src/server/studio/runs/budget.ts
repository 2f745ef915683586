/** What a run with prices has really spent so far: the sum of `spending.jsonl`, read on as it grows. */
import { join } from "node:path";
import { isRaw } from "../../../core/index.ts";
import type { RunDetail } from "../../../spec/studio/index.ts";
import { addUsage, costOf, NO_USAGE, type TokenPrices } from "../../../train/index.ts";
import type { RunPlace } from "./find-runs.ts";
import { type Inside, withFile } from "./inside.ts";
import { eachLine, objectOf } from "./lines.ts";

export async function budgetOf(
  inside: Inside,
  { directory }: RunPlace,
  config: Record<string, unknown>,
): Promise<RunDetail["budget"]> {
  const section = config["budget"];
  if (!isRaw(section)) return undefined;
  const path = join(directory, "spending.jsonl");
  let total = NO_USAGE;
  await withFile(inside, path, (file) =>
    eachLine(file, 0, (bytes, start, end) => {
      for (const line of objectOf(bytes.toString("utf8", start, end))) {
        total = addUsage(total, numbersOf(line));
      }
    }),
  );
  const { ceiling } = section;
  return {
    spent: costOf(total, pricesOf(section)),
    ceiling: typeof ceiling === "number" && Number.isFinite(ceiling) ? ceiling : null,
  };
}

function numbersOf(line: Record<string, unknown>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(line).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}

function pricesOf(section: Record<string, unknown>): TokenPrices {
  const price = (name: string) => (typeof section[name] === "number" ? Number(section[name]) : 0);
  return {
    prefillPrice: price("prefillPrice"),
    cachedPrice: typeof section["cachedPrice"] === "number" ? section["cachedPrice"] : null,
    samplePrice: price("samplePrice"),
    trainPrice: price("trainPrice"),
  };
}
