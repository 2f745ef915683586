/** `bowline bench engine` measures the embedded engine: its speed in training and decoding, and its memory. */

import { type Command, InvalidArgumentError, Option } from "commander";
import {
  type BenchTraining,
  benchEngine,
  type EngineBench,
  type EngineBenchOptions,
  type MemoryBench,
  shapeNames,
  TRAININGS,
} from "../../bench/index.ts";
import { BowlineError, toCamelCase } from "../../core/index.ts";
import { formatCompact, formatCount } from "../../report/index.ts";
import { type Overrides, resolveConfig } from "../../train/index.ts";
import type { CommandContext } from "../command-context.ts";
import { renderTable } from "../render/table.ts";
import { jsonOption } from "../shared-options.ts";
import type { Channel } from "../terminal.ts";
import {
  type DimText,
  formatMillions,
  maxMillionsOption,
  rightAligned,
  runMeasurement,
} from "./bench-command.ts";

interface BenchOptions {
  readonly threads: number;
  readonly maxMillions?: number;
  readonly quick?: boolean;
  readonly memory?: boolean;
  readonly shape?: string;
  readonly training?: BenchTraining;
  readonly tokens?: number;
  readonly rows?: number;
  readonly json?: boolean;
}

export function defineBenchEngineCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Measure the embedded engine for several model sizes: training, as a share of the machine's peak speed in matrix products, and decoding, in tokens per second. Takes a few minutes.",
    )
    .option("--threads <n>", "number of threads of each operation", parsePositiveInteger, 2)
    .option(
      "--memory",
      "measure only the memory of one model: loaded, while sampling, and while training",
    )
    .addOption(
      new Option(
        "--shape <name>",
        "measure one model (named by its shape), trained with LoRA; with --memory the default is 512x8",
      ).choices(shapeNames),
    )
    .addOption(
      new Option(
        "--training <kind>",
        "with --memory: measure one kind of training (default: both)",
      ).choices(TRAININGS),
    )
    .option(
      "--tokens <n>",
      "with --memory: number of tokens in a training row",
      parsePositiveInteger,
      2048,
    )
    .option("--rows <n>", "with --memory: number of training rows", parsePositiveInteger, 1)
    .addOption(maxMillionsOption())
    .option("--quick", "measure two small models in a few seconds; the numbers are rough")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      [
        "\nExamples:",
        "  bowline bench engine --quick",
        "  bowline bench engine --max-millions 500 --json   (12 GB, half an hour)",
        "  bowline bench engine --shape smollm2-135m",
        "  bowline bench engine --shape qwen2.5-0.5b --engine.provider webgpu --engine.base q4 --json",
        "  bowline bench engine --memory --json",
        "  bowline bench engine --memory --shape qwen2.5-0.5b --training lora   (about 5 GB, a few minutes)",
        "  bowline bench engine --memory --shape qwen2.5-0.5b --rows 8 --tokens 512 --engine.base q4",
      ].join("\n"),
    )
    .action(async ({ json, memory, shape, training, tokens, rows, ...options }: BenchOptions) => {
      const trainings = training && [training];
      const target = memory ? { memory: { shape, trainings, tokens, rows } } : { shape };
      await runMeasurement(
        context,
        json,
        (onPhase) => benchEngine({ ...options, ...target, ...readEngineFields(context), onPhase }),
        formatResult,
      );
    });
}

/** Reads the config fields that this command takes: where operations run, and how frozen weights are stored. */
function readEngineFields({
  fields,
}: CommandContext): Pick<EngineBenchOptions, "provider" | "base"> {
  const given = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [toCamelCase(name), value]),
  );
  const { "engine.provider": provider, "engine.base": base, ...others } = given;
  const other = Object.keys(others)[0];
  if (other !== undefined) {
    throw new BowlineError(
      "config",
      `bench engine takes no config fields but engine.provider and engine.base, got ${other}`,
    );
  }
  const overrides = {
    ...(provider !== undefined && { "engine.provider": provider }),
    ...(base !== undefined && { "engine.lora": true, "engine.base": base }),
  } as Overrides;
  const { engine } = resolveConfig({ recipe: "smoke", overrides });
  return engine.name === "onnx" && "provider" in engine
    ? { provider: engine.provider, base: engine.base }
    : {};
}

function parsePositiveInteger(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected an integer from 1 to 999.");
}

function formatResult(result: EngineBench, dim: DimText, { paint }: Channel) {
  const { machine } = result;
  return [
    `  ${paint("bold", `${formatCompact(result.peakGflops)} GFLOP/s`)} is the machine's peak, measured by a 1024 x 1024 matrix product on ${result.threads} threads  ${dim(`${machine.cpu}, ${machine.cores} cores, node ${machine.node}`)}`,
    "",
    ...(result.memory.length > 0
      ? result.memory.flatMap((memory) => formatMemory(memory, dim))
      : [renderTrainingTable(result, dim), "", renderDecodeTable(result, dim), ""]),
  ];
}

/** Formats the memory of each phase, in MB and in copies of the weights, and its speed. */
function formatMemory(memory: MemoryBench, dim: DimText): string[] {
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
  const method =
    training === "lora" ? "LoRA of rank 16 on every projection" : "all weights trained";
  const table = renderTable(
    [
      { title: "after" },
      ...rightAligned(["MB", "peak MB", "copies of weights"]),
      { title: "speed" },
    ],
    [
      ["start", formatCount(baseRssMb), "", "", ""],
      ...phases.map(([name, phase, speed]) => [
        name,
        formatCount(phase.rssMb),
        formatCount(phase.peakRssMb),
        formatCompact(copies(phase)),
        speed,
      ]),
    ],
    dim,
  );
  const title = `  ${shape}, ${formatMillions(params)} parameters, ${formatCount(weightsMb)} MB of weights; ${method}`;
  return [title, "", table, ""];
}

function renderTrainingTable({ training }: EngineBench, dim: DimText): string {
  return renderTable(
    rightAligned([
      training[0]?.training === "lora" ? "LoRA" : "training",
      "width",
      "layers",
      "GFLOP/s",
      "share of peak",
      "tokens/s",
    ]),
    training.map((row) => [
      formatMillions(row.params),
      String(row.hiddenSize),
      String(row.layers),
      formatCompact(row.gflops),
      `${Math.round(100 * row.shareOfPeak)}%`,
      formatCount(row.tokensPerSecond),
    ]),
    dim,
  );
}

/**
 * Renders the speed of decoding. For a named shape it also has a step's time in multiples of its matrix products alone,
 * and the share of the memory's bandwidth that reading the weights takes.
 */
function renderDecodeTable({ decode, memoryGbPerSecond }: EngineBench, dim: DimText): string {
  const titles = ["decoding", "batch", "context", "ms per step", "tokens/s"];
  const boundTitles = memoryGbPerSecond
    ? ["time / products", `share of ${formatCompact(memoryGbPerSecond)} GB/s`]
    : [];
  return renderTable(
    rightAligned([...titles, ...boundTitles]),
    decode.map(({ overProducts, shareOfMemory, ...row }) => [
      formatMillions(row.params),
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
