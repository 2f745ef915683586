/** Diagnoses a server: runs every probe once on a throw-away model and makes a finding for each topic. */

import { BowlineError, errorMessage } from "../../../core/index.ts";
import { systemClock } from "../client/clock.ts";
import { TinkerError } from "../client/errors.ts";
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
  /** Asks for the base model's name when the server lists none. Without it, or without an answer, that is an error. */
  askModel?(): Promise<string | undefined>;
}

/**
 * Throws a `config` error when the model cannot be chosen, and an `engine` error when the server has no model to examine.
 * A diagnosis that is stopped later returns what it has found.
 */
export async function diagnose(options: DoctorOptions): Promise<Report> {
  const startMs = performance.now();
  const exchange = new Exchange(options);
  await exchange.signIn();
  const models = await fetchModels(exchange, options.url);
  const model = await chooseModel(models, options);
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
  } catch (error) {
    if (!isStop(error)) throw error;
  } finally {
    stopHeartbeat();
    exchange.beginFarewell();
    await subject.model.unload();
  }
  return {
    url: options.url,
    model,
    models,
    seconds: (performance.now() - startMs) / 1000,
    ...(options.signal?.aborted && { stopped: true as const }),
    cost: { ...exchange.costs },
    findings: (Object.keys(TOPICS) as Topic[]).map((topic) => createFinding(topic, observations)),
  };
}

function createFinding(topic: Topic, observations: ReadonlyMap<Topic, Observation>): Finding {
  const notReached = createUnknownObservation("not examined, because the diagnosis was stopped");
  return { topic, ...(observations.get(topic) ?? notReached) };
}

const isStop = (error: unknown) => TinkerError.is(error, "cancelled");

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

async function chooseModel(
  models: readonly string[],
  { model, url, askModel }: DoctorOptions,
): Promise<string> {
  if (model !== undefined) {
    if (models.length === 0 || models.includes(model)) return model;
    throw new BowlineError(
      "config",
      `--model: ${url} does not have the model ${model}; it has ${formatModelNames(models)}`,
    );
  }
  if (models.length === 1) return models[0]!;
  const answer = models.length === 0 ? await askModel?.() : undefined;
  if (answer !== undefined) return answer;
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

/** Observes the topics in turn. A topic whose measurement fails becomes unknown, with the reason as its evidence. */
async function runProbe(
  { topics, createObservers }: Probe,
  subject: DoctorSubject,
  observations: Map<Topic, Observation>,
): Promise<void> {
  const observers = createObservers(subject);
  for (const topic of topics) {
    try {
      observations.set(topic, await observers[topic]());
    } catch (error) {
      if (isStop(error)) throw error;
      observations.set(topic, createUnknownObservation(errorMessage(error)));
    }
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
