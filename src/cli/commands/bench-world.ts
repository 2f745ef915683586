/** `bowline bench world` measures latencies, throughput and memory of a world's episodes. */

import type { Command } from "commander";
import { benchWorld, type Quantiles, type WorldBench } from "../../bench/index.ts";
import { formatCompact, formatCount } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { renderTable } from "../render/table.ts";
import {
  dialsHelpText,
  jsonOption,
  readDialFields,
  seedOption,
  worldOption,
} from "../shared-options.ts";
import type { Channel } from "../terminal.ts";
import { type DimText, rightAligned, runMeasurement } from "./bench-command.ts";

interface BenchOptions {
  readonly world: string;
  readonly seed: number;
  readonly quick?: boolean;
  readonly json?: boolean;
}

export function defineBenchWorldCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Measure a world's episodes: how long it takes to open, fork, step and call an API, whole episodes per second on two worker threads, and the memory of 1,000 open episodes. Takes less than two minutes.",
    )
    .addOption(worldOption())
    .addOption(seedOption("seed of the world").default(1))
    .option("--quick", "measure for a few seconds only; the numbers are rough")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `\nExamples:\n  bowline bench world\n  bowline bench world --world ./my-world.ts --quick --json${dialsHelpText()}`,
    )
    .action(async ({ json, ...options }: BenchOptions, command: Command) => {
      const dials = readDialFields(command, context);
      await runMeasurement(
        context,
        json,
        (onPhase) => benchWorld({ ...options, dials, onPhase }),
        formatResult,
      );
    });
}

function formatResult(result: WorldBench, dim: DimText, { paint }: Channel) {
  const { machine, live, populationGrowth: growth } = result;
  const row = (name: string, unit: string, { p50, p99 }: Quantiles, note = "") => [
    name,
    formatCompact(p50),
    formatCompact(p99),
    unit,
    dim(note),
  ];
  const { coldOpenMs, openMs, forkMs, stepMs, evaluateMs, callUs, emptyCallUs } = result;
  const rough = result.quick ? " · quick: rough numbers" : "";
  return [
    `  ${paint("bold", result.world)}  ${dim(`seed ${result.seed} · ${machine.cpu}, ${machine.cores} cores, ${formatCount(machine.memoryMb / 1024)} GB, node ${machine.node}${rough}`)}`,
    "",
    renderTable(
      [{ title: "" }, ...rightAligned(["p50", "p99"]), { title: "" }, { title: "" }],
      [
        row("first open of a task", "ms", coldOpenMs, "draws the scenario and computes the goal"),
        row("open", "ms", openMs),
        row("step", "ms", stepMs, "a cell that reads one page"),
        row("fork", "ms", forkMs, "after four cells, 100 KB of variables"),
        row("evaluate", "ms", evaluateMs),
        row("call", "µs", callUs, "a read of one page, from the agent's code"),
        row("empty call", "µs", emptyCallUs),
      ],
      dim,
    ),
    "",
    `  ${paint("bold", formatCount(result.episodesPerSecond))} whole episodes per second on two worker threads, each running a solution`,
    `  ${paint("bold", `${live.rssMb} MB`)} with ${formatCount(live.episodes)} open episodes ${dim(`(${live.baseRssMb} MB without them)`)}`,
    ...(growth.length > 0 ? ["", renderPopulationTable(growth, dim)] : []),
  ];
}

function renderPopulationTable(growth: WorldBench["populationGrowth"], dim: DimText): string {
  const columns = ["distractors", "rows", "open p50 ms", "fork p50 ms", "call p50 µs"];
  return renderTable(
    rightAligned(columns),
    growth.map(({ distractors, rows, openMs, forkMs, callUs }) => [
      String(distractors),
      String(rows),
      ...[openMs, forkMs, callUs].map(({ p50 }) => formatCompact(p50)),
    ]),
    dim,
  );
}
