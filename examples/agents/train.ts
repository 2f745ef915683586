/**
 * Trains the three agents of this folder: by LOOP for a few minutes, on 4,000 tasks. They are scored on 100 other
 * tasks.
 */
import { fileURLToPath } from "node:url";
import {
  Rng,
  type RunAgent,
  randomStreamId,
  type Summary,
  type TrainEvent,
  trainAgent,
} from "bowline";
import { drawShopTask, type ShopTask, teacher } from "./shop.ts";

const drawTasks = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) =>
    drawShopTask(new Rng(randomStreamId(1, "shops", name, i))),
  );

/** Trains in the run directory `out`, or continues the run there. `overrides` are fields of the configuration. */
export function train(
  run: RunAgent<ShopTask>,
  out: string,
  overrides: Readonly<Record<string, unknown>> = {},
  onEvent: (event: TrainEvent) => void = logEvent,
): Promise<Summary> {
  return trainAgent({
    tasks: { train: drawTasks("train", 4000), dev: drawTasks("dev", 100) },
    run,
    warmStart: { teacher },
    out,
    overrides,
    onEvent,
  });
}

/** Trains if `module` was started as a program: its arguments are the run directory and fields such as `run.seed=2`. */
export async function trainFromCommandLine(run: RunAgent<ShopTask>, module: string): Promise<void> {
  const [, program, out = "runs/agent", ...fields] = process.argv;
  if (program !== fileURLToPath(module)) return;
  const { before, after } = await train(
    run,
    out,
    Object.fromEntries(fields.map((field) => field.split("="))),
  );
  const reward = (scores: typeof before) => scores["dev@T1"]?.reward.toFixed(2);
  console.log(`held-out reward at T = 1: ${reward(before)} before, ${reward(after)} after`);
}

function logEvent(event: TrainEvent): void {
  if (event.type === "phase-start") console.log(`${event.phase}: ${event.detail}`);
  if (event.type !== "progress" || event.phase !== "loop") return;
  console.log(`iteration ${event.step}: reward ${event.metrics["reward/mean"]?.toFixed(2)}`);
}
