/** Plays one task: opens a desk of its own, lets the agent answer, and returns the reward. */
import { answer, type Model } from "./agent.ts";
import { openDesk } from "./desk.ts";
import { type DeskTask, describeRequest, rewardTask } from "./tasks.ts";
import { connectTools } from "./tools.ts";

export async function playTask(
  task: DeskTask,
  model: Model,
  signal?: AbortSignal,
): Promise<number> {
  const desk = openDesk(task.parcels);
  const { tools, close } = await connectTools(desk);
  try {
    await answer(describeRequest(task), tools, model, signal);
    return rewardTask(task, desk);
  } finally {
    await close();
  }
}
