/**
 * Runs a Tinker server without a model. Every sample takes a second and returns the given tokens. The server is a
 * separate process, so that measurements of the controller's process do not include it.
 *
 * tsx bench/tinker/slow-server.ts '{"latencyMs":1000,"tokens":[1,2,3],"vocabularySize":400}'
 *
 * The server prints its URL as the first line, and it ends when its parent process ends.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Backend, startTinkerServer } from "../../src/server/index.ts";

export interface SlowServerOptions {
  readonly latencyMs: number;
  /** The tokens that every sample returns. */
  readonly tokens: readonly number[];
  readonly vocabularySize: number;
}

const { latencyMs, tokens, vocabularySize } = JSON.parse(
  process.argv[2] ?? "",
) as SlowServerOptions;
const root = mkdtempSync(join(tmpdir(), "bowline-slow-server-"));
const returnEmptyPass = () => Promise.resolve({ logprobs: [], losses: [], loss: 0, skipped: 0 });
const writeWeights = async (_: string, directory: string) => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "weights"), "none");
};
const sequence = { stop: "stop" as const, tokens, logprobs: tokens.map(() => -0.5) };
const backend: Backend = {
  base: { name: "slow", vocabularySize, contextLength: 131_072, stopIds: [tokens.at(-1)!] },
  createModel: () => Promise.resolve(),
  forward: returnEmptyPass,
  forwardBackward: returnEmptyPass,
  optimStep: () => Promise.resolve({}),
  saveTraining: writeWeights,
  loadTraining: () => Promise.resolve(),
  saveSampler: writeWeights,
  unloadModel: () => Promise.resolve(),
  async sample(_, { streams }) {
    await wait(latencyMs);
    return { sequences: streams.map(() => sequence) };
  },
  close: () => Promise.resolve(),
};
const server = await startTinkerServer({ backend, stateDirectory: join(root, "state") });
console.log(server.url);
process.on("disconnect", async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
  process.exit(0);
});
