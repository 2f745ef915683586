/**
 * Prints hashes of everything that an iteration of 48 rollouts leaves: rollouts, journals and metrics. A change that
 * should change no number is proved by running this before and after it.
 *
 * npx tsx bench/controller/freeze.ts
 *
 * Three runs: the embedded engine on the toy world with a short warm start, the Tinker client against a local server
 * whose models are tables, and the Tinker client with the react prompt in `everyday` against a server that returns the
 * same message for every sample. Lines of a journal come in the order in which rollouts end, so they are sorted.
 */
import { createHash } from "node:crypto";
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const hashes: Record<string, string> = {};
const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
const hashSortedLines = (path: string) =>
  hash(readFileSync(path, "utf8").split("\n").sort().join("\n"));

// A run removes its journals, so they are read when they are removed.
let run = "";
const remove = fs.rmSync;
fs.rmSync = (path, options) => {
  const name = /journal[\\/](.*\.jsonl)$/.exec(String(path))?.[1];
  if (name && fs.existsSync(path)) hashes[`${run}/journal/${name}`] = hashSortedLines(String(path));
  remove(path, options);
};
syncBuiltinESMExports();

const { train, trainWith, resolveConfig } = await import("../../src/train/index.ts");
const { createTableConfig, createTableMakers, startTableServer, TABLE_VOCABULARY } = await import(
  "../../tests/support/tinker-run.ts"
);
const { benchController } = await import("../../src/bench/index.ts");
const { forkTimedServer } = await import("../../src/server/index.ts");

function hashRun(directory: string): void {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  for (const name of names) {
    if (!/^(metrics\.jsonl|rollouts\/.*\.jsonl)$/.test(name)) continue;
    hashes[`${run}/${name}`] = hash(readFileSync(join(directory, name), "utf8"));
  }
}

const root = mkdtempSync(join(tmpdir(), "bowline-freeze-"));
run = "embedded";
const embedded = resolveConfig({
  recipe: "smoke",
  overrides: {
    "warm.demonstrations": 960,
    "algo.iterations": 1,
    "algo.tasksPerIteration": 6,
    "evaluation.scenarios": 2,
  },
});
await train(embedded, { out: join(root, run) });
hashRun(join(root, run));

run = "tinker";
const server = await startTableServer(TABLE_VOCABULARY);
const overrides = { "algo.iterations": 2, "algo.tasksPerIteration": 8, "algo.groupSize": 6 };
await trainWith(createTableMakers(), createTableConfig(server.url, overrides), {
  out: join(root, run),
});
hashRun(join(root, run));
await server.close();

run = "react";
await benchController({
  rollouts: 48,
  turns: 4,
  latencyMs: [5, 50],
  failureShare: 0.05,
  world: "everyday",
  seed: 1,
  startServer: forkTimedServer,
  onJournal: (path) => {
    hashes[`${run}/journal`] = hashSortedLines(path);
  },
});
rmSync(root, { recursive: true });
console.log(JSON.stringify(hashes, null, 2));
