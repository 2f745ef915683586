/** `bowline bench prefix`: a training step on rows that begin alike, with what they share computed once and in each. */
import type { Command } from "commander";
import { benchPrefix, type PrefixBench } from "../../bench/index.ts";
import { count, duration } from "../../report/index.ts";
import { seconds } from "../interrupt.ts";
import { integer, jsonOption } from "../options.ts";
import { renderTable } from "../render/table.ts";
import type { Session } from "../session.ts";
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
export function define(command: Command, session: Session): void {
  command
    .description(
      "Measure a LoRA step on rows that begin with the same tokens: computed once, and in each row, by turns, each in a process of its own. Width and vocabulary are those of SmolLM2-135M. Minutes.",
    )
    .option("--rows <n>", "rows of the step", integer(2, 4096), 32)
    .option("--shared <n>", "tokens that all rows begin with", integer(1, 8000), 2500)
    .option(
      "--own <n>",
      "tokens of each row besides, half of them asked for",
      integer(2, 8000),
      300,
    )
    .option("--layers <n>", "layers of the model; SmolLM2-135M has 30", integer(1, 256), 4)
    .option("--threads <n>", "threads of every operation", integer(1, 256), 2)
    .option("--rounds <n>", "measurements of each side; medians are shown", integer(1, 100), 1)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline bench prefix\n  bowline bench prefix --rows 64 --layers 30 --json",
    )
    .action(async ({ json, ...wanted }: BenchOptions) => {
      const { out, err } = session.terminal;
      const channel = json ? err : out;
      const start = seconds();
      const onPhase = (what: string) => channel.line(channel.paint("dim", what));
      const result = await benchPrefix({ ...wanted, onPhase });
      out.line(json ? JSON.stringify(result) : text(result, seconds() - start, out.paint));
    });
}

function text({ machine, work, train }: PrefixBench, took: number, paint: Paint): string {
  const dim = (value: string) => paint("dim", value);
  const columns = ["shared tokens", "seconds", "tokens/s", "peak less weights"];
  const rows = (["apart", "once"] as const).map((side) => {
    const { seconds, tokensPerSecond, peakMb } = train[side];
    return [side, seconds.toFixed(1), count(tokensPerSecond), `${count(peakMb)} MB`];
  });
  return [
    "",
    `  ${paint("bold", `${work.rows} rows of ${work.shared} shared tokens and ${work.own} of their own`)}  ${dim(`${machine.cpu}, ${machine.cores} cores, ${work.threads} threads, ${work.layers} layers`)}`,
    "",
    renderTable(
      columns.map((title) => ({ title, align: "right" as const })),
      rows,
      dim,
    ),
    "",
    `  once: ${train.speedup.toFixed(1)} times as fast, ${train.memoryRatio.toFixed(2)} of the memory, gradients ${train.gradientError.toExponential(1)} apart`,
    `  ${dim(`measured in ${duration(took)}; --json prints all of it`)}`,
    "",
  ].join("\n");
}
