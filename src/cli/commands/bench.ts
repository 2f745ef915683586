/** `bowline bench`: what things cost on this machine. One file a subcommand. */
import type { Command } from "commander";
import type { Session } from "../session.ts";
import { addBenchEngine } from "./bench-engine.ts";
import { addBenchRollout } from "./bench-rollout.ts";
import { addBenchTrain } from "./bench-train.ts";
import { addBenchWorld } from "./bench-world.ts";

export function addBench(program: Command, session: Session): void {
  const bench = program
    .command("bench")
    .summary("measure speed and memory on this machine")
    .description("Measure what things cost on this machine.")
    .addHelpText("after", "\nExample:\n  bowline bench world --quick");
  for (const add of [addBenchWorld, addBenchEngine, addBenchRollout, addBenchTrain])
    add(bench, session);
}
