/**
 * Checks the memory benchmark: weights are in memory once, and with LoRA only an adapter is trained. The benchmark runs
 * in a separate process, because a process that ran other tests could free their memory during the measurement.
 */
import { expect, test } from "vitest";
import { benchMemory, type MemoryBench } from "../../src/bench/index.ts";
import { runBowline } from "../e2e/support/cli.ts";

test("a model is loaded once, and with LoRA a step trains only the adapter", async () => {
  const wanted = "--shape 512x8 --training lora --tokens 64 --threads 2";
  const { stdout } = await runBowline([
    "bench",
    "engine",
    "--memory",
    ...wanted.split(" "),
    "--json",
  ]);
  const [bench, ...others] = JSON.parse(stdout).memory as MemoryBench[];
  expect(others).toEqual([]);
  const { params, trainableParams, weightsMb, baseRssMb, loading, sampling, step } = bench!;
  expect(weightsMb).toBe(Math.round((4 * params) / 2 ** 20));
  // Rank 16 on every projection of 8 layers. The inputs and outputs of q, k, v, o, gate, up and down are added up.
  const perLayer = 16 * (3 * 512 + 768 + 1024 + 2 * (512 + 1408) + 1408 + 512);
  expect(trainableParams).toBe(8 * perLayer);
  const copies = (loading.rssMb - baseRssMb) / weightsMb;
  expect(copies).toBeGreaterThan(0.9);
  // The ONNX runtime itself takes almost as much memory as one copy of such a small model.
  expect(copies, "a second copy").toBeLessThan(2.4);
  for (const { rssMb, peakRssMb } of [loading, sampling, step]) {
    expect(peakRssMb).toBeGreaterThanOrEqual(rssMb);
  }
  expect(sampling.decode.map(({ batch }) => batch)).toEqual([1, 8]);
  expect(Math.min(...sampling.decode.map((one) => one.tokensPerSecond))).toBeGreaterThan(0);
  expect(step.tokens).toBe(64);
  expect(bench!.trainingCopies).toBeGreaterThanOrEqual(copies);
}, 60_000);

test("an unknown shape is refused, and the error lists the known ones", async () => {
  await expect(benchMemory({ shape: "huge", threads: 1 })).rejects.toThrow(
    /shape huge: expected one of 128x4.*qwen2\.5-0\.5b/,
  );
});
