/** `bowline bench rollout`: whole multi-turn rollouts a second, decoding and prefill, for several model sizes. */

import type { Command } from "commander";
import { benchRollout, type RolloutBench } from "../../bench/index.ts";
import { formatCompact, formatCount, formatDuration } from "../../report/index.ts";
import { seconds } from "../interrupt.ts";
import {
  dialsHelp,
  integer,
  jsonOption,
  number,
  seedOption,
  takeDials,
  worldOption,
} from "../options.ts";
import { renderTable } from "../render/table.ts";
import type { Session } from "../session.ts";
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

/** Options, help and action. */
export function define(command: Command, session: Session): void {
  command
    .description(
      "Measure rollouts of policies of several sizes in a world: recorded solutions are replayed, with as many sampled tokens a turn as they have, hundreds of episodes at once. Beside it, decoding at batches 1 to 256 and prefill. Minutes; larger models take longer.",
    )
    .addOption(worldOption())
    .addOption(seedOption("seed of the world").default(1))
    .option("--threads <n>", "threads of every operation", integer(1, 256), 2)
    .option("--episodes <n>", "live episodes (default: 256)", integer(1, 100_000))
    .option("--max-millions <n>", "the largest model, in millions of parameters", number(0.1), 100)
    .option("--quick", "one small model, a few seconds; the numbers are rough")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `\nExamples:\n  bowline bench rollout --quick\n  bowline bench rollout --max-millions 500 --json${dialsHelp()}`,
    )
    .action(async ({ json, ...wanted }: BenchOptions, command: Command) => {
      const dials = takeDials(command, session);
      const { out, err } = session.terminal;
      const channel = json ? err : out;
      const start = seconds();
      const onPhase = (what: string) => channel.line(channel.paint("dim", what));
      const result = await benchRollout({ ...wanted, dials, onPhase });
      out.line(json ? JSON.stringify(result) : text(result, seconds() - start, out.paint));
    });
}

function text(result: RolloutBench, took: number, paint: Paint): string {
  const dim = (value: string) => paint("dim", value);
  const { machine, load } = result;
  const rough = result.quick ? " · quick: rough numbers" : "";
  return [
    "",
    `  ${paint("bold", result.world)}  ${dim(`${machine.cpu}, ${machine.cores} cores, ${result.threads} threads, peak ${formatCompact(result.peakGflops)} GFLOP/s, node ${machine.node}${rough}`)}`,
    `  ${dim(`${load.tasks} tasks x ${load.groupSize}, ${load.episodes} live: ${formatCompact(load.turns)} turns, ${formatCompact(load.sampledTokens)} sampled tokens, ${formatCompact(load.rowTokens)} in all`)}`,
    "",
    rolloutTable(result, dim),
    "",
    decodeTable(result, dim),
    "",
    prefillTable(result, dim),
    "",
    `  ${dim(`measured in ${formatDuration(took)}; --json prints all of it`)}`,
    "",
  ].join("\n");
}

const columns = (titles: readonly string[]) =>
  titles.map((title) => ({ title, align: "right" as const }));
const millions = (params: number) => `${formatCompact(params / 1e6)}M`;

function rolloutTable({ rollouts }: RolloutBench, dim: (text: string) => string): string {
  return renderTable(
    columns(["rollouts", "d", "layers", "rollouts/s", "sampled/s", "waits", "resident"]),
    rollouts.map((row) => [
      millions(row.params),
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

function decodeTable({ decode }: RolloutBench, dim: (text: string) => string): string {
  return renderTable(
    columns(["decoding", "batch", "context", "ms a step", "tokens/s"]),
    decode.map((row) => [
      millions(row.params),
      String(row.batch),
      String(row.context),
      formatCompact(row.msPerStep),
      formatCount(row.tokensPerSecond),
    ]),
    dim,
  );
}

function prefillTable({ prefill }: RolloutBench, dim: (text: string) => string): string {
  return renderTable(
    columns(["prefill", "batch", "context", "tokens/s"]),
    prefill.map((row) => [
      millions(row.params),
      String(row.batch),
      String(row.context),
      formatCount(row.tokensPerSecond),
    ]),
    dim,
  );
}
