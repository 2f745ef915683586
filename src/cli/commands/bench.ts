/** `bowline bench`: what things cost on this machine. One file a subcommand. */
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";

const BENCH_COMMANDS: readonly LazyCommand[] = [
  {
    name: "world",
    summary: "latencies, throughput and memory of episodes",
    load: async () => (await import("./bench-world.ts")).defineBenchWorldCommand,
  },
  {
    name: "engine",
    summary: "training and decoding of the embedded engine",
    load: async () => (await import("./bench-engine.ts")).defineBenchEngineCommand,
  },
  {
    name: "prefix",
    summary: "rows that begin alike, computed once and apart",
    load: async () => (await import("./bench-prefix.ts")).defineBenchPrefixCommand,
  },
  {
    name: "rollout",
    summary: "whole rollouts a second, decoding and prefill",
    load: async () => (await import("./bench-rollout.ts")).defineBenchRolloutCommand,
  },
  {
    name: "train",
    summary: "an iteration of LOOP, phase by phase",
    load: async () => (await import("./bench-train.ts")).defineBenchTrainCommand,
  },
];

/** The subcommands. */
export function defineBenchCommand(command: Command, context: CommandContext): void {
  command
    .description("Measure what things cost on this machine.")
    .addHelpText("after", "\nExample:\n  bowline bench world --quick");
  addCommands(command, context, BENCH_COMMANDS);
}
