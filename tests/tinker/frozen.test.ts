/**
 * Tests that some weights never change: the base model, a reference, and policies that were published earlier. Also
 * tests that the engine deletes saved weights on the server when no continued run can need them.
 */
import { mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTinkerEngine } from "../../src/engine/index.ts";
import type { Behaviour } from "../../src/server/index.ts";
import type {
  Engine,
  OptimizerStep,
  Row,
  SampleRequest,
  TokenOutputs,
} from "../../src/spec/index.ts";
import { createInlineEngine } from "../support/inline-engine.ts";
import { sharedSlot, shortPromptLogprobs } from "../support/tinker-behaviours.ts";
import { startTestServer, type TestServer, TINY } from "../support/tinker-server.ts";
import { HONEST_TRAITS } from "../support/tinker-traits.ts";

const STEP: OptimizerStep = {
  learningRate: 5e-2,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradientNorm: 1,
};
const ROWS: Row[] = [
  { tokens: [1, 2, 3, 4, 5], at: [2, 4] },
  { tokens: [9, 8, 7, 6], at: [1] },
  { tokens: [1, 2], at: [] },
];
const REQUEST: SampleRequest = {
  tokens: [4, 5, 6],
  stream: 3,
  maxTokens: 6,
  temperature: 1,
  stopIds: [],
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ behaviours: [shortPromptLogprobs], maxModels: 3 });
});
afterAll(() => server.close());

const roundedLogprobs = (outputs: readonly TokenOutputs[]) =>
  outputs.map(({ logprobs }) => [...logprobs].map((value) => Number(value.toFixed(5))));

async function takeStep(engine: Engine): Promise<void> {
  await engine.accumulate(
    ROWS,
    ROWS.map(({ at }) => ({ logprobs: Array.from(at, () => -1) })),
  );
  await engine.update(STEP);
}

test("base model and reference keep their log-probs while the model learns and over a server restart", async () => {
  const { url, model, directory } = server;
  const embedded = await createInlineEngine({ model, seed: 1, threads: 1, weights: directory });
  const base = roundedLogprobs(await embedded.evaluate(ROWS));
  await embedded.close();
  const engine = await createTinkerEngine({
    ...TINY,
    url,
    rank: 4,
    seed: 1,
    traits: HONEST_TRAITS,
    retry: { longestDelayMs: 50 },
  });
  await expect(engine.evaluate(ROWS, { weights: "ref" })).rejects.toThrow(/snapshot/);
  await takeStep(engine);
  const frozen = roundedLogprobs(await engine.evaluate(ROWS));
  await engine.snapshot();
  await takeStep(engine);
  const evaluateAll = async () => ({
    base: roundedLogprobs(await engine.evaluate(ROWS, { weights: "base" })),
    ref: roundedLogprobs(await engine.evaluate(ROWS, { weights: "ref" })),
    live: roundedLogprobs(await engine.evaluate(ROWS)),
  });
  const before = await evaluateAll();
  expect(before).toMatchObject({ base, ref: frozen });
  expect(before.live).not.toEqual(frozen);
  expect(frozen).not.toEqual(base);
  await server.restart();
  expect(await evaluateAll()).toEqual(before);
  await engine.close();
});

test("earlier policies can be sampled during training until the engine releases them", async () => {
  const { url } = server;
  const traits = HONEST_TRAITS;
  const engine = await createTinkerEngine({
    ...TINY,
    url,
    rank: 4,
    seed: 1,
    traits,
    heldVersions: 2,
  });
  const first = await engine.publish();
  const [old] = await engine.sample([REQUEST]);
  await takeStep(engine);
  expect(await engine.sample([REQUEST])).toEqual([old]);
  const second = await engine.publish();
  const [fresh] = await engine.sample([REQUEST]);
  expect(fresh).toMatchObject({ policyVersion: second });
  expect(fresh!.logprobs).not.toEqual(old!.logprobs);
  expect(await engine.sample([{ ...REQUEST, policyVersion: first }])).toEqual([old]);
  await engine.publish();
  await expect(engine.sample([{ ...REQUEST, policyVersion: first }])).rejects.toThrow(
    /policy version 1 is no longer held; the newest is 3/,
  );
  await engine.close();
});

