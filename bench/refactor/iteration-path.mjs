/**
 * How much of the source one iteration of LOOP is, by two counts. What it runs through, from its begin to the update: files
 * with a function that was called, as V8 counts calls, and their lines; engine, world, text and core are left out, and so
 * are files of types alone. And what `docs/architecture.md` names to be read, in that order, types and all; the contract of an
 * engine is counted apart.
 *
 *   npx tsc -b && node bench/refactor/iteration-path.mjs               this checkout
 *   node bench/refactor/iteration-path.mjs ../other-checkout           another one, built
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(process.argv[2] ?? join(import.meta.dirname, "../.."));
const load = (path) => import(pathToFileURL(join(root, "dist", path)).href);
const isOld = existsSync(join(root, "dist/train/testing.js"));
const {
  fakeParts,
  fakeMakers = fakeParts,
  memoryFolder,
} = await load(isOld ? "train/testing.js" : "testing/index.js");
const { trainWith } = await load("train/train.js");
const { resolveConfig } = await load(isOld ? "train/resolve-config.js" : "train/config/resolve.js");

const OVERRIDES = {
  "tokenizer.vocabularySize": 280,
  "tokenizer.minimumCount": 5,
  "warm.demonstrations": 96,
  "warm.rows": 8,
  "warm.learningRate": 0.45,
  "world.trainScenarios": 4,
  "algo.iterations": 1,
  "algo.tasksPerIteration": 4,
  "algo.minibatch": 8,
  "scaffold.maxTurns": 3,
  "scaffold.maxTurnTokens": 8,
  "evaluation.scenarios": 1,
  "evaluation.every": 0,
};
const LEFT_OUT = ["engine", "world", "worlds", "text", "core", "spec", "testing"];
/** Engines that wrap the engine, and fakes and tokenizers where they used to be. */
const WRAPPERS =
  /(forwarded|segmented|metered|open)-engine\.ts$|budget\/usage\.ts$|testing\.ts$|tokenizer\//;

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

let ran;
let begun = false;
const makers = fakeMakers();
const watched = {
  ...makers,
  createEngine: async (...asked) => {
    const engine = await makers.createEngine(...asked);
    const publish = engine.publish.bind(engine);
    engine.publish = async () => {
      if (begun && ran === undefined)
        ran = (await session.post("Profiler.takePreciseCoverage")).result;
      return publish();
    };
    return engine;
  },
};
const out = memoryFolder("bowline-path-");
let reset = Promise.resolve();
await trainWith(watched, resolveConfig({ recipe: "starter", overrides: OVERRIDES }), {
  out: join(out, "run"),
  onEvent: (event) => {
    if (event.type !== "phase-start" || event.phase !== "loop" || begun) return;
    reset = session.post("Profiler.takePreciseCoverage");
    begun = true;
  },
});
await reset;
rmSync(out, { recursive: true });

/** Lines of the functions that ran, as compiled: comments and types are gone. */
function linesRun({ path, ranges }) {
  const text = readFileSync(path, "utf8");
  const lineOf = (offset) => text.slice(0, offset).split("\n").length;
  const lines = new Set();
  for (const { startOffset, endOffset } of ranges) {
    for (let line = lineOf(startOffset); line <= lineOf(endOffset); line++) lines.add(line);
  }
  return lines.size;
}

const rows = ran
  .filter(({ url }) => url.startsWith(pathToFileURL(join(root, "dist")).href))
  .map(({ url, functions }) => ({
    path: fileURLToPath(url),
    ranges: functions
      .filter(({ functionName, ranges }) => functionName !== "" && ranges[0].count > 0)
      .map(({ ranges }) => ranges[0]),
    file: fileURLToPath(url).slice(join(root, "dist/").length).replace(/\.js$/, ".ts"),
    names: functions
      .filter(({ functionName, ranges }) => functionName !== "" && ranges[0].count > 0)
      .map(({ functionName }) => functionName),
  }))
  .filter(({ file, names }) => names.length > 0 && !LEFT_OUT.includes(file.split("/")[0]))
  .filter(({ file }) => !WRAPPERS.test(file))
  .map((row) => ({
    ...row,
    lines: readFileSync(join(root, "src", row.file), "utf8").split("\n").length - 1,
    run: linesRun(row),
  }))
  .sort((a, b) => a.file.localeCompare(b.file));
for (const { file, lines, run, names } of rows) {
  console.log(
    `${String(lines).padStart(5)} ${String(run).padStart(5)}  ${file}  ${[...new Set(names)].slice(0, 6).join(", ")}`,
  );
}
const total = rows.reduce((sum, { lines }) => sum + lines, 0);
const run = rows.reduce((sum, row) => sum + row.run, 0);
console.log(`${rows.length} files of ${total} lines ran; the functions that ran have ${run} lines`);

const linesOf = (file) => readFileSync(join(root, file), "utf8").split("\n").length - 1;
const [, section = ""] = readFileSync(join(root, "docs/architecture.md"), "utf8").split(
  "## One iteration, file by file",
);
const named = [...section.matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, file]) => file);
const read = named.filter((file) => file !== "src/spec/engine.ts");
console.log("\nTo be read:");
for (const file of named) console.log(`${String(linesOf(file)).padStart(5)}  ${file}`);
const readLines = read.reduce((sum, file) => sum + linesOf(file), 0);
console.log(`${read.length} files of ${readLines} lines to be read, and the contract of an engine`);
process.exit(0);
