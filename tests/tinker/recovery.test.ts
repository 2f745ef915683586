/**
 * Tests that training survives a restart of the server and a killed training program: training ends with the same
 * weights, and no optimizer step happens twice.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTinkerEngine } from "../../src/engine/index.ts";
import type { Behaviour } from "../../src/server/index.ts";
import type { Engine, OptimizerStep, Row, Sample, SampleRequest } from "../../src/spec/index.ts";
import { startTestServer, type TestServer, TINY } from "../support/tinker-server.ts";
import { HONEST_TRAITS } from "../support/tinker-traits.ts";

const STEP: OptimizerStep = {
  learningRate: 1e-2,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradientNorm: 1,
};
const ROWS: Row[] = [
  { tokens: [1, 2, 3, 4, 5], at: [2, 3, 4] },
  { tokens: [9, 8, 7, 6], at: [1, 3] },
];
const REQUEST: SampleRequest = {
  tokens: [4, 5, 6],
  stream: 3,
  maxTokens: 6,
  temperature: 1,
  stopIds: [],
};

/** Counts the optimizer steps that the server really took. */
const steps = { taken: 0 };
const nansLeft = { forwardBackward: 0, forward: 0, sample: 0 };
const recordingBehaviour: Behaviour = {
  wrapBackend: (inner) => ({
    base: inner.base,
    createModel: (...args) => inner.createModel(...args),
    forward: async (...args) => replaceWithNan("forward", await inner.forward(...args)),
    forwardBackward: async (...args) =>
      replaceWithNan("forwardBackward", await inner.forwardBackward(...args)),
    optimStep: (...args) => {
      steps.taken += 1;
      return inner.optimStep(...args);
    },
    saveTraining: (...args) => inner.saveTraining(...args),
    loadTraining: (...args) => inner.loadTraining(...args),
    saveSampler: (...args) => inner.saveSampler(...args),
    unloadModel: (...args) => inner.unloadModel(...args),
    sample: (...args) => inner.sample(...args),
    close: () => inner.close(),
  }),
};

/** Replaces all log-probs of a result with NaN, as often as `nansLeft` says. */
function replaceWithNan<T extends { readonly logprobs: readonly ArrayLike<number>[] }>(
  what: keyof typeof nansLeft,
  result: T,
): T {
  if (nansLeft[what] === 0) return result;
  nansLeft[what] -= 1;
  return {
    ...result,
    logprobs: result.logprobs.map((row) => Float32Array.from(row, () => Number.NaN)),
  };
}

