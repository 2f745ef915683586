/**
 * Compares the scores and tokens of a trained policy when the embedded engine runs it and when llama.cpp runs its GGUF
 * file.
 *
 * npx tsx bench/peers/gguf-rollouts.ts RUN --llama ./llamacpp [--split test-normal --scenarios 60]
 *
 * The run is evaluated greedily by the embedded engine, exported as F32 GGUF, and evaluated again by llama.cpp on that
 * file, with the same scaffold, chat template and world. The exit code is 1 when task goal completion differs by more
 * than 5 points. `compare-gguf.ts` says how to install node-llama-cpp.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BowlineError } from "../../src/core/index.ts";
import type { Engine, Rollout, Sample, SampleRequest, Split } from "../../src/spec/index.ts";
import { type EvaluateResult, evaluate, exportPolicy } from "../../src/train/index.ts";
import { continueGreedily, type Sequence, startLlama, withSequence } from "./llama.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    llama: { type: "string", default: "." },
    split: { type: "string", default: "test-normal" },
    scenarios: { type: "string", default: "60" },
    threads: { type: "string", default: "2" },
  },
});
const MAX_TGC_GAP = 0.05;

async function main(policy: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bowline-acts-"));
  const path = join(folder, "policy.gguf");
  const options = {
    policy,
    split: values.split as Split,
    scenarios: Number(values.scenarios),
    temperature: 0,
  };
  const threads = Number(values.threads);
  try {
    const ours = await evaluate(options);
    await exportPolicy({ policy, out: path, merged: true, format: "gguf" });
    const llama = await startLlama(values.llama, threads);
    const theirs = await withSequence(llama, { path, threads }, (sequence) =>
      evaluate({ ...options, engine: ({ model }) => createLlamaEngine(sequence, model) }),
    );
    reportComparison(ours, theirs, JSON.stringify(llama.llamaCppRelease));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes an engine that only samples: greedily, one request after the other, each from its first token. */
function createLlamaEngine(
  sequence: Sequence,
  { vocabularySize, contextLength }: { vocabularySize: number; contextLength: number },
): Engine {
  let turn: Promise<unknown> = Promise.resolve();
  const sampleOne = async (request: SampleRequest): Promise<Sample> => {
    await sequence.clearHistory();
    const { tokens: prompt, maxTokens: most, stopIds } = request;
    const tokens = await continueGreedily(sequence, prompt, { most, stopIds });
    const stop = stopIds.includes(tokens.at(-1)!) ? "stop" : "length";
    return { tokens, logprobs: tokens.map(() => 0), stop, policyVersion: 0 };
  };
  const rejectCall = async (): Promise<never> => {
    throw new BowlineError("engine", "llama.cpp only samples here");
  };
  return {
    info: {
      name: "llama.cpp",
      vocabularySize,
      contextLength,
      parameters: 0,
      trainableParameters: 0,
      threads: 1,
      capabilities: {
        entropy: false,
        value: false,
        snapshot: false,
        gradientClip: false,
        discard: false,
      },
    },
    sample: (requests) => {
      const all = turn.then(async () => {
        const samples: Sample[] = [];
        for (const request of requests) samples.push(await sampleOne(request));
        return samples;
      });
      turn = all.catch(() => {});
      return all;
    },
    // The weights are in the file and never change.
    load: async () => {},
    publish: async () => 0,
    release: () => {},
    close: async () => {},
    evaluate: rejectCall,
    accumulate: rejectCall,
    update: rejectCall,
    discard: rejectCall,
    snapshot: rejectCall,
    save: rejectCall,
  };
}

function reportComparison(ours: EvaluateResult, theirs: EvaluateResult, release: string): void {
  const joinTokens = ({ tokens }: Rollout) => tokens?.ids.join();
  const equalRollouts = ours.rollouts.filter(
    (one, i) => joinTokens(one) === joinTokens(theirs.rollouts[i]!),
  ).length;
  const percent = ({ score }: EvaluateResult) => (100 * score.tgc).toFixed(1);
  console.log(`${ours.policy} on ${ours.split}, greedy, ${ours.score.tasks} tasks`);
  console.log(
    `TGC ${percent(ours)} by the embedded engine, ${percent(theirs)} by llama.cpp ${release}`,
  );
  console.log(`${equalRollouts} of ${ours.rollouts.length} rollouts have the same tokens`);
  if (Math.abs(ours.score.tgc - theirs.score.tgc) > MAX_TGC_GAP) process.exitCode = 1;
}

const [run] = positionals;
if (run === undefined) {
  console.error("error: expected a run or a checkpoint");
  process.exitCode = 2;
} else await main(run);
