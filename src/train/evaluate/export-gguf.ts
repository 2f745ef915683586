/**
 * Prepares the export to a GGUF file: the type of its numbers, and the keys for the model's name and tokenizer. The
 * file of an adapter has no tokenizer, because its base model has it.
 */
import { basename } from "node:path";
import type { GgufEntry } from "../../core/gguf/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { BaseName, GgufExport } from "../../engine/index.ts";
import { createGgufEntries, modelFilesFromTexts } from "../../text/index.ts";

/** The formats of an export: `hf` for transformers, PEFT and vLLM, `gguf` for llama.cpp. */
export const EXPORT_FORMATS = ["hf", "gguf"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** The number types that each format can have. */
export const DTYPES_BY_FORMAT = { hf: ["f32", "bf16"], gguf: ["f32", "f16", "q8_0"] } as const;
export type ExportDtype = (typeof DTYPES_BY_FORMAT)[ExportFormat][number];
export const ALL_DTYPES = ["f32", "bf16", "f16", "q8_0"] as const satisfies readonly ExportDtype[];

const GGUF_TYPES = { f32: "F32", f16: "F16", q8_0: "Q8_0" } as const;

/** Throws a `config` error when the format cannot have numbers of this type. */
export function requireDtype(format: ExportFormat, dtype: ExportDtype): void {
  const known: readonly ExportDtype[] = DTYPES_BY_FORMAT[format];
  if (known.includes(dtype)) return;
  const other = EXPORT_FORMATS.find((name) => name !== format)!;
  throw new BowlineError(
    "config",
    `--dtype ${dtype} is for --format ${other}; --format ${format} has ${known.join(", ")}`,
  );
}

/** What a GGUF export needs to know. */
export interface GgufRequest {
  readonly form: "merged" | "adapter";
  readonly dtype: ExportDtype;
  /** The path of the file to write. */
  readonly out: string;
  /** The path of the exported policy, for errors. */
  readonly policy: string;
  /** The number of rows of the model's embedding. */
  readonly rows: number;
  /** The texts of a Hugging Face folder, by file name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly base: BaseName | undefined;
  /** The world of its training; absent for a policy that was not trained here. */
  readonly world?: string;
}

export function createGgufExport(request: GgufRequest): GgufExport {
  const { form, dtype, policy, texts, rows } = request;
  const tokenizer =
    form === "merged" ? createGgufEntries(modelFilesFromTexts(policy, texts), rows) : [];
  return {
    form,
    dtype: GGUF_TYPES[dtype as keyof typeof GGUF_TYPES],
    texts: [...describeModel(request), ...tokenizer],
  };
}

function describeModel({ out, base, world }: GgufRequest): GgufEntry[] {
  const textEntry = (key: string, value: string): GgufEntry => ({ key, kind: "string", value });
  return [
    textEntry("general.name", basename(out, ".gguf")),
    ...(world === undefined
      ? []
      : [
          textEntry(
            "general.description",
            `An agent's policy, trained by Bowline in the world ${world}`,
          ),
        ]),
    ...(base === undefined || base.name === ""
      ? []
      : ([
          { key: "general.base_model.count", kind: "uint32", value: 1 },
          textEntry("general.base_model.0.name", base.name),
        ] as const)),
  ];
}
