/**
 * Weights outlive the server and calls outlive the program: whatever is killed, lost or spoiled, the end is what it would
 * have been, and no optimizer step happens twice.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTinkerEngine } from "../../src/engine/index.ts";
import type { Behaviour } from "../../src/server/index.ts";
import type { Engine, OptimizerStep, Row, Sample, SampleRequest } from "../../src/spec/index.ts";
import { startTestServer, type TestServer, TINY } from "../support/tinker-server.ts";
import { HONEST } from "../support/tinker-traits.ts";

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

/** What the server was really made to do, by path. */
const steps = { taken: 0 };
const spoil = { forwardBackward: 0, forward: 0, sample: 0 };
const spying: Behaviour = {
  wrapBackend: (inner) => ({
    base: inner.base,
    createModel: (...args) => inner.createModel(...args),
    forward: async (...args) => spoiled("forward", await inner.forward(...args)),
    forwardBackward: async (...args) =>
      spoiled("forwardBackward", await inner.forwardBackward(...args)),
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

/** NaN in place of the first log-prob, as often as it was asked for. */
function spoiled<T extends { readonly logprobs: readonly ArrayLike<number>[] }>(
  what: keyof typeof spoil,
  result: T,
): T {
  if (spoil[what] === 0) return result;
  spoil[what] -= 1;
  return {
    ...result,
    logprobs: result.logprobs.map((row) => Float32Array.from(row, () => Number.NaN)),
  };
}

let server: TestServer;
let root: string;
const open: Engine[] = [];
beforeAll(async () => {
  server = await startTestServer({ behaviours: [spying], maxModels: 3 });
  root = mkdtempSync(join(tmpdir(), "bowline-recovery-"));
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

async function create(directory?: string): Promise<Engine> {
  const engine = await createTinkerEngine({
    ...TINY,
    url: server.url,
    rank: 4,
    seed: 1,
    traits: HONEST,
    retry: { longestDelayMs: 50 },
    directory: directory && join(root, directory),
  });
  open.push(engine);
  return engine;
}

/** One iteration: log-probs first, as training does. `after` is called before each step. */
async function iterate(engine: Engine, after: (part: number) => Promise<void> = async () => {}) {
  for (const [part, row] of ROWS.entries()) {
    const [{ logprobs } = { logprobs: [] }] = await engine.evaluate([row]);
    await engine.accumulate([row], [{ logprobs: Array.from(logprobs, () => -0.3) }]);
    await after(part);
    await engine.update(STEP);
  }
  await engine.publish();
}

async function endOf(engine: Engine): Promise<{ logprobs: number[]; sample: Sample }> {
  const [sample] = await engine.sample([REQUEST]);
  const outputs = await engine.evaluate(ROWS);
  return { logprobs: outputs.flatMap(({ logprobs }) => [...logprobs]), sample: sample! };
}

let undisturbed: Promise<{ logprobs: number[]; sample: Sample }> | undefined;
/** Two iterations with a checkpoint between. */
const expected = () => {
  undisturbed ??= (async () => {
    const engine = await create();
    await iterate(engine);
    await engine.save(join(root, "undisturbed"));
    await iterate(engine);
    const end = await endOf(engine);
    await engine.close();
    return end;
  })();
  return undisturbed;
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((engine) => engine.close()));
});

test("a server that restarts at any moment changes nothing", async () => {
  const engine = await create();
  await iterate(engine, () => server.restart());
  await server.restart();
  await engine.sample([REQUEST]);
  await engine.save(join(root, "restarts"));
  await server.restart();
  await iterate(engine, (part) => (part === 1 ? server.restart() : Promise.resolve()));
  await server.restart();
  expect(await endOf(engine)).toEqual(await expected());
});

test("NaN in results is asked for again, a spoiled gradient is thrown away", async () => {
  const engine = await create();
  await iterate(engine, async () => {
    spoil.forwardBackward = 2;
  });
  await engine.save(join(root, "nan"));
  spoil.forward = 2;
  await iterate(engine);
  expect(spoil).toEqual({ forwardBackward: 0, forward: 0, sample: 0 });
  expect(await endOf(engine)).toEqual(await expected());
});

test("NaN that stays is a typed error, and nothing has stepped", async () => {
  const engine = await create();
  const before = await engine.evaluate(ROWS);
  await engine.accumulate(
    ROWS,
    ROWS.map(({ at }) => ({ logprobs: Array.from(at, () => 1) })),
  );
  spoil.forwardBackward = 1000;
  const error = await engine.update(STEP).catch((cause: unknown) => cause);
  spoil.forwardBackward = 0;
  expect(error).toMatchObject({ name: "BowlineError", code: "engine", kind: "non-finite" });
  expect(await engine.evaluate(ROWS.map((row) => ({ ...row })))).toEqual(before);
});

test("a program that is killed at any call goes on, and no step is repeated", async () => {
  const goal = await expected();
  for (const [name, killedAfter] of [
    ["first", 0],
    ["second", 1],
    ["all", 2],
  ] as const) {
    const engine = await create(`killed-${name}`);
    await iterate(engine);
    await engine.save(join(root, `saved-${name}`));
    steps.taken = 0;
    const killed = new Error("killed");
    await iterate(engine, async (part) => {
      if (part === killedAfter) throw killed;
    }).catch((error: unknown) => expect(error).toBe(killed));
    await engine.close(); // Its last words are on the disk; nothing else is left of it.

    const next = await create(`killed-${name}`);
    await next.load(join(root, `saved-${name}`));
    await iterate(next);
    expect(await endOf(next)).toEqual(goal);
    expect(steps.taken).toBe(ROWS.length);
    await server.restart(); // What was left for somebody to come back to is gone.
  }
});

test("one that goes on otherwise, or after the server has restarted, starts from the checkpoint", async () => {
  const goal = await expected();
  const engine = await create("otherwise");
  await iterate(engine);
  await engine.save(join(root, "saved-otherwise"));
  await engine.accumulate([ROWS[0]!], [{ logprobs: [1, 1, 1] }]);
  await engine.update(STEP);
  await engine.close();
  const next = await create("otherwise");
  await next.load(join(root, "saved-otherwise"));
  await iterate(next);
  expect(await endOf(next)).toEqual(goal);
  await next.close();
  await server.restart();
  const last = await create("otherwise");
  await last.load(join(root, "saved-otherwise"));
  await iterate(last);
  expect(await endOf(last)).toEqual(goal);
});
