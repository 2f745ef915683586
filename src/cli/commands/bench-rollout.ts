/** `bowline bench rollout` measures whole multi-turn rollouts per second, decoding and prefill, for several model sizes. */

import type { Command } from "commander";
import { benchRollout, type RolloutBench } from "../../bench/index.ts";
import { formatCompact, formatCount, formatDuration } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { monotonicSeconds } from "../interrupt.ts";
import { renderTable } from "../render/table.ts";
import {
  dialsHelpText,
  integerParser,
  jsonOption,
  numberParser,
  readDialFields,
  seedOption,
  worldOption,
} from "../shared-options.ts";
import type { Paint } from "../terminal.ts";

interface BenchOptions {
  readonly world: string;
  readonly seed: number;
  readonly threads: number;
  readonly episodes?: number;
  readonly maxMillions?: number;
  readonly quick?: boolean;
  readonly json?: boolean;
}

/** Gives `bowline bench rollout` its description, options, help and action. */
export function defineBenchRolloutCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Measure rollouts in a world for several model sizes: recorded solutions are replayed in hundreds of episodes at once, and each turn samples as many tokens as the recorded turn has. Also measures decoding at batches from 1 to 256, and prefill. Takes minutes; larger models take longer.",
    )
    .addOption(worldOption())
    .addOption(seedOption("seed of the world").default(1))
    .option("--threads <n>", "threads per operation", integerParser(1, 256), 2)
    .option("--episodes <n>", "episodes at the same time (default: 256)", integerParser(1, 100_000))
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
      `\nExamples:\n  bowline bench rollout --quick\n  bowline bench rollout --max-millions 500 --json${dialsHelpText()}`,
    )
    .action(async ({ json, ...options }: BenchOptions, command: Command) => {
      const dials = readDialFields(command, context);
      const { out, err } = context.terminal;
      const channel = json ? err : out;
      const start = monotonicSeconds();
      const onPhase = (phase: string) => channel.writeLine(channel.paint("dim", phase));
      const result = await benchRollout({ ...options, dials, onPhase });
      out.writeLine(
        json ? JSON.stringify(result) : formatResult(result, monotonicSeconds() - start, out.paint),
      );
    });
}

function formatResult(result: RolloutBench, elapsedSeconds: number, paint: Paint): string {
  const dim = (value: string) => paint("dim", value);
  const { machine, load } = result;
  const rough = result.quick ? " · quick: rough numbers" : "";
  return [
    "",
    `  ${paint("bold", result.world)}  ${dim(`${machine.cpu}, ${machine.cores} cores, ${result.threads} threads, peak ${formatCompact(result.peakGflops)} GFLOP/s, node ${machine.node}${rough}`)}`,
    `  ${dim(`${load.tasks} tasks x ${load.groupSize} rollouts, ${load.episodes} at a time: ${formatCompact(load.turns)} turns, ${formatCompact(load.sampledTokens)} sampled tokens, ${formatCompact(load.rowTokens)} tokens in all`)}`,
    "",
    renderRolloutTable(result, dim),
    "",
    renderDecodeTable(result, dim),
    "",
    renderPrefillTable(result, dim),
    "",
    `  ${dim(`measured in ${formatDuration(elapsedSeconds)}; --json prints all numbers`)}`,
    "",
  ].join("\n");
}

const rightAlignedColumns = (titles: readonly string[]) =>
  titles.map((title) => ({ title, align: "right" as const }));
const formatMillions = (params: number) => `${formatCompact(params / 1e6)}M`;

function renderRolloutTable({ rollouts }: RolloutBench, dim: (text: string) => string): string {
  return renderTable(
    rightAlignedColumns([
      "rollouts",
      "width",
      "layers",
      "rollouts/s",
      "sampled tokens/s",
      "waiting",
      "memory",
    ]),
    rollouts.map((row) => [
      formatMillions(row.params),
      String(row.hiddenSize),
      String(row.layers),
      formatCompact(row.rolloutsPerSecond),
      formatCount(row.sampledTokensPerSecond),
      `${formatCompact(100 * row.waitShare)}%`,
      `${formatCount(row.rssMb)} MB`,
    ]),
    dim,
  );
}

function renderDecodeTable({ decode }: RolloutBench, dim: (text: string) => string): string {
  return renderTable(
    rightAlignedColumns(["decoding", "batch", "context", "ms per step", "tokens/s"]),
    decode.map((row) => [
      formatMillions(row.params),
      String(row.batch),
      String(row.context),
      formatCompact(row.msPerStep),
      formatCount(row.tokensPerSecond),
    ]),
    dim,
  );
}

function renderPrefillTable({ prefill }: RolloutBench, dim: (text: string) => string): string {
  return renderTable(
    rightAlignedColumns(["prefill", "batch", "context", "tokens/s"]),
    prefill.map((row) => [
      formatMillions(row.params),
      String(row.batch),
      String(row.context),
      formatCount(row.tokensPerSecond),
    ]),
    dim,
  );
}
