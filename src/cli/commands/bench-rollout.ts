/** `bowline bench rollout` measures multi-turn rollouts, decoding and prefill for several model sizes. */

import type { Command } from "commander";
import { benchRollout, type RolloutBench } from "../../bench/index.ts";
import { formatCompact, formatCount } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { renderTable } from "../render/table.ts";
import {
  dialsHelpText,
  integerParser,
  jsonOption,
  readDialFields,
  seedOption,
  worldOption,
} from "../shared-options.ts";
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
  readonly episodes?: number;
  readonly maxMillions?: number;
  readonly quick?: boolean;
  readonly json?: boolean;
}

export function defineBenchRolloutCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Measure rollouts in a world for several model sizes: recorded solutions are replayed in hundreds of episodes at once, and each turn samples as many tokens as the recorded turn has. Also measures decoding at batches from 1 to 256, and prefill. Takes minutes; larger models take longer.",
    )
    .addOption(worldOption())
    .addOption(seedOption("seed of the world").default(1))
    .addOption(threadsOption())
    .option(
      "--episodes <n>",
      "number of episodes that run at the same time (default: 256)",
      integerParser(1, 100_000),
    )
    .addOption(maxMillionsOption())
    .option("--quick", "measure one small model in a few seconds; the numbers are rough")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `\nExamples:\n  bowline bench rollout --quick\n  bowline bench rollout --max-millions 500 --json${dialsHelpText()}`,
    )
    .action(async ({ json, ...options }: BenchOptions, command: Command) => {
      const dials = readDialFields(command, context);
      await runMeasurement(
        context,
        json,
        (onPhase) => benchRollout({ ...options, dials, onPhase }),
        formatResult,
      );
    });
}

function formatResult(result: RolloutBench, dim: DimText, { paint }: Channel) {
  const { machine, load } = result;
  const rough = result.quick ? " · quick: rough numbers" : "";
  return [
    `  ${paint("bold", result.world)}  ${dim(`${machine.cpu}, ${machine.cores} cores, ${result.threads} threads, peak ${formatCompact(result.peakGflops)} GFLOP/s, node ${machine.node}${rough}`)}`,
    `  ${dim(`${load.tasks} tasks x ${load.groupSize} rollouts, ${load.episodes} at a time: ${formatCompact(load.turns)} turns, ${formatCompact(load.sampledTokens)} sampled tokens, ${formatCompact(load.rowTokens)} tokens in all`)}`,
    "",
    renderRolloutTable(result, dim),
    "",
    renderDecodeTable(result, dim),
    "",
    renderPrefillTable(result, dim),
  ];
}

function renderRolloutTable({ rollouts }: RolloutBench, dim: DimText): string {
  return renderTable(
    rightAligned([
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

function renderDecodeTable({ decode }: RolloutBench, dim: DimText): string {
  return renderTable(
    rightAligned(["decoding", "batch", "context", "ms per step", "tokens/s"]),
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

function renderPrefillTable({ prefill }: RolloutBench, dim: DimText): string {
  return renderTable(
    rightAligned(["prefill", "batch", "context", "tokens/s"]),
    prefill.map((row) => [
      formatMillions(row.params),
      String(row.batch),
      String(row.context),
      formatCount(row.tokensPerSecond),
    ]),
    dim,
  );
}
