/**
 * Provides what the comparisons share: an engine, a peer (the other program) with the same weights, and the speed of
 * matrix products in both.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Rng } from "../../src/core/index.ts";
import {
  benchmarkMatrixProduct,
  createOnnxEngine,
  type ModelConfig,
} from "../../src/engine/index.ts";
import type { Engine } from "../../src/spec/index.ts";
import { alternate } from "./alternate.ts";
import type { Peer } from "./peer-process.ts";

export interface PeerContext {
  readonly peer: Peer;
  readonly threads: number;
  /** Whether to run few rounds, which only show that the comparison works. */
  readonly quick: boolean;
  readonly onPhase: (what: string) => void;
}

/** Runs `use` with an engine whose weights the peer has loaded from a Hugging Face folder. */
export async function withEngine<T>(
  model: ModelConfig,
  { peer, threads }: PeerContext,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bowline-peers-"));
  const engine = await createOnnxEngine({ model, seed: 1, threads, maxLiveRows: 256 });
  try {
    await engine.save(join(folder, "model"));
    await peer.call("load", { directory: join(folder, "model") });
    return await use(engine);
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Measures raw matrix products in turns. Returns the GFLOP/s of Bowline, those of the peer, and Bowline's divided by
 * the peer's.
 */
export async function compareProducts({ peer, threads, quick }: PeerContext): Promise<{
  readonly oursGflops: number;
  readonly theirsGflops: number;
  readonly productRatio: number;
}> {
  const size = 1024;
  const product = await benchmarkMatrixProduct(size, threads);
  const theirs = async () => (await peer.call<{ gflops: number }>("product", { size })).gflops;
  const { ours, theirs: other, ratio } = await alternate(quick ? 2 : 7, product.measure, theirs);
  await product.close();
  return {
    oursGflops: ours,
    theirsGflops: other,
    productRatio: Number((1 / ratio).toPrecision(3)),
  };
}

export function drawTokenRows(count: number, length: number, vocabulary: number): number[][] {
  const rng = new Rng(7);
  return Array.from({ length: count }, () =>
    Array.from({ length }, () => rng.integer(1, vocabulary - 1)),
  );
}
