/**
 * A Tinker server without a model, in a process of its own: every sample takes a second and says what it was told to say.
 * What the controller costs is then all that its process costs.
 *
 *   tsx bench/tinker/slow-server.ts '{"latencyMs":1000,"tokens":[1,2,3],"vocabularySize":400}'
 *
 * Prints its URL as the first line; ends with its parent.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Backend, startTinkerServer } from "../../src/server/index.ts";

export interface SlowServerOptions {
  readonly latencyMs: number;
  /** Every sample. */
  readonly tokens: readonly number[];
  readonly vocabularySize: number;
}

const { latencyMs, tokens, vocabularySize } = JSON.parse(
  process.argv[2] ?? "",
) as SlowServerOptions;
const root = mkdtempSync(join(tmpdir(), "bowline-slow-server-"));
const nothing = () => Promise.resolve({ logprobs: [], losses: [], loss: 0, skipped: 0 });
const write = async (_: string, directory: string) => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "weights"), "none");
};
const sequence = { stop: "stop" as const, tokens, logprobs: tokens.map(() => -0.5) };
const backend: Backend = {
  base: { name: "slow", vocabularySize, contextLength: 131_072, stopIds: [tokens.at(-1)!] },
  createModel: () => Promise.resolve(),
  forward: nothing,
  forwardBackward: nothing,
  optimStep: () => Promise.resolve({}),
  saveTraining: write,
  loadTraining: () => Promise.resolve(),
  saveSampler: write,
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
