/** What the engine finds out about a server by itself, on servers that differ in each point. */
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
import { dropout, liveSampler } from "../support/tinker-doctor-behaviours.ts";
import { startTestServer, TINY } from "../support/tinker-server.ts";
import { HONEST } from "../support/tinker-traits.ts";

/** The traits that an engine keeps in its folder, and what it says of itself. */
async function examined(behaviours: readonly Behaviour[]) {
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
    return { traits: traits as typeof HONEST, info: engine.info };
  } finally {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const can = ({ capabilities }: EngineInfo) => capabilities;

test("a server that keeps to the protocol", async () => {
  const { traits, info } = await examined([]);
  expect(traits).toEqual(HONEST);
  expect(info).toMatchObject({ name: "tinker", vocabularySize: 48, contextLength: 64 });
  expect(can(info)).toEqual({
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

test("one like SkyRL's JAX backend: a mean, no clipping, short prompt log-probs", async () => {
  const { traits, info } = await examined([
    meanReduction(),
    ignoresGradientClip,
    shortPromptLogprobs,
  ]);
  expect(traits).toMatchObject({ reduction: "mean", gradientClip: false, promptLogprobs: true });
  expect(can(info).gradientClip).toBe(false);
});

test("samplers that change are seen, although the engine keeps a record of what was answered", async () => {
  for (const changing of [sharedSlot(), liveSampler()]) {
    const { traits, info } = await examined([changing]);
    expect(traits).toEqual({ ...HONEST, frozenSamplers: false });
    expect(can(info)).toMatchObject({ heldVersions: false, snapshot: false });
  }
});

test("a server whose passes are noisy is seen for what it does beside", async () => {
  const { traits } = await examined([dropout()]);
  expect(traits).toEqual(HONEST);
});

test("one like open-rl: JSON, no forward pass, tempered log-probs", async () => {
  const { traits } = await examined([jsonOnly, noForward, temperedLogprobs]);
  expect(traits).toMatchObject({
    reduction: "sum",
    forward: "zero-gradient",
    sampleLogprobs: "tempered",
    deduplicates: false,
  });
});
