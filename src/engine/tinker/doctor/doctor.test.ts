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

function findingFor(report: Report, topic: keyof typeof TOPICS) {
  return report.findings.find((finding) => finding.topic === topic)!;
}

test("an honest server has nothing to hide", async () => {
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

/** Several departures at a time, because each examination is some hundred calls; none may hide or add another. */
const SERVERS: readonly (readonly [string, () => readonly Behaviour[], Expected])[] = [
  [
    "what SkyRL's JAX backend does, as far as it is simulated",
    known.skyrlJax,
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
    "what open-rl does, as far as it is simulated",
    () => [
      ...known.openRl(),
      odd.liveSampler(),
      odd.firstAdam(),
      odd.ignoresSeeds(),
      odd.ownPpoBounds,
      odd.doesRepeats(),
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
    "what TuFT does, without a gradient norm",
    () => [...known.tuft(), odd.noGradientNorm],
    expectVerdict("unsupported", "gradient-norm"),
  ],
  [
    "a mean without a gradient norm, steps without a gradient, lengths mended",
    () => [
      odd.noGradientNorm,
      known.meanReduction(),
      odd.stepsWithoutGradient,
      odd.mends("lengths"),
    ],
    {
      ...expectVerdict("deviates", "reduction", "empty-step", "lengths"),
      ...expectVerdict("unsupported", "gradient-norm"),
    },
  ],
  [
    "dropout, ids and NaN mended",
    () => [odd.dropout(), odd.mends("ids"), odd.mends("nan")],
    expectVerdict("deviates", "trainer-noise", "token-range", "not-a-number"),
  ],
];

test.each(SERVERS)("exactly the departures are found: %s", async (_, behaviours, expected) => {
  const report = await diagnoseToyServer(behaviours());
  expect(differences(report)).toEqual(expected);
  for (const { measured, evidence } of report.findings) {
    expect(Object.keys(measured).length, evidence).toBeGreaterThan(0);
  }
});

test("the numbers are those of the departure", async () => {
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

test("what can end a server is sent only when allowed", async () => {
  const report = await diagnoseToyServer([], { risky: false });
  expect(differences(report)).toEqual({ "token-range": "unknown", "not-a-number": "unknown" });
});

test("a key is in no report, whatever a server says", async () => {
  const echo: Behaviour = {
    wrapExchange: (inner) => async (call) =>
      /optim_step|unload/.test(call.path)
        ? { status: 403, json: { detail: `not with ${call.headers["x-api-key"]}` } }
        : inner(call),
  };
  const failed = diagnoseToyServer([echo], { key: "tml-secret-1" });
  await expect(failed).rejects.toThrow("not with [key]");
});
