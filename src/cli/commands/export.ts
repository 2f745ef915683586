/**
 * `bowline export` writes a trained policy to a folder for transformers, PEFT and vLLM, or to a file for llama.cpp; and
 * the rollouts of a run as training traces of OpenEnv.
 */

import { type Command, Option } from "commander";
import { BowlineError, toVisibleJson } from "../../core/index.ts";
import { findLastRun, pluralize } from "../../report/index.ts";
import {
  ALL_DTYPES,
  EXPORT_FORMATS,
  type ExportResult,
  exportPolicy,
  exportTraces,
} from "../../train/index.ts";
import type { CommandContext } from "../command-context.ts";
import {
  BASE_HELP,
  choiceParser,
  jsonOption,
  POLICY_KINDS,
  refuseConfigFields,
  resolveBaseField,
} from "../shared-options.ts";

interface ExportCommandOptions {
  readonly out: string;
  readonly merged?: boolean;
  readonly format: (typeof FORMATS)[number];
  readonly dtype: (typeof ALL_DTYPES)[number];
  readonly rollouts?: string;
  readonly json?: boolean;
}

/** OpenEnv's training trace is a format of rollouts; the others are formats of weights. */
const FORMATS = [...EXPORT_FORMATS, "openenv"] as const;

export function defineExportCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Write a policy for other programs: its LoRA adapter for PEFT, or with --merged the whole model for transformers and vLLM; either can also be a GGUF file for llama.cpp. Weights on a Tinker server are downloaded first. With --format openenv, write the rollouts of a run as OpenEnv's training traces.",
    )
    .argument("[policy]", `${POLICY_KINDS} (default: the last run in runs/)`)
    .addOption(
      new Option(
        "--out <path>",
        "a folder that does not exist yet; with --format gguf a file, FILE.gguf; with openenv a file with one trace on each line",
      ).makeOptionMandatory(true),
    )
    .option("--merged", "write the whole model, with the adapter merged into its weights")
    .addOption(
      new Option(
        "--format <format>",
        "hf | gguf | openenv: a Hugging Face folder, a file for llama.cpp, or the rollouts as training traces",
      )
        .default("hf")
        .argParser(choiceParser(FORMATS)),
    )
    .addOption(
      new Option(
        "--dtype <dtype>",
        "type of the numbers: f32, or a rounded one: bf16 (hf), f16 or q8_0 (gguf)",
      )
        .default("f32")
        .argParser(choiceParser(ALL_DTYPES)),
    )
    .option(
      "--rollouts <name>",
      "with --format openenv: train for all training rollouts (the default), or one file of rollouts/, such as train-0003",
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline export runs/lora --out adapter\n  bowline export runs/lora --merged --dtype bf16 --out model\n  bowline export runs/lora --merged --format gguf --dtype q8_0 --out model.gguf\n  bowline export runs/lora --format openenv --out traces.jsonl\n  bowline export adapters/mail --merged --engine.model models/Qwen3-0.6B --out model" +
        BASE_HELP,
    )
    .action(async (policy: string | undefined, options: ExportCommandOptions, command: Command) => {
      const { base, context: rest } = resolveBaseField(context);
      refuseConfigFields(command, rest);
      const { out } = context.terminal;
      const { out: path, merged = false, format, dtype, rollouts, json } = options;
      if (format === "openenv") {
        refuseWeightOptions(command, base);
        writeTraces(policy ?? findLastRun(), options, context);
        return;
      }
      if (rollouts !== undefined) {
        throw new BowlineError("config", "--rollouts is for --format openenv");
      }
      const request = {
        policy: policy ?? findLastRun(),
        ...base,
        out: path,
        merged,
        format,
        dtype,
      };
      const result = await exportPolicy(request);
      if (json) {
        out.writeLine(toVisibleJson(result));
        return;
      }
      const what = merged ? "model" : "adapter";
      out.writeLine(`wrote the ${what} of ${result.checkpoint} to ${path}`);
      for (const { name, sizeBytes } of result.files) {
        out.writeLine(`  ${name}  ${formatSize(sizeBytes)}`);
      }
      if (!merged && result.base) out.writeLine(describeBaseModel(result.base, format));
    });
}

/** Throws a `config` error when an option of weights was given for an export of rollouts. */
function refuseWeightOptions(command: Command, base: object): void {
  const given = ["merged", "dtype"].filter((name) => command.getOptionValueSource(name) === "cli");
  const [option] = [...given, ...Object.keys(base).map(() => "engine.model")];
  if (option === undefined) return;
  throw new BowlineError(
    "config",
    `--${option} says how weights are written, and --format openenv writes rollouts: leave it out`,
  );
}

function writeTraces(
  run: string,
  { out: path, rollouts, json }: ExportCommandOptions,
  { terminal: { out } }: CommandContext,
): void {
  const result = exportTraces({ run, out: path, rollouts });
  if (json) {
    out.writeLine(toVisibleJson(result));
    return;
  }
  const { traces, turns, leftOut } = result;
  out.writeLine(`wrote ${pluralize(traces, "trace")} with ${pluralize(turns, "turn")} to ${path}`);
  if (leftOut > 0) {
    out.writeLine(`left out ${pluralize(leftOut, "rollout")} without tokens or without a reward`);
  }
}

/** Returns the line that names the base model, without which an adapter cannot be used. */
function describeBaseModel(
  { name, isHubId }: NonNullable<ExportResult["base"]>,
  format: (typeof EXPORT_FORMATS)[number],
): string {
  if (format === "gguf") return `its base is ${name} as a GGUF file`;
  return isHubId
    ? `its base is ${name} on the Hugging Face hub`
    : `its base is named ${name}, after its folder or file; if you move the base, set base_model_name_or_path in adapter_config.json`;
}

function formatSize(sizeBytes: number): string {
  const megabytes = sizeBytes / 1e6;
  return megabytes < 1 ? `${Math.ceil(megabytes * 1000)} kB` : `${megabytes.toFixed(1)} MB`;
}
