/** `bowline export` writes a trained policy to a folder for transformers, PEFT and vLLM, or to a file for llama.cpp. */

import { type Command, Option } from "commander";
import { toVisibleJson } from "../../core/index.ts";
import { findLastRun } from "../../report/index.ts";
import { ALL_DTYPES, EXPORT_FORMATS, type ExportResult, exportPolicy } from "../../train/index.ts";
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
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly dtype: (typeof ALL_DTYPES)[number];
  readonly json?: boolean;
}

export function defineExportCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Write a policy for other programs: its LoRA adapter for PEFT, or with --merged the whole model for transformers and vLLM; either can also be a GGUF file for llama.cpp. Weights on a Tinker server are downloaded first.",
    )
    .argument("[policy]", `${POLICY_KINDS} (default: the last run in runs/)`)
    .addOption(
      new Option(
        "--out <path>",
        "a folder that does not exist yet; with --format gguf a file, FILE.gguf",
      ).makeOptionMandatory(true),
    )
    .option("--merged", "write the whole model, with the adapter merged into its weights")
    .addOption(
      new Option("--format <format>", "hf | gguf: a Hugging Face folder, or a file for llama.cpp")
        .default("hf")
        .argParser(choiceParser(EXPORT_FORMATS)),
    )
    .addOption(
      new Option(
        "--dtype <dtype>",
        "type of the numbers: f32, or a rounded one: bf16 (hf), f16 or q8_0 (gguf)",
      )
        .default("f32")
        .argParser(choiceParser(ALL_DTYPES)),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline export runs/lora --out adapter\n  bowline export runs/lora --merged --dtype bf16 --out model\n  bowline export runs/lora --merged --format gguf --dtype q8_0 --out model.gguf\n  bowline export adapters/mail --merged --engine.model models/Qwen3-0.6B --out model" +
        BASE_HELP,
    )
    .action(async (policy: string | undefined, options: ExportCommandOptions, command: Command) => {
      const { base, context: rest } = resolveBaseField(context);
      refuseConfigFields(command, rest);
      const { out } = context.terminal;
      const { out: path, merged = false, format, dtype, json } = options;
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

/** Returns the line that names the base model, without which an adapter cannot be used. */
function describeBaseModel(
  { name, isHubId }: NonNullable<ExportResult["base"]>,
  format: ExportCommandOptions["format"],
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
