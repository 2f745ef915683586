/** `bowline bench train` measures an iteration of LOOP, phase by phase, for several model sizes. */

import type { Command } from "commander";
import { BENCH_PHASES, benchTrain, type TrainBench } from "../../bench/index.ts";
import { formatCompact, formatCount, formatDuration } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { monotonicSeconds } from "../interrupt.ts";
import { renderTable } from "../render/table.ts";
import {
  integerParser,
  jsonOption,
  numberParser,
  refuseConfigFields,
  seedOption,
  worldOption,
} from "../shared-options.ts";
import type { Paint } from "../terminal.ts";

interface BenchOptions {
  readonly world: string;
  readonly seed: number;
  readonly threads: number;
  readonly maxMillions?: number;
  readonly quick?: boolean;
  readonly json?: boolean;
}

/** Gives `bowline bench train` its description, options, help and action. */
export function defineBenchTrainCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Measure one short training iteration for several model sizes: rollouts, log-probs, gradients, optimizer steps, publishing and a checkpoint; and learning as a share of the machine's peak speed. Takes minutes; larger models take longer.",
    )
    .addOption(worldOption())
    .addOption(seedOption("seed of the world").default(1))
    .option("--threads <n>", "threads per operation", integerParser(1, 256), 2)
    .option(
      "--max-millions <n>",
      "size of the largest model, in millions of parameters",
      numberParser(0.1),
      100,
    )
    .option("--quick", "measure one small model in a few seconds; the numbers are rough")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline bench train --quick\n  bowline bench train --max-millions 30 --json",
    )
    .action(async ({ json, ...options }: BenchOptions, command: Command) => {
      refuseConfigFields(command, context);
      const { out, err } = context.terminal;
      const channel = json ? err : out;
      const start = monotonicSeconds();
      const onPhase = (phase: string) => channel.writeLine(channel.paint("dim", phase));
      const result = await benchTrain({ ...options, onPhase });
      out.writeLine(
        json ? JSON.stringify(result) : formatResult(result, monotonicSeconds() - start, out.paint),
      );
    });
}

function formatResult(result: TrainBench, elapsedSeconds: number, paint: Paint): string {
  const dim = (value: string) => paint("dim", value);
  const { machine } = result;
  const rough = result.quick ? " · quick: rough numbers" : "";
  return [
    "",
    `  ${paint("bold", result.world)}  ${dim(`${machine.cpu}, ${machine.cores} cores, ${result.threads} threads, peak ${formatCompact(result.peakGflops)} GFLOP/s, node ${machine.node}${rough}`)}`,
    `  ${dim(`${result.epochs} epochs, ${result.minibatch} rollouts per minibatch; milliseconds per phase`)}`,
    "",
    renderPhaseTable(result, dim),
    "",
    renderSpeedTable(result, dim),
    "",
    `  ${dim(`measured in ${formatDuration(elapsedSeconds)}; --json prints all numbers`)}`,
    "",
  ].join("\n");
}

const rightAlignedColumns = (titles: readonly string[]) =>
  titles.map((title) => ({ title, align: "right" as const }));
const formatMillions = (params: number) => `${formatCompact(params / 1e6)}M`;

function renderPhaseTable({ iterations }: TrainBench, dim: (text: string) => string): string {
  return renderTable(
    rightAlignedColumns(["iteration", ...BENCH_PHASES, "seconds"]),
    iterations.map((row) => [
      formatMillions(row.params),
      ...BENCH_PHASES.map((phase) => formatCount(Math.round(row.phasesMs[phase]))),
      formatCompact(row.seconds),
    ]),
    dim,
  );
}

function renderSpeedTable({ iterations }: TrainBench, dim: (text: string) => string): string {
  return renderTable(
    rightAlignedColumns([
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
