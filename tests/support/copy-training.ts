/** Copies what one trainer has learned to another, as a checkpoint does. */
import type { Trainer } from "../../src/engine/onnx/train/index.ts";

/** Gives `to` the trained weights, the moments and the step of `from`. Both train stores of the same shape. */
export async function copyTraining(from: Trainer, to: Trainer): Promise<void> {
  await from.readBack();
  to.trained.data.set(from.trained.data);
  to.trained.markChanged();
  to.optimizer.firstMoment.set(from.optimizer.firstMoment);
  to.optimizer.secondMoment.set(from.optimizer.secondMoment);
  to.optimizer.step = from.optimizer.step;
  to.markMomentsChanged();
}
