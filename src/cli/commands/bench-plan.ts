/** `bowline bench plan` computes whether a model fits into memory, before anything is loaded. */
import { totalmem } from "node:os";
import { type Command, Option } from "commander";
import { createModelOfShape, type ModelPlan, planModel, shapeNames } from "../../bench/index.ts";
import { BowlineError, toCamelCase } from "../../core/index.ts";
import { loadModelConfig, type ModelConfig } from "../../engine/index.ts";
import { formatCompact, formatCount } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { renderTable } from "../render/table.ts";
import { integerParser, jsonOption, numberParser } from "../shared-options.ts";
import { formatMillions, rightAligned, runMeasurement, threadsOption } from "./bench-command.ts";

interface PlanFlags {
  readonly shape?: string;
  readonly memory?: number;
  readonly tokens: number;
  readonly rank: number;
  readonly threads: number;
  readonly measure: boolean;
  readonly json?: boolean;
}

const GIGABYTE = 1e9;

export function defineBenchPlanCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Compute whether a model fits into memory for LoRA, with the frozen weights in 32, 8 or 4 bits, and what the processor could reach. The model is not loaded.",
    )
    .addOption(
      new Option(
        "--shape <name>",
        "plan one model by its shape, in place of --engine.model",
      ).choices(shapeNames),
    )
    .option(
      "--memory <GB>",
      "memory that may be used, in gigabytes (default: what the machine has)",
      numberParser(0.1),
    )
    .option("--tokens <n>", "tokens of the longest conversation", integerParser(16, 131_072), 512)
    .option("--rank <n>", "rank of the LoRA updates", integerParser(1, 4096), 16)
    .addOption(threadsOption())
    .option("--no-measure", "compute the memory only, and measure no speed")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline bench plan --engine.model models/Qwen2.5-0.5B-Instruct\n  bowline bench plan --engine.model model.Q4_0.gguf --memory 8 --tokens 2048\n  bowline bench plan --shape qwen2.5-0.5b --no-measure --json",
    )
    .action(async ({ json, shape, memory, tokens, rank, threads, measure }: PlanFlags) => {
      const model = readModel(shape, context);
      const memoryBytes = memory === undefined ? totalmem() : memory * GIGABYTE;
      const options = { memoryBytes, tokens, rank, threads, measures: measure };
      await runMeasurement(context, json, () => planModel(model, options), formatPlan);
    });
}

/** Returns the shape that an option or the field `engine.model` names. */
function readModel(shape: string | undefined, { fields }: CommandContext): ModelConfig {
  const names = Object.keys(fields);
  const other = names.find((name) => toCamelCase(name) !== "engine.model");
  if (other !== undefined) {
    throw new BowlineError(
      "config",
      `bench plan takes no config field but engine.model, got ${other}`,
    );
  }
  const path = names.length === 0 ? undefined : fields[names[0]!];
  if ((shape === undefined) === (path === undefined)) {
    throw new BowlineError(
      "config",
      "bench plan: expected --engine.model with a folder or GGUF file, or --shape",
    );
  }
  if (shape !== undefined)
    return createModelOfShape(shape, { vocabularySize: 512, contextLength: 4096 });
  return loadModelConfig(String(path));
}

function formatPlan(plan: ModelPlan, dim: (text: string) => string): readonly string[] {
  const size = (bytes: number) => (bytes / GIGABYTE).toFixed(bytes < GIGABYTE ? 2 : 1);
  const table = renderTable(
    [
      { title: "engine.base" },
      ...rightAligned([
        "weights",
        "sampler",
        "adapter",
        "cache",
        "training",
        "program",
        "needs",
        "rows",
      ]),
      { title: "" },
    ],
    plan.plans.map(({ base, needs, totalBytes, rows, fits }) => [
      base,
      ...[needs.weights, needs.samplerCopies, needs.adapter, needs.cache].map(size),
      ...[needs.activations, needs.program].map(size),
      size(totalBytes),
      String(rows),
      fits ? "fits" : "does not fit",
    ]),
    dim,
  );
  return [
    `  ${formatMillions(plan.parameters)} parameters, conversations of ${formatCount(plan.tokens)} tokens; gigabytes`,
    "",
    table,
    "",
    ...describeChoice(plan, size),
    ...describeBounds(plan),
  ];
}

function describeChoice(
  { plans, chosen, memoryBytes }: ModelPlan,
  size: (bytes: number) => string,
) {
  const best = plans.find(({ base }) => base === chosen);
  const least = plans.at(-1)!;
  if (best === undefined) {
    return [
      `  nothing fits: ${least.base} needs ${size(least.totalBytes)} GB of ${size(memoryBytes)}; take a smaller model or shorter conversations`,
    ];
  }
  return [
    `  needs ${size(best.totalBytes)} GB of ${size(memoryBytes)}: --engine.base ${best.base} --engine.lora, with ${best.rows} conversations at once`,
  ];
}

function describeBounds({ bounds }: ModelPlan): string[] {
  if (bounds === null) return [];
  const { f32, q4 } = bounds.decodedTokensPerSecond;
  return [
    `  at most, on this processor (${bounds.gflops} GFLOP/s, ${formatCompact(bounds.memoryGbPerSecond)} GB/s): ${formatCount(bounds.trainedTokensPerSecond)} tokens/s trained; one row decodes ${formatCompact(f32)} tokens/s in f32 and ${formatCompact(q4)} in q4`,
  ];
}
