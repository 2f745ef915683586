/**
 * Whether a change of structure changed a number: runs the configurations of `baseline-1472da1.json` (every recipe, every
 * field changed alone, every row of docs/systems.md, on the fake world) with today's code, and prints both hashes of their
 * metrics, rollouts and weights. The configurations are as version 1 stored them, so this also reads old runs.
 *
 *   npx tsx bench/refactor/compare.ts            the cases that differ, and a count
 *   npx tsx bench/refactor/compare.ts --all      both columns of every case
 *   npx tsx bench/refactor/compare.ts recipe     cases whose name begins so
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fakeMakers, memoryFolder } from "../../src/testing/index.ts";
import { parseConfig, trainWith } from "../../src/train/index.ts";
import { wordyWorld } from "../../tests/support/wordy-world.ts";

interface Hashes {
  readonly metrics: string;
  readonly rollouts: string;
  readonly weights: string;
}
interface Case {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly hashes: Hashes;
}

const { cases } = JSON.parse(
  readFileSync(join(import.meta.dirname, "baseline-1472da1.json"), "utf8"),
) as { cases: readonly Case[] };

/** Metrics that were changed on purpose, and why; what a run samples and learns is the baseline's there, too. */
const changed = JSON.parse(readFileSync(join(import.meta.dirname, "changed.json"), "utf8")) as {
  readonly why: string;
  readonly metrics: { readonly [name: string]: string };
  /** Cases that set what is no field any more, by what their refusal names. */
  readonly refused: { readonly [name: string]: string };
};

const expectedOf = ({ name, hashes }: Case): Hashes => ({
  ...hashes,
  metrics: changed.metrics[name] ?? hashes.metrics,
});

function hash(...texts: readonly string[]): string {
  const digest = createHash("sha256");
  for (const text of texts) digest.update(text);
  return digest.digest("hex").slice(0, 16);
}

/** Counters of mechanisms look at what an iteration leaves and change none of it; the baseline has none. */
function withoutCounters(lines: string): string {
  return lines.replaceAll(/,"(fires|meant)\/[^"]*":[^,}]*/g, "");
}

/**
 * Notes on tokens say more than they did, and methods with a critic write some where the baseline wrote none: the columns
 * that the baseline has are compared, for the methods that it has them of. What was learned is in the weights.
 */
function asBaseline(file: string, text: string, method: string): string {
  if (!file.startsWith("notes-")) return text;
  if (method === "ppo-critic") return "";
  const lines = text.split("\n").filter((line) => line !== "");
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ at }) => at.length > 0)
    .map(({ id, advantage, at, ratios }) => `${JSON.stringify({ id, advantage, at, ratios })}\n`)
    .join("");
}

const root = memoryFolder("bowline-compare-");

async function hashesOf({ name, config }: Case, number: number): Promise<Hashes> {
  const parsed = parseConfig(config);
  const out = join(root, String(number));
  await trainWith(fakeMakers(wordyWorld()), parsed, { out });
  const read = (file: string) => readFileSync(join(out, file), "utf8");
  const files = readdirSync(join(out, "rollouts")).sort();
  const result = {
    metrics: hash(withoutCounters(read("metrics.jsonl"))),
    rollouts: hash(
      ...files.flatMap((file) => [
        file,
        asBaseline(file, read(join("rollouts", file)), parsed.method),
      ]),
    ),
    weights: hash(read("checkpoints/final/engine/table.json")),
  };
  if (process.env["KEEP"] !== name) rmSync(out, { recursive: true });
  else console.log(`kept ${out}`);
  return result;
}

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const all = process.argv.includes("--all");
let differing = 0;
const chosen = cases.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)),
);
for (const [number, one] of chosen.entries()) {
  let now: Hashes | { readonly error: string };
  try {
    now = await hashesOf(one, number);
  } catch (error) {
    now = { error: String(error instanceof Error ? error.message : error).slice(0, 160) };
  }
  const expected = expectedOf(one);
  const refusal = changed.refused[one.name];
  const same =
    refusal === undefined
      ? JSON.stringify(now) === JSON.stringify(expected)
      : "error" in now && now.error.includes(refusal);
  if (!same) differing += 1;
  if (same && !all) continue;
  const after = "error" in now ? now.error : Object.values(now).join(" ");
  console.log(
    `${same ? "same" : "DIFF"}  ${one.name}\n      ${Object.values(expected).join(" ")}\n      ${after}`,
  );
}
if (process.env["KEEP"] === undefined) rmSync(root, { recursive: true });
console.log(
  `metrics of ${Object.keys(changed.metrics).length} cases are others on purpose: ${changed.why}`,
);
console.log(
  `${Object.keys(changed.refused).length} cases set a field that is none any more, to what it cannot be now, and are refused by its name`,
);
console.log(`${chosen.length - differing} of ${chosen.length} cases are equal before and after`);
process.exitCode = differing === 0 ? 0 : 1;
