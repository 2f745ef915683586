/** Tests which traits the engine measures on servers that differ in each of them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTinkerEngine } from "../../src/engine/index.ts";
import type { Behaviour } from "../../src/server/index.ts";
import type { EngineInfo } from "../../src/spec/index.ts";
import {
  ignoresGradientClip,
  jsonOnly,
  meanReduction,
  noForward,
  sharedSlot,
  shortPromptLogprobs,
  temperedLogprobs,
} from "../support/tinker-behaviours.ts";
import { followLiveWeights, simulateDropout } from "../support/tinker-doctor-behaviours.ts";
import { startTestServer, TINY } from "../support/tinker-server.ts";
import { HONEST_TRAITS } from "../support/tinker-traits.ts";

/** Starts a server, creates an engine on it and returns the traits that it stored and the engine's info. */
async function measureServer(behaviours: readonly Behaviour[]) {
  const server = await startTestServer({ behaviours });
  const directory = mkdtempSync(join(tmpdir(), "bowline-examine-"));
  const open = () => createTinkerEngine({ ...TINY, url: server.url, rank: 4, seed: 1, directory });
  try {
    const engine = await open();
    await engine.close();
    const again = await open();
    await again.close();
    expect(again.info).toEqual(engine.info);
    const { traits } = JSON.parse(readFileSync(join(directory, "traits.json"), "utf8"));
    return { traits: traits as typeof HONEST_TRAITS, info: engine.info };
  } finally {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const capabilitiesOf = ({ capabilities }: EngineInfo) => capabilities;

test("the engine measures the normal traits on a server that follows the protocol", async () => {
  const { traits, info } = await measureServer([]);
  expect(traits).toEqual(HONEST_TRAITS);
  expect(info).toMatchObject({ name: "tinker", vocabularySize: 48, contextLength: 64 });
  expect(capabilitiesOf(info)).toEqual({
    entropy: false,
    value: false,
    snapshot: true,
    gradientClip: true,
    discard: true,
    heldVersions: true,
    tempered: false,
    temperedSamples: false,
    gradientNorm: true,
  });
});

test("the engine measures mean reduction and missing clipping on a server like SkyRL's JAX backend", async () => {
  const { traits, info } = await measureServer([
    meanReduction(),
    ignoresGradientClip,
    shortPromptLogprobs,
  ]);
  expect(traits).toMatchObject({ reduction: "mean", gradientClip: false, promptLogprobs: true });
  expect(capabilitiesOf(info).gradientClip).toBe(false);
});

test("the engine notices when the weights of a sampler change, although the journal records answers", async () => {
  for (const changing of [sharedSlot(), followLiveWeights()]) {
    const { traits, info } = await measureServer([changing]);
    expect(traits).toEqual({ ...HONEST_TRAITS, frozenSamplers: false });
    expect(capabilitiesOf(info)).toMatchObject({ heldVersions: false, snapshot: false });
  }
});

test("the engine measures the right traits although the results of the server's passes are noisy", async () => {
  const { traits } = await measureServer([simulateDropout()]);
  expect(traits).toEqual(HONEST_TRAITS);
});

test("the engine notices a missing forward pass and tempered log-probs on a server like open-rl", async () => {
  const { traits } = await measureServer([jsonOnly, noForward, temperedLogprobs]);
  expect(traits).toMatchObject({
    reduction: "sum",
    forward: "zero-gradient",
    sampleLogprobs: "tempered",
    deduplicates: false,
  });
});