let server: TestServer;
let root: string;
const openEngines: Engine[] = [];
beforeAll(async () => {
  server = await startTestServer({ behaviours: [recordingBehaviour], maxModels: 3 });
  root = mkdtempSync(join(tmpdir(), "bowline-recovery-"));
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

async function openEngine(directory?: string): Promise<Engine> {
  const engine = await createTinkerEngine({
    ...TINY,
    url: server.url,
    rank: 4,
    seed: 1,
    traits: HONEST_TRAITS,
    retry: { longestDelayMs: 50 },
    directory: directory && join(root, directory),
  });
  openEngines.push(engine);
  return engine;
}

/** Runs one iteration as training does. The function `after` is called after each part of the iteration. */
async function iterate(engine: Engine, after: (part: number) => Promise<void> = async () => {}) {
  for (const [part, row] of ROWS.entries()) {
    const [{ logprobs } = { logprobs: [] }] = await engine.evaluate([row]);
    await engine.accumulate([row], [{ logprobs: Array.from(logprobs, () => -0.3) }]);
    await after(part);
    await engine.update(STEP);
  }
  await engine.publish();
}

async function finalState(engine: Engine): Promise<{ logprobs: number[]; sample: Sample }> {
  const [sample] = await engine.sample([REQUEST]);
  const outputs = await engine.evaluate(ROWS);
  return { logprobs: outputs.flatMap(({ logprobs }) => [...logprobs]), sample: sample! };
}

let cachedUndisturbedState: Promise<{ logprobs: number[]; sample: Sample }> | undefined;
/** Returns the state after two iterations with a checkpoint between them, without any fault. */
const undisturbedState = () => {
  cachedUndisturbedState ??= (async () => {
    const engine = await openEngine();
    await iterate(engine);
    await engine.save(join(root, "undisturbed"));
    await iterate(engine);
    const end = await finalState(engine);
    await engine.close();
    return end;
  })();
  return cachedUndisturbedState;
};

afterEach(async () => {
  await Promise.all(openEngines.splice(0).map((engine) => engine.close()));
});

test("server restarts at any moment do not change the trained weights", async () => {
  const engine = await openEngine();
  await iterate(engine, () => server.restart());
  await server.restart();
  await engine.sample([REQUEST]);
  await engine.save(join(root, "restarts"));
  await server.restart();
  await iterate(engine, (part) => (part === 1 ? server.restart() : Promise.resolve()));
  await server.restart();
  expect(await finalState(engine)).toEqual(await undisturbedState());
});

test("a result with NaN is requested again, and a gradient with NaN is dropped", async () => {
  const engine = await openEngine();
  await iterate(engine, async () => {
    nansLeft.forwardBackward = 2;
  });
  await engine.save(join(root, "nan"));
  nansLeft.forward = 2;
  await iterate(engine);
  expect(nansLeft).toEqual({ forwardBackward: 0, forward: 0, sample: 0 });
  expect(await finalState(engine)).toEqual(await undisturbedState());
});

test("when every result is NaN, the engine throws an error and takes no optimizer step", async () => {
  const engine = await openEngine();
  const before = await engine.evaluate(ROWS);
  await engine.accumulate(
    ROWS,
    ROWS.map(({ at }) => ({ logprobs: Array.from(at, () => 1) })),
  );
  nansLeft.forwardBackward = 1000;
  const error = await engine.update(STEP).catch((cause: unknown) => cause);
  nansLeft.forwardBackward = 0;
  expect(error).toMatchObject({ name: "BowlineError", code: "engine", kind: "non-finite" });
  expect(await engine.evaluate(ROWS.map((row) => ({ ...row })))).toEqual(before);
});

test("a program that is killed at any call resumes, and no step is repeated", async () => {
  const expected = await undisturbedState();
  for (const [name, killedAfter] of [
    ["first", 0],
    ["second", 1],
    ["all", 2],
  ] as const) {
    const engine = await openEngine(`killed-${name}`);
    await iterate(engine);
    await engine.save(join(root, `saved-${name}`));
    steps.taken = 0;
    const killed = new Error("killed");
    await iterate(engine, async (part) => {
      if (part === killedAfter) throw killed;
    }).catch((error: unknown) => expect(error).toBe(killed));
    await engine.close(); // Only the journal on the disk is left of this engine.

    const next = await openEngine(`killed-${name}`);
    await next.load(join(root, `saved-${name}`));
    await iterate(next);
    expect(await finalState(next)).toEqual(expected);
    expect(steps.taken).toBe(ROWS.length);
    await server.restart(); // The restart drops the models that were kept for a resume.
  }
});

test("a program that resumes with other calls, or after a server restart, starts from the checkpoint", async () => {
  const expected = await undisturbedState();
  const engine = await openEngine("otherwise");
  await iterate(engine);
  await engine.save(join(root, "saved-otherwise"));
  await engine.accumulate([ROWS[0]!], [{ logprobs: [1, 1, 1] }]);
  await engine.update(STEP);
  await engine.close();
  const next = await openEngine("otherwise");
  await next.load(join(root, "saved-otherwise"));
  await iterate(next);
  expect(await finalState(next)).toEqual(expected);
  await next.close();
  await server.restart();
  const last = await openEngine("otherwise");
  await last.load(join(root, "saved-otherwise"));
  await iterate(last);
  expect(await finalState(last)).toEqual(expected);
});
