/**
 * Trains from a program: the setting `smoke` with custom parts, which are passed to `train` as values. If the run is
 * stopped, the same call with the same parts continues it.
 *
 *     npx tsx examples/library.ts runs/library
 */
import { pathToFileURL } from "node:url";
import { resolveConfig, type Summary, type TrainEvent, train, writeReport } from "bowline";
import engine from "./my-engine.ts";
import unique from "./my-filter.ts";
import method from "./my-method.ts";
import cost from "./my-reward.ts";
import sampler from "./my-sampler.ts";
import scaffold from "./my-scaffold.ts";

/** Trains in the run directory `out`, or continues the run there. `overrides` are fields of the configuration. */
export async function run(
  out: string,
  overrides: Readonly<Record<string, unknown>> = {},
  onEvent: (event: TrainEvent) => void = logEvent,
): Promise<Summary> {
  const config = resolveConfig({
    recipe: "smoke",
    method,
    overrides: { "elite.share": 0.25, ...overrides },
  });
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once("SIGINT", stop);
  try {
    return await train(config, {
      out,
      method,
      scaffold,
      rewards: { cost, short: ({ turns }) => -0.001 * turns.length },
      filters: { unique },
      sampler,
      engine,
      onEvent,
      signal: interrupt.signal,
    });
  } finally {
    process.off("SIGINT", stop);
  }
}

function logEvent(event: TrainEvent): void {
  if (event.type === "note") console.log(event.text);
  if (event.type !== "progress" || event.phase !== "loop") return;
  const { step, steps, metrics } = event;
  console.log(`${step}/${steps}  reward ${metrics["reward/mean"]?.toFixed(2)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const out = process.argv[2] ?? "runs/library";
  const { before, after } = await run(out);
  console.log(
    `TGC on dev ${before["dev"]?.tgc} -> ${after["dev"]?.tgc}; ${await writeReport(out)}`,
  );
}
