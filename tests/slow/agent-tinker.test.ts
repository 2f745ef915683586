/**
 * `trainAgent` on a server: an agent that knows an address and a key, a gateway here, weights there. What the server sampled
 * is what the rows of the run hold and what the server is taught, token for token.
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
import { createAgentOptions, QWEN } from "../support/tinker-agent.ts";
import { createTestEngines } from "../support/tinker-engines.ts";

const SLOW_MS = 240_000;
const root = mkdtempSync(join(tmpdir(), "bowline-agent-tinker-"));
const engines = createTestEngines();
afterAll(async () => {
  await engines.close();
  rmSync(root, { recursive: true, force: true });
});

/** What the server's engines did. */
interface Seen {
  readonly samples: { readonly request: SampleRequest; readonly sample: Sample }[];
  readonly learned: (readonly number[])[];
  updates: number;
}

let seen: Seen;
let server: Awaited<ReturnType<typeof serve>>;
let folders = 0;
beforeEach(async () => {
  seen = { samples: [], learned: [], updates: 0 };
  server = await serve(join(root, `server-${++folders}`));
}, SLOW_MS);
afterEach(() => server.close());

async function serve(stateDirectory: string) {
  const opened = await openBase(
    { from: "folder", path: QWEN },
    { stateDirectory, contextLength: 256 },
  );
  const backend = new EmbeddedBackend({
    ...opened,
    createEngine: async (options) => watched(await engines.create(options)),
    threads: 1,
    seed: 1,
    maxModels: 8,
    samplerEngines: 2,
  });
  return startTinkerServer({ backend, stateDirectory, seed: 1, port: 0 });
}

function watched(engine: OnnxEngine): OnnxEngine {
  return {
    ...engine,
    async sample(requests, signal) {
      const samples = await engine.sample(requests, signal);
      seen.samples.push(...requests.map((request, i) => ({ request, sample: samples[i]! })));
      return samples;
    },
    accumulate(rows, cotangents) {
      seen.learned.push(...rows.map(({ tokens }) => Array.from(tokens)));
      return engine.accumulate(rows, cotangents);
    },
    update(step) {
      seen.updates += 1;
      return engine.update(step);
    },
  };
}

const rowsOf = ({ tokens, segments = [] }: Rollout): readonly RolloutTokens[] =>
  tokens ? [tokens, ...segments] : [];

/** Stretches of sampled tokens in a row: where they begin, the ids, their log-probs. */
function sampledIn({ ids, mask, logprobs }: RolloutTokens) {
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
  "two iterations of LOOP: rows hold what the server sampled, and the server learns from those rows",
  async () => {
    const out = join(root, "loop");
    const summary = await trainAgent(createAgentOptions(server.url, out));
    expect(summary).toMatchObject({ method: "loop", rollouts: 32 });
    const rollouts = ["train-0001", "train-0002"].flatMap((name) => readRollouts(out, name));
    const known = new Map(
      seen.samples.map(({ request, sample }) => [
        JSON.stringify([request.tokens, sample.tokens]),
        sample.logprobs,
      ]),
    );
    let answers = 0;
    for (const rollout of rollouts) {
      expect(rollout.session).toMatchObject({ answers: 3, branches: 1, edits: 0 });
      expect(rowsOf(rollout)).toHaveLength(2);
      for (const { prompt, ids, logprobs } of rowsOf(rollout).flatMap(sampledIn)) {
        const sampled = known.get(JSON.stringify([prompt, ids]));
        expect(sampled, "a stretch that nobody sampled").toBeDefined();
        const gaps = logprobs.map((logprob, i) => Math.abs(logprob - sampled![i]!));
        expect(Math.max(...gaps)).toBeLessThan(1e-4);
        answers += 1;
      }
    }
    expect(answers).toBe(3 * rollouts.length);
    // What the client tries on the server before a run is no conversation.
    const own = new Set(rollouts.flatMap(rowsOf).map(({ ids }) => ids.join()));
    const opening = rowsOf(rollouts[0]!)[0]!.ids.slice(0, 4).join();
    const taught = seen.learned
      .map((tokens) => tokens.join())
      .filter((row) => row.startsWith(opening));
    expect(taught.length).toBeGreaterThan(16);
    expect(taught.filter((row) => !own.has(row))).toEqual([]);
    expect(seen.updates).toBeGreaterThanOrEqual(2);
    const learned = rollouts.filter(
      ({ policyVersion }) => policyVersion > rollouts[0]!.policyVersion,
    );
    expect(learned.length).toBe(16);
  },
  SLOW_MS,
);

test.each(["grpo", "ei"])(
  "the method %s too",
  async (method) => {
    const out = join(root, method);
    const summary = await trainAgent(createAgentOptions(server.url, out, { method }));
    expect(summary.method).toBe(method);
    expect(seen.updates).toBeGreaterThanOrEqual(2);
  },
  SLOW_MS,
);

test(
  "a method that samples as the server cannot is refused before an episode is played",
  async () => {
    const played: string[] = [];
    const options = createAgentOptions(server.url, join(root, "rft"), { method: "rft" }, (id) =>
      played.push(id),
    );
    await expect(trainAgent(options)).rejects.toThrow(/algo\.lowestTemperature 0\.3; null samples/);
    expect(played).toEqual([]);
  },
  SLOW_MS,
);
