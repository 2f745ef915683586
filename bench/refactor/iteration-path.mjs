/**
 * How much of the source one run of LOOP goes through, as V8 counts calls of functions: files with a function that was
 * called, and their lines.
 *
 *   iteration   from the beginning of an iteration to its update
 *   opening     from the call of `train()` to the end of the warm start, without what the iteration runs too
 *
 * Engine, world, text, core and files of types are left out of both. The opening also leaves out the configuration and the
 * run directory (`train/config`, `train/settings`, `train/run`), which are read on their own. At the end stands what
 * `docs/architecture.md` names to be read of an iteration, with the contract of an engine apart.
 *
 *   npx tsc -b && node bench/refactor/iteration-path.mjs            the counts
 *   npx tsc -b && node bench/refactor/iteration-path.mjs --files    and every file with the functions that ran
 */
import { readFileSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../..");
const load = (path) => import(pathToFileURL(join(root, "dist", path)).href);
const { fakeMakers, createMemoryFolder } = await load("testing/index.js");
const { trainWith } = await load("train/train.js");
const { resolveConfig } = await load("train/settings/resolve.js");

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
/** Engines that wrap an engine. */
const WRAPPERS = /(forwarding|segmented|metered|run)-engines?\.ts$|budget\/usage\.ts$/;
const OPENING_LEFT_OUT = /^train\/(config|settings|run|evaluate)\//;

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
/** Functions that ran since this was last called. */
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
let taken = Promise.resolve();
await trainWith(watchedMakers, config, {
  out: join(folder, "run"),
  onEvent: (event) => {
    if (event.type !== "phase-start") return;
    if (event.phase === "eval" && opening === undefined) {
      opening = [];
      taken = takeCoverage().then((result) => {
        opening = result;
      });
    }
    if (event.phase === "loop") {
      isInLoop = true;
      taken = takeCoverage();
    }
  },
});
await taken;
rmSync(folder, { recursive: true });

function filesThatRan(coverage) {
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
    .map((row) => ({ ...row, lines: linesIn(`src/${row.file}`) }))
    .sort((a, b) => a.file.localeCompare(b.file));
}

function linesIn(file) {
  return readFileSync(join(root, file), "utf8").split("\n").length - 1;
}

function report(name, rows) {
  if (process.argv.includes("--files")) {
    for (const { file, lines, names } of rows) {
      console.log(`${String(lines).padStart(5)}  ${file}  ${[...new Set(names)].slice(0, 6).join(", ")}`);
    }
  }
  const total = rows.reduce((sum, { lines }) => sum + lines, 0);
  console.log(`${name}: ${rows.length} files of ${total} lines ran`);
}

const inIteration = filesThatRan(iteration);
const names = new Set(inIteration.map(({ file }) => file));
report("iteration", inIteration);
report(
  "opening and warm start",
  filesThatRan(opening).filter(({ file }) => !names.has(file) && !OPENING_LEFT_OUT.test(file)),
);

const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
const [, section = ""] = page.split("## One iteration, file by file");
const named = [...section.matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, file]) => file);
const read = named.filter((file) => file !== "src/spec/engine.ts");
const lines = read.reduce((sum, file) => sum + linesIn(file), 0);
console.log(`to be read: ${read.length} files of ${lines} lines, and the contract of an engine`);
process.exit(0);
