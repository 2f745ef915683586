import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import * as known from "../../../../tests/support/tinker-behaviours.ts";
import * as odd from "../../../../tests/support/tinker-doctor-behaviours.ts";
import { ToyBackend } from "../../../../tests/support/tinker-toy-backend.ts";
import { type Behaviour, startTinkerServer } from "../../../server/index.ts";
import { type DoctorOptions, diagnose, type Report, TOPICS, type Verdict } from "./index.ts";

const root = mkdtempSync(join(tmpdir(), "bowline-doctor-"));
let servers = 0;
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function diagnoseToyServer(
  behaviours: readonly Behaviour[],
  options: Partial<DoctorOptions> = {},
): Promise<Report> {
  const server = await startTinkerServer({
    backend: new ToyBackend(),
    behaviour: known.combineBehaviours(...behaviours),
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

/** Returns the verdicts of all topics that are not "ok". */
function differences({ findings }: Report): Record<string, Verdict> {
  const different = findings.filter(({ verdict }) => verdict !== "ok");
  return Object.fromEntries(different.map(({ topic, verdict }) => [topic, verdict]));
}

function findingFor(report: Report, topic: keyof typeof TOPICS) {
  return report.findings.find((finding) => finding.topic === topic)!;
}

test("a server that behaves like the hosted service gets ok on every topic", async () => {
  const report = await diagnoseToyServer([]);
  expect(differences(report)).toEqual({});
  expect(report.findings.map(({ topic }) => topic)).toEqual(Object.keys(TOPICS));
  expect(report.models).toEqual(["toy"]);
  expect(report.cost.trainedTokens).toBeGreaterThan(0);
  expect(findingFor(report, "reduction").measured).toMatchObject({
    overRows: "sum",
    overTokens: "sum",
  });
});

type Expected = Readonly<Partial<Record<keyof typeof TOPICS, Verdict>>>;
const expectVerdict = (verdict: Verdict, ...topics: (keyof typeof TOPICS)[]): Expected =>
  Object.fromEntries(topics.map((topic) => [topic, verdict]));

/** Each server has several departures, because one diagnosis makes hundreds of calls. None may hide or add another. */
const SERVERS: readonly (readonly [string, () => readonly Behaviour[], Expected])[] = [
  [
    "SkyRL's JAX backend, as far as it is simulated",
    known.skyrlJaxBehaviours,
    expectVerdict(
      "deviates",
      "reduction",
      "gradient-clip",
      "prompt-logprobs",
      "eos",
      "frozen-sampler",
      "sampler-training",
    ),
  ],
  [
    "open-rl, as far as it is simulated, with more departures",
    () => [
      ...known.openRlBehaviours(),
      odd.followLiveWeights(),
      odd.keepFirstAdamSettings(),
      odd.ignoreSeeds(),
      odd.ignoresPpoBounds,
      odd.runRepeatedRequests(),
      odd.noUnload,
    ],
    {
      ...expectVerdict(
        "deviates",
        "dialect",
        "ppo-bounds",
        "logprob-temperature",
        "stop",
        "eos",
        "seed",
      ),
      ...expectVerdict("deviates", "frozen-sampler", "adam-parameters", "repeat", "repeat-changed"),
      ...expectVerdict("unsupported", "forward", "unload"),
    },
  ],
  [
    "TuFT, without a gradient norm",
    () => [...known.tuftBehaviours(), odd.noGradientNorm],
    expectVerdict("unsupported", "gradient-norm"),
  ],
  [
    "mean reduction, no gradient norm, steps without a gradient, wrong lengths repaired",
    () => [
      odd.noGradientNorm,
      known.meanReduction(),
      odd.stepsWithoutGradient,
      odd.repairInput("lengths"),
    ],
    {
      ...expectVerdict("deviates", "reduction", "empty-step", "lengths"),
      ...expectVerdict("unsupported", "gradient-norm"),
    },
  ],
  [
    "dropout, wrong ids and NaN repaired",
    () => [odd.simulateDropout(), odd.repairInput("ids"), odd.repairInput("nan")],
    expectVerdict("deviates", "trainer-noise", "token-range", "not-a-number"),
  ],
];

test.each(SERVERS)(
  "the doctor finds exactly the departures of the simulated server: %s",
  async (_, behaviours, expected) => {
    const report = await diagnoseToyServer(behaviours());
    expect(differences(report)).toEqual(expected);
    for (const { measured, evidence } of report.findings) {
      expect(Object.keys(measured).length, evidence).toBeGreaterThan(0);
    }
  },
);

test("the measured numbers match the simulated departures", async () => {
  const report = await diagnoseToyServer([known.meanReduction(), known.shortPromptLogprobs]);
  const { measured } = findingFor(report, "reduction");
  expect(measured).toMatchObject({ overRows: "mean", overTokens: "mean", actions: 8, tokens: 16 });
  expect(measured["rowTwice"]).toBeCloseTo(1, 2);
  expect(measured["weightsOnActionsOnly"]).toBeCloseTo(2, 2);
  expect(findingFor(report, "prompt-logprobs").measured).toMatchObject({
    count: 11,
    promptTokens: 12,
  });
});

test("inputs that can crash a server are sent only with the option risky", async () => {
  const report = await diagnoseToyServer([], { risky: false });
  expect(differences(report)).toEqual({ "token-range": "unknown", "not-a-number": "unknown" });
});

test("the API key is hidden even when the server repeats it in an error", async () => {
  const echo: Behaviour = {
    wrapExchange: (inner) => async (call) =>
      /optim_step|unload/.test(call.path)
        ? { status: 403, json: { detail: `not with ${call.headers["x-api-key"]}` } }
        : inner(call),
  };
  const failed = diagnoseToyServer([echo], { key: "tml-secret-1" });
  await expect(failed).rejects.toThrow("not with [key]");
});
