/** Tests that a run does not continue when its world has changed, and that the error names what changed. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SMALL_RUN } from "../../../tests/support/watched-run.ts";
import type { TaskInfo, World } from "../../spec/index.ts";
import { createMemoryFolder, fakeMakers } from "../../testing/fake-makers.ts";
import { fakeWorld } from "../../testing/fake-world.ts";
import { readDials } from "../config/config.ts";
import { evaluateWith } from "../evaluate/evaluate.ts";
import type { TrainEvent } from "../run/events.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

let root: string;
let out: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-world-");
  out = join(root, "run");
  mkdirSync(join(root, "lib"));
  writeFileSync(join(root, "world.mjs"), `import "./lib/names.mjs";\n`);
  writeFileSync(join(root, "lib/names.mjs"), "export const names = [];\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const configInWorld = (world: string) =>
  resolveConfig({
    recipe: "starter",
    overrides: { ...SMALL_RUN, "algo.iterations": 2, "world.name": world },
  });
const config = () => configInWorld(join(root, "world.mjs"));

interface TrainedRun {
  readonly notes: readonly string[];
  readonly summary: unknown;
}

async function trainInWorld(world: World = fakeWorld(), stopAfter = Infinity, of = config()) {
  const notes: string[] = [];
  const abort = new AbortController();
  const onEvent = (event: TrainEvent) => {
    if (event.type === "note") notes.push(event.text);
    if (event.type === "progress" && event.phase === "loop" && event.step >= stopAfter) {
      abort.abort();
    }
  };
  const summary = await trainWith(fakeMakers(world), of, { out, onEvent, signal: abort.signal });
  return { notes, summary } satisfies TrainedRun;
}

const trainOneIteration = () => expect(trainInWorld(fakeWorld(), 1)).rejects.toThrow(/abort/);
const readMetrics = () => readFileSync(join(out, "metrics.jsonl"), "utf8");
const readRunFile = () => JSON.parse(readFileSync(join(out, "run.json"), "utf8"));

/** Returns the fake world with a change to the tasks of one split. */
function changeTasks(split: string, change: (task: TaskInfo) => TaskInfo): World {
  const world = fakeWorld();
  const tasks: World["tasks"] = (of, scenarios) =>
    world.tasks(of, scenarios).map((task) => (of === split ? change(task) : task));
  return { ...world, tasks };
}

test("run.json records the world's sources, dials and drawn tasks", async () => {
  await trainInWorld();
  expect(readRunFile().world).toEqual({
    modules: { "lib/names.mjs": expect.any(String), "world.mjs": expect.any(String) },
    dials: readDials(config()),
    tasks: {
      train: expect.any(String),
      dev: expect.any(String),
      "test-normal": expect.any(String),
    },
  });
});

test("a changed source file is an error that names the file, also for a finished run, and leaves the run unchanged", async () => {
  await trainOneIteration();
  const before = readMetrics();
  writeFileSync(join(root, "lib/names.mjs"), "export const names = ['Ada'];\n");
  await expect(trainInWorld()).rejects.toThrow(
    /run holds a run that was made before its world changed: lib\/names\.mjs has changed; undo the change.*--out DIR/,
  );
  expect(readMetrics()).toBe(before);
  writeFileSync(join(root, "lib/names.mjs"), "export const names = [];\n");
  await trainInWorld();
  writeFileSync(join(root, "world.mjs"), "");
  await expect(trainInWorld()).rejects.toThrow(
    /before its world changed: (lib\/names\.mjs is gone, world\.mjs has changed|world\.mjs has changed, lib\/names\.mjs is gone);/,
  );
});

test("changed tasks are an error that names their splits and possible reasons", async () => {
  await trainOneIteration();
  const other = changeTasks("dev", (task) => ({ ...task, instruction: `${task.instruction}!` }));
  await expect(trainInWorld(other)).rejects.toThrow(
    /the tasks of dev have changed though none of its files has changed .*bowline world check/,
  );
});

test("in a world of the package, only changed tasks are an error, which names both versions of bowline", async () => {
  const own = configInWorld("toy");
  await expect(trainInWorld(fakeWorld(), 1, own)).rejects.toThrow(/abort/);
  expect(readRunFile().world.modules).toEqual({});
  const file = join(out, "run.json");
  const run = readRunFile();
  writeFileSync(file, JSON.stringify({ ...run, versions: { ...run.versions, bowline: "0.0.7" } }));
  const other = changeTasks("train", (task) => ({ ...task, instruction: "?" }));
  await expect(trainInWorld(other, Infinity, own)).rejects.toThrow(
    /the tasks of train have changed \(the run began with bowline 0\.0\.7, this is \d/,
  );
  await trainInWorld(fakeWorld(), Infinity, own);
});

test("a run directory of an earlier version is rejected with a one-line error", async () => {
  await trainOneIteration();
  writeFileSync(join(out, "run.json"), JSON.stringify({ ...readRunFile(), version: 1 }));
  await expect(trainInWorld()).rejects.toThrow(
    /^.*run\.json has version 1, but .* reads version 2: .*$/,
  );
});

test("an evaluation in a changed world is allowed, with a note", async () => {
  await trainInWorld();
  const notesOf = async (options: { readonly world?: string } = {}) => {
    const notes: string[] = [];
    await evaluateWith(fakeMakers(), {
      policy: out,
      split: "dev",
      scenarios: 1,
      onEvent: (event) => void (event.type === "note" && notes.push(event.text)),
      ...options,
    });
    return notes.filter((text) => text.includes("world"));
  };
  expect(await notesOf()).toEqual([]);
  writeFileSync(join(root, "lib/names.mjs"), "export const names = ['Ada'];\n");
  expect(await notesOf()).toEqual([
    expect.stringMatching(
      /^the world has changed since the policy of .*run was trained: lib\/names\.mjs has changed/,
    ),
  ]);
  expect(await notesOf({ world: "toy" })).toEqual([]);
});
