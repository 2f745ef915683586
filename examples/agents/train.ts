/** What the three agents of this folder have in common: 4,000 shops to train on, 100 held out, LOOP for a few minutes. */
import { fileURLToPath } from "node:url";
import {
  Rng,
  type RunAgent,
  randomStreamId,
  type Summary,
  type TrainEvent,
  trainAgent,
} from "bowline";
import { type ShopTask, drawShopTask, teacher } from "./shop.ts";

const drawTasks = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => drawShopTask(new Rng(randomStreamId(1, "shops", name, i))));

/** Trains in `out`, or continues there. `overrides` are fields of the configuration. */
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

/** Where the example is the program: the folder is its argument, fields follow as `run.seed=2`. */
export async function trainFromCommandLine(run: RunAgent<ShopTask>, module: string): Promise<void> {
  const [, program, out = "runs/agent", ...fields] = process.argv;
  if (program !== fileURLToPath(module)) return;
  const { before, after } = await train(
    run,
    out,
    Object.fromEntries(fields.map((one) => one.split("="))),
  );
  const at = (scores: typeof before) => scores["dev@T1"]?.reward.toFixed(2);
  console.log(`held-out reward at T = 1: ${at(before)} before, ${at(after)} after`);
}

function logEvent(event: TrainEvent): void {
  if (event.type === "phase-start") console.log(`${event.phase}: ${event.detail}`);
  if (event.type !== "progress" || event.phase !== "loop") return;
  console.log(`iteration ${event.step}: reward ${event.metrics["reward/mean"]?.toFixed(2)}`);
}