test("on a server with one slot for sampling and training, sampling after a step needs a publish first", async () => {
  const shared = await startTestServer({ behaviours: [sharedSlot()] });
  const engine = await createTinkerEngine({ ...TINY, url: shared.url, rank: 4, seed: 1 });
  expect(engine.info.capabilities).toMatchObject({ heldVersions: false, snapshot: false });
  await engine.publish();
  await engine.sample([REQUEST]);
  await takeStep(engine);
  await expect(engine.sample([REQUEST])).rejects.toThrow(/publish/);
  const version = await engine.publish();
  const [sample] = await engine.sample([REQUEST]);
  expect(sample).toMatchObject({ policyVersion: version });
  const row = {
    tokens: [...REQUEST.tokens, ...sample!.tokens],
    at: sample!.tokens.map((_, i) => REQUEST.tokens.length + i),
  };
  const [{ logprobs } = { logprobs: [] }] = await engine.evaluate([row]);
  sample!.logprobs.forEach((value, i) => {
    expect(logprobs[i]).toBeCloseTo(value, 4);
  });
  await engine.close();
  await shared.close();
});

/**
 * Starts a server and calls `run` with functions that open engines and save as training does, beside the old
 * checkpoint.
 */
async function runWithCheckpoints<T>(
  behaviours: readonly Behaviour[],
  run: (run: {
    open: () => Promise<Engine>;
    save: (engine: Engine) => Promise<void>;
    latest: string;
    /** Returns the paths of all weights that are saved on the server. */
    pathsOnServer: () => Promise<string[]>;
  }) => Promise<T>,
): Promise<T> {
  const own = await startTestServer({ behaviours: [...behaviours], maxModels: 3 });
  const root = mkdtempSync(join(tmpdir(), "bowline-saving-"));
  const [latest, directory] = [join(root, "latest"), join(root, "engine")];
  const models = new Set<string>();
  try {
    return await run({
      latest,
      open: () =>
        createTinkerEngine({
          ...TINY,
          url: own.url,
          rank: 4,
          seed: 1,
          traits: HONEST_TRAITS,
          directory,
        }),
      async save(engine) {
        const next = `${latest}.next`;
        await engine.save(next);
        const { model } = JSON.parse(readFileSync(join(next, "tinker.json"), "utf8"));
        models.add(model.id);
        rmSync(latest, { recursive: true, force: true });
        renameSync(next, latest);
      },
      async pathsOnServer() {
        const lists = [...models].map(async (id) => {
          const answer = await fetch(`${own.url}/api/v1/training_runs/${id}/checkpoints`);
          const { checkpoints } = (await answer.json()) as {
            checkpoints: { tinker_path: string }[];
          };
          return checkpoints.map(({ tinker_path }) => tinker_path);
        });
        return (await Promise.all(lists)).flat();
      },
    });
  } finally {
    await own.close();
    rmSync(root, { recursive: true, force: true });
  }
}

test("the engine deletes checkpoints and references on the server that no continued run needs", async () => {
  await runWithCheckpoints([], async ({ open, save, latest, pathsOnServer }) => {
    const engine = await open();
    for (let iteration = 0; iteration < 6; iteration++) {
      await takeStep(engine);
      if (iteration < 2) await engine.snapshot();
      await save(engine);
    }
    const expected = roundedLogprobs(await engine.evaluate(ROWS));
    const reference = roundedLogprobs(await engine.evaluate(ROWS, { weights: "ref" }));
    expect(reference).not.toEqual(expected);
    await engine.close();
    const kinds = (await pathsOnServer()).map((path) => path.split("/").at(-2)).sort();
    expect(kinds).toEqual(["sampler_weights", "weights", "weights", "weights"]);

    const next = await open();
    await next.load(latest);
    expect(roundedLogprobs(await next.evaluate(ROWS))).toEqual(expected);
    for (let iteration = 0; iteration < 4; iteration++) {
      await takeStep(next);
      await save(next);
    }
    const present = roundedLogprobs(await next.evaluate(ROWS));
    await next.close();
    const names = await pathsOnServer();
    expect(names.map((path) => path.split("/").at(-2))).toEqual(["weights", "weights", "weights"]);

    const last = await open();
    await last.load(latest);
    expect(roundedLogprobs(await last.evaluate(ROWS))).toEqual(present);
    await last.close();
  });
});

test("saving works on a server that cannot delete", async () => {
  const deletesNothing: Behaviour = {
    wrapExchange: (inner) => async (call) =>
      call.method === "DELETE" ? { status: 404, json: { detail: "Not Found" } } : inner(call),
  };
  await runWithCheckpoints([deletesNothing], async ({ open, save, pathsOnServer }) => {
    const engine = await open();
    for (let iteration = 0; iteration < 5; iteration++) {
      await takeStep(engine);
      await save(engine);
    }
    await engine.close();
    expect(await pathsOnServer()).toHaveLength(5);
  });
});
