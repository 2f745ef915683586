/** `bowline bench controller` measures what a run costs the machine that steers it, when the model is elsewhere. */

import { type Command, InvalidArgumentError } from "commander";
import { benchController, type ControllerBench } from "../../bench/index.ts";
import { formatCompact, formatCount } from "../../report/index.ts";
import { forkTimedServer } from "../../server/index.ts";
import type { CommandContext } from "../command-context.ts";
import {
  integerParser,
  jsonOption,
  numberParser,
  seedOption,
  worldOption,
} from "../shared-options.ts";
import type { Channel } from "../terminal.ts";
import { type DimText, runMeasurement } from "./bench-command.ts";

interface BenchOptions {
  readonly rollouts: number;
  readonly turns: number;
  readonly latency: readonly [number, number];
  readonly failures: number;
  readonly world: string;
  readonly workers: number;
  readonly seed: number;
  readonly model?: string;
  readonly json?: boolean;
}

export function defineBenchControllerCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Measure what a run costs the machine that steers it, when the model is elsewhere: processor time of a turn, main thread and memory. A server in another process answers every sample with the same message.",
    )
    .option("--rollouts <n>", "number of rollouts at once", integerParser(1, 100_000), 200)
    .option("--turns <n>", "number of turns of each rollout", integerParser(1, 39), 8)
    .option(
      "--latency <ms>",
      "milliseconds that a sample takes, or the shortest and the longest (500-20000)",
      parseLatency,
      [1000, 1000] as const,
    )
    .option(
      "--failures <share>",
      "share of samples whose first attempt fails, from 0 to 1",
      numberParser(0),
      0,
    )
    .addOption(worldOption().default("everyday"))
    .option("--workers <n>", "number of worker threads of the world", integerParser(1, 256), 2)
    .addOption(seedOption("seed of the world").default(1))
    .option("--model <dir>", "directory with a model's tokenizer and chat template")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      [
        "\nExamples:",
        "  bowline bench controller --rollouts 1000 --turns 8 --latency 1000 --json",
        "  bowline bench controller --rollouts 4000 --latency 500-20000 --failures 0.01",
      ].join("\n"),
    )
    .action(async ({ json, latency, failures, ...options }: BenchOptions) => {
      const startServer = forkTimedServer;
      const given = { ...options, latencyMs: latency, failureShare: failures, startServer };
      await runMeasurement(
        context,
        json,
        (onPhase) => benchController({ ...given, onPhase }),
        formatResult,
      );
    });
}

function parseLatency(text: string): readonly [number, number] {
  const [, shortest, longest = shortest] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(text) ?? [];
  const latency = [Number(shortest), Number(longest)] as const;
  if (latency[0] <= latency[1]) return latency;
  throw new InvalidArgumentError("Expected milliseconds, such as 1000 or 500-20000.");
}

function formatResult(result: ControllerBench, dim: DimText, { paint }: Channel) {
  const { machine, losses, lagMs } = result;
  const [shortest, longest] = result.latencyMs;
  const latency = shortest === longest ? `${shortest}` : `${shortest} to ${longest}`;
  const lost = Object.entries(losses).filter(([, count]) => count !== 0);
  return [
    `  ${paint("bold", result.world)}  ${dim(`${machine.cpu}, ${machine.cores} cores, node ${machine.node}`)}`,
    `  ${dim(`${formatCount(result.rollouts)} rollouts, ${formatCount(result.turns)} turns, rows of ${formatCount(result.rowTokens)} tokens, a sample takes ${latency} ms`)}`,
    "",
    `  ${formatCompact(result.seconds)} s; ${paint("bold", `${formatCompact(result.cpuMsPerTurn)} ms`)} of processor time a turn`,
    `  main thread ${Math.round(100 * result.mainThreadShare)}% busy, late by ${formatCompact(lagMs.p50)} ms (median) and ${formatCompact(lagMs.p99)} ms (99th percentile)`,
    `  memory: ${formatCount(result.rssBeforeMb)} MB before, ${formatCount(result.peakRssMb)} MB at most, ${formatCount(result.rssAfterMb)} MB after${result.garbageCollected ? "" : dim(" (garbage included; run Node with --expose-gc)")}`,
    lost.length === 0
      ? "  nothing was lost and nothing done twice"
      : `  lost or done twice: ${lost.map(([name, count]) => `${name} ${count}`).join(", ")}`,
  ];
}
