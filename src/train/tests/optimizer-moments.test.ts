/** Tests that the optimizer is reset after the warm start unless `optimizer.moments` keeps its moments. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SMALL_RUN } from "../../../tests/support/watched-run.ts";
import type { LoadOptions } from "../../spec/index.ts";
import { createMemoryFolder, fakeMakers } from "../../testing/fake-makers.ts";
import type { Makers } from "../parts/makers.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-moments-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Creates makers that record when the engine loads weights and when it updates them. */
function createWatchedMakers() {
  const makers = fakeMakers();
  const calls: string[] = [];
  const createEngine: Makers["createEngine"] = async (name, request, origin) => {
    const engine = await makers.createEngine(name, request, origin);
    return {
      ...engine,
      load: (directory: string, options?: LoadOptions) => {
        calls.push(`load ${options?.moments ?? "kept"}`);
        return engine.load(directory, options);
      },
      update: (step) => {
        if (calls.at(-1) !== "update") calls.push("update");
        return engine.update(step);
      },
    };
  };
  return { calls, makers: { ...makers, createEngine } };
}

const smallConfig = (overrides: Readonly<Record<string, unknown>> = {}) =>
  resolveConfig({ recipe: "starter", overrides: { ...SMALL_RUN, ...overrides } });

test("the optimizer is reset once after the warm start, but not when the run is continued", async () => {
  const { calls, makers } = createWatchedMakers();
  const abort = new AbortController();
  const trainTwoIterations = (signal?: AbortSignal) =>
    trainWith(makers, smallConfig({ "algo.iterations": 2 }), {
      out: join(root, "run"),
      ...(signal && { signal }),
      onEvent: (event) => {
        if (event.type === "progress" && event.phase === "loop" && signal) abort.abort();
      },
    });
  await expect(trainTwoIterations(abort.signal)).rejects.toThrow(/abort/);
  expect(calls).toEqual(["update", "load fresh", "update"]);
  calls.length = 0;
  await trainTwoIterations();
  expect(calls).toEqual(["load kept", "update"]);
});

test("the optimizer is reset after a copied warm start too", async () => {
  const warm = join(root, "warm");
  await trainWith(fakeMakers(), smallConfig({ "algo.iterations": 0 }), { out: warm });
  const { calls, makers } = createWatchedMakers();
  await trainWith(makers, smallConfig(), { out: join(root, "run"), warmFrom: warm });
  expect(calls).toEqual(["load fresh", "update"]);
});

test("with optimizer.moments kept, the optimizer is not reset", async () => {
  const { calls, makers } = createWatchedMakers();
  await trainWith(makers, smallConfig({ "optimizer.moments": "kept" }), { out: join(root, "run") });
  expect(calls).toEqual(["update"]);
});
