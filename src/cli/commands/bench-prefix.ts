/** `bowline bench prefix` measures what it saves to compute tokens that all rows share once instead of once per row. */
import type { Command } from "commander";
import { benchPrefix, type PrefixBench, type PrefixRatios } from "../../bench/index.ts";
import { formatCount } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { renderTable } from "../render/table.ts";
import { integerParser, jsonOption } from "../shared-options.ts";
import type { Channel } from "../terminal.ts";
import { type DimText, rightAligned, runMeasurement, threadsOption } from "./bench-command.ts";

interface BenchOptions {
  readonly rows: number;
  readonly shared: number;
  readonly own: number;
  readonly layers: number;
  readonly threads: number;
  readonly rounds: number;
  readonly json?: boolean;
}

export function defineBenchPrefixCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Measure what sharing a prefix saves: a LoRA step on rows that begin with the same tokens, and the sampling of twice as many rollouts, with the shared tokens computed once and once per row. Each measurement runs in its own process. The model has the width and vocabulary of SmolLM2-135M. Takes minutes.",
    )
    .option(
      "--rows <n>",
      "number of rows to train on; twice as many rollouts are sampled",
      integerParser(2, 4096),
      32,
    )
    .option(
      "--shared <n>",
      "number of tokens that all rows begin with",
      integerParser(1, 8000),
      2500,
    )
    .option(
      "--own <n>",
      "number of further tokens in each row, half of them trained",
      integerParser(2, 8000),
      300,
    )
    .option(
      "--layers <n>",
      "number of layers in the model; SmolLM2-135M has 30",
      integerParser(1, 256),
      4,
    )
    .addOption(threadsOption())
    .option(
      "--rounds <n>",
      "number of measurements, of which the medians are shown",
      integerParser(1, 100),
      1,
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline bench prefix\n  bowline bench prefix --rows 64 --layers 30 --json",
    )
    .action(async ({ json, ...options }: BenchOptions) => {
      await runMeasurement(
        context,
        json,
        (onPhase) => benchPrefix({ ...options, onPhase }),
        formatResult,
      );
    });
}

function formatResult(
  { machine, work, train, sample }: PrefixBench,
  dim: DimText,
  { paint }: Channel,
) {
  const title = `${work.rows} rows trained and ${sample.rollouts} rollouts sampled, each with ${work.shared} shared tokens and ${work.own} of its own`;
  const compared =
    sample.compared < 1 ? ` (compared: ${formatCount(100 * sample.compared)}% of the tokens)` : "";
  return [
    `  ${paint("bold", title)}  ${dim(`${machine.cpu}, ${machine.cores} cores, ${work.threads} threads, ${work.layers} layers`)}`,
    "",
    renderRatioTable({ train, sample }, dim),
    "",
    `  training with sharing: ${describeSpeedup(train)}, gradients differ by ${train.gradientError.toExponential(1)}`,
    `  sampling with sharing: ${describeSpeedup(sample)}, log-probs differ by ${sample.logprobError.toExponential(1)}${compared}`,
  ];
}

function renderRatioTable(parts: Readonly<Record<string, PrefixRatios>>, dim: DimText) {
  const columns = ["", "shared tokens", "seconds", "tokens/s", "peak without weights"];
  const rows = Object.entries(parts).flatMap(([name, part]) =>
    (["apart", "once"] as const).map((variant) => {
      const { seconds, tokensPerSecond, peakMb } = part[variant];
      return [
        name,
        variant === "once" ? "once" : "once per row",
        seconds.toFixed(1),
        formatCount(tokensPerSecond),
        `${formatCount(peakMb)} MB`,
      ];
    }),
  );
  return renderTable(rightAligned(columns), rows, dim);
}

function describeSpeedup({ speedup, memoryRatio }: PrefixRatios): string {
  return `${speedup.toFixed(1)} times as fast, ${memoryRatio.toFixed(2)} of the memory`;
}
