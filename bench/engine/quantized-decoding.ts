/**
 * Compares decoding on a base of four bits with decoding on float32, by turns in one process.
 *
 * npx tsx bench/engine/quantized-decoding.ts [--shape smollm2-135m] [--base q4] [--rounds 9] [--json]
 *
 * The weights are random, because the speed depends on the shape alone. Every row continues a prompt of 300 tokens. A
 * turn measures the time of 36 tokens minus the time of 4.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureDecode } from "../../src/bench/decode-speed.ts";
import { createModelOfShape } from "../../src/bench/shapes.ts";
import { describeMachine } from "../../src/core/index.ts";
import { type BaseType, createOnnxEngine, writeRandomCheckpoint } from "../../src/engine/index.ts";
import { alternate, compareMedians, type SideBySide } from "../peers/alternate.ts";

const CONTEXT = 300;
const BATCHES = [1, 8, 32];

const { values } = parseArgs({
  options: {
    shape: { type: "string", default: "smollm2-135m" },
    base: { type: "string", default: "q4" },
    rounds: { type: "string", default: "9" },
    threads: { type: "string", default: "2" },
    json: { type: "boolean", default: false },
  },
});

interface BaseComparison {
  readonly batch: number;
  /** Milliseconds of a step: `ours` on the quantised base, `theirs` on float32. */
  readonly step: SideBySide;
  /** Milliseconds of processor time of a step. */
  readonly processor: SideBySide;
}

async function main(): Promise<void> {
  const [threads, rounds] = [Number(values.threads), Number(values.rounds)];
  const folder = mkdtempSync(join(tmpdir(), "bowline-bases-"));
  const model = {
    ...createModelOfShape(values.shape, { vocabularySize: 512, contextLength: 512 }),
    contextLength: 512,
  };
  try {
    writeRandomCheckpoint(folder, model, 1);
    const lora = { rank: 16, alpha: 32, targetModules: "all-linear" } as const;
    const create = (base: BaseType) =>
      createOnnxEngine({ model, seed: 1, weights: folder, base, threads, lora });
    const quantized = await create(values.base as BaseType);
    const floats = await create("f32");
    const found: BaseComparison[] = [];
    for (const batch of BATCHES) {
      const processorMs: [number[], number[]] = [[], []];
      const time = (side: 0 | 1) => async () => {
        const engine = side === 0 ? quantized : floats;
        const processor = process.cpuUsage();
        const speed = await measureDecode(engine, { batch, context: CONTEXT, rounds: 1 });
        const { user, system } = process.cpuUsage(processor);
        processorMs[side].push((user + system) / 1000);
        return speed.msPerStep;
      };
      await time(0)();
      await time(1)();
      for (const list of processorMs) list.length = 0;
      const step = await alternate(rounds, time(0), time(1));
      found.push({ batch, step, processor: compareMedians(...processorMs) });
    }
    await quantized.close();
    await floats.close();
    const { shape, base } = values;
    const result = { machine: describeMachine(), threads, shape, base, context: CONTEXT, found };
    console.log(values.json ? JSON.stringify(result) : found.map(formatComparison).join("\n"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function formatComparison({ batch, step, processor }: BaseComparison): string {
  return `${values.shape}, ${batch} rows: ${values.base} ${step.ratio} times float32 (rounds ${step.ratioSpread.join(" to ")}), ${step.ours} against ${step.theirs} ms a step; processor time ${processor.ratio} times`;
}

await main();
