/**
 * The text half of a model: how text becomes tokens, conversations become text, and where a turn ends.
 *
 * It is read from the folder or the GGUF file of a downloaded model and from a run's checkpoint alike, because a checkpoint
 * keeps copies of these files beside the weights.
 */
import { BowlineError } from "../../core/index.ts";
import type { ChatTemplate } from "../../spec/index.ts";
import { type FileTokenizer, loadTokenizer } from "../tokenizer/load-tokenizer.ts";
import { type GenerationDefaults, readGenerationConfig } from "./generation-config.ts";
import { type ModelFiles, openModelFiles } from "./model-files.ts";
import { compileChatTemplate, readTokenizerConfig } from "./tokenizer-config.ts";

export interface ModelText {
  readonly tokenizer: FileTokenizer;
  /** The text of `tokenizer.json`. */
  readonly tokenizerJson: string;
  readonly specialTokens: Readonly<Record<string, string>>;
  readonly hasChatTemplate: boolean;
  /** Throws a `checkpoint` error when the model has none. */
  chatTemplate(): ChatTemplate;
  readonly generation: GenerationDefaults;
  /** Names and contents of the other files, to be kept with what is trained from this model. */
  readonly files: Readonly<Record<string, string>>;
}

const TOKENIZER_FILE = "tokenizer.json";
const KEPT_FILES = [
  "tokenizer_config.json",
  "special_tokens_map.json",
  "chat_template.jinja",
  "generation_config.json",
];

/**
 * `path`: of a folder or a GGUF file. `vocabularySize`: rows of the model's embedding. `stop`: the stop ids of its `config.json`.
 * Throws a `checkpoint` error when a file is missing, broken, or of another model.
 */
export function readModelText(
  path: string,
  vocabularySize: number,
  configStopIds?: unknown,
): ModelText {
  return modelTextFromFiles(openModelFiles(path), vocabularySize, configStopIds);
}

/** The same of texts that are at hand. */
export function modelTextFromFiles(
  files: ModelFiles,
  vocabularySize: number,
  configStopIds?: unknown,
): ModelText {
  const tokenizerJson = readTokenizerJson(files);
  const tokenizer = loadTokenizer(tokenizerJson);
  if (tokenizer.vocabularySize > vocabularySize) {
    throw new BowlineError(
      "checkpoint",
      `${files.displayPath(TOKENIZER_FILE)} is of another model: it has ${tokenizer.vocabularySize} ids, but the embedding has ${vocabularySize} rows`,
    );
  }
  const config = readTokenizerConfig(files);
  // Whoever asks for the template later must not be the first to learn that it is broken.
  const template = config.templates.size > 0 ? compileChatTemplate(config, files.path) : undefined;
  const end = tokenizer.specials.get(config.specialTokens["eos_token"] ?? "");
  const generation = readGenerationConfig(files, vocabularySize, [configStopIds, end]);
  return {
    tokenizer,
    tokenizerJson,
    specialTokens: config.specialTokens,
    hasChatTemplate: template !== undefined,
    chatTemplate: () => template ?? compileChatTemplate(config, files.path),
    generation,
    files: collectKeptFiles(files, generation),
  };
}

function readTokenizerJson(files: ModelFiles): string {
  const text = files.read(TOKENIZER_FILE);
  if (text !== undefined) return text;
  const slow = ["tokenizer.model", "vocab.json"].find((name) => files.read(name) !== undefined);
  const advice = slow
    ? `${slow} alone is not read; save the model with a fast tokenizer, which writes ${TOKENIZER_FILE}`
    : `a model folder needs one`;
  throw new BowlineError(
    "checkpoint",
    `${files.displayPath(TOKENIZER_FILE)} is missing: ${advice}`,
  );
}

/** Stop ids that only `config.json` or the tokenizer named are written down, for they are read from here later. */
function collectKeptFiles(
  files: ModelFiles,
  { stopIds }: GenerationDefaults,
): Record<string, string> {
  const kept = Object.fromEntries(
    KEPT_FILES.flatMap((name) => {
      const text = files.read(name);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
  kept["generation_config.json"] ??= `${JSON.stringify({ eos_token_id: stopIds })}\n`;
  return kept;
}
