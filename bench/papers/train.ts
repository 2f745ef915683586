/** Starts the training runs of the papers' worlds, each in a process of its own. */
import { spawnSync } from "node:child_process";
import type { Options } from "./experiments.ts";

/** Runs `bowline train smoke`, which prints the result of a run that is finished and continues one that is not. */
export function train(options: Options): void {
  const fields = Object.entries(options).flatMap(([option, value]) => [`--${option}`, `${value}`]);
  const args = ["dist/cli/main.js", "train", "smoke", ...fields];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}`);
}
