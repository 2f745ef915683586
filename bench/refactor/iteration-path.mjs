/**
 * Counts the source files whose functions a run of LOOP calls, and their lines. V8's counts of function calls say which
 * files these are.
 *
 * iteration from the beginning of an iteration to its update opening from the call of `train()` to the end of the warm
 * start, without files of the iteration
 *
 * Files of the layers engine, world, text and core, and files that only have types, are left out. The opening also
 * leaves out files about configuration and run directory (`train/config`, `train/settings`, `train/run`). The last
 * printed line counts the files that `docs/architecture.md` lists for an iteration, without the engine contract.
 *
 * npx tsc -b && node bench/refactor/iteration-path.mjs prints the counts npx tsc -b && node
 * bench/refactor/iteration-path.mjs --files also prints every file with its called functions
 */
import { readFileSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../..");
const importBuilt = (path) => import(pathToFileURL(join(root, "dist", path)).href);
const { fakeMakers, createMemoryFolder } = await importBuilt("testing/index.js");
const { trainWith } = await importBuilt("train/train.js");
const { resolveConfig } = await importBuilt("train/settings/resolve.js");

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
const LEFT_OUT = /^(engine|world|worlds|text|core|spec|testing)\//;
/** Files of engines that wrap another engine. */
const WRAPPERS = /(forwarding|segmented|metered|run)-engines?\.ts$|budget\/usage\.ts$/;
const OPENING_LEFT_OUT = /^train\/(config|settings|run|evaluate)\//;

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
/** Returns the functions that were called since the last call of this function. */
const takeCoverage = async () => (await session.post("Profiler.takePreciseCoverage")).result;

let opening;
let iteration;
let isInLoop = false;
const makers = fakeMakers();
const watchedMakers = {
  ...makers,
  createEngine: async (...request) => {
    const engine = await makers.createEngine(...request);
    const publish = engine.publish.bind(engine);
    engine.publish = async () => {
      if (isInLoop) iteration ??= await takeCoverage();
      return publish();
    };
    return engine;
  },
};
const folder = createMemoryFolder("bowline-path-");
const config = resolveConfig({ recipe: "starter", overrides: OVERRIDES });
await takeCoverage();
let coverageTaken = Promise.resolve();
await trainWith(watchedMakers, config, {
  out: join(folder, "run"),
  onEvent: (event) => {
    if (event.type !== "phase-start") return;
    if (event.phase === "eval" && opening === undefined) {
      opening = [];
      coverageTaken = takeCoverage().then((result) => {
        opening = result;
      });
    }
    if (event.phase === "loop") {
      isInLoop = true;
      coverageTaken = takeCoverage();
    }
  },
});
await coverageTaken;
rmSync(folder, { recursive: true });

function listFilesThatRan(coverage) {
  const dist = pathToFileURL(join(root, "dist")).href;
  return coverage
    .filter(({ url }) => url.startsWith(dist))
    .map(({ url, functions }) => ({
      file: fileURLToPath(url).slice(join(root, "dist/").length).replace(/\.js$/, ".ts"),
      names: functions
        .filter(({ functionName, ranges }) => functionName !== "" && ranges[0].count > 0)
        .map(({ functionName }) => functionName),
    }))
    .filter(({ file, names }) => names.length > 0 && !LEFT_OUT.test(file) && !WRAPPERS.test(file))
    .map((row) => ({ ...row, lines: countLines(`src/${row.file}`) }))
    .sort((a, b) => a.file.localeCompare(b.file));
}

function countLines(file) {
  return readFileSync(join(root, file), "utf8").split("\n").length - 1;
}

function printCounts(name, rows) {
  if (process.argv.includes("--files")) {
    for (const { file, lines, names } of rows) {
      console.log(
        `${String(lines).padStart(5)}  ${file}  ${[...new Set(names)].slice(0, 6).join(", ")}`,
      );
    }
  }
  const total = rows.reduce((sum, { lines }) => sum + lines, 0);
  console.log(`${name}: ${rows.length} files of ${total} lines ran`);
}

const inIteration = listFilesThatRan(iteration);
const iterationFiles = new Set(inIteration.map(({ file }) => file));
printCounts("iteration", inIteration);
printCounts(
  "opening and warm start",
  listFilesThatRan(opening).filter(
    ({ file }) => !iterationFiles.has(file) && !OPENING_LEFT_OUT.test(file),
  ),
);

const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
const [, section = ""] = page.split("## One iteration, file by file");
const listedFiles = [...section.matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, file]) => file);
const filesToRead = listedFiles.filter((file) => file !== "src/spec/engine.ts");
const lines = filesToRead.reduce((sum, file) => sum + countLines(file), 0);
console.log(
  `listed in docs/architecture.md: ${filesToRead.length} files of ${lines} lines, and the engine contract`,
);
process.exit(0);
