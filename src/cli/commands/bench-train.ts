/** `bowline bench train` measures an iteration of LOOP, phase by phase, for several model sizes. */

import type { Command } from "commander";
import { BENCH_PHASES, benchTrain, type TrainBench } from "../../bench/index.ts";
import { formatCompact, formatCount } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { renderTable } from "../render/table.ts";
import { jsonOption, refuseConfigFields, seedOption, worldOption } from "../shared-options.ts";
import type { Channel } from "../terminal.ts";
import {
  type DimText,
  formatMillions,
  maxMillionsOption,
  rightAligned,
  runMeasurement,
  threadsOption,
} from "./bench-command.ts";

interface BenchOptions {
  readonly world: string;
  readonly seed: number;
  readonly threads: number;
  readonly maxMillions?: number;
  readonly quick?: boolean;
  readonly json?: boolean;
}

export function defineBenchTrainCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Measure one short training iteration for several model sizes: rollouts, log-probs, gradients, optimizer steps, publishing and a checkpoint; and learning as a share of the machine's peak speed. Takes minutes; larger models take longer.",
    )
    .addOption(worldOption())
    .addOption(seedOption("seed of the world").default(1))
    .addOption(threadsOption())
    .addOption(maxMillionsOption())
    .option("--quick", "measure one small model in a few seconds; the numbers are rough")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline bench train --quick\n  bowline bench train --max-millions 30 --json",
    )
    .action(async ({ json, ...options }: BenchOptions, command: Command) => {
      refuseConfigFields(command, context);
      await runMeasurement(
        context,
        json,
        (onPhase) => benchTrain({ ...options, onPhase }),
        formatResult,
      );
    });
}

function formatResult(result: TrainBench, dim: DimText, { paint }: Channel) {
  const { machine } = result;
  const rough = result.quick ? " · quick: rough numbers" : "";
  return [
    `  ${paint("bold", result.world)}  ${dim(`${machine.cpu}, ${machine.cores} cores, ${result.threads} threads, peak ${formatCompact(result.peakGflops)} GFLOP/s, node ${machine.node}${rough}`)}`,
    `  ${dim(`${result.epochs} epochs, ${result.minibatch} rollouts per minibatch; milliseconds per phase`)}`,
    "",
    renderPhaseTable(result, dim),
    "",
    renderSpeedTable(result, dim),
  ];
}

function renderPhaseTable({ iterations }: TrainBench, dim: DimText): string {
  return renderTable(
    rightAligned(["iteration", ...BENCH_PHASES, "seconds"]),
    iterations.map((row) => [
      formatMillions(row.params),
      ...BENCH_PHASES.map((phase) => formatCount(Math.round(row.phasesMs[phase]))),
      formatCompact(row.seconds),
    ]),
    dim,
  );
}

function renderSpeedTable({ iterations }: TrainBench, dim: DimText): string {
  return renderTable(
    rightAligned([
      "learning",
      "tokens",
      "tokens/s",
      "gradient tokens/s",
      "GFLOP/s",
      "share of peak",
    ]),
    iterations.map((row) => [
      formatMillions(row.params),
      formatCount(row.tokens),
      formatCount(row.tokensPerSecond),
      formatCount(row.gradientTokensPerSecond),
      formatCompact(row.learningGflops),
      `${Math.round(100 * row.shareOfPeak)}%`,
    ]),
    dim,
  );
}
