/** Diagnoses a server: runs every probe once on a throw-away model and makes a finding for each topic. */

import { BowlineError, errorMessage } from "../../../core/index.ts";
import { systemClock } from "../client/clock.ts";
import { HEARTBEAT_MS } from "../client/session.ts";
import { describeOutcome, ProbeError, requireSuccess } from "../probes/index.ts";
import { serverCapabilitiesSchema } from "../wire/index.ts";
import { Exchange, type ExchangeOptions, parseJsonOrUndefined } from "./exchange.ts";
import { type Finding, type Observation, type Report, TOPICS, type Topic } from "./finding.ts";
import { createDoctorSubject, type DoctorSubject, type Probe } from "./probe.ts";
import { gradientsProbe } from "./probes/gradients.ts";
import { dangerousInputProbe, lengthsProbe } from "./probes/invalid-input.ts";
import { lifetimeProbe } from "./probes/model-lifetime.ts";
import { optimizerProbe } from "./probes/optimizer.ts";
import { requestsProbe } from "./probes/requests.ts";
import { agreementProbe } from "./probes/sampler-agreement.ts";
import { samplingProbe } from "./probes/sampling.ts";
import { textEndProbe } from "./probes/text-end.ts";
import { WireServer } from "./wire-server.ts";

/** The probes in order. Those that train the model hard, or may break the server, come last. */
const PROBES: readonly Probe[] = [
  requestsProbe,
  samplingProbe,
  gradientsProbe,
  optimizerProbe,
  lengthsProbe,
  agreementProbe,
  lifetimeProbe,
  textEndProbe,
  dangerousInputProbe,
];

export interface DoctorOptions extends ExchangeOptions {
  /** The base model. It must be named when the server has several. */
  readonly model?: string;
  readonly rank?: number;
  readonly risky: boolean;
  readonly endToken?: number;
  onTopics?(topics: readonly Topic[]): void;
}

/** Throws a `config` error when the model cannot be chosen, and an `engine` error when the server cannot be used. */
export async function diagnose(options: DoctorOptions): Promise<Report> {
  const startMs = performance.now();
  const exchange = new Exchange(options);
  await exchange.signIn();
  const models = await fetchModels(exchange, options.url);
  const model = chooseModel(models, options);
  const observations = new Map<Topic, Observation>();
  const subject = await openSubject(exchange, model, options);
  const stopHeartbeat = systemClock.runEvery(
    HEARTBEAT_MS,
    () => void subject.server.heartbeat().catch(() => {}),
  );
  try {
    for (const probe of PROBES) {
      options.onTopics?.(probe.topics);
      await runProbe(probe, subject, observations);
    }
  } finally {
    stopHeartbeat();
    await subject.model.unload();
  }
  return {
    url: options.url,
    model,
    models,
    seconds: (performance.now() - startMs) / 1000,
    cost: { ...exchange.costs },
    findings: (Object.keys(TOPICS) as Topic[]).map((topic) => createFinding(topic, observations)),
  };
}

function createFinding(topic: Topic, observations: ReadonlyMap<Topic, Observation>): Finding {
  return {
    topic,
    ...(observations.get(topic) ?? createUnknownObservation("the probe returned no result")),
  };
}

async function fetchModels(exchange: Exchange, url: string): Promise<readonly string[]> {
  const answer = await exchange.get("/get_server_capabilities");
  const parsed = answer.ok
    ? serverCapabilitiesSchema.safeParse(parseJsonOrUndefined(answer.value))
    : undefined;
  if (parsed?.success) {
    return parsed.data.supported_models.flatMap(({ model_name }) => model_name ?? []);
  }
  const why =
    answer.ok || answer.status > 0
      ? `does not answer like a Tinker server: get_server_capabilities returned ${answer.ok ? "an unexpected body" : describeOutcome(answer)}`
      : `cannot be reached: ${describeOutcome(answer)}`;
  throw new BowlineError("engine", `${url} ${why}`);
}

function chooseModel(models: readonly string[], { model, url }: DoctorOptions): string {
  if (model !== undefined) {
    if (models.length === 0 || models.includes(model)) return model;
    throw new BowlineError(
      "config",
      `--model: ${url} does not have the model ${model}; it has ${formatModelNames(models)}`,
    );
  }
  if (models.length === 1) return models[0]!;
  throw new BowlineError(
    "config",
    models.length === 0
      ? `${url} lists no model; name one with --model`
      : `${url} has ${models.length} models; choose one with --model: ${formatModelNames(models)}`,
  );
}

function formatModelNames(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(", ");
  return names.length > 8 ? `${shown}, … (${names.length} in all)` : shown;
}

async function openSubject(
  exchange: Exchange,
  baseModel: string,
  { rank = 8, risky, endToken, url }: DoctorOptions,
): Promise<DoctorSubject> {
  try {
    const lab = requireSuccess(
      await WireServer.open(exchange, { baseModel, rank }),
      "create_session",
    );
    return await createDoctorSubject(lab, {
      risky,
      ...(endToken === undefined ? {} : { endToken }),
    });
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    throw new BowlineError("engine", `${url} cannot be diagnosed: ${error.message}`);
  }
}

async function runProbe(
  probe: Probe,
  subject: DoctorSubject,
  observations: Map<Topic, Observation>,
): Promise<void> {
  try {
    const results = await probe.run(subject);
    for (const topic of probe.topics) {
      const observation = results[topic];
      if (observation !== undefined) observations.set(topic, observation);
    }
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    for (const topic of probe.topics)
      observations.set(topic, createUnknownObservation(errorMessage(error)));
  }
}

function createUnknownObservation(why: string): Observation {
  return {
    verdict: "unknown",
    evidence: why,
    measured: {},
    consequence: "Bowline assumes nothing about it",
  };
}
