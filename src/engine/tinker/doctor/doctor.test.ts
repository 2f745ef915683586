import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import * as known from "../../../../tests/support/tinker-behaviours.ts";
import * as odd from "../../../../tests/support/tinker-doctor-behaviours.ts";
import { ToyBackend } from "../../../../tests/support/tinker-toy-backend.ts";
import { type Behaviour, startTinkerServer } from "../../../server/index.ts";
import { type DoctorOptions, diagnose, type Report, TOPICS, type Verdict } from "./index.ts";

const root = mkdtempSync(join(tmpdir(), "bowline-doctor-"));
let servers = 0;
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function examine(
  behaviours: readonly Behaviour[],
  options: Partial<DoctorOptions> = {},
): Promise<Report> {
  const server = await startTinkerServer({
    backend: new ToyBackend(),
    behaviour: known.combined(...behaviours),
    stateDirectory: join(root, String(++servers)),
    pollMs: 1000,
  });
  try {
    return await diagnose({
      url: server.url,
      timeoutMs: 60_000,
      risky: true,
      endToken: 3,
      ...options,
    });
  } finally {
    await server.close();
  }
}

/** All topics that are not as on the reference. */
function differences({ findings }: Report): Record<string, Verdict> {
  const different = findings.filter(({ verdict }) => verdict !== "ok");
  return Object.fromEntries(different.map(({ topic, verdict }) => [topic, verdict]));
}

function of(report: Report, topic: keyof typeof TOPICS) {
  return report.findings.find((finding) => finding.topic === topic)!;
}

test("an honest server has nothing to hide, and every topic has numbers", async () => {
  const report = await examine([]);
  expect(differences(report)).toEqual({});
  expect(report.findings.map(({ topic }) => topic)).toEqual(Object.keys(TOPICS));
  for (const { measured, evidence } of report.findings) {
    expect(Object.keys(measured).length, evidence).toBeGreaterThan(0);
  }
  expect(report.models).toEqual(["toy"]);
  expect(report.cost.trainedTokens).toBeGreaterThan(0);
  expect(of(report, "reduction").measured).toMatchObject({ overRows: "sum", overTokens: "sum" });
});

const SWITCHES: readonly (readonly [
  name: string,
  behaviour: () => Behaviour,
  found: Readonly<Record<string, Verdict>>,
])[] = [
  ["JSON alone", () => known.jsonOnly, { dialect: "deviates" }],
  ["protobuf alone", () => known.protoOnly, {}],
  [
    "no forward pass",
    () => known.combined(known.jsonOnly, known.noForward),
    { dialect: "deviates", forward: "unsupported" },
  ],
  ["mean of means", known.meanReduction, { reduction: "deviates", accumulation: "ok" }],
  ["no clipping", () => known.ignoresGradientClip, { "gradient-clip": "deviates" }],
  [
    "prompt log-probs without the first",
    () => known.shortPromptLogprobs,
    { "prompt-logprobs": "deviates" },
  ],
  [
    "log-probs after temperature",
    () => known.temperedLogprobs,
    { "logprob-temperature": "deviates" },
  ],
  ["no end without stop", () => known.noImplicitStop, { eos: "deviates" }],
  ["stop is not read", () => known.ignoresStop, { stop: "deviates", eos: "deviates" }],
  ["one slot", known.sharedSlot, { "frozen-sampler": "deviates", "sampler-training": "deviates" }],
  ["dropout", odd.dropout, { "trainer-noise": "deviates" }],
  ["samplers follow training", odd.liveSampler, { "frozen-sampler": "deviates" }],
  ["settings of the first step", odd.firstAdam, { "adam-parameters": "deviates" }],
  ["steps without a gradient", () => odd.stepsWithoutGradient, { "empty-step": "deviates" }],
  ["seeds are not read", odd.ignoresSeeds, { seed: "deviates" }],
  ["other bounds of ppo", () => odd.ownPpoBounds, { "ppo-bounds": "deviates" }],
  ["repeats are done again", odd.doesRepeats, { repeat: "deviates", "repeat-changed": "deviates" }],
  ["lengths are mended", () => odd.mends("lengths"), { lengths: "deviates" }],
  ["ids are mended", () => odd.mends("ids"), { "token-range": "deviates" }],
  ["NaN is mended", () => odd.mends("nan"), { "not-a-number": "deviates" }],
  ["no unloading", () => odd.noUnload, { unload: "unsupported" }],
  ["no gradient norm", () => odd.noGradientNorm, { "gradient-norm": "unsupported" }],
];

describe("exactly the departure of a server is found", () => {
  test.each(SWITCHES)("%s", async (_, behaviour, found) => {
    const expected = Object.fromEntries(Object.entries(found).filter(([, v]) => v !== "ok"));
    expect(differences(await examine([behaviour()]))).toEqual(expected);
  });

  test("a mean is found without a gradient norm too", async () => {
    const report = await examine([odd.noGradientNorm, known.meanReduction()]);
    expect(of(report, "reduction").measured).toMatchObject({
      overRows: "mean",
      overTokens: "mean",
    });
  });
});

test("what can end a server is sent only when allowed", async () => {
  const report = await examine([], { risky: false });
  expect(differences(report)).toEqual({ "token-range": "unknown", "not-a-number": "unknown" });
});

test("a key is in no report, whatever a server says", async () => {
  const echo: Behaviour = {
    wrapExchange: (inner) => async (call) =>
      /optim_step|unload/.test(call.path)
        ? { status: 403, json: { detail: `not with ${call.headers["x-api-key"]}` } }
        : inner(call),
  };
  const failed = examine([echo], { key: "tml-secret-1" });
  await expect(failed).rejects.toThrow("not with [key]");
});
