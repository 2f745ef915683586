/**
 * Trains an agent by `trainAgent` with the weights on a Tinker server. The rows of the run and the rows that the server
 * learns from have exactly the tokens that the server sampled.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import type { OnnxEngine } from "../../src/engine/index.ts";
import {
  EmbeddedBackend,
  openBase,
  startTinkerServer,
  trainAgent,
} from "../../src/server/index.ts";
import type { Rollout, RolloutTokens, Sample, SampleRequest } from "../../src/spec/index.ts";
import { readRollouts } from "../../src/train/index.ts";
import { drawCases } from "../support/sweep.ts";
import { createAgentOptions, QWEN } from "../support/tinker-agent.ts";
import { createTestEngines } from "../support/tinker-engines.ts";

const SLOW_MS = 240_000;
const root = mkdtempSync(join(tmpdir(), "bowline-agent-tinker-"));
const engines = createTestEngines();
afterAll(async () => {
  await engines.close();
  rmSync(root, { recursive: true, force: true });
});

/** What the server's engines sampled and trained on. */
interface EngineRecord {
  readonly samples: { readonly request: SampleRequest; readonly sample: Sample }[];
  readonly learned: (readonly number[])[];
  updates: number;
}

let engineRecord: EngineRecord;
let server: Awaited<ReturnType<typeof startServer>>;
let folders = 0;
beforeEach(async () => {
  engineRecord = { samples: [], learned: [], updates: 0 };
  server = await startServer(join(root, `server-${++folders}`));
}, SLOW_MS);
afterEach(() => server.close());

async function startServer(stateDirectory: string) {
  const opened = await openBase(
    { from: "policy", path: QWEN },
    { stateDirectory, contextLength: 256 },
  );
  const backend = new EmbeddedBackend({
    ...opened,
    createEngine: async (options) => recordCalls(await engines.create(options)),
    threads: 1,
    seed: 1,
    maxModels: 8,
    samplerEngines: 2,
  });
  return startTinkerServer({ backend, stateDirectory, seed: 1, port: 0 });
}

function recordCalls(engine: OnnxEngine): OnnxEngine {
  return {
    ...engine,
    async sample(requests, signal) {
      const samples = await engine.sample(requests, signal);
      engineRecord.samples.push(
        ...requests.map((request, i) => ({ request, sample: samples[i]! })),
      );
      return samples;
    },
    accumulate(rows, cotangents) {
      engineRecord.learned.push(...rows.map(({ tokens }) => Array.from(tokens)));
      return engine.accumulate(rows, cotangents);
    },
    update(step) {
      engineRecord.updates += 1;
      return engine.update(step);
    },
  };
}

const listRows = ({ tokens, segments = [] }: Rollout): readonly RolloutTokens[] =>
  tokens ? [tokens, ...segments] : [];

/** Returns each stretch of sampled tokens in a row: the tokens before it, its ids and their log-probs. */
function findSampledStretches({ ids, mask, logprobs }: RolloutTokens) {
  const starts = ids.flatMap((_, i) => (mask[i] === 1 && mask[i - 1] !== 1 ? [i] : []));
  return starts.map((start) => {
    const end = mask.indexOf(0, start);
    const [from, to] = [start, end < 0 ? ids.length : end];
    return {
      prompt: ids.slice(0, from),
      ids: ids.slice(from, to),
      logprobs: logprobs.slice(from, to),
    };
  });
}

test(
  "with LOOP, the rows of a run have the tokens that the server sampled, and the server learns from these rows",
  async () => {
    const out = join(root, "loop");
    const summary = await trainAgent(createAgentOptions(server.url, out));
    expect(summary).toMatchObject({ method: "loop", rollouts: 32 });
    const rollouts = ["train-0001", "train-0002"].flatMap((name) => readRollouts(out, name));
    const sampledLogprobs = new Map(
      engineRecord.samples.map(({ request, sample }) => [
        JSON.stringify([request.tokens, sample.tokens]),
        sample.logprobs,
      ]),
    );
    let answers = 0;
    for (const rollout of rollouts) {
      expect(rollout.session).toMatchObject({ answers: 3, branches: 1, edits: 0 });
      expect(listRows(rollout)).toHaveLength(2);
      for (const { prompt, ids, logprobs } of listRows(rollout).flatMap(findSampledStretches)) {
        const sampled = sampledLogprobs.get(JSON.stringify([prompt, ids]));
        expect(sampled, "tokens that were not sampled").toBeDefined();
        const gaps = logprobs.map((logprob, i) => Math.abs(logprob - sampled![i]!));
        expect(Math.max(...gaps)).toBeLessThan(1e-4);
        answers += 1;
      }
    }
    expect(answers).toBe(3 * rollouts.length);
    // Before a run, the client probes the server with other rows, which are left out here.
    const rowsOfRun = new Set(rollouts.flatMap(listRows).map(({ ids }) => ids.join()));
    const opening = listRows(rollouts[0]!)[0]!.ids.slice(0, 4).join();
    const taughtRows = engineRecord.learned
      .map((tokens) => tokens.join())
      .filter((row) => row.startsWith(opening));
    expect(taughtRows.length).toBeGreaterThan(16);
    expect(taughtRows.filter((row) => !rowsOfRun.has(row))).toEqual([]);
    expect(engineRecord.updates).toBeGreaterThanOrEqual(2);
    const learned = rollouts.filter(
      ({ policyVersion }) => policyVersion > rollouts[0]!.policyVersion,
    );
    expect(learned.length).toBe(16);
  },
  SLOW_MS,
);

test.each(drawCases(["grpo", "ei"]))(
  "the method %s trains an agent on the server",
  async (method) => {
    const out = join(root, method);
    const summary = await trainAgent(createAgentOptions(server.url, out, { method }));
    expect(summary.method).toBe(method);
    expect(engineRecord.updates).toBeGreaterThanOrEqual(2);
  },
  SLOW_MS,
);

test(
  "a method that needs sampling that the server lacks is refused before any episode",
  async () => {
    const played: string[] = [];
    const options = createAgentOptions(server.url, join(root, "rft"), { method: "rft" }, (id) =>
      played.push(id),
    );
    await expect(trainAgent(options)).rejects.toThrow(
      /got algo\.lowestTemperature 0\.3; with null/,
    );
    expect(played).toEqual([]);
  },
  SLOW_MS,
);
