/**
 * Scores a model on tasks that no training has seen: `npm run eval`, with POLICY, MODEL and the address of the server
 * in the environment as in `model.ts`. The argument is the number of tasks.
 */
import { playTask } from "./episode.ts";
import { openModel } from "./model.ts";
import { drawTasks } from "./tasks.ts";

/** The number of tasks that are played at the same time. */
const CONCURRENCY = 8;

const tasks = drawTasks("test", Number(process.argv[2] ?? 100));
const { createModel, close } = await openModel();
const remaining = tasks.values();
let sum = 0;

async function playRemaining(): Promise<void> {
  for (const task of remaining) {
    const { model, close } = createModel();
    try {
      sum += await playTask(task, model);
    } finally {
      close();
    }
  }
}

try {
  await Promise.all(Array.from({ length: CONCURRENCY }, playRemaining));
  const mean = sum / tasks.length;
  const error = Math.sqrt((mean * (1 - mean)) / tasks.length);
  console.log(`reward ${mean.toFixed(2)} ± ${(1.96 * error).toFixed(2)} on ${tasks.length} tasks`);
} finally {
  await close();
}
