/**
 * Reads `generation_config.json`, in which the authors of a model say how to sample. Our engines apply the stop ids and
 * the temperature. All other fields that would change the sampling are listed in `ignored`, so that a caller can report
 * them.
 */
import type { z } from "zod";
import {
  BowlineError,
  errorMessage,
  formatSchema,
  formatValue,
  listNamedFields,
} from "../../core/index.ts";
import { FILTER_FIELDS, generationFormat, stopSchema } from "./generation-format.ts";
import type { ModelFiles } from "./model-files.ts";

/** How a model is sampled by default. */
export interface GenerationDefaults {
  /** The ids that end a turn. The list is empty if no file names one. */
  readonly stopIds: readonly number[];
  /** The temperature; 0 if the file asks for greedy sampling, and absent without a file. */
  readonly temperature?: number;
  /** Fields of the file that the engine does not apply, such as "top_p 0.8". */
  readonly ignored: readonly string[];
}

const FILE = "generation_config.json";
const fileSchema = formatSchema(generationFormat);

/**
 * Reads the sampling defaults of a model. `fallbackStopIds` are the stop ids of `config.json` and of the tokenizer, in
 * this order, for models without the file or the field. Throws a `checkpoint` error if the file is malformed or an id
 * is not in the vocabulary.
 */
export function readGenerationConfig(
  files: ModelFiles,
  vocabularySize: number,
  fallbackStopIds: readonly unknown[],
): GenerationDefaults {
  const path = files.displayPath(FILE);
  const text = files.read(FILE);
  const file = text === undefined ? undefined : parseGenerationConfig(text, path);
  const stops = [
    file?.eos_token_id,
    ...fallbackStopIds.map((value) => stopSchema.safeParse(value).data),
  ];
  const stopIds = [stops.find((value) => value !== undefined && value !== null) ?? []].flat();
  const unknownStopId = stopIds.find((stop) => stop >= vocabularySize);
  if (unknownStopId !== undefined) {
    throw new BowlineError(
      "checkpoint",
      `${path}: eos_token_id ${unknownStopId} is not below the model's vocabulary of ${vocabularySize}`,
    );
  }
  if (file === undefined) return { stopIds, ignored: [] };
  const temperature = file.do_sample ? (file.temperature ?? 1) : 0;
  return { stopIds, temperature, ignored: listIgnoredFields(file, JSON.parse(text!), temperature) };
}

/**
 * Returns the fields that are not applied, with their values. Filters of samples do nothing where the best token is
 * taken.
 */
function listIgnoredFields(
  file: unknown,
  values: Readonly<Record<string, unknown>>,
  temperature: number,
): string[] {
  const named = listNamedFields(file).filter(
    (name) => temperature > 0 || !FILTER_FIELDS.includes(name),
  );
  return named.map((name) => `${name} ${formatValue(values[name])}`);
}

function parseGenerationConfig(text: string, path: string): z.infer<typeof fileSchema> {
  try {
    const result = fileSchema.safeParse(JSON.parse(text));
    if (result.success) return result.data;
    throw new BowlineError("checkpoint", `${path}: ${errorMessage(result.error)}`);
  } catch (cause) {
    if (BowlineError.is(cause)) throw cause;
    throw new BowlineError("checkpoint", `${path} is not JSON: ${errorMessage(cause)}`, { cause });
  }
}
