/** `bowline bench prefix`: training and sampling rows that begin alike, with what they share computed once and in each. */
import type { Command } from "commander";
import { benchPrefix, type PrefixBench, type PrefixRatios } from "../../bench/index.ts";
import { formatCount, formatDuration } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { monotonicSeconds } from "../interrupt.ts";
import { renderTable } from "../render/table.ts";
import { integerParser, jsonOption } from "../shared-options.ts";
import type { Paint } from "../terminal.ts";

interface BenchOptions {
  readonly rows: number;
  readonly shared: number;
  readonly own: number;
  readonly layers: number;
  readonly threads: number;
  readonly rounds: number;
  readonly json?: boolean;
}

/** Options, help and action. */
export function defineBenchPrefixCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Measure a LoRA step on rows that begin with the same tokens, and the sampling of twice as many rollouts: shared tokens computed once, and in each row, by turns, each in a process of its own. Width and vocabulary are those of SmolLM2-135M. Minutes.",
    )
    .option("--rows <n>", "rows of the step; twice as many rollouts", integerParser(2, 4096), 32)
    .option("--shared <n>", "tokens that all rows begin with", integerParser(1, 8000), 2500)
    .option(
      "--own <n>",
      "tokens of each row besides, in training half of them asked for",
      integerParser(2, 8000),
      300,
    )
    .option("--layers <n>", "layers of the model; SmolLM2-135M has 30", integerParser(1, 256), 4)
    .option("--threads <n>", "threads of every operation", integerParser(1, 256), 2)
    .option(
      "--rounds <n>",
      "measurements of each side; medians are shown",
      integerParser(1, 100),
      1,
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline bench prefix\n  bowline bench prefix --rows 64 --layers 30 --json",
    )
    .action(async ({ json, ...wanted }: BenchOptions) => {
      const { out, err } = context.terminal;
      const channel = json ? err : out;
      const start = monotonicSeconds();
      const onPhase = (what: string) => channel.writeLine(channel.paint("dim", what));
      const result = await benchPrefix({ ...wanted, onPhase });
      out.writeLine(
        json ? JSON.stringify(result) : formatResult(result, monotonicSeconds() - start, out.paint),
      );
    });
}

function formatResult(
  { machine, work, train, sample }: PrefixBench,
  took: number,
  paint: Paint,
): string {
  const dim = (value: string) => paint("dim", value);
  const title = `${work.rows} rows trained and ${sample.rollouts} rollouts sampled, ${work.shared} shared tokens and ${work.own} of their own`;
  const compared =
    sample.compared < 1 ? ` in ${formatCount(100 * sample.compared)}% of the tokens` : "";
  return [
    "",
    `  ${paint("bold", title)}  ${dim(`${machine.cpu}, ${machine.cores} cores, ${work.threads} threads, ${work.layers} layers`)}`,
    "",
    renderRatioTable({ train, sample }, dim),
    "",
    `  training once: ${describeSpeedup(train)}, gradients ${train.gradientError.toExponential(1)} apart`,
    `  sampling once: ${describeSpeedup(sample)}, log-probs ${sample.logprobError.toExponential(1)} apart${compared}`,
    `  ${dim(`measured in ${formatDuration(took)}; --json prints all of it`)}`,
    "",
  ].join("\n");
}

function renderRatioTable(
  parts: Readonly<Record<string, PrefixRatios>>,
  dim: (value: string) => string,
) {
  const columns = ["", "shared tokens", "seconds", "tokens/s", "peak less weights"];
  const rows = Object.entries(parts).flatMap(([name, part]) =>
    (["apart", "once"] as const).map((side) => {
      const { seconds, tokensPerSecond, peakMb } = part[side];
      return [
        name,
        side,
        seconds.toFixed(1),
        formatCount(tokensPerSecond),
        `${formatCount(peakMb)} MB`,
      ];
    }),
  );
  const titles = columns.map((title) => ({ title, align: "right" as const }));
  return renderTable(titles, rows, dim);
}

function describeSpeedup({ speedup, memoryRatio }: PrefixRatios): string {
  return `${speedup.toFixed(1)} times as fast, ${memoryRatio.toFixed(2)} of the memory`;
}
