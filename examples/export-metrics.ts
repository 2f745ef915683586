/**
 * Sends the metrics of a run to other programs while it trains: to a file of JSON lines, which Weights & Biases and
 * others read, and to a collector of OpenTelemetry (OTLP over HTTP, as JSON). Listening changes no number of the run.
 *
 *     npx tsx export-metrics.ts runs/exported http://127.0.0.1:4318
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { type OnEvent, resolveConfig, type TrainEvent, train } from "bowline";

/** The metrics of one step: the warm start is phase `warm`, an iteration is phase `loop`. */
interface Step {
  readonly phase: "warm" | "loop";
  readonly step: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** Returns the step that an event reports; undefined for other events, such as the progress of an evaluation. */
function readStep(event: TrainEvent): Step | undefined {
  if (event.type !== "progress" || Object.keys(event.metrics).length === 0) return undefined;
  const { phase, step, metrics } = event;
  return phase === "warm" || phase === "loop" ? { phase, step, metrics } : undefined;
}

/** Appends a line for each step: `{ "phase": "loop", "step": 3, "reward/mean": 0.4, ... }`. */
export function writeMetricLines(path: string): OnEvent {
  mkdirSync(dirname(path), { recursive: true });
  return (event) => {
    const found = readStep(event);
    if (!found) return;
    const { metrics, ...place } = found;
    appendFileSync(path, `${JSON.stringify({ ...place, ...metrics })}\n`);
  };
}

/**
 * Sends each step to a collector, one gauge for each metric: `reward/mean` becomes `bowline.reward.mean`. A collector
 * that does not answer is reported once and does not stop the run.
 */
export function sendToCollector(address: string, run: string): OnEvent {
  let hasFailed = false;
  return (event) => {
    const found = readStep(event);
    if (!found) return;
    const body = JSON.stringify(toOtlp(found, run));
    const headers = { "content-type": "application/json" };
    fetch(`${address}/v1/metrics`, { method: "POST", headers, body }).catch((error) => {
      if (!hasFailed) console.error(`no metrics reach ${address}: ${error.cause ?? error}`);
      hasFailed = true;
    });
  };
}

/** The request of OTLP: https://opentelemetry.io/docs/specs/otlp/#otlphttp-request */
function toOtlp({ phase, step, metrics }: Step, run: string) {
  const timeUnixNano = `${Date.now()}000000`;
  const attributes = [
    { key: "bowline.phase", value: { stringValue: phase } },
    { key: "bowline.step", value: { intValue: String(step) } },
  ];
  const toGauge = ([name, asDouble]: [string, number]) => ({
    name: `bowline.${name.replaceAll("/", ".")}`,
    gauge: { dataPoints: [{ asDouble, timeUnixNano, attributes }] },
  });
  const finite = Object.entries(metrics).filter(([, value]) => Number.isFinite(value));
  const resource = {
    attributes: [
      { key: "service.name", value: { stringValue: "bowline" } },
      { key: "bowline.run", value: { stringValue: run } },
    ],
  };
  const scopeMetrics = [{ scope: { name: "bowline" }, metrics: finite.map(toGauge) }];
  return { resourceMetrics: [{ resource, scopeMetrics }] };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [out = "runs/exported", collector] = process.argv.slice(2);
  const listeners = [
    writeMetricLines(`${out}-metrics.jsonl`),
    ...(collector === undefined ? [] : [sendToCollector(collector, out)]),
  ];
  const overrides = { "warm.demonstrations": 200, "algo.iterations": 2, "evaluation.scenarios": 2 };
  const config = resolveConfig({ recipe: "smoke", overrides });
  const onEvent: OnEvent = (event) => {
    for (const listen of listeners) listen(event);
  };
  await train(config, { out, onEvent });
}
