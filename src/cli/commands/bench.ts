/** `bowline bench` measures speed and memory on this machine. Each subcommand has its own file. */
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";

const BENCH_COMMANDS: readonly LazyCommand[] = [
  {
    name: "world",
    summary: "measure latencies, throughput and memory of episodes",
    load: async () => (await import("./bench-world.ts")).defineBenchWorldCommand,
  },
  {
    name: "controller",
    summary: "measure the machine that steers a run whose model is elsewhere",
    load: async () => (await import("./bench-controller.ts")).defineBenchControllerCommand,
  },
  {
    name: "engine",
    summary: "measure training and decoding of the embedded engine",
    load: async () => (await import("./bench-engine.ts")).defineBenchEngineCommand,
  },
  {
    name: "plan",
    summary: "compute whether a model fits into memory, before it is loaded",
    load: async () => (await import("./bench-plan.ts")).defineBenchPlanCommand,
  },
  {
    name: "prefix",
    summary: "measure what is saved by computing shared tokens only once",
    load: async () => (await import("./bench-prefix.ts")).defineBenchPrefixCommand,
  },
  {
    name: "rollout",
    summary: "measure whole rollouts per second, decoding and prefill",
    load: async () => (await import("./bench-rollout.ts")).defineBenchRolloutCommand,
  },
  {
    name: "train",
    summary: "measure an iteration of LOOP, phase by phase",
    load: async () => (await import("./bench-train.ts")).defineBenchTrainCommand,
  },
];

export function defineBenchCommand(command: Command, context: CommandContext): void {
  command
    .description("Measure speed and memory on this machine.")
    .addHelpText("after", "\nExample:\n  bowline bench world --quick");
  addCommands(command, context, BENCH_COMMANDS);
}
