/** `bowline bench engine`: share of the machine's peak in training, speed of decoding, memory. */

import { type Command, InvalidArgumentError, Option } from "commander";
import {
  type BenchTraining,
  benchEngine,
  type EngineBench,
  type MemoryBench,
  shapeNames,
  TRAININGS,
} from "../../bench/index.ts";
import { formatCompact, formatCount, formatDuration } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { monotonicSeconds } from "../interrupt.ts";
import { renderTable } from "../render/table.ts";
import { jsonOption, numberParser } from "../shared-options.ts";
import type { Paint } from "../terminal.ts";

interface BenchOptions {
  readonly threads: number;
  readonly maxMillions?: number;
  readonly quick?: boolean;
  readonly memory?: boolean;
  readonly shape?: string;
  readonly training?: BenchTraining;
  readonly tokens?: number;
  readonly json?: boolean;
}

/** Options, help and action. */
export function defineBenchEngineCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Measure the embedded engine: training as a share of the machine's own matrix-product peak, and tokens a second when decoding, for several model sizes. A few minutes.",
    )
    .option("--threads <n>", "threads of every operation", parsePositiveInteger, 2)
    .option(
      "--memory",
      "resident memory of one model instead: loaded, sampling, and sampling with a training step",
    )
    .addOption(
      new Option(
        "--shape <name>",
        "one model, trained by LoRA; with --memory: the model, 512x8 by default",
      ).choices(shapeNames),
    )
    .addOption(
      new Option("--training <kind>", "with --memory: one kind; both by default").choices(
        TRAININGS,
      ),
    )
    .option("--tokens <n>", "with --memory: tokens of the training row", parsePositiveInteger, 2048)
    .option(
      "--max-millions <n>",
      "the largest model, in millions of parameters",
      numberParser(0.1),
      100,
    )
    .option("--quick", "two small models, a few seconds; the numbers are rough")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      [
        "\nExamples:",
        "  bowline bench engine --quick",
        "  bowline bench engine --max-millions 500 --json   (12 GB, half an hour)",
        "  bowline bench engine --shape smollm2-135m",
        "  bowline bench engine --memory --json",
        "  bowline bench engine --memory --shape qwen2.5-0.5b --training lora   (about 5 GB, a few minutes)",
      ].join("\n"),
    )
    .action(async ({ json, memory, shape, training, tokens, ...wanted }: BenchOptions) => {
      const { out, err } = context.terminal;
      const channel = json ? err : out;
      const start = monotonicSeconds();
      const onPhase = (what: string) => channel.writeLine(channel.paint("dim", what));
      const trainings = training && [training];
      const result = await benchEngine({
        ...wanted,
        ...(memory ? { memory: { shape, trainings, tokens } } : { shape }),
        onPhase,
      });
      out.writeLine(
        json ? JSON.stringify(result) : formatResult(result, monotonicSeconds() - start, out.paint),
      );
    });
}

function parsePositiveInteger(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected an integer from 1 to 999.");
}

function formatResult(result: EngineBench, took: number, paint: Paint): string {
  const dim = (value: string) => paint("dim", value);
  const { machine } = result;
  return [
    "",
    `  ${paint("bold", `${formatCompact(result.peakGflops)} GFLOP/s`)} is the peak: a 1024 x 1024 matrix product on ${result.threads} threads  ${dim(`${machine.cpu}, ${machine.cores} cores, node ${machine.node}`)}`,
    "",
    ...(result.memory.length > 0
      ? result.memory.flatMap((memory) => formatMemory(memory, dim))
      : [renderTrainingTable(result, dim), "", renderDecodeTable(result, dim), ""]),
    `  ${dim(`measured in ${formatDuration(took)}; --json prints all of it`)}`,
    "",
  ].join("\n");
}

/** What each phase holds, in MB and in copies of the weights, and how fast it was. */
function formatMemory(memory: MemoryBench, dim: Dim): string[] {
  const { shape, training, params, weightsMb, baseRssMb, loading, sampling, step } = memory;
  const copies = ({ peakRssMb }: { peakRssMb: number }) => (peakRssMb - baseRssMb) / weightsMb;
  const decoding = sampling.decode.map(
    ({ batch, tokensPerSecond }) => `${formatCompact(tokensPerSecond)} decoding ${batch}`,
  );
  const phases = [
    ["load", loading, `${formatCompact(loading.seconds)} s`],
    [
      "sample",
      sampling,
      `tokens/s: ${formatCompact(sampling.prefillTokensPerSecond)} of prompt, ${decoding.join(", ")}`,
    ],
    [
      `train, ${step.tokens} tokens`,
      step,
      `${formatCompact(step.tokensPerSecond)} tokens/s, update ${formatCompact(step.updateSeconds)} s`,
    ],
  ] as const;
  const name = training === "lora" ? "LoRA of rank 16 on every projection" : "all weights trained";
  const table = renderTable(
    [
      { title: "after" },
      { title: "MB", ...RIGHT_ALIGNED },
      { title: "peak MB", ...RIGHT_ALIGNED },
      { title: "copies of weights", ...RIGHT_ALIGNED },
      { title: "speed" },
    ],
    [
      ["start", formatCount(baseRssMb), "", "", ""],
      ...phases.map(([what, phase, speed]) => [
        what,
        formatCount(phase.rssMb),
        formatCount(phase.peakRssMb),
        formatCompact(copies(phase)),
        speed,
      ]),
    ],
    dim,
  );
  const title = `  ${shape}, ${formatCompact(params / 1e6)}M parameters, ${formatCount(weightsMb)} MB of weights; ${name}`;
  return [title, "", table, ""];
}

const RIGHT_ALIGNED = { align: "right" } as const;
type Dim = (text: string) => string;

function renderTrainingTable({ training }: EngineBench, dim: Dim): string {
  return renderTable(
    [
      training[0]?.training === "lora" ? "LoRA" : "training",
      "d",
      "layers",
      "GFLOP/s",
      "of peak",
      "tokens/s",
    ].map((title) => ({
      title,
      ...RIGHT_ALIGNED,
    })),
    training.map((row) => [
      `${formatCompact(row.params / 1e6)}M`,
      String(row.hiddenSize),
      String(row.layers),
      formatCompact(row.gflops),
      `${Math.round(100 * row.shareOfPeak)}%`,
      formatCount(row.tokensPerSecond),
    ]),
    dim,
  );
}

/** Of one shape also how often its products alone fit into a step, and the share of the memory's speed that its weights take. */
function renderDecodeTable({ decode, memoryGbPerSecond }: EngineBench, dim: Dim): string {
  const titles = ["decoding", "batch", "context", "ms a step", "tokens/s"];
  const bounds = memoryGbPerSecond
    ? ["products", `of ${formatCompact(memoryGbPerSecond)} GB/s`]
    : [];
  return renderTable(
    [...titles, ...bounds].map((title) => ({ title, ...RIGHT_ALIGNED })),
    decode.map(({ overProducts, shareOfMemory, ...row }) => [
      `${formatCompact(row.params / 1e6)}M`,
      String(row.batch),
      String(row.context),
      formatCompact(row.msPerStep),
      formatCount(row.tokensPerSecond),
      ...(overProducts ? [`${formatCompact(overProducts)} times`] : []),
      ...(shareOfMemory ? [`${Math.round(100 * shareOfMemory)}%`] : []),
    ]),
    dim,
  );
}
