/**
 * Trains the agent's model: `npm run train`, or `npm run train -- runs/second run.seed=2 algo.iterations=20`. The first
 * argument is the run directory, and the others are fields of the configuration.
 */
import { type TrainEvent, trainAgent } from "bowline";
import { playTask } from "./episode.ts";
import { modelInTraining } from "./model.ts";
import { drawTasks, teacher } from "./tasks.ts";

async function main(): Promise<void> {
  const [out = "runs/agent", ...fields] = process.argv.slice(2);
  const { before, after } = await trainAgent({
    tasks: { train: drawTasks("train", 4000), dev: drawTasks("dev", 100) },
    run: (task, context) => playTask(task, modelInTraining(context), context.signal),
    warmStart: { teacher },
    out,
    overrides: Object.fromEntries(fields.map((field) => field.split("="))),
    onEvent: logEvent,
  });
  for (const [name, scores] of [["before", before] as const, ["after", after] as const]) {
    const [greedy, sampled] = [scores.dev, scores["dev@T1"]].map((score) =>
      score?.reward.toFixed(2),
    );
    console.log(`held-out reward ${name}: ${greedy} greedy, ${sampled} at T = 1`);
  }
}

function logEvent(event: TrainEvent): void {
  if (event.type === "note") console.log(event.text);
  if (event.type === "phase-start") console.log(`${event.phase}: ${event.detail}`);
  if (event.type !== "progress" || event.phase !== "loop") return;
  console.log(`iteration ${event.step}: reward ${event.metrics["reward/mean"]?.toFixed(2)}`);
}

await main();
