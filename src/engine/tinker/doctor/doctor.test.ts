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

/** Returns everything that was measured as true or false, by topic and name. */
function measuredFlags({ findings }: Report): Record<string, boolean> {
  return Object.fromEntries(
    findings.flatMap(({ topic, measured }) =>
      Object.entries(measured).flatMap(([name, value]) =>
        typeof value === "boolean" ? [[`${topic}.${name}`, value] as const] : [],
      ),
    ),
  );
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
  expect(measuredFlags(report)).toEqual({
    "dialect.json": true,
    "dialect.proto": true,
    "losses.cross_entropy": true,
    "losses.importance_sampling": true,
    "losses.ppo": true,
    "losses.cispo": true,
    "losses.dro": true,
    "prompt-logprobs.leadingNull": true,
    "zero-rate.accepted": true,
    "empty-step.refused": true,
    "repeat.sameRequestId": true,
    "repeat-changed.accepted": false,
    "lengths.advantages": false,
    "lengths.logprobs": false,
    "lengths.targets": false,
    "token-range.accepted": false,
    "not-a-number.accepted": false,
    "not-a-number.stepped": false,
    "not-a-number.weightsLost": false,
    "resume.saved": true,
    "resume.loaded": true,
    "unload.unloaded": true,
    "unload.refusedAfterwards": true,
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

/** A server that refuses every optimizer step, and repeats the key in its error. */
const refuseSteps: Behaviour = {
  wrapExchange: (inner) => async (call) =>
    /optim_step|unload/.test(call.path)
      ? { status: 403, json: { detail: `not with ${call.headers["x-api-key"]}` } }
      : inner(call),
};

test("a server that refuses every step is examined to the end, and the API key in its error is hidden", async () => {
  const report = await diagnoseToyServer([refuseSteps], { key: "tml-secret-1" });
  expect(JSON.stringify(report)).not.toContain("tml-secret-1");
  expect(findingFor(report, "zero-rate").evidence).toContain("not with [key]");
  const found = differences(report);
  expect(found["zero-rate"]).toBe("unsupported");
  expect(found["gradient-clip"]).toBe("unknown");
  expect(found).not.toHaveProperty("dialect");
  expect(found).not.toHaveProperty("seed");
});

const refusePaths = (paths: RegExp): Behaviour => ({
  wrapExchange: (inner) => async (call) =>
    paths.test(call.path) ? { status: 403, json: { detail: "not here" } } : inner(call),
});

test.each([
  [/save_weights$/, { "resume.saved": false, "resume.loaded": false, "unload.unloaded": true }],
  [
    /load_weights$|unload_model$/,
    { "resume.saved": true, "resume.loaded": false, "unload.unloaded": false },
  ],
])("a server that refuses %s cannot resume, and what it did is measured", async (paths, flags) => {
  const report = await diagnoseToyServer([refusePaths(paths)]);
  expect(measuredFlags(report)).toMatchObject(flags);
  const unloaded = flags["unload.unloaded"];
  expect(differences(report)).toEqual({
    resume: "unsupported",
    ...(!unloaded && { unload: "unsupported" }),
  });
  expect(findingFor(report, "unload").measured["refusedAfterwards"]).toBe(unloaded ? true : null);
});

/** Refuses steps with a rate or an epsilon outside of these bounds, as hatchery does. */
const boundSteps = (
  isAllowed: (step: { learning_rate: number; eps: number }) => boolean,
): Behaviour => ({
  wrapExchange: (inner) => async (call) =>
    call.path.endsWith("/optim_step") && !isAllowed(readStep(call.body))
      ? { status: 422, json: { detail: "adam_params: out of bounds" } }
      : inner(call),
});

test("a server that refuses the learning rate 0 is examined with steps at the least rate, and nothing else differs", async () => {
  const report = await diagnoseToyServer([boundSteps(({ learning_rate }) => learning_rate > 0)]);
  expect(differences(report)).toEqual({ "zero-rate": "unsupported" });
  expect(findingFor(report, "zero-rate").measured).toMatchObject({
    accepted: false,
    usedRate: 1e-30,
  });
});

test("a server that also bounds epsilon by 1 is examined with epsilon 1", async () => {
  const report = await diagnoseToyServer([
    boundSteps(({ learning_rate, eps }) => learning_rate > 0 && eps <= 1),
  ]);
  expect(differences(report)).toEqual({ "zero-rate": "unsupported" });
  expect(findingFor(report, "zero-rate").measured["usedEpsilon"]).toBe(1);
});

test("a diagnosis that is stopped returns what it has found, and unloads its model", async () => {
  const stop = new AbortController();
  let unloads = 0;
  const count: Behaviour = {
    wrapExchange: (inner) => async (call) => {
      if (call.path.endsWith("/unload_model")) unloads++;
      return inner(call);
    },
  };
  const report = await diagnoseToyServer([count], {
    signal: stop.signal,
    onTopics: (topics) => topics.includes("losses") && stop.abort(),
  });
  expect(report.stopped).toBe(true);
  expect(findingFor(report, "seed").verdict).toBe("ok");
  expect(findingFor(report, "losses")).toMatchObject({
    verdict: "unknown",
    evidence: "not examined, because the diagnosis was stopped",
  });
  expect(unloads).toBe(1);
});

test("a model's name is asked for only when the server lists none", async () => {
  const nameless: Behaviour = {
    wrapExchange: (inner) => async (call) =>
      call.path.endsWith("/get_server_capabilities")
        ? { status: 200, json: { supported_models: [{ model_id: "toy" }] } }
        : inner(call),
  };
  const stop = new AbortController();
  const stopAtOnce = { signal: stop.signal, onTopics: () => stop.abort() };
  const asked = await diagnoseToyServer([nameless], {
    ...stopAtOnce,
    askModel: async () => "toy",
  });
  expect(asked).toMatchObject({ model: "toy", models: [] });
  await expect(diagnoseToyServer([nameless], { askModel: async () => undefined })).rejects.toThrow(
    "lists no model; name one with --model",
  );
});

const readStep = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString()).adam_params;
